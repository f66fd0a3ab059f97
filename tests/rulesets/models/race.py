"""A race of fifteen men by two dice: every way to use them is tried, and the longest ones are legal."""

from __future__ import annotations

from functools import cache

from tests.rulesets.models.move import ModelMove

Men = tuple[int, ...]
BAR, OFF = 25, 0


def stepped(mine: Men, theirs: Men, start: int, die: int) -> tuple[Men, Men] | None:
    """Both players' men after a step, each counted from his own side, or None if it is no step."""
    target = max(start - die, OFF)
    if not mine[start] or (start != BAR and mine[BAR]):
        return None
    if target == OFF:
        last = max(point for point in range(26) if mine[point])
        if last > 6 or (start < die and last > start):
            return None
    elif theirs[25 - target] > 1:
        return None
    mine = _changed(mine, {start: -1, target: 1})
    if target != OFF and theirs[25 - target]:
        theirs = _changed(theirs, {25 - target: -1, BAR: 1})
    return mine, theirs


def _changed(men: Men, by: dict[int, int]) -> Men:
    return tuple(number + by.get(point, 0) for point, number in enumerate(men))


@cache
def most(mine: Men, theirs: Men, dice: tuple[int, ...]) -> int:
    """The most dice that can be used one after the other."""
    found = 0
    for start in range(1, 26):
        for die in set(dice):
            if (after := stepped(mine, theirs, start, die)) is not None:
                found = max(found, 1 + most(*after, _without(dice, die)))
    return found


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1:]


class Race:
    """Where the men are, the dice still to be used, and whose they are."""

    def __init__(self, gammons: bool) -> None:
        self.gammons = gammons
        start = {24: 2, 13: 5, 8: 3, 6: 5}
        self.men: list[Men] = [tuple(start.get(point, 0) for point in range(26))] * 2
        self.rolled: list[int] = []
        self.dice: tuple[int, ...] = ()
        self.turn = -1

    def moves(self) -> list[ModelMove]:
        """Every legal step: the beginnings of the longest ways, or the higher die if there is only one."""
        mine, theirs = self.men[self.turn], self.men[1 - self.turn]
        longest = most(mine, theirs, self.dice)
        found = [(start, die) for start in range(1, 26) for die in set(self.dice)
                 if (after := stepped(mine, theirs, start, die)) is not None
                 and 1 + most(*after, _without(self.dice, die)) == longest]
        if longest == 1:
            found = [step for step in found if step[1] == max(die for _, die in found)]
        return [ModelMove(self.turn, "step", (("from", start), ("die", die))) for start, die in found]

    def play(self, move: ModelMove) -> None:
        """Carries out a step or a roll."""
        (_, first), (_, second) = move.args
        if move.label == "roll":
            self.rolled += second if isinstance(second, tuple) else (second,)
            if len(self.rolled) == 2:
                self._ready()
        else:
            assert isinstance(first, int)
            assert isinstance(second, int)
            after = stepped(self.men[self.turn], self.men[1 - self.turn], first, second)
            assert after is not None
            self.men[self.turn], self.men[1 - self.turn] = after
            self.dice = _without(self.dice, second)
            self._pass_on()

    def _ready(self) -> None:
        one, other = self.rolled
        self.rolled = []
        if self.turn < 0:
            if one == other:
                return
            self.turn = int(one < other)
        self.dice = (one,) * 4 if one == other else (one, other)
        self._pass_on()

    def _pass_on(self) -> None:
        if not most(self.men[self.turn], self.men[1 - self.turn], self.dice):
            self.turn, self.dice = 1 - self.turn, ()

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        return next(([seat] for seat in (0, 1) if self.men[seat][OFF] == 15), None)
