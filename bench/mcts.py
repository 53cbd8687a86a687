"""Monte Carlo tree search: rows `mcts/GAME-SIMULATIONS/PEER` and `mcts/GAME-threads/ours`.

Speeds are simulations a second of a search from the start, with a fresh agent every time. Everybody plays
one random game a simulation, to its end, and explores as much as we do, as far as that can be set. The
sides take turns and count processor time. What a simulation does on the way differs from library to
library; the peers' programs say so. Ours is that of OpenSpiel: a leaf is played out from, and gets all its
children when it is seen again.

Two threads on one tree are compared with two of our programs at the same time, each with one thread and a
tree of its own. There the clock tells, and two free cores are needed; a second row has the same in processor
time, which shows what sharing costs, but not what waiting for each other does.
"""

from __future__ import annotations

from itertools import count
from statistics import median
from typing import Any, Callable, Iterator

from rows import row
from sides import Missing, Side, Sides

# Our spec strings for the peers' names of games.
GAMES = {
    "tictactoe": "tictactoe",
    "connect4": "connect4",
    "go-5x5": "go:size=5",
    "go-9x9": "go:size=9",
    "pentago": "pentago:early=off",
}
UNIT = "simulations/s"
SIMULATIONS = [10_000, 100_000]
# The peers' rows: the program, what its names of games end with, and the ratios we want.
PEERS: list[tuple[str, str, str, dict[str, float]]] = [
    ("open_spiel", "open_spiel", "",
     {"tictactoe": 4, "connect4": 15, "go-5x5": 10, "go-9x9": 10, "pentago": 8}),
    ("board-game", "board-game", "", {"tictactoe": 2, "connect4": 1.5}),
    ("mcts", "mcts", "", {"tictactoe": 2, "connect4": 1.5}),
    ("minimax", "minimax", "/usual", {"tictactoe": 2, "connect4": 1.5}),
    ("minimax-tuned", "minimax", "/tuned", {"tictactoe": 2, "connect4": 1.5}),
]
# Everybody finds this out within the fewest simulations; a side that does not is not fast, but wrong. In the
# other games many moves are as good, or random games cannot tell.
BEST = {"connect4": ("4", 3)}

THREADS = [("go-9x9", "go:size=9"), ("pentago-twist", "pentago-twist")]
THREADS_GOAL = 0.85
# Seconds on the clock for a search with threads.
TIME, QUICK_TIME = 1.0, 0.4

# Seconds of work in a round, as far as one search each is not more than that.
ROUND = 0.3
MOST_SEARCHES = 50

seeds = count(1)


def measure(sides: Sides, name: str, program: str, game: str, theirs: str, simulations: int, goal: float,
            rounds: int, quick: bool) -> dict[str, Any]:
    ours, peer = sides["ours"], sides[program]

    def pair() -> tuple[dict[str, Any], dict[str, Any]]:
        search = f"mcts:nodes={simulations},seed={next(seeds)}"
        found = ours.ask("search", GAMES[game], search, 1), peer.ask("mcts", theirs, simulations)
        best = tuple(side["best"] for side in found)
        if best != BEST.get(game, best):
            raise SystemExit(f"bench/run: {name}: the moves found are {best[0]} and {best[1]}")
        return found

    # The first pair warms both up, and says how many of them make a round.
    seconds = sum(side["cpu"] for side in pair())
    searches = 1 if quick else min(max(round(ROUND / seconds), 1), MOST_SEARCHES)
    speeds = []
    for _ in range(rounds):
        pairs = [pair() for _ in range(searches)]
        # A peer that has proven the root needs no more simulations: those that were made count.
        speed = lambda i: median(found[i]["nodes"] / found[i]["cpu"] for found in pairs)
        speeds.append((speed(0), speed(1)))
    versions = {"ours": ours.version, "peer": peer.version}
    return row(name, UNIT, speeds, {"goal": goal, "versions": versions})


def threads(ours: Side, second: Side, name: str, spec: str, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Both rows of a game: by the clock, and in processor time."""
    walls, cpus, shares = [], [], []
    for _ in range(rounds):
        search = lambda threads: ("within", spec, f"mcts:threads={threads},seed={next(seeds)}", seconds)
        together = ours.ask(*search(2))
        for side in (ours, second):
            side.tell(*search(1))
        apart = [side.hear() for side in (ours, second)]
        speed = lambda found, clock: found["nodes"] / found[clock]
        walls.append((speed(together, "wall"), sum(speed(found, "wall") for found in apart)))
        # Two threads use two seconds of processor time for one on the clock.
        cpus.append((2 * speed(together, "cpu"), sum(speed(found, "cpu") for found in apart)))
        cores = [together["cpu"] / together["wall"], sum(found["cpu"] / found["wall"] for found in apart)]
        shares.append(min(cores) / 2)
    about = {"versions": {"ours": ours.version, "peer": ours.version}}
    # Threads that take turns on one core do not get into each other's way: then the row says nothing.
    note = {"note": f"wall time, {median(shares):.0%} of two cores"}
    return [
        row(f"mcts/{name}-threads/ours", UNIT, walls, about | note | {"goal": THREADS_GOAL}),
        row(f"mcts/{name}-threads-cpu/ours", UNIT, cpus, about),
    ]


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures one row after the other."""
    for peer, program, suffix, goals in PEERS:
        for game, goal in goals.items():
            for simulations in SIMULATIONS:
                name = f"mcts/{game}-{simulations}/{peer}"
                if not wanted(name):
                    continue
                if quick and simulations != SIMULATIONS[0]:
                    yield {"name": name, "skipped": "it takes long: not in --quick"}
                    continue
                try:
                    yield measure(sides, name, program, game, game + suffix, simulations, goal, rounds, quick)
                except Missing as reason:
                    yield {"name": name, "skipped": str(reason)}
    named = [(name, spec) for name, spec in THREADS
             if wanted(f"mcts/{name}-threads/ours") or wanted(f"mcts/{name}-threads-cpu/ours")]
    if named:
        second = Side("ours")
        for name, spec in named:
            both = threads(sides["ours"], second, name, spec, rounds, QUICK_TIME if quick else TIME)
            yield from (one for one in both if wanted(one["name"]))
