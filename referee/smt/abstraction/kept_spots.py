"""Zones that a slice keeps spot by spot: a class or nothing on each spot, how one is taken and how one is laid down.

A line is kept so too: its components lie on the first spots, without a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.core.expr import End
from referee.core.ruleset import Core, Form, Zone
from referee.core.types import size
from referee.smt import term, value
from referee.smt.abstraction.class_groups import admitted
from referee.smt.encoding.content import classes
from referee.smt.term import Cond, Num
from referee.smt.value import Opt

MOST_SPOTS = 16
"""A zone with more spots is only counted."""
MOST_CASES = 32
"""A spot that was changed in more ways is told without cases."""
Spots = tuple[Opt, ...]
Cases = tuple[tuple[Cond, Opt], ...]
"""What may lie on a spot: the first of those whose condition holds; the last is what lay there before."""


@dataclass(frozen=True, slots=True)
class KeptSpot(Opt):
    """What lies on a spot after something was changed: one of several, or what lay there. Z3 adds numbers up far
    sooner if those of a spot that was not changed are the terms that they were before."""

    cases: Cases


def cases_of(one: Opt) -> Cases:
    """What may lie on a spot."""
    return one.cases if isinstance(one, KeptSpot) else ((True, one),)


def _either(cond: Cond, yes: Opt, other: Opt) -> Opt:
    """One of two, as cases."""
    found = value.merge(cond, yes, other)
    assert isinstance(found, Opt)
    if found is yes or found is other:
        return found
    new, old = cases_of(yes), cases_of(other)
    last = zip(new[-len(old):], old, strict=False)
    if len(new) >= len(old) and all(a is c and b is d for (a, b), (c, d) in last):
        new = new[:-len(old)]  # where none of the new cases holds, it is as it was in both
    if len(new) + len(old) > MOST_CASES:
        return found
    return KeptSpot(found.has, found.value, (*((term.both(cond, when), one) for when, one in new), *old))


def has_spots(zone: Zone) -> bool:
    """Whether a zone may be kept spot by spot."""
    return zone.form in (Form.SLOTS, Form.LINE) and 0 < number_of(zone) <= MOST_SPOTS


def number_of(zone: Zone) -> int:
    """How many spots a zone has."""
    return zone.capacity if zone.spots is None else size(zone.spots)


def known(core: Core, zone: Zone, content: Sequence[Any]) -> Spots:
    """What lies on the spots of a concrete content."""
    lo, _ = classes(core, zone)
    there = [Opt(one is not None, lo if one is None else one) for one in content]
    return (*there, *[Opt(False, lo)] * (number_of(zone) - len(there)))


def unknown(
    core: Core, zone: Zone, some: Callable[[], Cond], number: Callable[[int, int], Num]
) -> tuple[Spots, list[Cond]]:
    """Spots of which nothing is said, and what is true of them. `some`, `number`: make what nothing is known of."""
    may, (lo, hi) = admitted(core, zone), classes(core, zone)
    made = tuple(Opt(some(), number(lo, hi)) for _ in range(number_of(zone)))
    true: list[Cond] = []
    if len(may) < hi - lo + 1:
        true.extend(term.disj(term.equal(one.value, c) for c in sorted(may)) for one in made)
    if zone.form is Form.LINE:
        true.extend(term.disj((one.has, term.no(after.has))) for one, after in pairwise(made))
    return made, true


def empty(spots: Spots) -> Spots:
    """The same spots with nothing on them."""
    return tuple(Opt(False, one.value) for one in spots)


def merged(cond: Cond, yes: Spots | None, other: Spots | None) -> Spots | None:
    """One of what lies on the spots of a zone in two positions."""
    if yes is None or other is None:
        return None
    return tuple(_either(cond, a, b) for a, b in zip(yes, other, strict=True))


def in_place(zone: Zone, spots: Spots, end: End | None, spot: Num | None) -> list[Cond]:
    """Of each spot whether something lies on it, and it is in a place: the whole, an end of a line, one spot."""
    if spot is not None:
        return [term.both(term.equal(spot, i), one.has) for i, one in enumerate(spots)]
    if zone.form is not Form.LINE or end is None:
        return [one.has for one in spots]
    if end is End.BOTTOM:
        return [i == 0 and one.has for i, one in enumerate(spots)]
    return [term.both(one.has, term.no(after.has)) for one, after in zip(spots, (*spots[1:], _nothing(spots)),
                                                                         strict=True)]


def _nothing(spots: Spots) -> Opt:
    return Opt(False, spots[-1].value)


def taken(zone: Zone, spots: Spots, one: Num, end: End | None, spot: Num | None) -> tuple[Spots, Cond]:
    """What is left when a component is taken, the first of its class; and whether it is there."""
    here, before = [], False
    for there, held in zip(in_place(zone, spots, end, spot), spots, strict=True):
        found = term.both(there, term.equal(held.value, one))
        here.append(term.both(found, term.no(before)) if spot is None else found)
        before = term.disj((before, found))
    if zone.form is not Form.LINE:
        return tuple(_either(h, Opt(False, s.value), s) for s, h in zip(spots, here, strict=True)), before
    left, gone = [], False
    for i, after in enumerate((*spots[1:], _nothing(spots))):
        gone = term.disj((gone, here[i])) if spot is None else term.at_most(spot, i)
        left.append(_either(gone, after, spots[i]))
    return tuple(left), before


def laid(zone: Zone, spots: Spots, one: Num, end: End | None, spot: Num | None) -> tuple[Spots, Cond]:
    """What is there when a component is laid down, and whether there is room."""
    if zone.form is Form.LINE and (spot is not None or end is End.BOTTOM):
        return _pushed_in(spots, one, 0 if spot is None else spot)
    if zone.form is Form.LINE:
        free = [term.both(before.has, term.no(s.has)) for before, s in zip((Opt(True, 0), *spots[:-1]), spots,
                                                                           strict=True)]
    elif spot is None:
        return spots, False
    else:
        free = [term.both(term.equal(spot, i), term.no(s.has)) for i, s in enumerate(spots)]
    return tuple(_either(f, Opt(True, one), s) for s, f in zip(spots, free, strict=True)), term.disj(free)


def _pushed_in(spots: Spots, one: Num, spot: Num) -> tuple[Spots, Cond]:
    made = []
    for i, there in enumerate(spots):
        moved = _either(term.less(spot, i), spots[i - 1] if i else there, there)
        made.append(_either(term.equal(spot, i), Opt(True, one), moved))
    behind = (True, *(s.has for s in spots[:-1]))
    inside = term.disj(term.both(term.equal(spot, i), has) for i, has in enumerate(behind))
    return tuple(made), term.both(inside, term.no(spots[-1].has))
