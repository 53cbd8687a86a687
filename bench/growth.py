"""Growth of costs: rows `growth/EXPERIMENT/ours`, each with its figure.

The numbers come from the experiments of `tussle experiment`; there is no peer. `ours` is the number at the
large end of a figure, `peer` the number at its small end.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import geometric_mean
from typing import Any, Callable, Iterator

import install
from rows import row
from sides import Missing, Sides

Row = dict[str, Any]
# Numbers of the runs at the large end of a figure, numbers at the small end, and further fields of the row.
Ends = tuple[list[float], list[float], dict[str, Any]]


def measured(name: str, quick: bool, folder: Path) -> list[Row]:
    """Runs the experiment, reusing measurements in the folder, and returns the rows of its table."""
    install.run(install.tussle(), "experiment", name, "--out", folder, *["--quick"] * quick)
    found = json.loads((folder / f"{name}.json").read_text())
    return [dict(zip(found["columns"], cells)) for cells in found["rows"]]


def by(rows: list[Row], *keys: str) -> dict[Any, list[Row]]:
    """Groups the rows by their values in these columns, in order."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for one in rows:
        values = tuple(one[key] for key in keys)
        groups[values if len(keys) > 1 else values[0]].append(one)
    return groups


def ends(
    rows: list[Row], key: str, number: Callable[[Row], float]
) -> tuple[list[float], list[float]]:
    """Returns the numbers of the runs at the large end and at the small end."""
    sizes = sorted(by(rows, key).items())
    large, small = sizes[-1][1], sizes[0][1]
    return [number(one) for one in large], [number(one) for one in small]


def trees(rows: list[Row], number: Callable[[Row], float]) -> Iterator[tuple[str, Ends]]:
    for game, own in by(rows, "game").items():
        large, small = ends(own, "simulations", number)
        sizes = [one["simulations"] for one in own]
        yield game, (large, small, {"from": min(sizes), "to": max(sizes)})


def speed(rows: list[Row]) -> Iterator[tuple[str, Ends]]:
    return trees(rows, lambda one: one["simulations/s"])


def memory(rows: list[Row]) -> Iterator[tuple[str, Ends]]:
    return trees(rows, lambda one: one["bytes"] / one["simulations"])


def playouts(rows: list[Row]) -> Iterator[tuple[str, Ends]]:
    large, small = ends(rows, "size", lambda one: one["seconds"] * 1e6 / one["playouts"])
    sizes = [one["size"] for one in rows]
    yield "go", (large, small, {"from": min(sizes), "to": max(sizes)})


def nodes(rows: list[Row]) -> Iterator[tuple[str, Ends]]:
    """Compares the effective branching factors of the best search and of minimax, over the last four or two plies."""
    factors = {}
    for (game, agent), own in by(rows, "group", "agent").items():
        counts = {d: geometric_mean([one["nodes"] for one in at]) for d, at in by(own, "depth").items()}
        last = max(counts)
        first = min((d for d in counts if last - d in (2, 4)), default=min(counts))
        factors[game, agent] = (counts[last] / counts[first]) ** (1 / (last - first)), last
    for game in by(rows, "group"):
        best, depth = factors[game, "ordered, with a table"]
        worst, shallow = factors[game, "minimax"]
        yield game, ([best], [worst], {"to": depth, "note": f"minimax to depth {shallow:g}, ours to {depth:g}"})


def jobs(rows: list[Row]) -> Iterator[tuple[str, Ends]]:
    """Compares the largest number of jobs that the machine has cores for with the smallest, searching agents first."""
    cores = len(os.sched_getaffinity(0))
    for agent, own in reversed(by(rows, "agent").items()):
        few = [one for one in own if one["jobs"] <= cores]
        large, small = ends(few, "jobs", lambda one: one["games/s"])
        most = max(one["jobs"] for one in few)
        yield agent, (large, small, {"to": most, "note": f"{most} jobs on {cores} cores"})


# Function that reads the rows of each experiment, and the unit of the numbers.
EXPERIMENTS: dict[str, tuple[Callable[[list[Row]], Iterator[tuple[str, Ends]]], str]] = {
    "speed-vs-tree": (speed, "simulations/s"),
    "memory-vs-nodes": (memory, "bytes per simulation"),
    "nodes-vs-depth": (nodes, "effective branching factor"),
    "playouts-vs-size": (playouts, "µs per playout"),
    "games-vs-jobs": (jobs, "games/s"),
}


def rows(
    sides: Sides, wanted: Callable[[str], bool], rounds: int, quick: bool
) -> Iterator[dict[str, Any]]:
    """Measures the wanted figures one by one. A row has the first game or agent of the figure; `also` has the others.

    `rounds` is not used, because every experiment has its own number of runs, with and without `--quick`."""
    folder = None
    for name, (read, unit) in EXPERIMENTS.items():
        title = f"growth/{name}/ours"
        if not wanted(title):
            continue
        # Two experiments measure the same trees, so they share a folder.
        folder = folder or Path(tempfile.mkdtemp(prefix="tussle-growth-"))
        try:
            found = measured(name, quick, folder)
        except Missing as reason:
            yield {"name": title, "skipped": str(reason)}
            continue
        first, *others = [
            row(title, unit, list(zip(large, small)), about | {"of": what})
            for what, (large, small, about) in read(found)
        ]
        figure = str(folder / f"{name}.svg")
        notes = [first["of"], first.get("note"), *(f"{one['of']} {one['ratio']:.2f}" for one in others), figure]
        note = ", ".join(note for note in notes if note)
        kept = ["of", "ours", "peer", "ratio", "spread", "rounds", "from", "to"]
        also = [{key: one[key] for key in kept if key in one} for one in others]
        yield first | {"note": note, "figure": figure, "also": also}
