"""Components that cannot be an argument: how many there are, of which kind, where they lie and since which line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from referee.core.expr import All, Members, Numbers, Place, Within
from referee.core.ruleset import Key
from referee.core.stmt import Param
from referee.core.traverse import walk
from referee.core.types import COMPONENT, Elem
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.reasons.values.last_writes import PastWrite
from referee.judge.verdict import Reason

MOST_PLACES = 3
"""So many places where a component lies are told; of more, "and elsewhere"."""


class ComponentPlaces:
    """What is told of components at one position, to somebody who sees everything."""

    def __init__(self, walker: Walker, words: RuleWords, state: State, reasons: LineReasons) -> None:
        self._walker = walker
        self._core = walker.core
        self._words = words
        self._state = state
        self._reasons = reasons

    def of_what_there_is(self, param: Param, kind: Elem, member: int, given: int,
                         around: tuple[str, ...]) -> Reason | None:
        """That there are not so many in the whole game, or that it is of a kind that cannot be taken; else None.
        `kind`: what can be taken; `around`: what is cited where the argument cites nothing."""
        one = self._core.components[member]
        said = self._said(member)
        if given > one.number:
            number = f"are only {one.number}" if one.number > 1 else f"is {'only 1' if one.number else 'no'}"
            cites = (*one.cites, *self._words.all_cites(param.origin))
            return Reason(f"there {number} {said}", (), tuple(dict.fromkeys(cites)), param.origin.span)
        place, wanted = _place(param), range(kind.lo, kind.hi + 1)
        if place is not None and one.kind not in (kinds := self._core.zones[place.zone].kinds):
            asked = _or([_spoken(kind) for kind in kinds])
            text = f"{said} is {_article(one.kind)}, and {place.zone} is for {asked} only"
        elif member not in wanted:
            text = f"{said} is {_article(one.kind)}, not {self._kinds(wanted)}"
        else:
            return None
        cites = self._words.all_cites(param.origin) or (*around, *one.cites)
        return Reason(text, (), tuple(dict.fromkeys(cites)), param.origin.span)

    def elsewhere(self, param: Param, member: int, given: int, place: Place, env: Env) -> Iterator[Reason]:
        """That a component is not in a place, and where it lies instead, that first where it came last; or that not so
        many are there as were given."""
        wanted = self._wanted(place, env)
        found = dict(self._lying(member))
        if not found:
            return
        said = self._said(member)
        if wanted is not None and wanted in found.values():
            there = self._number(wanted, member)
            where = self._words.entry(*wanted)
            text = f"{said} does not lie first in {where}" if there >= given else (
                f"there {'is' if there == 1 else 'are'} only {there} {said} in {where}")
            yield Reason(text, (), self._words.all_cites(param.origin), param.origin.span)
            return
        missed = "" if wanted is None else f"not in {self._words.entry(*wanted)}, but "
        yield self._instead(param, member, found, missed)

    def _instead(self, param: Param, member: int, found: Mapping[int, tuple[str, Key]], missed: str) -> Reason:
        """Where a component lies, by the index of each place, instead of where it is `missed`."""
        came = self._reasons.arrivals(self._state, member, found)
        lines = {index: one.step.line for index, one in came.items() if one is not None}
        places = sorted(found, key=lambda index: (-lines.get(index, 0), index))
        alone = len(places) == 1
        known = [self._since(member, found[index], came.get(index), still=alone and index in came)
                 for index in places[:MOST_PLACES]]
        more = " and elsewhere" if len(places) > MOST_PLACES else ""
        told = ", ".join(text for text, _ in known)
        # In one of several places it is as it has to be; only of the single one it is told what brought it there.
        cites = known[0][1] if alone else ()
        own = self._words.all_cites(param.origin)
        # Where it has lain from the start decides nothing by itself.
        all_of_it = (*cites, *own) if places[0] in lines or not own else own
        text = f"{self._said(member)} is {missed}in {told}{more}"
        return Reason(text, (), tuple(dict.fromkeys(all_of_it)), param.origin.span)

    def in_none(self, param: Param, member: int, zone: str) -> Reason | None:
        """That a component is in none of the places of a zone, and where it lies instead; None if it is in one, or
        nowhere that is seen."""
        found = dict(self._lying(member))
        if not found or any(name == zone for name, _ in found.values()):
            return None
        return self._instead(param, member, found, f"not in {zone}, but ")

    def _since(self, member: int, at: tuple[str, Key], came: PastWrite | None, *,
               still: bool) -> tuple[str, tuple[str, ...]]:
        """A place, since when a component lies there, and by which statements. `still`: it lies nowhere else, and has
        lain there since the game began if it has not come."""
        said = self._words.entry(*at)
        if came is not None:
            return f"{said} since line {came.step.line}", self._words.all_cites(came.write.origin)
        one = self._core.components[member]
        zone = self._core.statements_in(self._core.zones[at[0]].origin.cites)
        if still and any((home.zone, home.key) == at for home in one.homes):
            return f"{said} since the start", (*one.cites, *zone)
        return said, zone

    def _lying(self, member: int) -> Iterator[tuple[int, tuple[str, Key]]]:
        layout = self._walker.layout
        for name, entries in layout.zones.items():
            for key in entries.keys():
                seen = self._sees(name, key)
                if seen and self._number((name, key), member):
                    yield entries.find(key), (name, key)

    def _number(self, at: tuple[str, Key], member: int) -> int:
        name, key = at
        content = self._state.slots[self._walker.layout.zones[name].find(key)]
        return components(self._core.zones[name], content).count(member) if isinstance(content, tuple) else 0

    def _wanted(self, place: Place, env: Env) -> tuple[str, Key] | None:
        """The place that is meant, with the values of its keys; None if they have none, or if it is not seen."""
        try:
            frame = self._walker.course.frame(self._state)
            frame.env = dict(env)
            keys = tuple(frame.evaluate(key) for key in place.keys)
        except (Fault, Unsettled):
            return None
        key = tuple(one for one in keys if isinstance(one, int))
        return (place.zone, key) if self._sees(place.zone, key) else None

    def _sees(self, name: str, key: Key) -> bool:
        sight = self._reasons.sight
        return sight is None or sight.sees(frozenset((self._walker.layout.zones[name].find(key),)))

    def _said(self, member: int) -> str:
        return self._words.names.value(member, self._core.domains[COMPONENT].whole)

    def _kinds(self, wanted: range) -> str:
        """The kinds that some classes make up; of a part of a kind each class."""
        found: dict[str, list[int]] = {}
        for index in wanted:
            found.setdefault(self._core.components[index].kind, []).append(index)
        whole = {kind: sum(one.kind == kind for one in self._core.components) for kind in found}
        parts = [[_article(kind)] if len(some) == whole[kind] else [self._said(one) for one in some]
                 for kind, some in found.items()]
        return _or([part for some in parts for part in some])


def _place(param: Param) -> Place | None:
    """The zone that an argument is taken from, if it is one."""
    match param.source:
        case Within(place):
            return place
        case Members(of):
            sources = {one.place.zone: one.place for one in walk(of, Within)}
            return next(iter(sources.values())) if len(sources) == 1 else None
        case All() | Numbers():
            return None
        case _:
            assert_never(param.source)


def _spoken(kind: str) -> str:
    return kind.replace("_", " ")


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {_spoken(kind)}"


def _or(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
