"""Versions of all compared programs, and the machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

import gnugo
from sides import BENCH, ROOT, Missing


def first_line(*command: str) -> str:
    """Returns the first line of a command's output, or an empty string if the command fails."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return (done.stdout.splitlines() or [""])[0].strip() if done.returncode == 0 else ""


def found(pattern: str, path: Path) -> str:
    match = re.search(pattern, path.read_text(), re.MULTILINE) if path.exists() else None
    return match.group(1) if match else ""


def tussle() -> str:
    """Returns our version, with the commit if it is known."""
    version = f"tussle {found(r'^version = .(.+).$', ROOT / 'Cargo.toml')}"
    commit = first_line("git", "rev-parse", "--short", "HEAD")
    if not commit:
        return version
    changed = first_line("git", "status", "--porcelain", "--untracked-files=no")
    return f"{version}, commit {commit}{' and changes' if changed else ''}"


def compiler_flags() -> str:
    """Returns the compiler flags, which are the same for us and the peers: those of `RUSTFLAGS`, else of the repository."""
    own = found(r"target-cpu=([\w-]+)", ROOT / ".cargo/config.toml")
    return os.environ.get("RUSTFLAGS") or (f"-C target-cpu={own}" if platform.machine() == "x86_64" else "none")


def of_peer(peer: str) -> str:
    """Returns the version of a peer: the pinned one, or the one that the peer reports."""
    if peer == "gnugo":
        return gnugo.version()
    if peer == "open_spiel":
        return f"open_spiel {found(r'^open_spiel==(.+)$', BENCH / 'requirements.txt')}"
    crate = peer.removesuffix("-tuned")
    return f"{crate} {found(rf'^{crate} = .=(.+).$', BENCH / 'peers/Cargo.toml')}"


def of_peer_or_why(peer: str) -> str:
    try:
        return of_peer(peer)
    except Missing as reason:
        return f"{peer}: {reason}"


def everything(peers: list[str]) -> dict[str, str | int]:
    """Returns the entries of the head of the table."""
    cpu = found(r"^model name\s*: (.+)$", Path("/proc/cpuinfo")) or platform.machine()
    return {
        "tussle": tussle(),
        "rustc": first_line("rustc", "--version"),
        "flags": compiler_flags(),
        "cpu": cpu,
        "cores": os.cpu_count() or 0,
        "system": platform.platform(),
        "python": first_line(str(BENCH / ".venv/bin/python"), "--version") or f"Python {platform.python_version()}",
    } | {peer: of_peer_or_why(peer) for peer in peers}
