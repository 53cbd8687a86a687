"""What `bench/run` has to build and install before it can compare anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Callable, Iterable

from sides import BENCH, ROOT, Missing, last_line

# Debian keeps games in folders of their own; `tussle` searches the same ones.
GAME_FOLDERS = os.environ.get("TUSSLE_GAME_FOLDERS", "/usr/local/games:/usr/games")
GAMES_PATH = os.pathsep.join(filter(None, [os.environ.get("PATH", os.defpath), GAME_FOLDERS]))


def run(*command: object) -> None:
    """Runs a command to its end."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{command[0]}: {last_line(done.stderr)}")


def cargo_build(folder: Path, program: str) -> Path:
    """The release build of the program of a workspace."""
    run("cargo", "build", "--release", "--locked", "--quiet", "--manifest-path",
        folder / "Cargo.toml", "--bin", program)
    return Path(os.environ.get("CARGO_TARGET_DIR", folder / "target")) / "release" / program


@lru_cache
def bench() -> Path:
    return cargo_build(BENCH, "tussle-bench")


@lru_cache
def peers() -> Path:
    """The peers that are crates."""
    return cargo_build(BENCH / "peers", "tussle-peers")


@lru_cache
def tussle() -> Path:
    """The one that `$TUSSLE` names, or the repository's."""
    named = os.environ.get("TUSSLE")
    return Path(named).absolute() if named else cargo_build(ROOT, "tussle")


def told(*arguments: object) -> str:
    """What our command prints."""
    done = subprocess.run([tussle(), *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"tussle {arguments[0]}: {last_line(done.stderr)}")
    return done.stdout


@lru_cache
def open_spiel() -> None:
    run(BENCH / "python", "-c", "import pyspiel")


@lru_cache
def gnugo() -> str:
    """Where GNU Go is; Debian has it."""
    if (path := shutil.which("gnugo", path=GAMES_PATH)) is not None:
        return path
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise Missing("GNU Go is not installed; on Debian: apt-get install gnugo")
    try:
        run("apt-get", "install", "-y", "--no-install-recommends", "gnugo")
    except Missing:  # perhaps its list of packages is old, or there is none
        run("apt-get", "update")
        run("apt-get", "install", "-y", "--no-install-recommends", "gnugo")
    if (path := shutil.which("gnugo", path=GAMES_PATH)) is None:
        raise Missing("GNU Go is not there although it was installed")
    return path


# What a peer's rows need, by the beginning of the peer's name.
PEERS: dict[str, Callable[[], object]] = {
    "open_spiel": open_spiel,
    "gnugo": gnugo,
    "board-game": peers,
    "connect-four-solver": peers,
    "mcts": peers,
    "minimax": peers,
}


def peer_of(name: str) -> str | None:
    """The peer of the row with this name, whatever its options."""
    last = name.rsplit("/", 1)[1]
    return next((peer for peer in PEERS if last.startswith(peer)), None)


def peers_of(names: Iterable[str]) -> list[str]:
    """The peers of these rows, each once."""
    return [peer for peer in dict.fromkeys(map(peer_of, names)) if peer is not None]


# What the rows of a family need of ours: the program that works on demand, the command, or both.
FAMILIES: dict[str, list[Callable[[], object]]] = {
    "playouts": [bench],
    "search": [bench],
    "mcts": [bench],
    "costs": [bench, tussle],
    "strength": [tussle],
    "growth": [tussle],
}


def needs(name: str) -> list[Callable[[], object]]:
    """What the row with this name needs."""
    theirs = PEERS.get(peer_of(name) or "")
    return [*FAMILIES[name.split("/")[0]], *([theirs] if theirs else [])]


def ahead(names: Iterable[str]) -> None:
    """Builds and installs all that these rows need at the same time. What cannot be had is told by the
    rows that need it, which ask again."""
    wanted = {need.__name__: need for name in names for need in needs(name)}
    if not wanted:
        return
    began = time.monotonic()
    print(f"building and installing, if need be: {', '.join(sorted(wanted))}", file=sys.stderr)

    def quietly(need: Callable[[], object]) -> None:
        try:
            need()
        except Missing:
            pass

    with ThreadPoolExecutor(len(wanted)) as pool:
        list(pool.map(quietly, wanted.values()))
    print(f"that took {time.monotonic() - began:.0f} s", file=sys.stderr)
