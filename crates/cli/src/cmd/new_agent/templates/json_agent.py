#!/usr/bin/env python3
"""An agent for @GAME@.

The arena writes one request a line to standard input and reads one reply a line from standard
output, both JSON. Write nothing else there: print for yourself with file=sys.stderr. The end of the
input is the end of the match.
"""

import json
import random
import sys
import time


def choose(request, deadline):
    """The move to play. YOUR IDEA GOES HERE; what stands here is a random legal move.

    request["game"]      the game, "@GAME@"
    request["position"]  the position in one line (`tussle show GAME --position TEXT` draws it)
    request["history"]   the moves that led to it
    request["moves"]     the legal moves: answer one of them
    request["player"]    who you are, from 0; request["players"] says how many there are
    request["seed"]      a number for whatever is random, another one in each game
    request["clock"]     milliseconds: "move_ms" for this move; "left_ms" and "increment_ms" too
                         if there is a bank for the whole game

    Be done when time.monotonic() reaches `deadline`. The rules of every game can be asked from
    Python: `tussle rules GAME` (docs/rules-service.md).
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
            continue  # nothing that we know
        # Keep a little back: the answer has to get there, too.
        seconds = request.get("clock", {}).get("move_ms", 1000) / 1000
        move = choose(request, received + 0.9 * seconds)
        print(json.dumps({"id": request["id"], "move": move}), flush=True)


if __name__ == "__main__":
    main()
