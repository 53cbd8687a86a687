"""Compares Tussle with OpenSpiel over random games; `bench/oracle/run` starts it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/agents/python"))

from compare import Tally, compare
from games import PAIRS
from pair import Pair
from tussle_rules import ServiceDied

# Number of games that one process plays per task.
GAMES_PER_TASK = 100
# Maximum number of differences printed for each game, those with the fewest plies.
MAX_PRINTED_DIFFERENCES = 3


def arguments() -> argparse.Namespace:
    def number(text: str) -> int:
        if int(text) < 1:
            raise ValueError
        return int(text)

    parser = argparse.ArgumentParser(prog="bench/oracle/run", description=__doc__)
    parser.add_argument("--games", type=number, default=2000, help="number of random games of each game [default: 2000]")
    parser.add_argument("--only", metavar="NAME", choices=[pair.name for pair in PAIRS])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="also write the results to this file")
    parser.add_argument("--jobs", type=number, default=os.cpu_count(), help="number of processes [default: one per core]")
    parser.add_argument("--if-possible", action="store_true", help="skip the comparison if OpenSpiel cannot be installed")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    pairs = [pair for pair in PAIRS if options.only in (None, pair.name)]
    began = time.monotonic()
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        shares = {pair: submit(pool, pair, options) for pair in pairs}
        print(f"{'game':<12}{'games':>8}{'plies':>10}{'compared':>12}{'differences':>13}  seen")
        for pair, futures in shares.items():
            row = collect(pair, futures)
            rows.append(row)
            show(row)
    print(f"against OpenSpiel {version('open_spiel')}, {time.monotonic() - began:.0f} s")
    for row in rows:
        for difference in sorted(row["differences"], key=lambda d: d["ply"])[:MAX_PRINTED_DIFFERENCES]:
            print()
            print("\n".join(f"{key}: {value}" for key, value in difference.items()))
    if options.json:
        document = {"open_spiel": version("open_spiel"), "seed": options.seed, "rows": rows}
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n")
    return 1 if any(row["differences"] or "error" in row for row in rows) else 0


def submit(pool: ProcessPoolExecutor, pair: type[Pair], options: Any) -> list[Future[Tally]]:
    numbers = range(options.games)
    shares = [numbers[at : at + GAMES_PER_TASK] for at in range(0, options.games, GAMES_PER_TASK)]
    return [pool.submit(compare, pair, share, options.seed) for share in shares]


def collect(pair: type[Pair], futures: list[Future[Tally]]) -> dict[str, Any]:
    tally = Tally()
    row: dict[str, Any] = {"name": pair.name, "tussle": pair.tussle, "open_spiel": pair.open_spiel}
    try:
        for future in futures:
            tally.add(future.result())
    except (ServiceDied, FileNotFoundError) as error:
        row["error"] = str(error)
    return row | vars(tally)


def show(row: dict[str, Any]) -> None:
    if "error" in row:
        print(f"{row['name']:<12}not compared: {row['error']}")
        return
    seen = ", ".join(f"{what} {times:,}" for what, times in sorted(row["seen"].items()))
    print(
        f"{row['name']:<12}{row['games']:>8,}{row['plies']:>10,}{row['moves']:>12,}"
        f"{len(row['differences']):>13,}  {seen}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
