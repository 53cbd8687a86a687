"""Plays games between an agent and random players through the rules service, and makes an agent an
external program for matches: `tussle match GAME "json:python3 mcts_agent.py GAME" random`."""

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
    """Object that chooses a move for the player to move.

    In a match, `deadline` is set before each move: the time of time.monotonic() at which the agent must
    have answered. If the agent has `findings`, a list of {"move": M, "visits": N, "value": X} about the
    moves of the last position, the reply contains it as `moves`. Their values must be results or means of
    results.
    """

    def choose(self, state: State) -> str: ...


class RandomAgent:
    """Plays every legal move with the same probability."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def choose(self, state: State) -> str:
        return self.rng.choice(state.moves())


def play_game(
    start: State, agents: Sequence[Agent], rng: random.Random
) -> Tuple[List[str], List[float]]:
    """Plays a game with one agent per seat. Returns the moves and the utility of each player.

    Chance outcomes are drawn from `rng` and are part of the moves.
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
    """Returns `win` for the only best result, `draw` for a shared best result, else `loss`."""
    if result[seat] < max(result):
        return "loss"
    return "win" if list(result).count(result[seat]) == 1 else "draw"


def play_match(
    game: Game, agent: Agent, games: int, seed: int, side: Optional[str] = None
) -> List[str]:
    """Plays against random players and prints each game. Without a side, the agent alternates seats."""
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


# Share of the time per move that an agent gets; the rest covers the overhead of the arena.
TIME_SHARE = 0.8


def serve(game: Game, make_agent: Callable[[int], Agent]) -> None:
    """Answers the requests of a match, one JSON object per line, until the input ends."""
    replies, sys.stdout = sys.stdout, sys.stderr  # output of the agent must not mix with the replies
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
        agent.deadline = received + TIME_SHARE * request["clock"]["move_ms"] / 1000
        reply = {"id": request["id"], "move": agent.choose(state)}
        findings = getattr(agent, "findings", None)
        if findings:
            reply["moves"] = findings
            reply["unit"] = "points" if game.points else "result"
        print(json.dumps(reply), file=replies, flush=True)
    if game_id is None:
        print("no request on standard input; to play against random players, use --games N", file=sys.stderr)


def has_request_pipe() -> bool:
    """Returns true if standard input is a pipe, to which the arena writes requests."""
    try:
        return stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError, ValueError):  # no standard input
        return False


def positive(text: str) -> int:
    """Parses a number of the command line that must be 1 or more."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, found {text}")
    return number


def run(
    parser: argparse.ArgumentParser,
    make_agent: Callable[[argparse.Namespace, Game], Agent],
) -> None:
    """Main function of an agent's program: parses the command line, plays games and counts results.

    Without `--games` and `--side`, and with a pipe as standard input, it answers the requests of a match.
    """
    parser.add_argument("game", help="spec string of a game, such as tictactoe")
    parser.add_argument("--games", type=positive, help="number of games [default: 2]")
    parser.add_argument("--seed", type=int, default=1, help="random seed [default: 1]")
    parser.add_argument("--side", choices=["first", "second"], help="seat of the agent [default: alternate]")
    args = parser.parse_args()
    try:
        with Game(args.game) as game:
            if args.games is None and args.side is None and has_request_pipe():

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
