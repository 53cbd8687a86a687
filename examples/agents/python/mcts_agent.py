"""Monte Carlo tree search (UCT) with random playouts, as a student would write it.

    python3 mcts_agent.py tictactoe --simulations 200
    python3 mcts_agent.py keep-on-moving --simulations 1000 --c 0.7

It needs no evaluation, and plays for any number of players and with chance. In a match it keeps to
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


# A reply has at most 64 KiB, and some games have thousands of moves.
MAX_FINDINGS = 100


class Node:
    """One state in the tree, and what its simulations have brought.

    `total` is counted for the player who moved *into* the node, because that player compares
    the node with its siblings. With two players or with seven, nobody has to flip a sign.
    """

    def __init__(self, state: State, move: str = "", mover: Optional[int] = None) -> None:
        self.state = state
        self.move = move
        self.mover = mover  # None below chance, which compares nothing
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
        """The child's mean, and a bonus that is large while it has been tried little."""
        return child.mean() + c * sqrt(log(self.visits) / child.visits)

    def add(self, move: str) -> Node:
        """The new child behind a move."""
        child = Node(self.state.apply(move), move, self.state.player)
        self.children.append(child)
        return child


class MctsAgent:
    """Spends a number of simulations on every move, fewer if the time runs out."""

    deadline = inf

    def __init__(self, simulations: int = 500, c: float = sqrt(2), seed: int = 1) -> None:
        self.simulations = simulations
        self.c = c
        self.rng = random.Random(seed)
        self.findings: List[Dict[str, Any]] = []

    def choose(self, state: State) -> str:
        """The best move for whoever is to move."""
        root = self.search(state)
        # The most tried child: a high mean of two tries may be luck, that of many is not.
        best = sorted(root.children, key=lambda child: (child.visits, child.mean()), reverse=True)
        self.findings = [
            {"move": child.move, "visits": child.visits, "value": child.mean()}
            for child in best[:MAX_FINDINGS]
        ]
        return best[0].move

    def search(self, state: State) -> Node:
        """The tree after all simulations."""
        root = Node(state)
        for _ in range(self.simulations):
            path = self.select(root)
            self.back_up(path, self.simulate(path[-1]))
            if time.monotonic() >= self.deadline:
                break
        return root

    def select(self, root: Node) -> List[Node]:
        """Walks down the tree to its end and adds one node there: the path."""
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
                break  # it is new
        return path

    def roll(self, node: Node) -> Node:
        """At chance nobody chooses: an outcome comes up as often as it is likely."""
        outcomes, probabilities = zip(*node.outcomes)
        outcome = self.rng.choices(outcomes, probabilities)[0]
        known = (child for child in node.children if child.move == outcome)
        return next(known, None) or node.add(outcome)

    def simulate(self, node: Node) -> List[float]:
        """The result of the game if it ended here, else of a random one from here."""
        if node.state.result is not None:
            return node.state.result
        return node.state.playout(seed=self.rng.getrandbits(63))

    def back_up(self, path: List[Node], result: List[float]) -> None:
        """Tells every node on the path how it went."""
        for node in path:
            node.visits += 1
            if node.mover is not None:
                node.total += result[node.mover]


def main() -> None:
    parser = argparse.ArgumentParser(description="Monte Carlo search against a random player.")
    parser.add_argument("--simulations", type=play.positive, default=500, help="for each move (500)")
    parser.add_argument("--c", type=float, default=sqrt(2), help="how curious it is (1.414)")

    def agent(args: argparse.Namespace, _: Game) -> MctsAgent:
        return MctsAgent(args.simulations, args.c, args.seed)

    play.run(parser, agent)


if __name__ == "__main__":
    main()
