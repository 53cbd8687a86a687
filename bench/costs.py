"""What Tussle costs, and what we promised of it: rows `costs/WHAT/limit`, and `costs/start-up/open_spiel`.

Where nobody else can be measured, ours stands beside the limit that we set ourselves. More is better here too: where less is
wanted, a ratio is the other's over ours, so that 2 is half of what is allowed, or half of what the peer takes.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Any, Callable, Iterator

import install
from rows import row
from sides import BENCH, ROOT, Missing, Side, Sides

# Random games a second that are to be reached at least.
FEWEST_PLAYOUTS = {"gobblet": 1e6, "keep-on-moving": 2e6, "backgammon": 2e4}
# How many random games a heavy one may cost.
MOST_HEAVY = 4
HEAVY = {"gobblet": "gobblet", "connect4": "connect4", "go-5x5": "go:size=5", "pentago-twist": "pentago-twist"}
# Microseconds that the arena may add to a move of a program.
MOST_ARENA = 150
# Milliseconds that one of a thousand answers may be late, and that a growing tree may pause or take to move on.
MOST_LATE = 1
MOST_PAUSE, MOST_MOVING_ON = 5, 1
TREES = {"connect4": "connect4", "go-9x9": "go:size=9", "pentago-twist": "pentago-twist"}
# Bytes a simulation of a tree.
MOST_BYTES = 40
# Megabytes of the binary, and seconds of a release build from nothing.
MOST_MEGABYTES = 25
MOST_BUILD = 300


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    sides: Sides
    rounds: int
    quick: bool


def told(*words: object) -> Any:
    """The document that our command prints."""
    return json.loads(install.told(*words, "--json"))


def cost(name: str, unit: str, pairs: list[tuple[float, float]], **about: Any) -> dict[str, Any]:
    """The row of something of which less is better."""
    return row(name, unit, pairs, about, less_is_better=True)


def playouts_a_second(plan: Plan, game: str, *more: str) -> float:
    return told("bench", "playouts", game, "--time", "100ms" if plan.quick else "500ms", *more)["playouts_per_s"]


def playouts(plan: Plan, name: str, game: str) -> dict[str, Any]:
    pairs = [(playouts_a_second(plan, game), FEWEST_PLAYOUTS[game]) for _ in range(plan.rounds)]
    return row(name, "playouts/s", pairs, {"goal": 1})


def heavy(plan: Plan, name: str, game: str) -> dict[str, Any]:
    spec = HEAVY[game]
    games = lambda: playouts_a_second(plan, spec) / playouts_a_second(plan, spec, "--heavy")
    return cost(name, "random games a heavy one costs", [(games(), MOST_HEAVY) for _ in range(plan.rounds)], goal=1)


@lru_cache
def arenas(rounds: int, plies: int) -> list[dict[str, float]]:
    """The middle time of a move by each protocol, round by round: they are measured together."""
    measure = lambda: told("bench", "arena", "--plies", plies)["protocols"]
    return [{one["protocol"]: one["p50_us"] for one in measure()} for _ in range(rounds)]


def arena(plan: Plan, name: str, protocol: str) -> dict[str, Any]:
    measured = arenas(plan.rounds, 1000 if plan.quick else 5000)
    return cost(name, "µs a move", [(one[protocol], MOST_ARENA) for one in measured], goal=1)


def late(plan: Plan, name: str, agent: str) -> dict[str, Any]:
    searches = 2000
    idle = told("bench", "overrun", "--agent", agent, "--searches", searches, "--load", "idle")["loads"][0]
    # An answer in time is 0 ms late, which is less than any clock tells.
    pairs = [(max(idle["p999_ms"], 0.001), MOST_LATE)]
    note = f"{searches:,} searches, half of them within {idle['p50_ms']:.2f}, 99 % within {idle['p99_ms']:.2f}"
    return cost(name, "ms that 1 of 1000 is late", pairs, goal=1, note=note)


@lru_cache
def trees(ours: Side, game: str, rounds: int, steps: int) -> list[dict[str, float]]:
    """Trees that grow a hundred simulations at a time; all that is asked of them is measured together."""
    return [ours.ask("grow", game, "mcts:reuse=on", steps) for _ in range(rounds)]


def grown(plan: Plan, name: str, game: str, key: str, most: float, unit: str) -> dict[str, Any]:
    steps = 2000 if plan.quick else 10_000
    pairs = [(tree[key], most) for tree in trees(plan.sides["ours"], TREES[game], plan.rounds, steps)]
    return cost(name, unit, pairs, goal=1, note=f"processor time, {steps // 10:,},000 simulations")


def pause(plan: Plan, name: str, game: str) -> dict[str, Any]:
    return grown(plan, name, game, "worst_ms", MOST_PAUSE, "ms, the longest hundred simulations")


def moving_on(plan: Plan, name: str, game: str) -> dict[str, Any]:
    return grown(plan, name, game, "moving_on_ms", MOST_MOVING_ON, "ms to the tree two moves on")


def size(plan: Plan, name: str, game: str) -> dict[str, Any]:
    simulations = 100_000 if plan.quick else 1_000_000
    # The same seed gives the same tree: once is enough.
    measured = told("bench", "mcts", TREES[game], "--simulations", simulations, "--threads", 1, "--rounds", 1)["speeds"][0]
    pairs = [(measured["bytes"] / measured["simulations"], MOST_BYTES)]
    return cost(name, "bytes a simulation", pairs, goal=1, note=f"{simulations:,} simulations")


def start_up(plan: Plan, name: str, _: str) -> dict[str, Any]:
    """From nothing to a board on the screen."""
    install.open_spiel()

    def milliseconds(*command: object) -> float:
        began = time.perf_counter()
        subprocess.run([*map(str, command)], cwd=ROOT, check=True, capture_output=True)
        return (time.perf_counter() - began) * 1e3

    ours = (install.tussle(), "show", "connect4")
    board = "import pyspiel; print(pyspiel.load_game('connect_four').new_initial_state())"
    theirs = (BENCH / ".venv/bin/python", "-c", board)
    times = 1 if plan.quick else 5
    rounds = [[(milliseconds(*ours), milliseconds(*theirs)) for _ in range(times)] for _ in range(plan.rounds)]
    pairs = [(median(one for one, _ in several), median(other for _, other in several)) for several in rounds]
    return cost(name, "ms to show a board", pairs)


def binary(plan: Plan, name: str, _: str) -> dict[str, Any]:
    return cost(name, "MB", [(install.tussle().stat().st_size / 1e6, MOST_MEGABYTES)], goal=1)


def build(plan: Plan, name: str, _: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        install.run("cargo", "fetch", "--locked")  # how long a download takes is no matter of ours
        began = time.perf_counter()
        install.run("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", folder)
        seconds = time.perf_counter() - began
    return cost(name, "s to build, from nothing, on all cores", [(seconds, MOST_BUILD)], goal=1)


# What is measured, of which games, protocols or agents, and whether there is time for it in --quick.
MEASURES: list[tuple[str, Callable[[Plan, str, str], dict[str, Any]], list[str], bool]] = [
    ("playouts", playouts, [*FEWEST_PLAYOUTS], True),
    ("heavy", heavy, [*HEAVY], True),
    ("arena", arena, ["ugi", "json"], True),
    ("late", late, ["alphabeta", "minimax", "mcts"], False),
    ("pause", pause, [*TREES], True),
    ("moving-on", moving_on, [*TREES], True),
    ("bytes", size, [*TREES], True),
    ("start-up", start_up, [""], True),
    ("binary", binary, [""], True),
    ("build", build, [""], False),
]


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures one row after the other."""
    plan = Plan(sides, rounds, quick)
    for what, measure, whose, in_quick in MEASURES:
        for one in whose:
            peer = "open_spiel" if measure is start_up else "limit"
            name = f"costs/{what}{'-' if one else ''}{one}/{peer}"
            if not wanted(name):
                continue
            if quick and not in_quick:
                yield {"name": name, "skipped": "it takes minutes: not in --quick"}
                continue
            try:
                yield measure(plan, name, one)
            except Missing as reason:
                yield {"name": name, "skipped": str(reason)}
