"""Plays random games on both sides at the same time and compares them ply by ply.

A game is a generator that yields requests to the rules service and receives their answers. Many games
run in step, so that all their requests are sent together.
"""

from __future__ import annotations

import random
import shlex
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Generator, Iterable

import pyspiel

from pair import Pair
from tussle_rules import Game

# Number of games that run in step, enough to make waiting for answers rare.
IN_STEP = 100

Answer = dict[str, Any]
# A game in progress: yields requests and receives their answers.
Exchange = Generator[list[Answer], list[Answer], None]


@dataclass
class Tally:
    """Counts of the comparison."""

    games: int = 0
    plies: int = 0
    moves: int = 0
    #: Counts of the ends of games and of special cases.
    seen: Counter[str] = field(default_factory=Counter)
    differences: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.plies += other.plies
        self.moves += other.moves
        self.seen += other.seen
        self.differences += other.differences


class Difference(Exception):
    """The two sides differ."""

    def __init__(self, what: str, ours: object, theirs: object) -> None:
        super().__init__(what)
        self.what, self.ours, self.theirs = what, ours, theirs


class Match:
    """Random game, played on both sides."""

    def __init__(self, pair: Pair, seed: int, tally: Tally) -> None:
        self.pair, self.seed, self.tally = pair, seed, tally
        self.rng = random.Random(f"{seed} {pair.name} {pair.number}")
        self.state = pyspiel.load_game(pair.open_spiel).new_initial_state()
        self.moves: list[str] = []  # as Tussle writes them

    def play(self) -> Exchange:
        """Plays the game to its end, or to the first difference."""
        try:
            yield from self.plies()
        except Difference as difference:
            self.tally.differences.append(self.report(difference))
        self.tally.games += 1

    def plies(self) -> Exchange:
        [ours] = yield [{"op": "start"}]
        while True:
            self.check(ours)
            if self.state.is_terminal():
                self.tally.seen[self.pair.ending(self.state)] += 1
                return
            if self.pair.by_position:  # a position given as text need not be released
                ours["state"] = ours["position"]
            [listed] = yield [{"op": "moves", "state": ours["state"]}]
            if self.state.is_chance_node():
                self.check_chance(listed)
                ours = yield from self.roll(ours)
            elif self.pair.by_position:
                ours = yield from self.choose_position(ours, listed["moves"])
            else:
                ours = yield from self.choose_move(ours, listed["moves"])
            self.tally.plies += 1

    def check(self, ours: Answer) -> None:
        """Compares the positions, the players to move and the results."""
        if "error" in ours:
            raise Difference("a move that is legal in OpenSpiel is rejected by Tussle", ours["error"], None)
        state, turn = self.state, ours["turn"]
        if (turn == "over", turn == "chance") != (state.is_terminal(), state.is_chance_node()):
            raise Difference("turn", turn, str(state.current_player()))
        for what, mine, theirs in [
            ("player", ours["player"], self.pair.player(state)),
            ("position", self.pair.shown(ours["position"]), self.pair.position(state)),
            ("result", ours["result"], self.pair.result(state) if turn == "over" else None),
        ]:
            if mine != theirs:
                raise Difference(what, mine, theirs)

    def check_options(self, what: str, ours: list[str], theirs: Iterable[str]) -> None:
        """Compares the options of both sides: they must be equal, and Tussle must not repeat any."""
        mine, other = Counter(ours), set(theirs)
        self.tally.moves += len(other)
        twice = [option for option, times in mine.items() if times > 1]
        if twice:
            raise Difference(f"{what}: repeated in Tussle", twice, [])
        if mine.keys() != other:
            only_ours, only_theirs = sorted(mine.keys() - other), sorted(other - mine.keys())
            raise Difference(f"{what}: different sets (each side has those that the other side lacks)", only_ours, only_theirs)

    def check_chance(self, listed: Answer) -> None:
        theirs = self.pair.outcomes(self.state)
        self.check_options("outcomes", listed["moves"], theirs)
        for outcome, ours in zip(listed["moves"], listed["probabilities"]):
            if abs(ours - theirs[outcome]) > 1e-12:
                raise Difference(f"probability of {outcome}", ours, theirs[outcome])

    def roll(self, ours: Answer) -> Generator[list[Answer], list[Answer], Answer]:
        outcomes = self.pair.outcomes(self.state)
        [outcome] = self.rng.choices(list(outcomes), outcomes.values())
        self.state.apply_action(self.pair.chance_action(self.state, outcome))
        return (yield from self.apply(ours, outcome))

    def choose_move(
        self, ours: Answer, listed: list[str]
    ) -> Generator[list[Answer], list[Answer], Answer]:
        """Compares the legal moves and plays one."""
        theirs = {self.pair.move(action): action for action in self.state.legal_actions()}
        self.check_options("legal moves", listed, theirs)
        move = self.rng.choice(self.pair.worth_playing(list(theirs)))
        self.state.apply_action(theirs[move])
        return (yield from self.apply(ours, move))

    def choose_position(
        self, ours: Answer, listed: list[str]
    ) -> Generator[list[Answer], list[Answer], Answer]:
        """Compares the positions that moves lead to, if the notations of moves are too different, and
        plays one of the moves."""
        reached = yield [{"op": "apply", "state": ours["state"], "move": m} for m in listed]
        mine = [self.pair.shown(after["position"]) for after in reached]
        theirs = self.pair.plays(self.state, self.tally.seen)
        self.check_options("positions a play leads to", mine, theirs)
        chosen = self.rng.randrange(len(mine))
        for action in theirs[mine[chosen]]:
            self.state.apply_action(action)
        self.moves.append(listed[chosen])
        return reached[chosen]

    def apply(self, ours: Answer, move: str) -> Generator[list[Answer], list[Answer], Answer]:
        self.moves.append(move)
        before = ours["state"]
        requests: list[Answer] = [{"op": "apply", "state": before, "move": move}]
        if isinstance(before, int):
            requests.append({"op": "release", "state": before})
        after, *_ = yield requests
        return after

    def report(self, difference: Difference) -> dict[str, Any]:
        """Returns a difference with the commands that reproduce it on both sides."""
        moves = f" --moves {','.join(self.moves)}" if self.moves else ""
        return {
            "game": self.pair.name,
            "number": self.pair.number,
            "seed": self.seed,
            "ply": len(self.moves),
            "what": difference.what,
            "tussle": difference.ours,
            "open_spiel": difference.theirs,
            "reproduce in tussle": f"tussle show {shlex.quote(self.pair.tussle)}{moves}",
            "reproduce in open_spiel": f"load_game({self.pair.open_spiel!r}),"
            f" new_initial_state, apply_action each of {self.state.history()}",
            "position": self.pair.position(self.state),
        }


def compare(pair_type: type[Pair], numbers: Iterable[int], seed: int) -> Tally:
    """Plays the games with these numbers."""
    tally = Tally()
    waiting = [Match(pair_type(number), seed, tally).play() for number in numbers]
    with Game(pair_type.tussle) as service:
        while waiting:
            step, waiting = waiting[:IN_STEP], waiting[IN_STEP:]
            in_step(service, step)
    return tally


def in_step(service: Game, games: list[Exchange]) -> None:
    """Plays these games to their ends. In every step, each game sends its requests."""
    running = [(game, next(game)) for game in games]
    while running:
        answers = iter(service.ask_all([request for _, requests in running for request in requests]))
        unfinished = []
        for game, requests in running:
            try:
                unfinished.append((game, game.send([next(answers) for _ in requests])))
            except StopIteration:
                pass
        running = unfinished
