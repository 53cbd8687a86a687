"""Progress line on a terminal: the row that is being measured. Without a terminal, nothing is printed."""

from __future__ import annotations

import sys
import time

CLEAR = "\r\033[K"


class Progress:
    """Line on standard error that is overwritten."""

    def __init__(self, names: list[str]) -> None:
        self._at = {name: number for number, name in enumerate(names)}
        self._began = time.monotonic()
        self._shown = sys.stderr.isatty()

    def measuring(self, name: str) -> None:
        """Shows the row, and an estimate of the remaining time from the mean time of the rows so far."""
        if not self._shown:
            return
        done, minutes = self._at.get(name, 0), (time.monotonic() - self._began) / 60
        left = f", {minutes:.1f} min elapsed, about {minutes / done * (len(self._at) - done):.0f} min left" if done else ""
        print(f"{CLEAR}row {done + 1} of {len(self._at)}: {name}{left}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Clears the line."""
        if self._shown:
            print(CLEAR, end="", file=sys.stderr, flush=True)
