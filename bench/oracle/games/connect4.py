"""Connect four. OpenSpiel counts columns from 0."""

from typing import Any

from pair import Pair


class Connect4(Pair):
    name = "connect4"
    open_spiel = "connect_four"
    tussle = "connect4"

    def move(self, action: int) -> str:
        return str(action + 1)

    def position(self, state: Any) -> str:
        return "/".join(str(state).split()) + " " + "xo"[state.move_number() % 2]
