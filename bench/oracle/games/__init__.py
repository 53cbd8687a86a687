"""Games that are compared, one module each."""

from pair import Pair

from .backgammon import Backgammon
from .connect4 import Connect4
from .go import Go5, Go9
from .pentago import Pentago
from .tictactoe import TicTacToe

PAIRS: list[type[Pair]] = [TicTacToe, Connect4, Go5, Go9, Pentago, Backgammon]
