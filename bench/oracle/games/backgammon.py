"""Backgammon, compared by the positions that a roll can lead to.

OpenSpiel divides a double into two actions of two checkers each and makes each action as long as
possible. By the rules, the whole play must be as long as possible. Only OpenSpiel's longest plays are
compared; rolls with shorter ones are counted. In OpenSpiel either player can start: Tussle's first
player is X in even games and O in odd ones. The limit on the number of turns is out of reach.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Any

from pair import Pair

BAR = 100  # number of the bar in OpenSpiel's `board`
PASS = -1
PLACES = ["bar", *map(str, range(24, 0, -1)), "off"]
PREVIOUS_AND_DICE = r"Previous player: (-?\d).*Dice: (\d*)"


class Backgammon(Pair):
    name = "backgammon"
    open_spiel = "backgammon(scoring_type=full_scoring,max_player_turns=100000)"
    tussle = "backgammon"
    by_position = True

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.first = number % 2  # X or O

    def ours(self, player: int) -> int:
        """Converts a player number of OpenSpiel to Tussle's, or back."""
        return player ^ self.first

    def player(self, state: Any) -> int | None:
        return None if state.current_player() < 0 else self.ours(state.current_player())

    def result(self, state: Any) -> list[float]:
        returns = state.returns()
        return [returns[self.ours(0)], returns[self.ours(1)]]

    def ending(self, state: Any) -> str:
        return {0: "draw", 1: "single", 2: "gammon", 3: "backgammon"}[abs(state.returns()[0])]

    def position(self, state: Any) -> str:
        previous, dice = re.search(PREVIOUS_AND_DICE, str(state), re.DOTALL).groups()
        mover = state.current_player()
        if mover < 0:  # before a roll, or after the end, possibly with half a double left
            dice = "opening" if previous == "-1" else "-"
            mover = self.first if previous == "-1" else 1 - int(previous)
        checkers = " ".join(checkers_of(state, self.ours(player)) for player in (0, 1))
        return f"{checkers} {('first', 'second')[self.ours(mover)]} {larger_first(dice)}"

    def outcomes(self, state: Any) -> dict[str, float]:
        outcomes: Counter[str] = Counter()
        for action, probability in state.chance_outcomes():
            outcomes[roll(state, action)] += probability
        return outcomes

    def chance_action(self, state: Any, outcome: str) -> int:
        actions = [a for a in state.legal_actions() if roll(state, a) == outcome]
        # OpenSpiel has each first roll twice, because it also decides which player starts.
        return actions[self.first] if len(actions) == 2 else actions[0]

    def plays(self, state: Any, seen: Counter[str]) -> dict[str, list[int]]:
        ways = list(whole_plays(state))
        longest = max(checkers for checkers, _, _ in ways)
        if any(checkers < longest for checkers, _, _ in ways):
            seen["rolls with shorter plays in OpenSpiel"] += 1
        # Many plays lead to the same position. Comparing OpenSpiel's drawings first is cheaper.
        different = {str(after): (after, a) for checkers, after, a in ways if checkers == longest}
        return {self.position(after): actions for after, actions in different.values()}


def whole_plays(state: Any) -> Any:
    """Yields for each play the number of checkers it moves, the state after it and its one or two actions."""
    player = state.current_player()
    for action in state.legal_actions():
        steps = state.spiel_move_to_checker_moves(player, action)
        checkers = sum(step.pos != PASS for step in steps)
        after = state.child(action)
        if after.current_player() == player:
            for more, last, actions in whole_plays(after):
                yield checkers + more, last, [action, *actions]
        else:
            yield checkers, after, [action]


def checkers_of(state: Any, player: int) -> str:
    """Returns the checkers of one player in that player's numbering of the points."""
    points = [state.board(player, point) for point in range(24)]
    if player == 1:
        points.reverse()  # now the farthest point, 24, comes first
    bar = state.board(player, BAR)
    return checkers_text((bar, *points, 15 - bar - sum(points)))


@lru_cache(maxsize=100_000)
def checkers_text(counts: tuple[int, ...]) -> str:
    return "/".join(f"{place}:{count}" for place, count in zip(PLACES, counts) if count)


def roll(state: Any, action: int) -> str:
    """Returns Tussle's text of a roll."""
    return larger_first(re.search(r"roll: (\d\d)", state.action_to_string(-1, action)).group(1))


def larger_first(dice: str) -> str:
    return "".join(sorted(dice, reverse=True)) if dice.isdigit() else dice
