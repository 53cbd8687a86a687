"""Tic-tac-toe. OpenSpiel counts cells from the top left."""

from typing import Any

from pair import Pair


class TicTacToe(Pair):
    name = "tictactoe"
    open_spiel = "tic_tac_toe"
    tussle = "tictactoe"

    def move(self, action: int) -> str:
        row, column = divmod(action, 3)
        return "abc"[column] + "321"[row]

    def position(self, state: Any) -> str:
        return "/".join(str(state).split()) + " " + "xo"[state.move_number() % 2]
