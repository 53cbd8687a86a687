"""OpenSpiel's MCTS bot as an external program in matches.

    json:bench/python bench/peers/open_spiel_agent.py NAME

NAME is the name of a game in `bench/oracle/games`, whose modules translate moves.

The search is that of the C++ library with the time of the move as its limit: one uniform random playout per
simulation, exploration as in `open_spiel_slices.py`, and backup of proven results (`solve`), as in its own
example. It keeps no tree between moves.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import pyspiel

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracle"))

from games import PAIRS
from pair import Pair

# Rewards are 1 and -1 in OpenSpiel and 1 and 0 in Tussle, so this corresponds to our sqrt(2).
EXPLORATION = 2 * math.sqrt(2)
# More than any search can make, so that the time ends it.
SIMULATIONS = 10**9
MEGABYTES = 2000
# Seconds reserved for sending the reply, in addition to the safety margin of the arena.
REPLY_TIME = 0.001


class Mirror:
    """Copy of the match's game in OpenSpiel."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.game = pyspiel.load_game(self.pair.open_spiel)
        self.begin(None)

    def begin(self, game_id: object) -> None:
        self.game_id = game_id
        self.moves: list[str] = []
        self.state = self.game.new_initial_state()

    def follow(self, request: dict[str, Any]) -> None:
        """Plays the moves since the last request."""
        history = request["history"]
        if request["game_id"] != self.game_id or history[: len(self.moves)] != self.moves:
            self.begin(request["game_id"])
        for move in history[len(self.moves) :]:
            actions = {self.pair.move(action): action for action in self.state.legal_actions()}
            self.state.apply_action(actions[move])
            self.moves.append(move)

    def search(self, seconds: float, seed: int) -> pyspiel.SearchNode:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, EXPLORATION, SIMULATIONS, MEGABYTES, solve=True,
                              seed=seed, verbose=False, max_wall_clock_time=seconds)
        return bot.mcts_search(self.state)


def main() -> None:
    pairs = {pair.name: pair for pair in PAIRS}
    if sys.argv[1:] not in [[name] for name in pairs]:
        sys.exit(f"usage: open_spiel_agent.py {'|'.join(pairs)}")
    mirror = Mirror(pairs[sys.argv[1]](0))
    for line in sys.stdin:
        began = time.perf_counter()
        request = json.loads(line)
        mirror.follow(request)
        seed = (request["seed"] + request["id"]) % 2**31
        seconds = request["clock"]["move_ms"] / 1000 - (time.perf_counter() - began) - REPLY_TIME
        root = mirror.search(max(seconds, REPLY_TIME), seed)
        move = mirror.pair.move(root.best_child().action)
        print(json.dumps({"id": request["id"], "move": move, "nodes": root.explore_count}), flush=True)


if __name__ == "__main__":
    main()
