#!/usr/bin/env python3
"""The finished agent of the tutorial "Your first agent": minimax with a fixed depth. It speaks JSON lines and
plays every game of two players without chance."""

import json
import sys
import time

# Standard output is for replies only; print() writes to standard error from here on.
REPLIES = sys.stdout
sys.stdout = sys.stderr

from tussle_rules import Game  # noqa: E402

DEPTH = 3
rules = None


def value(state, depth, player, deadline):
    """Returns the minimax value of a state for `player`."""
    if state.result is not None:
        return 1_000_000 * state.result[player]
    if depth == 0 or time.monotonic() > deadline:
        return state.eval(player=player)
    values = [value(state.apply(move), depth - 1, player, deadline) for move in state.moves()]
    return max(values) if state.player == player else min(values)


def choose(request, deadline):
    """Returns the move with the largest minimax value."""
    global rules
    if rules is None:
        rules = Game(request["game"])
    state = rules.start(request["position"])

    def worth(move):
        return value(state.apply(move), DEPTH - 1, request["player"], deadline)

    return max(request["moves"], key=worth)


def main():
    for line in sys.stdin:
        received = time.monotonic()
        request = json.loads(line)
        seconds = request.get("clock", {}).get("move_ms", 1000) / 1000
        move = choose(request, received + 0.8 * seconds)
        print(json.dumps({"id": request["id"], "move": move}), file=REPLIES, flush=True)


if __name__ == "__main__":
    main()
