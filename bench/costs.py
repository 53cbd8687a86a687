"""What Tussle costs: rows `costs/WHAT/limit`, and `costs/start-up/open_spiel`.

Where nobody else can be measured, ours stands beside the limit that we set ourselves. Ratios are the other's over ours, so
that more is better here too: 2 is half of what is allowed, or half of what the peer takes.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Callable, Iterator

import install
from sides import BENCH, ROOT, Missing, Sides, last_line

# Microseconds that the arena may add to a move of a program, by protocol.
ARENA = {"arena-ugi": ("ugi", 150), "arena-json": ("json", 150)}
# Bytes a simulation of a tree.
BYTES = {"bytes-connect4": "connect4", "bytes-go-9x9": "go:size=9", "bytes-pentago-twist": "pentago-twist"}
MOST_BYTES = 40
# Megabytes of the binary, and seconds of a release build from nothing.
MOST_MEGABYTES = 25
MOST_SECONDS = 300


def told(*command: object) -> Any:
    """The document that a command prints."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Missing(last_line(done.stderr))
    return json.loads(done.stdout)


def row(name: str, unit: str, pairs: list[tuple[float, float]], **about: Any) -> dict[str, Any]:
    """What ours took and what the other did, or may; the ratio is how many times less ours is."""
    ratios = [theirs / ours for ours, theirs in pairs]
    return {
        "name": name,
        "ours": median(ours for ours, _ in pairs),
        "peer": median(theirs for _, theirs in pairs),
        "ratio": median(ratios),
        "spread": max(ratios) - min(ratios),
        "rounds": len(pairs),
        "unit": unit,
    } | about


def arena(what: str, rounds: int, quick: bool) -> dict[str, Any]:
    protocol, most = ARENA[what]
    plies = 1000 if quick else 5000

    def ply() -> float:
        measured = told(install.tussle(), "bench", "arena", "--plies", plies, "--json")["protocols"]
        return next(one["p50_us"] for one in measured if one["protocol"] == protocol)

    pairs = [(ply(), most) for _ in range(rounds)]
    return row(f"costs/{what}/limit", "microseconds a move", pairs, goal=1)


def size(what: str, quick: bool) -> dict[str, Any]:
    simulations = 100_000 if quick else 1_000_000
    measured = told(install.tussle(), "bench", "mcts", BYTES[what], "--simulations", simulations,
                    "--threads", 1, "--rounds", 1, "--json")["speeds"][0]
    # The same seed gives the same tree: once is enough.
    pairs = [(measured["bytes"] / measured["simulations"], MOST_BYTES)]
    return row(f"costs/{what}/limit", "bytes a simulation", pairs, goal=1, note=f"{simulations:,} simulations")


def start_up(rounds: int, quick: bool) -> dict[str, Any]:
    """From nothing to an answer, and for a library in Python to the moment when it can be asked."""
    install.open_spiel()

    def milliseconds(*command: object) -> float:
        began = time.perf_counter()
        subprocess.run([*map(str, command)], cwd=ROOT, check=True, capture_output=True)
        return (time.perf_counter() - began) * 1e3

    ours = (install.tussle(), "show", "connect4")
    theirs = (BENCH / ".venv/bin/python", "-c", "import pyspiel; print(pyspiel.load_game('connect_four').new_initial_state())")
    times = 3 if quick else 10
    pairs = [
        tuple(median(pair[i] for pair in several) for i in (0, 1))
        for several in ([(milliseconds(*ours), milliseconds(*theirs)) for _ in range(times)] for _ in range(rounds))
    ]
    return row("costs/start-up/open_spiel", "ms to show a board", pairs)


def binary() -> dict[str, Any]:
    return row("costs/binary/limit", "MB", [(install.tussle().stat().st_size / 1e6, MOST_MEGABYTES)], goal=1)


def build() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        # What has to be downloaded is not a matter of ours.
        install.run("cargo", "fetch", "--locked")
        began = time.perf_counter()
        install.run("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", folder)
        seconds = time.perf_counter() - began
    return row("costs/build/limit", "seconds", [(seconds, MOST_SECONDS)], goal=1, note="from nothing, all cores")


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures one row after the other."""
    measures: dict[str, Callable[[], dict[str, Any]]] = {
        **{f"costs/{what}/limit": lambda what=what: arena(what, rounds, quick) for what in ARENA},
        **{f"costs/{what}/limit": lambda what=what: size(what, quick) for what in BYTES},
        "costs/start-up/open_spiel": lambda: start_up(rounds, quick),
        "costs/binary/limit": binary,
        "costs/build/limit": build,
    }
    for name, measure in measures.items():
        if not wanted(name):
            continue
        if quick and measure is build:
            yield {"name": name, "skipped": "it takes minutes: not in --quick"}
            continue
        try:
            yield measure()
        except Missing as reason:
            yield {"name": name, "skipped": str(reason)}
