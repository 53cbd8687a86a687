"""A line of the table that `bench/run` prints."""

from __future__ import annotations

from statistics import median
from typing import Any


def row(
    name: str, unit: str, pairs: list[tuple[float, float]], about: dict[str, Any], less_is_better: bool = False
) -> dict[str, Any]:
    """The medians of rounds, each of which gave a number for ours and one for the peer's. The ratio says how much better
    ours is."""
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
