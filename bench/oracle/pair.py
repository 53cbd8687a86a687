"""What a game of OpenSpiel and the same game of Tussle have to do with each other.

A pair translates; it knows how either side writes things down, and no rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Any


class Pair:
    """The same game on both sides; the defaults suit plain games of two players."""

    #: The name of the row.
    name: str
    #: The spec string there and here.
    open_spiel: str
    tussle: str
    #: Whether moves are compared by the positions they lead to (see `plays`) and not by name.
    by_position = False

    def __init__(self, number: int) -> None:
        #: The number of the game; a pair may play some games differently from others.
        self.number = number

    def move(self, action: int) -> str:
        """Our text of their action."""
        raise NotImplementedError

    def position(self, state: Any) -> str:
        """Our position text of their state, as far as `shown` keeps it."""
        raise NotImplementedError

    def shown(self, position: str) -> str:
        """What of our position text their state has too."""
        return position

    def player(self, state: Any) -> int | None:
        """Who is to move, from 0, as we count them."""
        return None if state.current_player() < 0 else state.current_player()

    def result(self, state: Any) -> list[float]:
        """What the end is worth to our first and second player."""
        return state.returns()

    def ending(self, state: Any) -> str:
        """How the game ended, to be counted."""
        return {1.0: "first wins", 0.0: "draw", -1.0: "second wins"}[state.returns()[0]]

    def worth_playing(self, moves: list[str]) -> list[str]:
        """Those of the legal moves that are chosen from."""
        return moves

    def outcomes(self, state: Any) -> dict[str, float]:
        """At chance: our texts of the outcomes and their probabilities."""
        raise NotImplementedError

    def chance_action(self, state: Any, outcome: str) -> int:
        """Their action for an outcome."""
        raise NotImplementedError

    def plays(self, state: Any, seen: Counter[str]) -> dict[str, list[int]]:
        """The positions that a whole play can lead to, each with the actions of one such play.
        What is worth counting goes into `seen`."""
        raise NotImplementedError

