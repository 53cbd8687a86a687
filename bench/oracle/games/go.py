"""Go. OpenSpiel counts points from the bottom left, and the pass comes last. Komi, the end after two
moves per point, and the draw by repetition are our defaults."""

from typing import Any

from pair import Pair


class Go(Pair):
    size: int

    def move(self, action: int) -> str:
        row, column = divmod(action, self.size)
        return "pass" if row == self.size else f"{'ABCDEFGHJ'[column]}{row + 1}"

    def position(self, state: Any) -> str:
        # A line of text, then rows like ` 5 +OX++`, then the letters.
        board = [line.split()[1] for line in str(state).splitlines()[2 : 2 + self.size]]
        side = "XO"[state.move_number() % 2]
        return f"{'/'.join(board).replace('+', '.')} {side} {state.move_number()}"

    def shown(self, position: str) -> str:
        # OpenSpiel has no text of the ko, passes and earlier boards. Differences in them show in the
        # legal moves and in the end of the game.
        board, side, _ko, _passes, moves, *_past = position.split()
        return f"{board} {side} {moves}"

    def worth_playing(self, moves: list[str]) -> list[str]:
        # Random players pass too early for frequent captures, kos, repetitions and games to the last
        # move. In every other game they pass only if they must.
        return [move for move in moves if move != "pass"] or moves if self.number % 2 else moves

    def ending(self, state: Any) -> str:
        if all(self.move(action) == "pass" for action in state.history()[-2:]):
            return "two passes"
        return "last move" if state.move_number() == 2 * self.size**2 else "repetition"


class Go5(Go):
    name = "go-5x5"
    open_spiel = "go(board_size=5,komi=0.5)"
    tussle = "go:size=5"
    size = 5


class Go9(Go):
    name = "go-9x9"
    open_spiel = "go(board_size=9,komi=5.5)"
    tussle = "go:size=9"
    size = 9
