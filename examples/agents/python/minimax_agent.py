"""Depth-limited minimax with alpha-beta pruning, as in a course.

    python3 minimax_agent.py tictactoe --depth 9
    python3 minimax_agent.py gobblet --depth 2 --eval pairs

It plays zero-sum games of two players: what one player wins, the other loses. At chance nodes it takes
the mean over the outcomes, weighted by their probabilities (expectimax). In a match it uses iterative
deepening, as deep as its clock allows:

    tussle match tictactoe "json:python3 minimax_agent.py tictactoe" random --games 2
"""

from __future__ import annotations

import argparse
import time
from math import inf
from typing import Tuple

import play
from tussle_rules import Game, State

# A finished game has a utility (-1, 0, 1), an unfinished one an evaluation in its own unit. A win must
# be worth more than any evaluation.
WIN = 1_000_000.0


class TimeIsUp(Exception):
    """The search has reached its deadline."""


class MinimaxAgent:
    """Searches `depth` moves ahead and uses the evaluation there."""

    deadline = inf

    def __init__(self, depth: int = 3, evaluation: str = "") -> None:
        self.depth = depth
        self.evaluation = evaluation

    def choose(self, state: State) -> str:
        """Returns the best move of the last depth that was finished in time."""
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
        """Returns the best move and its value, or the first of equally good moves."""
        assert state.player is not None, "no player is to move"
        self.me = state.player
        best_move, best = "", -inf
        for move in state.moves():
            value = self.value(state.apply(move), (depth or self.depth) - 1, best, inf)
            if value > best or not best_move:
                best_move, best = move, value
        return best_move, best

    def value(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """Returns the value of `state` for the root player (`me`), searching `depth` moves ahead.

        Only values between alpha and beta matter: the root player already has a move with value alpha,
        and the opponent has a move that limits the value to beta. A returned value outside this window
        is only a bound.
        """
        if time.monotonic() >= self.deadline:
            raise TimeIsUp
        if state.result is not None:
            # Prefer quick wins to slow ones, and slow losses to quick ones.
            return state.result[self.me] * (WIN + depth)
        if depth <= 0:
            return state.eval(self.evaluation, self.me)
        if state.player is None:
            # Every outcome counts in the mean, so none can be pruned with this window.
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
                    break  # the opponent has a better move elsewhere
            return best
        best = inf
        for move in state.moves():
            best = min(best, self.value(state.apply(move), depth - 1, alpha, beta))
            beta = min(beta, best)
            if beta <= alpha:
                break  # the root player has a better move elsewhere
        return best


def main() -> None:
    parser = argparse.ArgumentParser(description="Minimax against a random player.")
    parser.add_argument("--depth", type=play.positive, default=3, help="number of moves to search ahead [default: 3]")
    parser.add_argument("--eval", default="", help="evaluation [default: the first one of the game]")

    def agent(args: argparse.Namespace, game: Game) -> MinimaxAgent:
        if game.players != 2:
            raise SystemExit(f"{game.spec} has {game.players} players, but minimax needs a game of two; use mcts_agent.py")
        if not game.evaluations:
            raise SystemExit(f"{game.spec} has no evaluation, but minimax needs one; use mcts_agent.py")
        return MinimaxAgent(args.depth, args.eval)

    play.run(parser, agent)


if __name__ == "__main__":
    main()
