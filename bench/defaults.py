"""Default settings against the best other ones known: rows `defaults/GAME/AGENT`.

AGENT is `mcts`, `alphabeta` or `best`; its opponent is the runner-up of its family, or the strongest agent that `best` is not
made of. A row is a match as in `strength.py`, at 100 ms per move. Better settings than the defaults show as a row below the goal.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

import strength
from sides import Missing, Sides
from strength import Match

CLOCK, QUICK_CLOCK, GAMES = "100ms", "60ms", 500
# Least difference in Elo that does not speak against a default.
GOAL = -30

# Spec string of each game, and random plies at the start of a game pair.
GAMES_WITH_DEFAULTS = {
    "connect4": ("connect4", 4),
    "go-5x5": ("go:size=5", 2),
    "gobblet": ("gobblet", 2),
    "pentago-twist": ("pentago-twist", 2),
}
# The opponent of each agent.
RUNNERS_UP: dict[str, dict[str, str]] = {
    "connect4": {
        "mcts": "mcts-textbook:rollout=heavy,reuse=on,tactics=on,c=0.6",
        "alphabeta": "alphabeta-textbook:eval=windows,tactics=on,window=mtd",
        "best": "alphabeta",
    },
    "go-5x5": {
        "mcts": "mcts-textbook:rollout=heavy,reuse=on,c=0,rave=50",
        "alphabeta": "alphabeta-textbook:eval=area,tactics=on",
        "best": "alphabeta",
    },
    "gobblet": {
        "mcts": "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0.7",
        "alphabeta": "alphabeta-textbook:eval=pairs",
        "best": "mcts",
    },
    "pentago-twist": {
        "mcts": "mcts-textbook:rollout=heavy,solver=on,reuse=on,tactics=on,c=0.7",
        "alphabeta": "alphabeta-textbook:eval=reach",
        "best": "alphabeta",
    },
}

HEAD, show = strength.HEAD, strength.show


def matches() -> Iterator[Match]:
    """Returns all matches."""
    for game, opponents in RUNNERS_UP.items():
        spec, plies = GAMES_WITH_DEFAULTS[game]
        for agent, opponent in opponents.items():
            yield Match(game, spec, agent, agent, CLOCK, GAMES, opening_plies=plies, goal=GOAL, quick_clock=QUICK_CLOCK,
                        family="defaults", opponent=opponent)


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Plays the wanted matches one by one."""
    del sides, rounds  # see `strength.played`
    return strength.played(matches(), wanted, quick)
