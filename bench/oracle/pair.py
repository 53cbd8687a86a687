"""Translation between a game of OpenSpiel and the same game of Tussle.

A pair knows the notations of both sides, but no rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Any


class Pair:
    """The same game on both sides. The defaults are for games of two players without chance."""

    #: Name of the row.
    name: str
    #: Spec strings of OpenSpiel and of Tussle.
    open_spiel: str
    tussle: str
    #: True if moves are compared by the positions that they lead to (see `plays`), not by name.
    by_position = False

    def __init__(self, number: int) -> None:
        #: Number of the game. A pair can play some games differently from others.
        self.number = number

    def move(self, action: int) -> str:
        """Returns Tussle's text of an OpenSpiel action."""
        raise NotImplementedError

    def position(self, state: Any) -> str:
        """Returns the parts of Tussle's position text that `shown` keeps, for an OpenSpiel state."""
        raise NotImplementedError

    def shown(self, position: str) -> str:
        """Returns the parts of Tussle's position text that OpenSpiel's state has too."""
        return position

    def player(self, state: Any) -> int | None:
        """Returns the player to move in Tussle's numbering, from 0."""
        return None if state.current_player() < 0 else state.current_player()

    def result(self, state: Any) -> list[float]:
        """Returns the utilities of Tussle's first and second player."""
        return state.returns()

    def ending(self, state: Any) -> str:
        """Returns the kind of the game's end, for the counts."""
        return {1.0: "first wins", 0.0: "draw", -1.0: "second wins"}[state.returns()[0]]

    def worth_playing(self, moves: list[str]) -> list[str]:
        """Returns the legal moves among which the random player chooses."""
        return moves

    def outcomes(self, state: Any) -> dict[str, float]:
        """Returns Tussle's texts of the chance outcomes with OpenSpiel's probabilities."""
        raise NotImplementedError

    def chance_action(self, state: Any, outcome: str) -> int:
        """Returns the OpenSpiel action of an outcome."""
        raise NotImplementedError

    def plays(self, state: Any, seen: Counter[str]) -> dict[str, list[int]]:
        """Returns the positions that a whole play can lead to, each with the actions of one such play.
        Adds special cases to the counts in `seen`."""
        raise NotImplementedError

