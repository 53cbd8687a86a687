#!/usr/bin/env python3
"""An agent for @GAME@.

The arena writes one request a line to standard input and reads one reply a line from standard
output, both JSON. The end of the input is the end of the match.
"""

import json
import random
import sys
import time

# Standard output is for replies only: from here on, print() writes to standard error. Keep these two
# lines above the imports of your own files, which may print too.
REPLIES = sys.stdout
sys.stdout = sys.stderr

# Rules of every game, for a search. tussle_rules.py, in the folder of this file, asks the program
# `tussle` for them (see `tussle rules --help`):
#
#     from tussle_rules import Game
#
#     rules = Game(request["game"])            # once: it starts a process
#     state = rules.start(request["position"])
#     for move in state.moves():
#         after = state.apply(move)            # a new state; after.player, after.result, after.eval()


def choose(request, deadline):
    """Returns the move to play. WRITE YOUR SEARCH HERE; the template plays a random legal move.

    request["game"]      the game, "@GAME@"
    request["position"]  the position in one line (`tussle show GAME --position TEXT` draws it)
    request["history"]   the moves that led to it
    request["moves"]     the legal moves: return one of them
    request["player"]    your player number, from 0; request["players"] is the number of players
    request["seed"]      a seed for random choices, different in each game
    request["clock"]     milliseconds: "move_ms" for this move; also "left_ms" and "increment_ms"
                         if there is a base time for the whole game

    Return before time.monotonic() reaches `deadline`, and always return a move: a search without a
    result returns request["moves"][0].
    """
    chance = random.Random(f"{request['seed']} {len(request['history'])}")
    return chance.choice(request["moves"])


def main():
    for line in sys.stdin:
        received = time.monotonic()
        line = line.strip()
        if not line:
            continue
        request = json.loads(line)
        if request.get("op") != "move":
            continue  # an unknown request
        # Keep a safety margin for the transfer of the reply.
        seconds = request.get("clock", {}).get("move_ms", 1000) / 1000
        move = choose(request, received + 0.9 * seconds)
        print(json.dumps({"id": request["id"], "move": move}), file=REPLIES, flush=True)


if __name__ == "__main__":
    main()
