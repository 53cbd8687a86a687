"""Elo of single games, as the arena has it, for what the arena adds up but does not rate: the games of one seat."""

from __future__ import annotations

import math
from typing import Any


def difference(score: float) -> float:
    """The Elo at which this share of the points is expected."""
    return -400 * math.log10(1 / score - 1)


def beyond(score: float, samples: int) -> float | None:
    """Where everything was won or lost: the Elo at which that happens in one of twenty tries."""
    streak = 0.05 ** (1 / samples) if samples else 0
    if score not in (0, 1) or streak <= 0.5:
        return None
    return difference(streak) if score == 1 else -difference(streak)


def elo_of_games(wins: int, draws: int, losses: int) -> dict[str, Any]:
    """The difference, plus or minus its error (95 %), or what it is beyond."""
    n = wins + draws + losses
    score = (wins + draws / 2) / n
    found: dict[str, Any] = {"score": score, "elo": None, "elo_error": None, "elo_beyond": beyond(score, n)}
    if 0 < score < 1:
        variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / n
        half = 1.96 * math.sqrt(variance / n)
        if half < min(score, 1 - score):
            error = (difference(score + half) - difference(score - half)) / 2
        else:  # the interval leaves 0 to 1: along the slope instead
            error = half * 400 / (math.log(10) * score * (1 - score))
        found |= {"elo": difference(score), "elo_error": error}
    return found
