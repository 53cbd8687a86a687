"""OpenSpiel's side of `bench/run`, which lets it take turns with ours. Answers requests, one per line, or
prints `?` and the reason of an error:
- `playouts GAME N`: the CPU time of N random playouts, in seconds;
- `mcts GAME N`: the time and the result of a Monte Carlo tree search of N simulations from the start.

The C++ library does the work; Python only starts it, which takes microseconds. The random playouts are those of
one simulation of its MCTS bot with N rollouts.
"""

import json
import math
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


# Rewards are 1 and -1 in OpenSpiel and 1 and 0 in Tussle, so this corresponds to our sqrt(2).
EXPLORATION = 2 * math.sqrt(2)
# Enough for every search; with less, the bot would discard parts of its tree.
MEGABYTES = 8000


def start(game: pyspiel.Game) -> pyspiel.State:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


def playouts(game: pyspiel.Game, rollouts: int, seed: int) -> float:
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, solve=False, seed=seed, verbose=False)
    state = start(game)
    began = time.process_time()
    bot.step(state)
    return time.process_time() - began


def mcts(game: pyspiel.Game, simulations: int, seed: int) -> str:
    """Measures a search. A simulation plays one random playout from the first unvisited node that it selects.
    The second visit of a node adds all its children, in random order. The time includes the release of the
    tree."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, EXPLORATION, simulations, MEGABYTES, solve=False, seed=seed, verbose=False
    )
    state = start(game)
    cpu, wall = time.process_time(), time.perf_counter()
    best = bot.step(state)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return json.dumps({"cpu": cpu, "wall": wall, "nodes": simulations, "best": best})


def answer(kind: str, name: str, n: int, seed: int) -> object:
    work = {"playouts": playouts, "mcts": mcts}.get(kind)
    if work is None or name not in games:
        return f"? OpenSpiel does not have {kind} {name}"
    return work(games[name], n, seed)


print("open_spiel", version("open_spiel"), flush=True)
games = {name: pyspiel.load_game(spec) for name, spec in GAMES.items()}
for seed, line in enumerate(sys.stdin, 1):
    kind, name, n = line.split()
    print(answer(kind, name, int(n), seed), flush=True)
