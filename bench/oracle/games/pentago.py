"""Pentago. OpenSpiel counts cells from the top left. Each cell has eight twists: the quadrants
clockwise from the top left, each to the left and to the right."""

from typing import Any

from pair import Pair


class Pentago(Pair):
    name = "pentago"
    open_spiel = "pentago"
    tussle = "pentago:early=off"

    def move(self, action: int) -> str:
        cell, twist = divmod(action, 8)
        row, column = divmod(cell, 6)
        quadrant, direction = divmod(twist, 2)
        return f"{'abcdef'[column]}{6 - row}:{'0132'[quadrant]}{'lr'[direction]}"

    def position(self, state: Any) -> str:
        # Two lines of text, then rows like `v 1 . O @ . . . v`.
        board = "/".join(line[4:15:2] for line in str(state).splitlines()[2:8])
        side = "xo"[state.move_number() % 2]
        return board.replace("O", "x").replace("@", "o") + " " + side
