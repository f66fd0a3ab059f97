"""What comes of a step, in words: what changed, who is asked next, who has won."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.ruleset import Role
from referee.core.types import PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.game.event import FATE, TABLE
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import called, key_text
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.walker import Walker

MOST_CHANGES = 3
"""So many changes that an event makes are told; of more it is said how many."""
_SHOWN = (Role.STATE, Role.RESULT)


class Consequences:
    """Says what steps come to, for players with these names."""

    def __init__(self, walker: Walker, players: tuple[str, ...]) -> None:
        self._walker, self._players = walker, players

    def of(self, before: State, step: Step) -> str:
        """What a step from a position comes to."""
        match step:
            case Ended(winners=winners):
                return f"the game is over, {self._all_of(winners) or 'nobody'} {'win' if len(winners) > 1 else 'wins'}"
            case Stopped(point=point):
                return f"the game stops at {point.name}"
            case Failed(message=message):
                return f"the rules fail: {message}"
            case State():
                changes = list(self._changes(before, step))
                more = f" and {len(changes) - MOST_CHANGES} more changes" if len(changes) > MOST_CHANGES else ""
                return "; ".join([*changes[:MOST_CHANGES], *self._asked(step)]) + more

    def _all_of(self, winners: frozenset[int]) -> str:
        return " and ".join(self._players[seat] for seat in sorted(winners))

    def _asked(self, state: State) -> Iterator[str]:
        who = sorted(self._walker.who(state))
        names = {FATE: "fate", TABLE: "the table"}
        called_ = " and ".join(names.get(by) or self._players[by] for by in who)
        yield f"then {called_} at {self._walker.course.point(state.at).point.name}"

    def _changes(self, before: State, after: State) -> Iterator[str]:
        layout = self._walker.layout
        for name, zone in self._walker.core.zones.items():
            spread = layout.zones[name]
            for key, at in zip(spread.keys(), spread.entries, strict=True):
                old, new = before.slots[at], after.slots[at]
                if old != new:
                    numbers = amount(zone, old), amount(zone, new)
                    what = f"has {numbers[1]}, not {numbers[0]}" if numbers[0] != numbers[1] else "holds others"
                    yield f"{self._entry(name, zone.keys, key)} {what}"
        for name, var in layout.defs.items():
            spread = layout.vars[name]
            if var.role not in _SHOWN:
                continue
            for key, at in zip(spread.keys(), spread.entries, strict=True):
                if before.slots[at] != after.slots[at]:
                    yield f"{self._entry(name, var.keys, key)} is {self._value(var.type, after.slots[at])}"

    def _entry(self, name: str, keys: tuple[Type, ...], key: tuple[int, ...]) -> str:
        words = [key_text(self._walker.core, self._players, kind, part) for kind, part in zip(keys, key, strict=True)]
        return f"{name} of {', '.join(words)}" if words else name

    def _value(self, kind: Type, value: object) -> str:
        match kind:
            case Bool():
                return "yes" if value else "no"
            case Maybe(of):
                return "nothing" if value is None else self._value(of, value)
            case SetOf(of):
                if not isinstance(value, frozenset):
                    return str(value)
                return ", ".join(self._value(of, one) for one in sorted(value)) or "none"
            case Elem(domain):
                return self._member(domain, value) if isinstance(value, int) else str(value)
            case Int() | Many():
                return str(value)
            case _:
                assert_never(kind)

    def _member(self, domain: str, value: int) -> str:
        return self._players[value] if domain == PLAYER else str(called(
            self._walker.core, self._players, domain, value))
