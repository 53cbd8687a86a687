"""Costs of Tussle, compared with our limits: rows `costs/WHAT/limit`, and `costs/start-up/open_spiel`.

Without a peer, our number is compared with a limit that we set. A larger ratio is always better. If smaller numbers are
better, the ratio is the other number divided by ours: 2 means half of the limit, or half of the peer's cost.
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

# Minimum number of random playouts per second.
MIN_PLAYOUTS_PER_SECOND = {"gobblet": 1e6, "keep-on-moving": 2e6, "backgammon": 2e4}
# Maximum time of a heavy playout, in random playouts.
MAX_HEAVY_COST = 4
HEAVY = {"gobblet": "gobblet", "connect4": "connect4", "go-5x5": "go:size=5", "pentago-twist": "pentago-twist"}
# Maximum overhead of the arena per move of an external program, in microseconds.
MAX_ARENA_US = 150
# Maximum delay of 999 of 1000 answers, in milliseconds.
MAX_LATE_MS = 1
# Maximum pause of a growing tree, and maximum time to reuse a subtree, in milliseconds.
MAX_PAUSE_MS, MAX_REUSE_MS = 5, 1
TREES = {"connect4": "connect4", "go-9x9": "go:size=9", "pentago-twist": "pentago-twist"}
# Maximum number of bytes per simulation of a tree.
MAX_BYTES_PER_SIMULATION = 40
# Maximum size of the binary in megabytes, and maximum time of a clean release build in seconds.
MAX_BINARY_MB = 25
MAX_BUILD_SECONDS = 300


@dataclass(frozen=True)
class Plan:
    """Amount of measurement."""

    sides: Sides
    rounds: int
    quick: bool


def document(*words: object) -> Any:
    """Returns the JSON document that a `tussle` command prints."""
    return json.loads(install.output(*words, "--json"))


def cost(name: str, unit: str, pairs: list[tuple[float, float]], **about: Any) -> dict[str, Any]:
    """Returns a row of a cost, of which less is better."""
    return row(name, unit, pairs, about, less_is_better=True)


def playouts_a_second(plan: Plan, game: str, *more: str) -> float:
    return document("bench", "playouts", game, "--time", "100ms" if plan.quick else "500ms", *more)["playouts_per_s"]


def playouts(plan: Plan, name: str, game: str) -> dict[str, Any]:
    pairs = [(playouts_a_second(plan, game), MIN_PLAYOUTS_PER_SECOND[game]) for _ in range(plan.rounds)]
    return row(name, "playouts/s", pairs, {"goal": 1})


def heavy(plan: Plan, name: str, game: str) -> dict[str, Any]:
    spec = HEAVY[game]
    games = lambda: playouts_a_second(plan, spec) / playouts_a_second(plan, spec, "--heavy")
    return cost(name, "random playouts per heavy playout", [(games(), MAX_HEAVY_COST) for _ in range(plan.rounds)], goal=1)


@lru_cache
def arenas(rounds: int, plies: int) -> list[dict[str, float]]:
    """Returns for each round the median time of a move by protocol. All protocols are measured together."""
    measure = lambda: document("bench", "arena", "--plies", plies)["protocols"]
    return [{one["protocol"]: one["p50_us"] for one in measure()} for _ in range(rounds)]


def arena(plan: Plan, name: str, protocol: str) -> dict[str, Any]:
    measured = arenas(plan.rounds, 1000 if plan.quick else 5000)
    return cost(name, "µs per move", [(one[protocol], MAX_ARENA_US) for one in measured], goal=1)


def late(plan: Plan, name: str, agent: str) -> dict[str, Any]:
    searches = 2000
    idle = document("bench", "overrun", "--agent", agent, "--searches", searches, "--load", "idle")["loads"][0]
    # An answer in time has a delay of 0 ms, for which a ratio is undefined.
    pairs = [(max(idle["p999_ms"], 0.001), MAX_LATE_MS)]
    note = f"{searches:,} searches, half of them within {idle['p50_ms']:.2f}, 99 % within {idle['p99_ms']:.2f}"
    return cost(name, "ms of delay, exceeded by 1 of 1000 answers", pairs, goal=1, note=note)


@lru_cache
def trees(ours: Side, game: str, rounds: int, steps: int) -> list[dict[str, float]]:
    """Measures trees that grow by a hundred simulations per step. All costs of a tree are measured together."""
    return [ours.ask("grow", game, "mcts-textbook:reuse=on", steps) for _ in range(rounds)]


def grown(plan: Plan, name: str, game: str, key: str, limit: float, unit: str) -> dict[str, Any]:
    steps = 2000 if plan.quick else 10_000
    pairs = [(tree[key], limit) for tree in trees(plan.sides["ours"], TREES[game], plan.rounds, steps)]
    return cost(name, unit, pairs, goal=1, note=f"CPU time, {steps // 10:,},000 simulations")


def pause(plan: Plan, name: str, game: str) -> dict[str, Any]:
    return grown(plan, name, game, "worst_ms", MAX_PAUSE_MS, "ms of the slowest hundred simulations")


def moving_on(plan: Plan, name: str, game: str) -> dict[str, Any]:
    return grown(plan, name, game, "moving_on_ms", MAX_REUSE_MS, "ms to reuse the tree after two moves")


def size(plan: Plan, name: str, game: str) -> dict[str, Any]:
    simulations = 100_000 if plan.quick else 1_000_000
    # The same seed gives the same tree, so one measurement is enough.
    measured = document("bench", "mcts", TREES[game], "--simulations", simulations, "--threads", 1, "--rounds", 1)["speeds"][0]
    pairs = [(measured["bytes"] / measured["simulations"], MAX_BYTES_PER_SIMULATION)]
    return cost(name, "bytes per simulation", pairs, goal=1, note=f"{simulations:,} simulations")


def start_up(plan: Plan, name: str, _: str) -> dict[str, Any]:
    """Measures the time from the start of the program to the printed board."""
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
    return cost(name, "MB", [(install.tussle().stat().st_size / 1e6, MAX_BINARY_MB)], goal=1)


def build(plan: Plan, name: str, _: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        install.run("cargo", "fetch", "--locked")  # the time of downloads does not count
        began = time.perf_counter()
        install.run("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", folder)
        seconds = time.perf_counter() - began
    return cost(name, "s of a clean build on all cores", [(seconds, MAX_BUILD_SECONDS)], goal=1)


# Costs, each with its function, its games, protocols or agents, and true if --quick measures it.
MEASURES: list[tuple[str, Callable[[Plan, str, str], dict[str, Any]], list[str], bool]] = [
    ("playouts", playouts, [*MIN_PLAYOUTS_PER_SECOND], True),
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
    """Measures the wanted rows one by one."""
    plan = Plan(sides, rounds, quick)
    for what, measure, whose, in_quick in MEASURES:
        for one in whose:
            peer = "open_spiel" if measure is start_up else "limit"
            name = f"costs/{what}{'-' if one else ''}{one}/{peer}"
            if not wanted(name):
                continue
            if quick and not in_quick:
                yield {"name": name, "skipped": "takes minutes: not in --quick"}
                continue
            try:
                yield measure(plan, name, one)
            except Missing as reason:
                yield {"name": name, "skipped": str(reason)}
