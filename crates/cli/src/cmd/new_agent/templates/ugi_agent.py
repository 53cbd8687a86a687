#!/usr/bin/env python3
"""An engine for @GAME@ that speaks UGI, the universal game interface.

Whoever runs it writes commands to standard input, one a line, and reads answers from standard
output.

UGI tells moves, not rules. Here tussle_rules.py, which lies beside this file, asks the program
`tussle` for them (`tussle rules --help`). An engine with rules of its own does not need it, and is
faster: write your own class in the place of Game then.
"""

import random
import sys
import time

# Standard output is for answers only; print() writes to standard error from here on. Keep these two
# lines above the imports of your own files, which may print, too.
REPLIES = sys.stdout
sys.stdout = sys.stderr

from tussle_rules import Game

GAME = "@GAME@"


def tell(text):
    """Writes an answer."""
    print(text, file=REPLIES, flush=True)


def choose(state, deadline, chance):
    """The move to play. YOUR IDEA GOES HERE; what stands here is a random legal move.

    A state has `moves()`, `apply(move)` for the state after a move, `player`, who is to move (from 0;
    None if it is chance, or nobody), and `result`, None or what the finished game is worth to each.

    Be done when time.monotonic() reaches `deadline`. A search that takes long should run on a
    thread, so that `isready` and `stop` are answered while it runs.
    """
    return chance.choice(state.moves())


def seconds(words, player):
    """The time for a move by the words behind `go`."""
    told = dict(zip(words[::2], words[1::2]))
    if "movetime" in told:
        return int(told["movetime"]) / 1000
    left = told.get(f"p{player + 1}time")
    if left is None:
        return 1.0
    return int(left) / 1000 / 20 + int(told.get(f"p{player + 1}inc", 0)) / 1000 / 2


def answer(state, question):
    """What is asked about the game."""
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
            move = "0000"  # if nobody is to move
            if state.player is not None:
                # Keep a little back: the answer has to get there, too.
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
