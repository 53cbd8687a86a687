"""Plays a winning move if there is one, else a random move. Speaks UGI.

The board is a list of columns; a disc is 0 or 1, the number of its player.
"""

import random
import sys

WIDTH, HEIGHT = 7, 6


def legal(columns):
    return [c for c in range(WIDTH) if len(columns[c]) < HEIGHT]


def wins(columns, column):
    """Returns true if the top disc of this column is part of four in a row."""
    row = len(columns[column]) - 1
    owner = columns[column][row]

    def run(dx, dy):
        length, x, y = 0, column + dx, row + dy
        while 0 <= x < WIDTH and 0 <= y < len(columns[x]) and columns[x][y] == owner:
            length, x, y = length + 1, x + dx, y + dy
        return length

    return any(1 + run(dx, dy) + run(-dx, -dy) >= 4 for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)])


def choose(moves, rng):
    columns = [[] for _ in range(WIDTH)]
    for ply, move in enumerate(moves):
        columns[int(move) - 1].append(ply % 2)
    for column in legal(columns):
        columns[column].append(len(moves) % 2)
        won = wins(columns, column)
        columns[column].pop()
        if won:
            return column + 1
    return rng.choice(legal(columns)) + 1


def main():
    rng, moves = random.Random(1), []
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("id name eager\nid author bo\nugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "startpos"]:
            moves = words[3:]
        elif words[:1] == ["go"]:
            print("bestmove", choose(moves, rng), flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
