"""Monte Carlo tree search (UCT) with random playouts, as in a course.

    python3 mcts_agent.py tictactoe --simulations 200
    python3 mcts_agent.py keep-on-moving --simulations 1000 --c 0.7

It needs no evaluation, and plays games with any number of players and with chance. In a match it obeys
the clock:

    tussle match tictactoe "json:python3 mcts_agent.py tictactoe" random --games 2
"""

from __future__ import annotations

import argparse
import random
import time
from math import inf, log, sqrt
from typing import Any, Dict, List, Optional, Tuple

import play
from tussle_rules import Game, State


# A reply can have at most 64 KiB, and some games have thousands of moves.
MAX_FINDINGS = 100


class Node:
    """State in the tree, with the results of its simulations.

    `total` is the sum of the results for the player who moved *into* the node, because that player
    compares the node with its siblings. This works for any number of players without sign changes.
    """

    def __init__(self, state: State, move: str = "", mover: Optional[int] = None) -> None:
        self.state = state
        self.move = move
        self.mover = mover  # None after a chance outcome, which no player compares
        self.children: List[Node] = []
        self.visits = 0
        self.total = 0.0
        self.untried: List[str] = []
        self.outcomes: List[Tuple[str, float]] = []
        if state.player is not None:
            self.untried = state.moves()
        elif state.result is None:
            self.outcomes = state.outcomes()

    def mean(self) -> float:
        return self.total / self.visits

    def ucb1(self, child: Node, c: float) -> float:
        """Returns the child's mean plus an exploration bonus, which is large for few visits."""
        return child.mean() + c * sqrt(log(self.visits) / child.visits)

    def add(self, move: str) -> Node:
        """Adds and returns the child after a move."""
        child = Node(self.state.apply(move), move, self.state.player)
        self.children.append(child)
        return child


class MctsAgent:
    """Runs a number of simulations per move, or fewer if the time runs out."""

    deadline = inf

    def __init__(self, simulations: int = 500, c: float = sqrt(2), seed: int = 1) -> None:
        self.simulations = simulations
        self.c = c
        self.rng = random.Random(seed)
        self.findings: List[Dict[str, Any]] = []

    def choose(self, state: State) -> str:
        """Returns the best move for the player to move."""
        root = self.search(state)
        # The child with the most visits (robust child), because a high mean of few visits can be luck.
        best = sorted(root.children, key=lambda child: (child.visits, child.mean()), reverse=True)
        self.findings = [
            {"move": child.move, "visits": child.visits, "value": child.mean()}
            for child in best[:MAX_FINDINGS]
        ]
        return best[0].move

    def search(self, state: State) -> Node:
        """Returns the root of the tree after all simulations."""
        root = Node(state)
        for _ in range(self.simulations):
            path = self.select(root)
            self.back_up(path, self.simulate(path[-1]))
            if time.monotonic() >= self.deadline:
                break
        return root

    def select(self, root: Node) -> List[Node]:
        """Selects a path from the root to a leaf, adds one child to the leaf, and returns the path."""
        path = [root]
        while path[-1].state.result is None:
            node = path[-1]
            if node.state.player is None:
                path.append(self.roll(node))
            elif node.untried:
                path.append(node.add(node.untried.pop(0)))
            else:
                path.append(max(node.children, key=lambda child: node.ucb1(child, self.c)))
            if path[-1].visits == 0:
                break  # the new node
        return path

    def roll(self, node: Node) -> Node:
        """Draws a chance outcome by its probability and returns the node after it."""
        outcomes, probabilities = zip(*node.outcomes)
        outcome = self.rng.choices(outcomes, probabilities)[0]
        known = (child for child in node.children if child.move == outcome)
        return next(known, None) or node.add(outcome)

    def simulate(self, node: Node) -> List[float]:
        """Returns the result of a finished game, or of a random playout from here."""
        if node.state.result is not None:
            return node.state.result
        return node.state.playout(seed=self.rng.getrandbits(63))

    def back_up(self, path: List[Node], result: List[float]) -> None:
        """Adds the result to every node on the path."""
        for node in path:
            node.visits += 1
            if node.mover is not None:
                node.total += result[node.mover]


def main() -> None:
    parser = argparse.ArgumentParser(description="Monte Carlo search against a random player.")
    parser.add_argument("--simulations", type=play.positive, default=500, help="simulations per move [default: 500]")
    parser.add_argument("--c", type=float, default=sqrt(2), help="exploration constant [default: 1.414]")

    def agent(args: argparse.Namespace, _: Game) -> MctsAgent:
        return MctsAgent(args.simulations, args.c, args.seed)

    play.run(parser, agent)


if __name__ == "__main__":
    main()
