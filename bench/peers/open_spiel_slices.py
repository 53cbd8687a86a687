"""OpenSpiel's random games in small slices: answers every line `playouts GAME N` with the seconds of
processor time that N of them took, or with `?` and why not. `bench/run` lets it take turns with
ours.

The games are played by its C++ library: one simulation of its MCTS bot is worth N rollouts, and
Python only starts it, which takes microseconds.
"""

import sys
import time
from importlib.metadata import version

import pyspiel

GAMES = {
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "go-5x5": "go(board_size=5,komi=0.5)",
    "go-9x9": "go(board_size=9,komi=5.5)",
    "pentago": "pentago",
    "backgammon": "backgammon",
}


def seconds(game: pyspiel.Game, rollouts: int, seed: int) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, solve=False, seed=seed, verbose=False)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    began = time.process_time()
    bot.step(state)
    return time.process_time() - began


print("open_spiel", version("open_spiel"), flush=True)
games = {name: pyspiel.load_game(spec) for name, spec in GAMES.items()}
for seed, line in enumerate(sys.stdin, 1):
    _, name, rollouts = line.split()
    print(seconds(games[name], int(rollouts), seed) if name in games else f"? OpenSpiel does not have {name}", flush=True)
