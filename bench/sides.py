"""Programs that `bench/run` compares: ours, and those of the peers."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent  # cargo reads the compiler flags from this folder


def cargo(manifest: str, *arguments: str) -> list[str]:
    """Returns the command that runs the program of a package."""
    build = ["cargo", "run", "--release", "--locked", "--quiet", "--manifest-path"]
    return [*build, str(BENCH / manifest), "--", *arguments]


COMMANDS = {
    "ours": cargo("Cargo.toml", "slices"),
    "open_spiel": [str(BENCH / "python"), str(BENCH / "peers/open_spiel_slices.py")],
    "board-game": cargo("peers/Cargo.toml", "board-game"),
    "connect-four-solver": cargo("peers/Cargo.toml", "connect-four-solver"),
    "mcts": cargo("peers/Cargo.toml", "mcts"),
    "minimax": cargo("peers/Cargo.toml", "minimax"),
}


class Missing(Exception):
    """A row cannot be measured; the message has the reason."""


def last_line(words: str) -> str:
    return (words.strip().splitlines() or ["it ended without output"])[-1]


class Side:
    """Program that answers requests, one per line: small tasks, with the time that they took."""

    def __init__(self, name: str) -> None:
        self._stderr = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            COMMANDS[name],
            cwd=ROOT,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        # The program may be built or installed first. If that failed, the first request raises Missing.
        self.version = self._process.stdout.readline().strip()

    def tell(self, *words: object) -> None:
        """Sends a request; `hear` waits for its answer."""
        try:
            print(*words, file=self._process.stdin, flush=True)
        except OSError:
            pass  # the program has ended; `hear` reports its last error output

    def hear(self) -> Any:
        answer = self._process.stdout.readline().strip()
        if not answer:
            self._stderr.seek(0)
            raise Missing(last_line(self._stderr.read()))
        if answer.startswith("?"):
            raise Missing(answer[1:].strip())
        return json.loads(answer)

    def ask(self, *words: object) -> Any:
        self.tell(*words)
        return self.hear()


class Sides(dict[str, Side]):
    """Programs by name. A program starts when it is first needed."""

    def __missing__(self, name: str) -> Side:
        self[name] = Side(name)
        return self[name]
