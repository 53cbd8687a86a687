"""Columns are counted from 0 there."""

from typing import Any

from pair import Pair, rows


class Connect4(Pair):
    name = "connect4"
    open_spiel = "connect_four"
    tussle = "connect4"

    def move(self, action: int) -> str:
        return str(action + 1)

    def position(self, state: Any) -> str:
        return "/".join(rows(state)) + " " + "xo"[state.move_number() % 2]
