#!/usr/bin/env python3
"""An engine for @GAME@ that speaks UGI, the universal game interface.

Whoever runs it writes commands to standard input, one a line, and reads answers from standard
output. Write nothing else there: print for yourself with file=sys.stderr.

UGI tells moves, not rules. Here `tussle rules` knows them; an engine with rules of its own does not
need it, and is faster. Write your own class in the place of Rules then.
"""

import json
import random
import subprocess
import sys
import time

GAME = "@GAME@"


class Rules:
    """The rules of a game, asked from `tussle rules`.

    A state has its text in "position", who is to move in "player" (from 0; None if it is chance,
    or nobody), and in "result" None or what the finished game is worth to each player.
    """

    def __init__(self, game):
        command = ["tussle", "rules", game]
        pipe = subprocess.PIPE
        try:
            self.service = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        except FileNotFoundError:
            sys.exit("cannot start `tussle rules`; is tussle on your PATH?")

    def ask(self, **request):
        self.service.stdin.write(json.dumps(request) + "\n")
        self.service.stdin.flush()
        answer = json.loads(self.service.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def start(self, **position):
        state = self.ask(op="start", **position)
        self.ask(op="release", state=state["state"])  # we name states by their texts
        return state

    def apply(self, state, move):
        return self.ask(op="apply", state=state["position"], move=move)

    def moves(self, state):
        return self.ask(op="moves", state=state["position"])["moves"]


def choose(rules, state, deadline, chance):
    """The move to play. YOUR IDEA GOES HERE; what stands here is a random legal move.

    Be done when time.monotonic() reaches `deadline`. A search that takes long should run on a
    thread, so that `isready` and `stop` are answered while it runs.
    """
    return chance.choice(rules.moves(state))


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
    result = state["result"]
    if question == "gameover":
        return "false" if result is None else "true"
    if question == "p1turn":
        return "true" if state["player"] == 0 else "false"
    if question == "result" and result is None:
        return "none"
    if question == "result":
        winners = [i for i, value in enumerate(result) if value == max(result)]
        return f"p{winners[0] + 1}win" if len(winners) == 1 else "draw"
    return "unknown"


def main():
    rules = Rules(GAME)
    state = rules.start()
    chance = random.Random(1)
    kept = None  # a move that waits for `stop`
    for line in sys.stdin:
        received = time.monotonic()
        words = line.split()
        command = words[0] if words else ""
        if command == "ugi":
            print("id name my-agent\nid author me")
            print("option name seed type spin default 1 min 0 max 18446744073709551615")
            print("ugiok", flush=True)
        elif command == "isready":
            print("readyok", flush=True)
        elif words[:4] == ["setoption", "name", "seed", "value"]:
            chance = random.Random(int(words[4]))
        elif command == "uginewgame":
            state = rules.start()
        elif command == "position":
            cut = words.index("moves") if "moves" in words else len(words)
            fen = {"position": " ".join(words[2:cut])} if words[1] == "fen" else {}
            state = rules.start(**fen)
            for move in words[cut + 1 :]:
                state = rules.apply(state, move)
        elif command == "go":
            move = "0000"  # if nobody is to move
            if state["player"] is not None:
                # Keep a little back: the answer has to get there, too.
                deadline = received + 0.9 * seconds(words[1:], state["player"])
                move = choose(rules, state, deadline, chance)
            if "infinite" in words:
                kept = move
            else:
                print(f"bestmove {move}", flush=True)
        elif command == "stop" and kept:
            print(f"bestmove {kept}", flush=True)
            kept = None
        elif command == "query":
            print(f"response {answer(state, words[1])}", flush=True)
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
