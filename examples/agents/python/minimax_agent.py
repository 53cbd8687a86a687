"""Depth-limited minimax with alpha-beta pruning, as a student would write it.

    python3 minimax_agent.py tictactoe --depth 9
    python3 minimax_agent.py gobblet --depth 2 --eval pairs

For two players whose interests are opposed: what one wins, the other loses. Where chance has a
say, its outcomes are weighed by their probabilities (expectimax). In a match it looks one move
ahead, then two, and so on, as far as its clock allows:

    tussle match tictactoe "json:python3 minimax_agent.py tictactoe" random --games 2
"""

from __future__ import annotations

import argparse
import time
from math import inf
from typing import Tuple

import play
from tussle_rules import Game, State

# A finished game counts in utilities (-1, 0, 1), an unfinished one in the units of its
# evaluation. A win has to weigh more than any evaluation can.
WIN = 1_000_000.0


class TimeIsUp(Exception):
    """The search has reached its deadline."""


class MinimaxAgent:
    """Looks `depth` moves ahead and trusts the evaluation there."""

    deadline = inf

    def __init__(self, depth: int = 3, evaluation: str = "") -> None:
        self.depth = depth
        self.evaluation = evaluation

    def choose(self, state: State) -> str:
        """The best move for whoever is to move; of the last depth that was finished in time."""
        if self.deadline == inf:
            return self.search(state)[0]
        best = state.moves()[0]
        try:
            for depth in range(1, self.depth + 1):
                best = self.search(state, depth)[0]
        except TimeIsUp:
            pass
        return best

    def search(self, state: State, depth: int = 0) -> Tuple[str, float]:
        """The best move and its value; the first one if several are equally good."""
        assert state.player is not None, "nobody is to move"
        self.me = state.player
        best_move, best = "", -inf
        for move in state.moves():
            value = self.value(state.apply(move), (depth or self.depth) - 1, best, inf)
            if value > best or not best_move:
                best_move, best = move, value
        return best_move, best

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """What `state` is worth to me, looking `depth` moves ahead.

        Only values between alpha and beta matter: I already have alpha elsewhere, and the
        rival, who has a way to keep me at beta, will not let me have more. Outside of them
        the answer is only a bound.
        """
        if time.monotonic() >= self.deadline:
            raise TimeIsUp
        if state.result is not None:
            # A quick win is better than a slow one, a slow loss better than a quick one.
            return state.result[self.me] * (WIN + depth)
        if depth <= 0:
            return state.eval(self.evaluation, self.me)
        if state.player is None:
            # Every outcome counts towards the mean, so none of them can be left out.
            return sum(
                probability * self.value(state.apply(outcome), depth - 1, -inf, inf)
                for outcome, probability in state.outcomes()
            )
        if state.player == self.me:
            best = -inf
            for move in state.moves():
                best = max(best, self.value(state.apply(move), depth - 1, alpha, beta))
                alpha = max(alpha, best)
                if alpha >= beta:
                    break  # the rival will not come here
            return best
        best = inf
        for move in state.moves():
            best = min(best, self.value(state.apply(move), depth - 1, alpha, beta))
            beta = min(beta, best)
            if beta <= alpha:
                break  # I will not come here
        return best


def main() -> None:
    parser = argparse.ArgumentParser(description="Minimax against a random player.")
    parser.add_argument("--depth", type=play.positive, default=3, help="moves to look ahead (3)")
    parser.add_argument("--eval", default="", help="the evaluation (the game's first one)")

    def agent(args: argparse.Namespace, game: Game) -> MinimaxAgent:
        if game.players != 2:
            raise SystemExit(f"{game.spec} has {game.players} players, minimax plays for two")
        if not game.evaluations:
            raise SystemExit(f"{game.spec} has no evaluation, and minimax needs one")
        return MinimaxAgent(args.depth, args.eval)

    play.run(parser, agent)


if __name__ == "__main__":
    main()
