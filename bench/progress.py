"""Which row is being measured, for people who watch a terminal; elsewhere nothing."""

from __future__ import annotations

import sys
import time

CLEAR = "\r\033[K"


class Progress:
    """A line on standard error that is rewritten."""

    def __init__(self, names: list[str]) -> None:
        self._at = {name: number for number, name in enumerate(names)}
        self._began = time.monotonic()
        self._shown = sys.stderr.isatty()

    def measuring(self, name: str) -> None:
        """Says so, and roughly how long the rest takes if rows take as long as those so far."""
        if not self._shown:
            return
        done, minutes = self._at.get(name, 0), (time.monotonic() - self._began) / 60
        left = f", {minutes:.1f} min so far, perhaps {minutes / done * (len(self._at) - done):.0f} more" if done else ""
        print(f"{CLEAR}row {done + 1} of {len(self._at)}: {name}{left}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Makes room for a row."""
        if self._shown:
            print(CLEAR, end="", file=sys.stderr, flush=True)
