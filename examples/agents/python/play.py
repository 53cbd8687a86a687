"""Whole games between an agent and random players, through the rules service."""

from __future__ import annotations

import argparse
import random
import sys
from typing import Callable, List, Optional, Protocol, Sequence, Tuple

from tussle_rules import Game, RulesError, State


class Agent(Protocol):
    """Anything that chooses a move for the player to move."""

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
    """The program around an agent: reads the command line, plays, counts."""
    parser.add_argument("game", help="a game's spec string, for instance tictactoe")
    parser.add_argument("--games", type=positive, default=2, help="how many to play (2)")
    parser.add_argument("--seed", type=int, default=1, help="of everything random (1)")
    parser.add_argument("--side", choices=["first", "second"], help="the agent's (both in turn)")
    args = parser.parse_args()
    try:
        with Game(args.game) as game:
            agent = make_agent(args, game)
            verdicts = play_match(game, agent, args.games, args.seed, args.side)
    except (RulesError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped")
    won, drawn, lost = (verdicts.count(word) for word in ("win", "draw", "loss"))
    print(f"W {won} / D {drawn} / L {lost}")
