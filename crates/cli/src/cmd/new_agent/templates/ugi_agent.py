#!/usr/bin/env python3
"""An engine for @GAME@ that speaks UGI, the universal game interface.

Another program writes commands to standard input, one per line, and reads replies from standard
output.

UGI transfers moves, not rules. tussle_rules.py, in the folder of this file, asks the program `tussle`
for the rules (see `tussle rules --help`). An engine with its own rules is faster: replace Game by your
own class.
"""

import random
import sys
import time

# Standard output is for replies only: from here on, print() writes to standard error. Keep these two
# lines above the imports of your own files, which may print too.
REPLIES = sys.stdout
sys.stdout = sys.stderr

from tussle_rules import Game

GAME = "@GAME@"


def tell(text):
    """Writes a reply."""
    print(text, file=REPLIES, flush=True)


def choose(state, deadline, chance):
    """Returns the move to play. WRITE YOUR SEARCH HERE; the template plays a random legal move.

    A state has `moves()`, `apply(move)` (the state after a move), `player` (the player to move, from 0;
    None for chance or after the game), and `result` (None, or the utilities of a finished game).

    Return before time.monotonic() reaches `deadline`. A long search should run on a thread, so that
    `isready` and `stop` are answered while it runs.
    """
    return chance.choice(state.moves())


def seconds(words, player):
    """Returns the time for a move from the words after `go`."""
    told = dict(zip(words[::2], words[1::2]))
    if "movetime" in told:
        return int(told["movetime"]) / 1000
    left = told.get(f"p{player + 1}time")
    if left is None:
        return 1.0
    return int(left) / 1000 / 20 + int(told.get(f"p{player + 1}inc", 0)) / 1000 / 2


def answer(state, question):
    """Returns the reply to a question about the game."""
    result = state.result
    if question == "gameover":
        return "false" if result is None else "true"
    if question == "p1turn":
        return "true" if state.player == 0 else "false"
    if question == "result" and result is None:
        return "none"
    if question == "result":
        winners = [i for i, value in enumerate(result) if value == max(result)]
        return f"p{winners[0] + 1}win" if len(winners) == 1 else "draw"
    return "unknown"


def main():
    rules = Game(GAME)
    state = rules.start()
    chance = random.Random(1)
    kept = None  # a move that waits for `stop`
    for line in sys.stdin:
        received = time.monotonic()
        words = line.split()
        command = words[0] if words else ""
        if command == "ugi":
            tell("id name my-agent\nid author me")
            tell("option name seed type spin default 1 min 0 max 18446744073709551615")
            tell("ugiok")
        elif command == "isready":
            tell("readyok")
        elif words[:4] == ["setoption", "name", "seed", "value"]:
            chance = random.Random(int(words[4]))
        elif command == "uginewgame":
            state = rules.start()
        elif command == "position":
            cut = words.index("moves") if "moves" in words else len(words)
            state = rules.start(" ".join(words[2:cut]) if words[1] == "fen" else None)
            for move in words[cut + 1 :]:
                state = state.apply(move)
        elif command == "go":
            move = "0000"  # no player is to move
            if state.player is not None:
                # Keep a safety margin for the transfer of the reply.
                deadline = received + 0.9 * seconds(words[1:], state.player)
                move = choose(state, deadline, chance)
            if "infinite" in words:
                kept = move
            else:
                tell(f"bestmove {move}")
        elif command == "stop" and kept:
            tell(f"bestmove {kept}")
            kept = None
        elif command == "query":
            tell(f"response {answer(state, words[1])}")
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
