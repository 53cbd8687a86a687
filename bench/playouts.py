"""Random playouts per second: rows `playouts/GAME/PEER`."""

from __future__ import annotations

import json
import subprocess
import tempfile
from statistics import median
from typing import Any, Callable, Iterator

from rows import row
from sides import ROOT, Missing, Side, Sides, cargo, last_line

# Names of the games at the peers, our spec strings, and goals of the ratios (0 for no goal).
GAMES: list[tuple[str, str, dict[str, float]]] = [
    ("tictactoe", "tictactoe", {"open_spiel": 0, "board-game": 0}),
    ("connect4", "connect4", {"open_spiel": 30, "board-game": 1.5}),
    ("go-5x5", "go:size=5", {"open_spiel": 12, "board-game": 20}),
    ("go-9x9", "go:size=9", {"open_spiel": 10, "board-game": 0}),
    ("pentago", "pentago:early=off", {"open_spiel": 18}),
    ("backgammon", "backgammon", {"open_spiel": 0}),
]
PEERS = ["open_spiel", "board-game"]
# Games for which `tussle-bench playouts` has hand-written loops.
PLAIN = ["tictactoe", "connect4", "go-5x5", "go-9x9", "pentago"]
PLAIN_GOAL = 0.8

# Seconds of one slice of one side. Both sides measure CPU time, which excludes the time of other
# programs. The sides take turns, so that slowdowns of the machine affect both, and the median slice of
# a round counts. A slice must have enough playouts to be comparable with the next.
SLICE_SECONDS = 0.002
MIN_SLICE_PLAYOUTS = 20


def speed(side: Side, game: str, playouts: int) -> float:
    return playouts / side.ask("playouts", game, playouts)


def playouts_in_a_slice(side: Side, game: str) -> int:
    """Returns the number of playouts that fill a slice. The measurement also warms the side up."""
    playouts = 1
    while (seconds := side.ask("playouts", game, playouts)) < SLICE_SECONDS / 2:
        playouts *= 2
    return max(MIN_SLICE_PLAYOUTS, round(playouts * SLICE_SECONDS / seconds))


def measure(
    name: str, ours: Side, spec: str, peer: Side, game: str, rounds: int, slices: int
) -> dict[str, Any]:
    our_slice, peer_slice = playouts_in_a_slice(ours, spec), playouts_in_a_slice(peer, game)
    speeds = []
    for _ in range(rounds):
        pairs = [
            (speed(ours, spec, our_slice), speed(peer, game, peer_slice)) for _ in range(slices)
        ]
        speeds.append((median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)))
    versions = {"ours": ours.version, "peer": peer.version}
    return row(name, "playouts/s", speeds, {"versions": versions})


def plain_loops(rounds: int) -> list[dict[str, Any]]:
    """Returns the rows of `tussle-bench playouts`, which compares with hand-written loops."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        command = cargo("Cargo.toml", "playouts", "--rounds", str(rounds), "--json", file.name)
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"bench/run: plain loops: {last_line(done.stderr)}")
        rows = json.load(file)
    # A game without a hand-written loop has no peer.
    compared = [one for one in rows if one["peer"] is not None]
    return [one | {"name": f"playouts/{one['name'].replace(' ', '-')}/plain", "goal": PLAIN_GOAL} for one in compared]


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures the wanted rows one by one."""
    if any(wanted(f"playouts/{game}/plain") for game in PLAIN):
        yield from (one for one in plain_loops(rounds) if wanted(one["name"]))
    for peer in PEERS:
        for game, spec, goals in GAMES:
            name = f"playouts/{game}/{peer}"
            if peer not in goals or not wanted(name):
                continue
            goal = {"goal": goals[peer]} if goals[peer] else {}
            slices = 30 if quick else 150
            try:
                yield measure(name, sides["ours"], spec, sides[peer], game, rounds, slices) | goal
            except Missing as reason:
                yield {"name": name, "skipped": str(reason)} | goal
