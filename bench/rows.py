"""Rows of the table that `bench/run` prints."""

from __future__ import annotations

from statistics import median
from typing import Any


def row(
    name: str, unit: str, pairs: list[tuple[float, float]], about: dict[str, Any], less_is_better: bool = False
) -> dict[str, Any]:
    """Returns a row with the medians over the rounds. Each round has a number of ours and one of the peer. The ratio says
    how many times better ours is."""
    ratios = [theirs / ours if less_is_better else ours / theirs for ours, theirs in pairs]
    return {
        "name": name,
        "ours": median(ours for ours, _ in pairs),
        "peer": median(theirs for _, theirs in pairs),
        "ratio": median(ratios),
        "spread": max(ratios) - min(ratios),
        "rounds": len(pairs),
        "unit": unit,
    } | about
