"""Monte Carlo tree search: rows `mcts/GAME-SIMULATIONS/PEER` and `mcts/GAME-threads/ours`.

Speeds are simulations per second of a search from the start, with a new agent for every search. All sides
play one random playout per simulation and use our exploration constant, if they have such an option. The
sides take turns and measure CPU time. The steps of a simulation differ between the libraries; the comments in
the peers' programs describe them. Ours are those of OpenSpiel: the first visit of a leaf plays a playout, and
the second visit adds all children.

Two threads on one tree are compared with two processes of ours at the same time, each with one thread and
its own tree. This row measures wall time and needs two free cores. A second row measures CPU time, which
shows the cost of sharing a tree, but not the time that threads wait for each other.
"""

from __future__ import annotations

from itertools import count
from statistics import median
from typing import Any, Callable, Iterator

from rows import row
from sides import Missing, Side, Sides

# Our spec strings, by the peers' names of the games.
GAMES = {
    "tictactoe": "tictactoe",
    "connect4": "connect4",
    "go-5x5": "go:size=5",
    "go-9x9": "go:size=9",
    "pentago": "pentago:early=off",
}
UNIT = "simulations/s"
SIMULATIONS = [10_000, 100_000]
# Peers: name in rows, program, suffix of its names of games, and goals of the ratios.
PEERS: list[tuple[str, str, str, dict[str, float]]] = [
    ("open_spiel", "open_spiel", "",
     {"tictactoe": 8, "connect4": 20, "go-5x5": 20, "go-9x9": 20, "pentago": 20}),
    ("board-game", "board-game", "", {"tictactoe": 2, "connect4": 1.5}),
    ("mcts", "mcts", "", {"tictactoe": 2, "connect4": 1.5}),
    ("minimax", "minimax", "/usual", {"tictactoe": 2, "connect4": 1.5}),
    ("minimax-tuned", "minimax", "/tuned", {"tictactoe": 2, "connect4": 1.5}),
]
# Best moves that every correct search finds within the smallest number of simulations. In the other games,
# several moves are equally good, or random playouts do not separate them.
BEST = {"connect4": ("4", 3)}

THREADS = [("go-9x9", "go:size=9"), ("pentago-twist", "pentago-twist")]
THREADS_GOAL = 0.9
# Wall time in seconds of a search with threads.
TIME, QUICK_TIME = 1.0, 0.4

# CPU time in seconds of a round. A round has at least one search per side, even if that takes longer.
ROUND_SECONDS = 0.3
MAX_ROUND_SEARCHES = 50

seeds = count(1)


def measure(sides: Sides, name: str, program: str, game: str, theirs: str, simulations: int, goal: float,
            rounds: int, quick: bool) -> dict[str, Any]:
    ours, peer = sides["ours"], sides[program]

    def pair() -> tuple[dict[str, Any], dict[str, Any]]:
        search = f"mcts-textbook:nodes={simulations},seed={next(seeds)}"
        found = ours.ask("search", GAMES[game], search, 1), peer.ask("mcts", theirs, simulations)
        best = tuple(side["best"] for side in found)
        if best != BEST.get(game, best):
            raise SystemExit(f"bench/run: {name}: expected the best moves {BEST[game]}, found {best}")
        return found

    # The first pair warms both sides up, and gives the number of searches per round.
    seconds = sum(side["cpu"] for side in pair())
    searches = 1 if quick else min(max(round(ROUND_SECONDS / seconds), 1), MAX_ROUND_SEARCHES)
    speeds = []
    for _ in range(rounds):
        pairs = [pair() for _ in range(searches)]
        # A peer that has proven the root stops early, so the actual number of simulations counts.
        speed = lambda i: median(found[i]["nodes"] / found[i]["cpu"] for found in pairs)
        speeds.append((speed(0), speed(1)))
    versions = {"ours": ours.version, "peer": peer.version}
    return row(name, UNIT, speeds, {"goal": goal, "versions": versions})


def threads(ours: Side, second: Side, name: str, spec: str, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Returns both rows of a game: with wall time and with CPU time."""
    walls, cpus, shares = [], [], []
    for _ in range(rounds):
        search = lambda threads: ("within", spec, f"mcts-textbook:threads={threads},seed={next(seeds)}", seconds)
        together = ours.ask(*search(2))
        for side in (ours, second):
            side.tell(*search(1))
        apart = [side.hear() for side in (ours, second)]
        speed = lambda found, clock: found["nodes"] / found[clock]
        walls.append((speed(together, "wall"), sum(speed(found, "wall") for found in apart)))
        # Two threads use two seconds of CPU time per second of wall time.
        cpus.append((2 * speed(together, "cpu"), sum(speed(found, "cpu") for found in apart)))
        cores = [together["cpu"] / together["wall"], sum(found["cpu"] / found["wall"] for found in apart)]
        shares.append(min(cores) / 2)
    about = {"versions": {"ours": ours.version, "peer": ours.version}}
    # The row is only meaningful if the threads had two cores, so the note has their share.
    note = {"note": f"wall time, {median(shares):.0%} of two cores"}
    return [
        row(f"mcts/{name}-threads/ours", UNIT, walls, about | note | {"goal": THREADS_GOAL}),
        row(f"mcts/{name}-threads-cpu/ours", UNIT, cpus, about),
    ]


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures the wanted rows one by one."""
    for peer, program, suffix, goals in PEERS:
        for game, goal in goals.items():
            for simulations in SIMULATIONS:
                name = f"mcts/{game}-{simulations}/{peer}"
                if not wanted(name):
                    continue
                if quick and simulations != SIMULATIONS[0]:
                    yield {"name": name, "skipped": "takes long: not in --quick"}
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
