"""Classical searches: rows `search/TASK/PEER`.

A search is repeated many times, each time with a new agent, and the sides take turns. Both measure CPU
time. Only the comparison of two threads with one measures wall time and needs two free cores. Speeds are
searches per second, so that the ratio says how many times faster ours is. Both sides must find the same
value; otherwise the run fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, Callable, Iterator

from rows import row
from sides import BENCH, Missing, Sides

CONNECT4 = "connect4 alphabeta-textbook:eval=windows,deepen=on,tt=64,"
# The fastest options to a depth that find the value of every other option.
FASTEST = CONNECT4 + "window=mtd,step=2,"
KEEP_ON_MOVING = "keep-on-moving:board=4 alphabeta-textbook:"


@dataclass(frozen=True)
class Task:
    """Search of ours, with the search that it is compared with."""

    name: str
    ours: str
    peer: str
    """Program of the peer; `ours` if two of our searches are compared."""
    theirs: str
    goal: float | None = None
    nodes_goal: float | None = None
    """Goal of a second row for nodes per second; 0 for a row without a goal, None for no row."""
    clock: str = "cpu"
    at_once: int = 1
    """Number of searches in one slice; short searches are measured together."""


TASKS = [
    *(
        Task(f"connect4-depth-{depth}/minimax{name}", f"{FASTEST}depth={depth}", "minimax",
             f"connect4-depth-{depth}/{options}", goal, nodes_goal)
        for name, options, goal, nodes_goal in [
            ("", "usual", 2, 1), ("-64mb", "64mb", 2, 1), ("-tuned", "tuned", 1.3, None)
        ]
        for depth in (12, 14)
    ),
    *(
        Task(f"{name}-threads/2-v-1", f"{search},threads=2", "ours", search, 1.6, clock="wall")
        for name, search in [
            ("connect4", CONNECT4 + "depth=14"),
            ("gobblet", "gobblet alphabeta-textbook:eval=pairs,deepen=on,depth=9"),
            ("pentago-twist", "pentago-twist alphabeta-textbook:deepen=on,depth=5"),
        ]
    ),
    Task("tictactoe-solve/minimax", "tictactoe alphabeta-textbook:tt=1,tactics=on", "minimax", "tictactoe-solve",
         3.33, at_once=20),
    Task("tictactoe-solve/board-game", "tictactoe alphabeta-textbook:tt=1,tactics=on", "board-game", "tictactoe-solve",
         3.33, at_once=20),
    Task("keep-on-moving-depth-28/plain", KEEP_ON_MOVING + "order=full,tt=64,deepen=on,depth=28",
         "ours", KEEP_ON_MOVING + "order=none,tt=off,deepen=on,depth=28", 5),
]
# Depth of our search in two seconds, compared with a search without ordering and table.
IN_TIME = ("keep-on-moving-2s/plain", KEEP_ON_MOVING + "order=full,tt=64",
           KEEP_ON_MOVING + "order=none,tt=off", 2)

# Sets of positions of connect four: with this many random plies (in the name of the row), their number and our goal.
SOLVE = {"18": (30, 0.8), "22": (100, 0.8)}
# A set in a file, with our own limit of the time per position in milliseconds.
MIDDLE, MIDDLE_FILE, MAX_MIDDLE_MS = "middle-medium", BENCH / "connect4-middle-medium.txt", 8
SOLVER = "connect-four-solver"
# A search to the end of the game evaluates no position, and needs no deepening to order its moves.
OUR_SOLVER = "alphabeta-textbook:tactics=on,window=mtd,eval=centre"
CELLS = 42


def measure(sides: Sides, task: Task, rounds: int, slices: int) -> Iterator[dict[str, Any]]:
    """Returns the row of a task, and a row of nodes per second if the task has a goal for it."""
    ours, peer = sides["ours"], sides[task.peer]
    about: dict[str, Any] = {"versions": {"ours": ours.version, "peer": peer.version}}
    if task.clock == "wall":
        about["note"] = "wall time, with two free cores"
    speeds, node_speeds = [], []
    for _ in range(rounds):
        pairs = []
        for _ in range(slices):
            pair = ours.ask("search", task.ours, task.at_once), peer.ask("search", task.theirs, task.at_once)
            if pair[0]["value"] != pair[1]["value"]:
                values = " and ".join(str(side["value"]) for side in pair)
                raise SystemExit(f"bench/run: search/{task.name}: the values found are {values}")
            pairs.append(pair)
        speeds.append(tuple(1 / median(pair[i][task.clock] for pair in pairs) for i in (0, 1)))
        if task.nodes_goal is not None:
            each = lambda i: median(pair[i]["nodes"] / pair[i]["cpu"] for pair in pairs)
            node_speeds.append((each(0), each(1)))
    goal = {"goal": task.goal} if task.goal else {}
    yield row(f"search/{task.name}", "searches/s", speeds, about | goal)
    if task.nodes_goal is not None:
        game, peer_name = task.name.split("/")
        goal = {"goal": task.nodes_goal} if task.nodes_goal else {}
        yield row(f"search/{game}-nodes/{peer_name}", "nodes/s", node_speeds, about | goal)


def in_time(sides: Sides, rounds: int) -> dict[str, Any]:
    name, search, plain, seconds = IN_TIME
    ours = sides["ours"]
    depth = lambda what: ours.ask("within", what, seconds)["depth"]
    pairs = [(depth(search), depth(plain)) for _ in range(rounds)]
    return row(f"search/{name}", "plies", pairs, {"versions": {"ours": ours.version, "peer": ours.version}})


def positions(sides: Sides, name: str) -> list[str]:
    """Returns the positions of a set, each as its moves."""
    if name == MIDDLE:
        lines = MIDDLE_FILE.read_text().splitlines()
        return [",".join(line) for line in lines if not line.startswith("#")]
    return sides["ours"].ask("positions", "connect4", int(name), SOLVE[name][0])


def our_score(moves: str, found: dict[str, Any]) -> int:
    """Returns our result as the score of the peer: the discs that the winner has left; a draw is 0."""
    end = len(moves.split(",")) + (found["distance"] or 0)
    return found["outcome"] * ((CELLS - end) // 2 + 1)


def solve(sides: Sides, name: str, rounds: int) -> dict[str, Any]:
    """Compares a specialised solver with our general search. Both find the exact value of each position and the length of
    the game. The speed of a round is for the whole set of positions."""
    ours, peer = sides["ours"], sides[SOLVER]
    of_set = positions(sides, name)

    def pair(moves: str) -> tuple[float, float]:
        found = ours.ask("solve", "connect4", moves, OUR_SOLVER), peer.ask("solve", moves.replace(",", ""), 1)
        score = our_score(moves, found[0])
        if score != found[1]["value"]:
            raise SystemExit(f"bench/run: connect4 after {moves}: the scores found are {score} and {found[1]['value']}")
        return found[0]["cpu"], found[1]["cpu"]

    speeds = []
    for _ in range(rounds):
        pairs = [pair(moves) for moves in of_set]
        speeds.append(tuple(len(pairs) / sum(seconds[i] for seconds in pairs) for i in (0, 1)))
    about: dict[str, Any] = {"versions": {"ours": ours.version, "peer": peer.version}}
    if name in SOLVE:
        about["goal"] = SOLVE[name][1]
    return row(f"search/connect4-solve-{name}/{SOLVER}", "positions/s", speeds, about)


def middle(sides: Sides, rounds: int) -> dict[str, Any]:
    """Compares the mean time of a position with our limit."""
    ours = sides["ours"]
    of_set = positions(sides, MIDDLE)
    mean_ms = lambda: 1e3 * fmean(ours.ask("solve", "connect4", moves, OUR_SOLVER)["cpu"] for moves in of_set)
    pairs = [(mean_ms(), MAX_MIDDLE_MS) for _ in range(rounds)]
    return row(f"search/connect4-solve-{MIDDLE}/limit", "ms per position", pairs,
               {"goal": 1, "versions": {"ours": ours.version}}, less_is_better=True)


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures the wanted rows one by one."""
    slices = 1 if quick else 5
    for task in TASKS:
        if wanted(f"search/{task.name}"):
            try:
                yield from measure(sides, task, rounds, slices * (1 if task.at_once == 1 else 10))
            except Missing as reason:
                yield {"name": f"search/{task.name}", "skipped": str(reason)}
    for of_set in [*SOLVE, MIDDLE]:
        name = f"search/connect4-solve-{of_set}/{SOLVER}"
        if wanted(name):
            try:
                yield solve(sides, of_set, 1 if quick else rounds)
            except Missing as reason:
                yield {"name": name, "skipped": str(reason)}
    if wanted(f"search/connect4-solve-{MIDDLE}/limit"):
        yield middle(sides, 1 if quick else rounds)
    if wanted(f"search/{IN_TIME[0]}"):
        yield {"name": f"search/{IN_TIME[0]}", "skipped": "takes long: not in --quick"} if quick else in_time(sides, rounds)
