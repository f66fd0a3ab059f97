"""What lies in a zone as terms, and how components are taken out and laid in; each form by its own rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise, zip_longest
from typing import Any, assert_never

from referee.core.expr import End
from referee.core.ruleset import Core, Form, Zone
from referee.core.types import size
from referee.smt import term
from referee.smt.term import Cond, Num
from referee.smt.value import Counts, Opt, Sym, Unencodable, count, merge, unknown

LONGEST_LINE, LONGEST_KNOWN = 64, 1_000
"""Positions of a line that are told apart; more of them where it is known what lies there."""
DEPTH = 4
"""Blocks of a pile that are told apart, where it is not known how many there are. A step that would need more is not
encoded faithfully, and says so."""
Sure = Callable[[Cond], Cond]
"""A condition as far as it is decided."""


def as_it_is(cond: Cond) -> Cond:
    """Nothing is decided but what the condition itself says."""
    return cond


@dataclass(frozen=True, slots=True)
class LineContent:
    """Classes by position; only the first `length` items mean anything."""

    items: tuple[Num, ...]
    length: Num


@dataclass(frozen=True, slots=True)
class Slots:
    """A component or nothing on each spot."""

    spots: tuple[Opt, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """Blocks, top first; no block before an empty one is empty."""

    blocks: tuple[Counts, ...]


Content = Counts | LineContent | Slots | Pile


def classes(core: Core, zone: Zone) -> tuple[int, int]:
    """The first and last class that may lie in a zone."""
    kinds = [i for i, one in enumerate(core.components) if one.kind in zone.kinds]
    return (min(kinds), max(kinds)) if kinds else (0, -1)


def of(core: Core, zone: Zone, content: Any) -> Content:
    """A concrete content as (known) terms."""
    lo, hi = classes(core, zone)
    match zone.form:
        case Form.BAG:
            return Counts(lo, tuple(content.count(i) for i in range(lo, hi + 1)))
        case Form.LINE:
            return LineContent((*content, *[lo] * (_longest(zone, LONGEST_KNOWN) - len(content))), len(content))
        case Form.SLOTS:
            return Slots(tuple(Opt(one is not None, lo if one is None else one) for one in content))
        case Form.PILE:
            blocks = [Counts(lo, tuple(block.count(i) for i in range(lo, hi + 1))) for block in content]
            return Pile((*blocks, *[_none(lo, hi)] * (DEPTH - len(blocks))))
        case _:
            assert_never(zone.form)


def _longest(zone: Zone, most: int = LONGEST_LINE) -> int:
    if zone.capacity > most:
        raise Unencodable(f"{zone.name} may be longer than {most}")
    return zone.capacity


def _none(lo: int, hi: int) -> Counts:
    return Counts(lo, (0,) * (hi - lo + 1))


def anything(core: Core, zone: Zone, name: str) -> Content:
    """A content of which nothing is said yet; `sound` says what makes it one."""
    lo, hi = classes(core, zone)

    def block(of: str) -> Counts:
        return Counts(lo, tuple(term.unknown_number(f"{of}[{i}]") for i in range(lo, hi + 1)))

    match zone.form:
        case Form.BAG:
            return block(name)
        case Form.LINE:
            items = tuple(term.unknown_number(f"{name}@{i}") for i in range(_longest(zone)))
            return LineContent(items, term.unknown_number(f"{name} length"))
        case Form.SLOTS:
            assert zone.spots is not None
            return Slots(
                tuple(
                    Opt(term.unknown_cond(f"{name}@{i}?"), term.unknown_number(f"{name}@{i}"))
                    for i in range(size(zone.spots))
                )
            )
        case Form.PILE:
            return Pile(tuple(block(f"{name} block {i}") for i in range(DEPTH)))
        case _:
            assert_never(zone.form)


def sound(core: Core, zone: Zone, content: Content) -> Cond:
    """True if a content is one that a zone can have: classes it admits, no negative counts, blocks from the top."""
    admitted = {i for i, one in enumerate(core.components) if one.kind in zone.kinds}
    match content:
        case Counts():
            return term.conj(term.at_most(0, n) if i in admitted else term.equal(n, 0) for i, n in content.members())
        case LineContent(items, length):
            inside = [_one_of(item, admitted) for item in items]
            return term.conj([term.at_most(0, length), term.at_most(length, len(items)), *inside])
        case Slots(spots):
            typed = [term.disj((term.no(one.has), _one_of(one.value, admitted))) for one in spots]
            # true by construction, and what links the number of taken spots to the numbers of each class
            linked = term.equal(amount(content), held(content, *classes(core, zone)).size)
            return term.conj([*typed, linked])
        case Pile(blocks):
            filled = [term.less(0, block.size) for block in blocks]
            ordered = [term.disj((term.no(after), before)) for before, after in pairwise(filled)]
            return term.conj([*(sound(core, zone, block) for block in blocks), *ordered])
        case _:
            assert_never(content)


def _one_of(value: Num, admitted: set[int]) -> Cond:
    lo, hi = min(admitted), max(admitted)
    if len(admitted) == hi - lo + 1:
        return term.both(term.at_most(lo, value), term.at_most(value, hi))
    return term.disj(term.equal(value, i) for i in sorted(admitted))


def merged(cond: Cond, yes: Content, other: Content) -> Content:
    """One of two contents of the same zone."""
    if cond is True or yes is other:
        return yes
    if cond is False:
        return other
    match yes:
        case Counts():
            assert isinstance(other, Counts)
            return _counts(merge(cond, yes, other))
        case LineContent(items, length):
            assert isinstance(other, LineContent)
            chosen = tuple(term.choose(cond, a, b) for a, b in zip(items, other.items, strict=True))
            return LineContent(chosen, term.choose(cond, length, other.length))
        case Slots(spots):
            assert isinstance(other, Slots)
            return Slots(tuple(_opt(merge(cond, a, b)) for a, b in zip(spots, other.spots, strict=True)))
        case Pile(blocks):
            assert isinstance(other, Pile)
            none = Counts(blocks[0].lo, (0,) * len(blocks[0].counts))
            pairs = zip_longest(blocks, other.blocks, fillvalue=none)
            return Pile(tuple(_counts(merge(cond, a, b)) for a, b in pairs))
        case _:
            assert_never(yes)


def _counts(value: Sym) -> Counts:
    assert isinstance(value, Counts)
    return value


def _opt(value: Sym) -> Opt:
    assert isinstance(value, Opt)
    return value


def held(content: Content, lo: int, hi: int, end: End | None = None) -> Counts:
    """How many of each class lie in a content, or at an end of it."""
    match content:
        case Counts():
            return content
        case LineContent(items, length):
            return _counted(((_at_end(i, length, end), item) for i, item in enumerate(items)), lo, hi)
        case Slots(spots):
            return _counted(((one.has, one.value) for one in spots), lo, hi)
        case Pile(blocks):
            if end is None:
                return Counts(lo, tuple(term.total([count(b, c) for b in blocks]) for c in range(lo, hi + 1)))
            return blocks[0] if end is End.TOP else _last(blocks)
        case _:
            assert_never(content)


def _counted(items: Iterable[tuple[Cond, Num]], lo: int, hi: int) -> Counts:
    """How many of each class some items are, each where a condition holds."""
    found: list[list[Num]] = [[] for _ in range(lo, hi + 1)]
    for there, item in items:
        if there is not False:
            for c in (item,) if isinstance(item, int) else range(lo, hi + 1):
                if lo <= c <= hi:
                    found[c - lo].append(term.number(term.both(there, term.equal(item, c))))
    return Counts(lo, tuple(map(term.total, found)))


def _at_end(position: int, length: Num, end: End | None) -> Cond:
    if end is None:
        return term.less(position, length)
    if end is End.BOTTOM:
        return term.both(position == 0, term.less(0, length))
    return term.equal(position, length - 1)


def _last(blocks: Sequence[Counts]) -> Counts:
    """The lowest block that is not empty."""
    found = blocks[0]
    for block in blocks[1:]:
        found = _counts(merge(term.less(0, block.size), block, found))
    return found


def amount(content: Content) -> Num:
    """How many components lie in a content."""
    match content:
        case Counts():
            return content.size
        case LineContent(_, length):
            return length
        case Slots(spots):
            return term.total([term.number(one.has) for one in spots])
        case Pile(blocks):
            return term.total([block.size for block in blocks])
        case _:
            assert_never(content)


def less_by(block: Counts, moved: Counts) -> tuple[Counts, Cond]:
    """What is left of a multiset, and whether all that is taken was there."""
    left = tuple(term.minus(n, count(moved, i)) for i, n in block.members())
    inside = [term.at_most(count(moved, i), n) for i, n in block.members()]
    outside = [term.equal(n, 0) for i, n in moved.members() if not block.lo <= i < block.lo + len(block.counts)]
    return Counts(block.lo, left), term.conj([*inside, *outside])


def more_by(block: Counts, moved: Counts) -> tuple[Counts, Cond]:
    """A multiset with more in it, and whether it can hold all of that."""
    outside = [term.equal(n, 0) for i, n in moved.members() if not block.lo <= i < block.lo + len(block.counts)]
    return Counts(block.lo, tuple(term.total([n, count(moved, i)]) for i, n in block.members())), term.conj(outside)


def compact(blocks: Sequence[Counts], sure: Sure = as_it_is) -> tuple[Counts, ...]:
    """The blocks with the empty ones moved behind the others."""
    found = list(blocks)
    for _ in range(len(found) - 1):
        for i in range(len(found) - 1):
            empty = sure(term.equal(found[i].size, 0))
            found[i], found[i + 1] = (
                _counts(merge(empty, found[i + 1], found[i])),
                _counts(merge(empty, found[i], found[i + 1])),
            )
    return tuple(found)


def flattened(contents: Sequence[Content], lo: int, hi: int) -> Counts:
    """Everything that lies in some contents, as one block."""
    parts = [held(c, lo, hi) for c in contents]
    return Counts(lo, tuple(term.total([count(p, i) for p in parts]) for i in range(lo, hi + 1)))


def nothing_like(content: Content) -> Content:
    """The same zone, empty."""
    match content:
        case Counts(lo, counts):
            return Counts(lo, (0,) * len(counts))
        case LineContent(items, _):
            return LineContent(items, 0)
        case Slots(spots):
            return Slots(tuple(Opt(False, one.value) for one in spots))
        case Pile(blocks):
            return Pile(tuple(Counts(b.lo, (0,) * len(b.counts)) for b in blocks))
        case _:
            assert_never(content)


def single(moved: Counts) -> Num:
    """The class of the one component that is moved."""
    return reduce(lambda rest, case: term.choose(term.less(0, case[1]), case[0], rest), moved.members(), moved.lo)


__all__ = ["Content", "LineContent", "Pile", "Slots", "amount", "anything", "held", "merged", "of", "sound", "unknown"]
