"""The games that are compared, one module each."""

from pair import Pair

from .connect4 import Connect4
from .tictactoe import TicTacToe

PAIRS: list[type[Pair]] = [TicTacToe, Connect4]
