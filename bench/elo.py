"""Elo of single games, with the formula of the arena. It is used for the games of one seat, which the arena counts but
does not rate."""

from __future__ import annotations

import math
from typing import Any


def difference(score: float) -> float:
    """Returns the Elo difference with this expected score."""
    return -400 * math.log10(1 / score - 1)


def beyond(score: float, samples: int) -> float | None:
    """Returns a bound of the Elo difference if all games were won or all lost: the difference at which that happens in one
    of twenty tries. Otherwise None."""
    streak = 0.05 ** (1 / samples) if samples else 0
    if score not in (0, 1) or streak <= 0.5:
        return None
    return difference(streak) if score == 1 else -difference(streak)


def elo_of_games(wins: int, draws: int, losses: int) -> dict[str, Any]:
    """Returns the Elo difference with its 95 % error, or a bound."""
    n = wins + draws + losses
    score = (wins + draws / 2) / n
    found: dict[str, Any] = {"score": score, "elo": None, "elo_error": None, "elo_beyond": beyond(score, n)}
    if 0 < score < 1:
        variance = (wins * (1 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * score**2) / n
        half = 1.96 * math.sqrt(variance / n)
        if half < min(score, 1 - score):
            error = (difference(score + half) - difference(score - half)) / 2
        else:  # the interval is not within 0 to 1: use the slope at the score instead
            error = half * 400 / (math.log(10) * score * (1 - score))
        found |= {"elo": difference(score), "elo_error": error}
    return found
