"""Strength at equal time: rows `strength/GAME/PEER`.

Each row is a `tussle match` with the same clock for both sides, one game at a time, in game pairs with swapped seats. Elo
and its 95 % error are those of the arena. If one agent won all games, the row has a bound instead of Elo. The mean times
per move show how equal the time of the sides was.
"""

from __future__ import annotations

import json
import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Callable, Iterator

import gnugo
import install
import versions
from elo import beyond, elo_of_games
from sides import Missing, Sides

TOO_FEW = "too few games for a conclusion"


@dataclass(frozen=True)
class Match:
    """Match of ours against a peer."""

    game: str
    """Name of the game in rows. `variant` is added to it for agents other than our default one."""
    spec: str
    peer: str
    ours: str
    clock: str
    games: int
    variant: str = ""
    opening_plies: int = 0
    """Number of random plies at the start of each game pair, for games in which the agents would repeat games or the first
    player would win nearly all games."""
    as_first: bool = False
    """True if only the games in which ours moves first count."""
    goal: float | None = None
    """Least difference in Elo that we want."""
    board_goal: float | None = None
    """Least share of points that we want in the games decided by the rules."""
    family: str = "strength"
    opponent: str | None = None
    """Spec of the opponent if it is another agent of ours; `peer` then is the last part of the row's name."""
    quick_clock: str | None = "150ms"
    """Clock in --quick; None if --quick skips the match, because it takes long."""

    @property
    def name(self) -> str:
        return f"{self.family}/{self.game}{self.variant}/{self.peer}"

    def peer_spec(self) -> str:
        """Returns the player spec of the peer."""
        return self.opponent or PEERS[self.peer](self.game)

    def peer_version(self) -> str:
        return versions.tussle() if self.opponent else versions.of_peer(self.peer)


QUICK_GAMES = 2
# Safety margin of all agents, sufficient for a machine that other programs use too.
MARGIN = "50ms"
# Our searches by the suffix of the row: the default one, and the textbook's.
OURS = {"": "mcts", "-textbook": "mcts-textbook"}
AGAINST_OPEN_SPIEL_GAMES = 100


def matches() -> Iterator[Match]:
    """Returns all matches."""
    for variant, ours in OURS.items():
        quick, goal = (None, None) if variant else ("150ms", 150)
        for game, spec, plies in [("go-5x5", "go:size=5", 2), ("pentago", "pentago:early=off", 2), ("connect4", "connect4", 4)]:
            yield Match(game, spec, "open_spiel", ours, "250ms", AGAINST_OPEN_SPIEL_GAMES, variant, plies,
                        goal=goal, quick_clock=quick)
    for peer, goal in [("minimax", None), ("minimax-tuned", 100)]:
        yield Match("connect4", "connect4", peer, "alphabeta", "250ms", 60, opening_plies=4, goal=goal)
    five, nine = f"go:size=5,{gnugo.RULES}", f"go:size=9,{gnugo.RULES}"
    for variant, ours in OURS.items():
        quick = None if variant else "550ms"
        yield Match("go-5x5-komi-24.5", f"{five},komi=24.5", "gnugo", ours, "1s", 20, variant, as_first=True, quick_clock=quick)
        yield Match("go-5x5", five, "gnugo", ours, "1s", 20, variant, opening_plies=2, quick_clock=quick)
    yield Match("go-9x9", nine, "gnugo", "mcts", "1s", 40, board_goal=0.65, quick_clock=None)


def open_spiel(game: str) -> str:
    install.open_spiel()
    return f"json:bench/python bench/peers/open_spiel_agent.py {game}"


def minimax(options: str) -> str:
    return f"json:{install.peers()} minimax {options}"


# Function that returns the player spec of each peer, for the name of a game.
PEERS: dict[str, Callable[[str], str]] = {
    "open_spiel": open_spiel,
    "minimax": lambda _: minimax("usual"),
    "minimax-tuned": lambda _: minimax("tuned-64mb"),
    "gnugo": lambda _: gnugo.command(),
}


def play(match: Match, quick: bool) -> dict[str, Any]:
    """Plays a match and returns its row."""
    games = QUICK_GAMES if quick else match.games
    clock = match.quick_clock if quick else match.clock
    # No withdrawals: a program can be late on a busy machine, and the row reports its losses on time.
    arguments = ["match", match.spec, match.ours, match.peer_spec(), "--clock", clock, "--margin", MARGIN, "--games", games,
                 "--strikes", 0]
    if match.opening_plies:
        arguments += ["--opening-plies", match.opening_plies]
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "match.db"
        document = json.loads(install.output(*arguments, "--json", "--store", store))
        records = install.output("results", store, "--export", "jsonl")
        sgf = install.output("results", store, "--export", "sgf") if match.peer == "gnugo" else None
    row = result(match, document) | {
        "mean_s_a_move": move_times(records),
        "on_the_board": on_the_board(match, records),
        "time_losses": dict(zip(("ours", "peer"), document["time_losses"])),
        "illegal_moves": document["verdicts"]["illegal"],
        "replays": document["timing"]["replays"],
        "distinct_games": document["distinct_games"],
        "conclusion": document["conclusion"],
        "clock": clock,
        "opening_plies": match.opening_plies,
        "versions": {"ours": versions.tussle(), "peer": match.peer_version()},
        "command": shlex.join(["tussle", *map(str, arguments)]),
    }
    if sgf is not None:
        row["final_scores"] = gnugo.final_scores(sgf)
    row |= {key: goal for key, goal in [("goal", match.goal), ("board_goal", match.board_goal)] if goal is not None}
    if match.opponent:
        row["opponent"] = match.opponent
    notes = [TOO_FEW] if quick else []
    if match.opening_plies:
        notes.append(f"{match.opening_plies} random opening plies")
    return row | {"note": ", ".join(notes)}


