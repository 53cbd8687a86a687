"""What was compared: the versions of everything, and the machine."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from pathlib import Path

import gnugo
from sides import BENCH, ROOT, Missing


def told(*command: str) -> str:
    """The first line that a command prints, empty if it cannot."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return (done.stdout.splitlines() or [""])[0].strip() if done.returncode == 0 else ""


def found(pattern: str, path: Path) -> str:
    match = re.search(pattern, path.read_text(), re.MULTILINE) if path.exists() else None
    return match.group(1) if match else ""


def tussle() -> str:
    """Our version, and the commit where that is known."""
    version = f"tussle {found(r'^version = .(.+).$', ROOT / 'Cargo.toml')}"
    commit = told("git", "rev-parse", "--short", "HEAD")
    if not commit:
        return version
    changed = told("git", "status", "--porcelain", "--untracked-files=no")
    return f"{version}, commit {commit}{' and changes' if changed else ''}"


def compiler_flags() -> str:
    """Those of the repository, for us and for the peers alike, unless the environment has others."""
    own = found(r"target-cpu=([\w-]+)", ROOT / ".cargo/config.toml")
    return os.environ.get("RUSTFLAGS") or (f"-C target-cpu={own}" if platform.machine() == "x86_64" else "none")


def of_peer(peer: str) -> str:
    """The version of a peer, as it is pinned or as it says."""
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
    """For the head of a table."""
    cpu = found(r"^model name\s*: (.+)$", Path("/proc/cpuinfo")) or platform.machine()
    return {
        "tussle": tussle(),
        "rustc": told("rustc", "--version"),
        "flags": compiler_flags(),
        "cpu": cpu,
        "cores": os.cpu_count() or 0,
        "system": platform.platform(),
        "python": told(str(BENCH / ".venv/bin/python"), "--version") or f"Python {platform.python_version()}",
    } | {peer: of_peer_or_why(peer) for peer in peers}
