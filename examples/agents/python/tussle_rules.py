"""The rules of any Tussle game, from Python.

    from tussle_rules import Game

    with Game("tictactoe") as game:
        state = game.start()
        while state.result is None:
            state = state.apply(state.moves()[0])
        print(state.result)        # one number per player: [1.0, -1.0]

A `Game` runs `tussle rules SPEC` as a child process and talks to it in JSON lines. The child
goes away with the client, however the client ends. One game belongs to one thread.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

# Dead states are released this many at a time, which makes a release nearly free: nobody waits
# for its answer.
BATCH = 256
# Bytes that are sent at once. A pipe holds 64 KiB: if both were full, client and service would
# wait for each other for ever.
AT_ONCE = 32 * 1024


class RulesError(Exception):
    """The service refused a request: an illegal move, a bad position. Nothing has changed."""


class ServiceDied(ConnectionError):
    """The service ended, or never started; its own words are in the message."""


def find_tussle(binary: Optional[str] = None) -> str:
    """The binary: the argument, else $TUSSLE, else on PATH, else built above this file."""
    named = binary or os.environ.get("TUSSLE")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"{named} is not a program; is the path to tussle right?")
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
    """The lines in order, in batches of at most `AT_ONCE` bytes (a longer line is alone)."""
    batch: List[bytes] = []
    room = AT_ONCE
    for line in lines:
        if batch and len(line) > room:
            yield batch
            batch, room = [], AT_ONCE
        batch.append(line)
        room -= len(line)
    if batch:
        yield batch


class Game:
    """A running rules service. `spec` is a spec string, for instance `go:size=9`."""

    def __init__(self, spec: str, binary: Optional[str] = None) -> None:
        command = [find_tussle(binary), "rules", spec]
        self._dead: List[int] = []  # handles of states that were garbage collected
        self._last_words = ""
        self._stderr = tempfile.TemporaryFile()  # a pipe that nobody reads could fill up
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        info = self.ask(op="info")
        self.spec: str = info["game"]
        self.players: int = info["players"]
        self.evaluations: List[str] = info["evaluations"]

    def start(self, position: Optional[str] = None) -> State:
        """The start of the game, or the position with this text."""
        named = {} if position is None else {"position": position}
        return State(self, self.ask(op="start", **named))

    def ask(self, **request: Any) -> Dict[str, Any]:
        """Sends one request and returns its answer. The methods of `State` read better."""
        [reply] = self.ask_all([request])
        if "error" in reply:
            raise RulesError(reply["error"])
        return reply

    def ask_all(self, requests: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """Sends many requests and returns their answers, far faster than one after the other.
        A request that was refused is answered with `{"error": …}`; nothing is raised for it."""
        lines = [json.dumps(request).encode() + b"\n" for request in requests]
        if len(self._dead) >= BATCH:
            dead, self._dead = self._dead, []
            lines = [b'{"op":"release","state":%d}\n' % handle for handle in dead] + lines
        answers: List[bytes] = []
        try:
            for batch in batches(lines):
                self._process.stdin.write(b"".join(batch))
                self._process.stdin.flush()
                answers += [self._process.stdout.readline() for _ in batch]
        except (OSError, ValueError):  # a broken pipe, or one that `close` has closed
            answers.append(b"")
        except BaseException:
            # Ctrl-C between a request and its answer: later answers would go to the wrong
            # requests, so this service is of no more use.
            self.close()
            raise
        if answers and not answers[-1].endswith(b"\n"):
            self.close()
            why = self._last_words or "open the game again"
            raise ServiceDied(f"the rules service has ended: {why}")
        return [json.loads(answer) for answer in answers[len(lines) - len(requests) :]]

    def close(self) -> None:
        """Ends the service. The states of this game are of no use afterwards."""
        if self._stderr.closed:
            return
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass  # what was still to be written has no reader
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
    """One state of a game. It never changes: a move makes a new one."""

    __slots__ = ("game", "handle", "position", "turn", "player", "result", "__weakref__")

    def __init__(self, game: Game, answer: Dict[str, Any]) -> None:
        self.game = game
        self.handle: int = answer["state"]
        #: The position as text; `game.start(text)` reads it back.
        self.position: str = answer["position"]
        #: `first`, `second` (or `player-3`), `chance` or `over`.
        self.turn: str = answer["turn"]
        #: Who is to move, counted from 0; None at chance and at the end.
        self.player: Optional[int] = answer["player"]
        #: What the end is worth to each player; None until then.
        self.result: Optional[List[float]] = answer["result"]

    def moves(self) -> List[str]:
        """The legal moves, or the outcomes of chance."""
        return self.game.ask(op="moves", state=self.handle)["moves"]

    def outcomes(self) -> List[Tuple[str, float]]:
        """At chance: every outcome with its probability. Empty otherwise."""
        answer = self.game.ask(op="moves", state=self.handle)
        return list(zip(answer["moves"], answer.get("probabilities", [])))

    def apply(self, move: str) -> State:
        """The state after a move, or after an outcome of chance."""
        return State(self.game, self.game.ask(op="apply", state=self.handle, move=move))

    def eval(self, name: str = "", player: Optional[int] = None) -> float:
        """An evaluation (`NAME:key=value`; the game's first if unnamed) for a player, or for
        the one to move."""
        request: Dict[str, Any] = {"op": "eval", "state": self.handle}
        if name:
            request["eval"] = name
        if player is not None:
            request["player"] = player
        return self.game.ask(**request)["value"]

    def draw(self) -> str:
        """The drawing."""
        return self.game.ask(op="draw", state=self.handle)["drawing"]

    def playout(self, seed: int) -> List[float]:
        """The result of a random game from here. Equal seeds give equal games."""
        return self.game.ask(op="playout", state=self.handle, seed=seed)["result"]

    def __del__(self) -> None:
        self.game._dead.append(self.handle)

    def __repr__(self) -> str:
        return f"<{self.game.spec}: {self.position}>"