def result(match: Match, document: dict[str, Any]) -> dict[str, Any]:
    """Returns the results of the games that count."""
    name = {"name": match.name, "unit": "Elo"}
    counts = lambda of: {key: of[key] for key in ("games", "wins", "draws", "losses")}
    seats = {seat["seat"]: counts(seat) for seat in document["seats"]}
    if match.as_first:
        first = seats["first"]
        return name | first | elo_of_games(first["wins"], first["draws"], first["losses"]) | {"seats": seats}
    elo = document["elo"]
    return name | counts(document) | {
        "score": document["score"],
        "elo": elo["value"],
        "elo_error": elo["error"],
        "elo_beyond": beyond(document["score"], document["distinct_pairs"]),
        "seats": seats,
    }


def on_the_board(match: Match, records: str) -> dict[str, int]:
    """Counts the games that were decided by the rules. Others can be losses on time because of a busy machine."""
    counts = {"wins": 0, "draws": 0, "losses": 0}
    for game in map(json.loads, records.splitlines()):
        seat = game["id"] % 2  # the seat of ours
        if game["verdict"] == "normal" and not (match.as_first and seat):
            utility = game["result"][seat]
            counts["wins" if utility > 0 else "losses" if utility < 0 else "draws"] += 1
    return counts


def is_below(row: dict[str, Any]) -> bool:
    """Returns true if a result misses its goal. A few quick games miss none."""
    if row["games"] <= QUICK_GAMES:
        return False
    wins, draws, losses = row["on_the_board"].values()
    games = wins + draws + losses
    if games and (wins + draws / 2) / games < row.get("board_goal", 0):
        return True
    elo = row["elo"] if row["elo"] is not None else row["elo_beyond"]
    return "goal" in row and (elo is None or elo < row["goal"])


def move_times(records: str) -> dict[str, float | None]:
    """Returns the mean seconds per move of both agents, without opening moves."""
    used: dict[str, list[float]] = {"ours": [], "peer": []}
    for line in records.splitlines():
        game = json.loads(line)
        first = "ours" if game["id"] % 2 == 0 else "peer"
        agents = [first, "peer" if first == "ours" else "ours"]
        notes = game["timing"]
        for seat, microseconds in zip(notes.get("s", []), notes.get("us", [])):
            if seat is not None:
                used[agents[seat]].append(microseconds / 1e6)
    return {agent: mean(times) if times else None for agent, times in used.items()}


def elo_text(row: dict[str, Any]) -> str:
    if row["elo"] is not None and row["elo_error"] is not None:
        return f"{row['elo']:+.0f} ± {row['elo_error']:.0f}"
    if row["elo_beyond"] is not None:
        return f"{'>' if row['elo_beyond'] > 0 else '<'} {row['elo_beyond']:+.0f}"
    return "?"


HEAD = f"{'':<46}{'games':>6}{'won':>6}{'drawn':>6}{'lost':>6}{'Elo':>14}{'s per move, ours and peer':>28}"


def show(row: dict[str, Any]) -> str:
    """Returns a line of the table."""
    ours, peer = (f"{time:.3f}" if time is not None else "-" for time in row["mean_s_a_move"].values())
    notes = [f"{row['clock']} per move", row["note"]]
    if "opponent" in row:
        notes.append(f"against {row['opponent']}")
    if "goal" in row:
        notes.append(f"goal {row['goal']:+g}")
    if "board_goal" in row:
        notes.append(f"goal {row['board_goal']:.0%} of the games decided by the rules")
    if is_below(row):
        notes.append("below the goal")
    late = row["time_losses"]
    if late["ours"] or late["peer"]:
        board = "-".join(map(str, row["on_the_board"].values()))
        notes.append(f"lost on time: ours {late['ours']}, peer {late['peer']}; decided by the rules (wins-draws-losses): {board}")
    if row["illegal_moves"]:
        notes.append(f"{row['illegal_moves']} illegal moves")
    if "final_scores" in row:
        scores = row["final_scores"]
        notes.append(f"GNU Go has another score in {len(scores['differ'])} of {scores['compared']} games, "
                     f"another winner in {scores['other_winner']}")
    if len(row["seats"]) == 2 and row["games"] == row["seats"]["first"]["games"]:
        second = row["seats"]["second"]
        notes.append(f"as first player; as second {second['wins']}-{second['draws']}-{second['losses']}")
    return (
        f"{row['name']:<46}{row['games']:>6}{row['wins']:>6}{row['draws']:>6}{row['losses']:>6}"
        f"{elo_text(row):>14}{ours:>19}{peer:>9}   {', '.join(note for note in notes if note)}"
    )


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Plays the wanted matches one by one."""
    return played(matches(), wanted, quick)


def played(plan: Iterator[Match], wanted: Callable[[str], bool], quick: bool) -> Iterator[dict[str, Any]]:
    """Plays the wanted matches of a plan. A match is one long round, and the arena starts the programs."""
    for match in plan:
        if not wanted(match.name):
            continue
        if quick and match.quick_clock is None:
            yield {"name": match.name, "skipped": "takes long: not in --quick"}
            continue
        try:
            yield play(match, quick)
        except Missing as reason:
            yield {"name": match.name, "skipped": str(reason)}
