"""Builds and installs the programs that `bench/run` compares."""

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

# Debian has separate folders for games; `tussle` searches them too.
GAME_FOLDERS = os.environ.get("TUSSLE_GAME_FOLDERS", "/usr/local/games:/usr/games")
GAMES_PATH = os.pathsep.join(filter(None, [os.environ.get("PATH", os.defpath), GAME_FOLDERS]))


def run(*command: object) -> None:
    """Runs a command and waits for its end."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{command[0]}: {last_line(done.stderr)}")


def cargo_build(folder: Path, *packages: str) -> Path:
    """Builds packages of a workspace in release mode and returns the folder of their programs."""
    chosen = [argument for package in packages for argument in ("--package", package)]
    run("cargo", "build", "--release", "--locked", "--quiet", "--manifest-path", folder / "Cargo.toml", *chosen)
    return Path(os.environ.get("CARGO_TARGET_DIR", folder / "target")) / "release"


def ours() -> Path:
    """Builds our programs, both at once: then they share the crates that are compiled."""
    return cargo_build(ROOT, "tussle-cli", "tussle-bench")


@lru_cache
def bench() -> Path:
    return ours() / "tussle-bench"


@lru_cache
def peers() -> Path:
    """Builds the program with the peers that are crates."""
    return cargo_build(BENCH / "peers", "tussle-peers") / "tussle-peers"


@lru_cache
def tussle() -> Path:
    """Returns the path in `$TUSSLE`, or builds the program of the repository."""
    named = os.environ.get("TUSSLE")
    return Path(named).absolute() if named else ours() / "tussle"


def output(*arguments: object) -> str:
    """Returns the output of a `tussle` command."""
    done = subprocess.run([tussle(), *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"tussle {arguments[0]}: {last_line(done.stderr)}")
    return done.stdout


@lru_cache
def open_spiel() -> None:
    run(BENCH / "python", "-c", "import pyspiel")


@lru_cache
def gnugo() -> str:
    """Returns the path of GNU Go. Installs it on Debian, if the script runs as root."""
    if (path := shutil.which("gnugo", path=GAMES_PATH)) is not None:
        return path
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise Missing("GNU Go is not installed; on Debian: apt-get install gnugo")
    try:
        run("apt-get", "install", "-y", "--no-install-recommends", "gnugo")
    except Missing:  # the list of packages can be old or missing
        run("apt-get", "update")
        run("apt-get", "install", "-y", "--no-install-recommends", "gnugo")
    if (path := shutil.which("gnugo", path=GAMES_PATH)) is None:
        raise Missing("apt-get installed GNU Go, but PATH does not have it")
    return path


# Requirement of the rows of a peer, by the beginning of its name.
PEERS: dict[str, Callable[[], object]] = {
    "open_spiel": open_spiel,
    "gnugo": gnugo,
    "board-game": peers,
    "connect-four-solver": peers,
    "mcts": peers,
    "minimax": peers,
}


def peer_of(name: str) -> str | None:
    """Returns the peer of the row with this name, without its options."""
    last = name.rsplit("/", 1)[1]
    return next((peer for peer in PEERS if last.startswith(peer)), None)


def peers_of(names: Iterable[str]) -> list[str]:
    """Returns the peers of these rows without repetitions."""
    return [peer for peer in dict.fromkeys(map(peer_of, names)) if peer is not None]


# Our programs that the rows of a family need: the one that answers requests, the command, or both.
FAMILIES: dict[str, list[Callable[[], object]]] = {
    "playouts": [bench],
    "search": [bench],
    "mcts": [bench],
    "costs": [bench, tussle],
    "strength": [tussle],
    "defaults": [tussle],
    "growth": [tussle],
}


def needs(name: str) -> list[Callable[[], object]]:
    """Returns the requirements of the row with this name."""
    theirs = PEERS.get(peer_of(name) or "")
    return [*FAMILIES[name.split("/")[0]], *([theirs] if theirs else [])]


def prepare(names: Iterable[str]) -> None:
    """Builds and installs the requirements of these rows in parallel. Errors are ignored here, because the
    rows that need a missing program report them."""
    wanted = {need.__name__: need for name in names for need in needs(name)}
    if not wanted:
        return
    began = time.monotonic()
    print(f"building and installing if needed: {', '.join(sorted(wanted))}", file=sys.stderr)

    def try_to(need: Callable[[], object]) -> None:
        try:
            need()
        except Missing:
            pass

    with ThreadPoolExecutor(len(wanted)) as pool:
        list(pool.map(try_to, wanted.values()))
    print(f"built and installed in {time.monotonic() - began:.0f} s", file=sys.stderr)
