"""Whole games between an agent and random players, through the rules service, and the agent as a
program that plays in matches: `tussle match GAME "json:python3 mcts_agent.py GAME" random`."""

from __future__ import annotations

import argparse
import json
import os
import random
import stat
import sys
import time
from typing import Callable, List, Optional, Protocol, Sequence, Tuple

from tussle_rules import Game, RulesError, State


class Agent(Protocol):
    """Anything that chooses a move for the player to move.

    In a match `deadline` is set before each move: be done when time.monotonic() reaches it. If the
    agent has `findings`, a list of {"move": M, "visits": N, "value": X} about moves of the position
    it was asked about last, the reply contains it as `moves`.
    """

    def choose(self, state: State) -> str: ...


class RandomAgent:
    """Every legal move is equally likely."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, state: State) -> str:
        return self.rng.choice(state.moves())


def play_game(
    start: State, agents: Sequence[Agent], rng: random.Random
) -> Tuple[List[str], List[float]]:
    """One game, an agent in each seat: the moves, and what the end is worth to each player.

    Outcomes of chance come from `rng` and stand among the moves.
    """
    state, moves = start, []
    while state.result is None:
        if state.player is None:
            outcomes, probabilities = zip(*state.outcomes())
            move = rng.choices(outcomes, probabilities)[0]
        else:
            move = agents[state.player].choose(state)
        state = state.apply(move)
        moves.append(move)
    return moves, state.result


def verdict(result: Sequence[float], seat: int) -> str:
    """`win` for the best result alone, `draw` for sharing it, else `loss`."""
    if result[seat] < max(result):
        return "loss"
    return "win" if list(result).count(result[seat]) == 1 else "draw"


def play_match(
    game: Game, agent: Agent, games: int, seed: int, side: Optional[str] = None
) -> List[str]:
    """Plays against random players and prints each game. Without a side they take turns."""
    verdicts = []
    for number in range(1, games + 1):
        rng = random.Random(f"{seed}, game {number}")
        second = number % 2 == 0 if side is None else side == "second"
        seat = int(second and game.players > 1)
        seats: List[Agent] = [RandomAgent(rng) for _ in range(game.players)]
        seats[seat] = agent
        moves, result = play_game(game.start(), seats, rng)
        verdicts.append(verdict(result, seat))
        points = " ".join(f"{value:g}" for value in result)
        name = "second" if seat else "first"
        print(f"game {number}, {name}: {' '.join(moves)} => {verdicts[-1]} ({points})", flush=True)
    return verdicts


# The arena needs a little time, too: this part of the time for a move is used.
SHARE = 0.8


def serve(game: Game, make_agent: Callable[[int], Agent]) -> None:
    """Answers the requests of a match, one JSON object a line, until the input ends."""
    replies, sys.stdout = sys.stdout, sys.stderr  # what the agent prints is no reply
    agent, game_id = make_agent(1), None
    for line in sys.stdin:
        received = time.monotonic()
        request = json.loads(line)
        if request["game_id"] != game_id:
            game_id = request["game_id"]
            agent = make_agent(request["seed"])
        state = game.start(request.get("start"))
        for move in request["history"]:
            state = state.apply(move)
        agent.deadline = received + SHARE * request["clock"]["move_ms"] / 1000
        reply = {"id": request["id"], "move": agent.choose(state)}
        findings = getattr(agent, "findings", None)
        if findings:
            reply["moves"] = findings
        print(json.dumps(reply), file=replies, flush=True)
    if game_id is None:
        print("no request came; --games N plays against random players", file=sys.stderr)


def is_asked() -> bool:
    """Whether requests may come: the arena writes them to a pipe."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError, ValueError):  # there is no standard input
        return False


def positive(text: str) -> int:
    """For numbers on the command line that have to be 1 or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def run(
    parser: argparse.ArgumentParser,
    make_agent: Callable[[argparse.Namespace, Game], Agent],
) -> None:
    """The program around an agent: reads the command line, plays, counts.

    Without `--games` and with a pipe as its input it answers the requests of a match.
    """
    parser.add_argument("game", help="a game's spec string, for instance tictactoe")
    parser.add_argument("--games", type=positive, help="how many to play (2)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (1)")
    parser.add_argument("--side", choices=["first", "second"], help="the agent's (both in turn)")
    args = parser.parse_args()
    try:
        with Game(args.game) as game:
            if args.games is None and args.side is None and is_asked():

                def seeded(seed: int) -> Agent:
                    args.seed = seed
                    return make_agent(args, game)

                return serve(game, seeded)
            agent = make_agent(args, game)
            verdicts = play_match(game, agent, args.games or 2, args.seed, args.side)
    except (RulesError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped")
    won, drawn, lost = (verdicts.count(word) for word in ("win", "draw", "loss"))
    print(f"W {won} / D {drawn} / L {lost}")
