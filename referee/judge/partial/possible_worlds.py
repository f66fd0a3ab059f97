"""The states that a log may have reached, each with the assumptions that lead there; equal ones are one."""

from __future__ import annotations

from collections.abc import Iterable

from referee.game.state import Step
from referee.judge.open_settings.setting_sets import Choices
from referee.judge.verdict import Assumption, OpenKind, World
from referee.system.lazy_dataclasses import dataclass

MOST_STATES = 64
"""Positions that are followed at once, one for each way to settle what is open."""
MOST_WORLDS = 64
"""Settings that are remembered of each position: of more it is known that there are more."""
MOST_ASSUMPTIONS = 64
"""Assumptions that are remembered of each of these."""


@dataclass(frozen=True, slots=True)
class PossibleState:
    """A state that the log may have reached, and the worlds in which it has; `more`: there are further such worlds.

    `arrived`: it is known that the game really waits at this point; `choices`: under which settings, if asked.
    """

    step: Step
    worlds: tuple[World, ...] = ((),)
    more: bool = False
    arrived: bool = False
    choices: Choices | None = None

    def at(self, step: Step, *, arrived: bool) -> PossibleState:
        """The same worlds, one step on."""
        return PossibleState(step, self.worlds, self.more, arrived, self.choices)

    def assuming(self, step: Step, made: Assumption) -> PossibleState:
        """The worlds in which one thing more is settled, at a state."""
        full = any(len(world) >= MOST_ASSUMPTIONS for world in self.worlds)
        grown = tuple(world if len(world) >= MOST_ASSUMPTIONS else (*world, made) for world in self.worlds)
        return PossibleState(step, grown, self.more or full, self.arrived, self.choices)


def merged(candidates: list[PossibleState]) -> list[PossibleState]:
    """The candidates with equal states made one, in the order of their first."""
    if len(candidates) < 2:
        return candidates
    groups: dict[Step, list[PossibleState]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.step, []).append(candidate)
    return [_joined(group) for group in groups.values()]


def _joined(group: list[PossibleState]) -> PossibleState:
    if len(group) == 1:
        return group[0]
    worlds = simplified(world for candidate in group for world in candidate.worlds)
    more = any(candidate.more for candidate in group) or len(worlds) > MOST_WORLDS
    return PossibleState(group[0].step, worlds[:MOST_WORLDS], more, any(candidate.arrived for candidate in group))


def simplified(worlds: Iterable[World]) -> tuple[World, ...]:
    """The same worlds said shorter: what is assumed in every possible way is not assumed at all."""
    found = list(dict.fromkeys(worlds))
    while (shorter := _shorter(found)) is not None:
        found = shorter
    facts = [frozenset(map(_fact, world)) for world in found]
    return tuple(world for world, own in zip(found, facts, strict=True) if not any(other < own for other in facts))


def last_words(world: World) -> World:
    """Of what was narrowed step by step, the last step alone, which the others follow from."""
    last = {made.name: made for made in world if made.open != OpenKind.RULING.value}
    return tuple(made for made in world if last.get(made.name, made) is made)


_Question = tuple[int, str, tuple[str, ...]]
_Fact = tuple[_Question, str]


def _fact(made: Assumption) -> _Fact:
    """What is assumed; of a ruling also where, because at another line it is another one."""
    return (made.line if made.open == OpenKind.RULING.value else 0, made.name, made.among), made.value


def _shorter(worlds: list[World]) -> list[World] | None:
    """The worlds after one question was seen to be answered in every way, None if there is no such question."""
    groups: dict[tuple[_Question, frozenset[_Fact]], dict[str, World]] = {}
    for world in worlds:
        facts = frozenset(map(_fact, world))
        for made in world:
            group = groups.setdefault((_fact(made)[0], facts - {_fact(made)}), {})
            group[made.value] = world
            if len(group) == made.of:
                rest = tuple(other for other in world if _fact(other) != _fact(made))
                gone = set(group.values())
                return list(dict.fromkeys([*(w for w in worlds if w not in gone), rest]))
    return None
