"""Client of the rules service, for the rules of any Tussle game in Python.

    from tussle_rules import Game

    with Game("tictactoe") as game:
        state = game.start()
        while state.result is None:
            state = state.apply(state.moves()[0])
        print(state.result)        # one number per player: [1.0, -1.0]

A `Game` runs `tussle rules SPEC` as a child process and exchanges JSON lines with it. The child process
ends with the client, even if the client is killed. Use a game in one thread only.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

# Number of unused states that are released together, which makes the cost of a release small.
RELEASE_BATCH = 256
# Maximum number of bytes sent before the answers are read. A pipe holds 64 KiB; if both pipes were full,
# client and service would wait for each other forever.
MAX_BATCH_BYTES = 32 * 1024


class RulesError(Exception):
    """The service rejected a request, such as an illegal move. The state is unchanged."""


class ServiceDied(ConnectionError):
    """The service ended or did not start; the message has its error output."""


def find_tussle(binary: Optional[str] = None) -> str:
    """Returns the path of the program: the argument, $TUSSLE, a program in PATH, or a release build in a
    folder above this file."""
    named = binary or os.environ.get("TUSSLE")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"{named} is not a program; set TUSSLE to the path of tussle")
        return found
    builds = [folder / "target/release/tussle" for folder in Path(__file__).resolve().parents]
    for place in ["tussle", *map(str, builds)]:
        found = shutil.which(place)
        if found is not None:
            return found
    raise FileNotFoundError(
        "cannot find tussle: set TUSSLE to its path, or run `cargo build --release`"
    )


def batches(lines: List[bytes]) -> Iterator[List[bytes]]:
    """Divides lines into batches of at most `MAX_BATCH_BYTES` bytes. A longer line is a batch of its own."""
    batch: List[bytes] = []
    room = MAX_BATCH_BYTES
    for line in lines:
        if batch and len(line) > room:
            yield batch
            batch, room = [], MAX_BATCH_BYTES
        batch.append(line)
        room -= len(line)
    if batch:
        yield batch


class Game:
    """Running rules service. `spec` is a spec string, such as `go:size=9`."""

    def __init__(self, spec: str, binary: Optional[str] = None) -> None:
        command = [find_tussle(binary), "rules", spec]
        self._dead: List[int] = []  # handles of states that were garbage collected
        self._last_words = ""
        self._stderr = tempfile.TemporaryFile()  # a file, because an unread pipe could fill up
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        info = self.ask(op="info")
        self.spec: str = info["game"]
        self.players: int = info["players"]
        self.points: bool = info.get("points", False)  # True if results are points
        self.evaluations: List[str] = info["evaluations"]

    def start(self, position: Optional[str] = None) -> State:
        """Returns the start of the game, or the position with this text."""
        named = {} if position is None else {"position": position}
        return State(self, self.ask(op="start", **named))

    def ask(self, **request: Any) -> Dict[str, Any]:
        """Sends one request and returns its answer. Prefer the methods of `State`."""
        [reply] = self.ask_all([request])
        if "error" in reply:
            raise RulesError(reply["error"])
        return reply

    def ask_all(self, requests: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """Sends many requests and returns their answers, much faster than one by one. The answer of a
        rejected request is `{"error": …}`; no exception is raised for it."""
        lines = [json.dumps(request).encode() + b"\n" for request in requests]
        if len(self._dead) >= RELEASE_BATCH:
            dead, self._dead = self._dead, []
            lines = [b'{"op":"release","state":%d}\n' % handle for handle in dead] + lines
        answers: List[bytes] = []
        try:
            for batch in batches(lines):
                self._process.stdin.write(b"".join(batch))
                self._process.stdin.flush()
                answers += [self._process.stdout.readline() for _ in batch]
        except (OSError, ValueError):  # the pipe is broken, or `close` has closed it
            answers.append(b"")
        except BaseException:
            # For example Ctrl-C between a request and its answer. Later answers would belong to the wrong
            # requests, so this service cannot be used any more.
            self.close()
            raise
        if answers and not answers[-1].endswith(b"\n"):
            self.close()
            why = self._last_words or "open the game again"
            raise ServiceDied(f"the rules service has ended: {why}")
        return [json.loads(answer) for answer in answers[len(lines) - len(requests) :]]

    def close(self) -> None:
        """Ends the service. The states of this game cannot be used afterwards."""
        if self._stderr.closed:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass  # the service has ended before it read everything
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stderr.seek(0)
        self._last_words = self._stderr.read().decode(errors="replace").strip()
        self._stderr.close()

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class State:
    """State of a game. It is immutable: `apply` returns a new state."""

    __slots__ = ("game", "handle", "position", "turn", "player", "result", "__weakref__")

    def __init__(self, game: Game, answer: Dict[str, Any]) -> None:
        self.game = game
        self.handle: int = answer["state"]
        #: Position as text, which `game.start(text)` parses.
        self.position: str = answer["position"]
        #: `first`, `second` (or `player-3`), `chance` or `over`.
        self.turn: str = answer["turn"]
        #: Player to move, from 0; None at chance nodes and in finished games.
        self.player: Optional[int] = answer["player"]
        #: Utility of each player in a finished game, else None.
        self.result: Optional[List[float]] = answer["result"]

    def moves(self) -> List[str]:
        """Returns the legal moves, or the chance outcomes."""
        return self.game.ask(op="moves", state=self.handle)["moves"]

    def outcomes(self) -> List[Tuple[str, float]]:
        """Returns the chance outcomes with their probabilities; empty if a player is to move."""
        answer = self.game.ask(op="moves", state=self.handle)
        return list(zip(answer["moves"], answer.get("probabilities", [])))

    def apply(self, move: str) -> State:
        """Returns the state after a move or chance outcome."""
        return State(self.game, self.game.ask(op="apply", state=self.handle, move=move))

    def eval(self, name: str = "", player: Optional[int] = None) -> float:
        """Returns an evaluation (`NAME:key=value` [default: the first one of the game]) for a player
        [default: the player to move]."""
        request: Dict[str, Any] = {"op": "eval", "state": self.handle}
        if name:
            request["eval"] = name
        if player is not None:
            request["player"] = player
        return self.game.ask(**request)["value"]

    def draw(self) -> str:
        """Returns the terminal drawing."""
        return self.game.ask(op="draw", state=self.handle)["drawing"]

    def playout(self, seed: int) -> List[float]:
        """Returns the result of a random playout from here. The same seed gives the same game."""
        return self.game.ask(op="playout", state=self.handle, seed=seed)["result"]

    def __del__(self) -> None:
        self.game._dead.append(self.handle)

    def __repr__(self) -> str:
        return f"<{self.game.spec}: {self.position}>"
