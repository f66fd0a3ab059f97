"""Classes of components put into groups: what a query need not tell apart is counted together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.core.ruleset import Core, Zone
from referee.smt import term
from referee.smt.term import Cond, Num
from referee.smt.value import Opt


@dataclass(frozen=True, slots=True)
class GroupTally:
    """What lies in a zone: how many of each group and, where kept, what on each spot. Blocks are not told apart.

    `whole`: how many there are in all, where that is not told by groups: of spots it need not be asked which group each
    is of, and Z3 is slow to find that it is of one.
    """

    counts: tuple[Num, ...]
    spots: tuple[Opt, ...] | None = None
    whole: Num | None = None

    @property
    def total(self) -> Num:
        """How many components lie there."""
        return term.total(self.counts) if self.whole is None else self.whole


class Groups:
    """A partition of the component classes. With a `focus` (one class, maybe not known which) group 0 is that class,
    and the others are without it."""

    def __init__(self, core: Core, masks: Iterable[frozenset[int]], focus: Num | None = None) -> None:
        self.core, self.focus = core, focus
        marks = list(masks)
        parts: dict[tuple[bool, ...], set[int]] = {}
        for c in range(len(core.components)):
            parts.setdefault(tuple(c in mask for mask in marks), set()).add(c)
        self.parts: tuple[frozenset[int], ...] = tuple(frozenset(p) for p in parts.values())
        self._ranges = [_ranges(part) for part in self.parts]
        self.first = 0 if focus is None else 1
        self._group = {c: self.first + g for g, part in enumerate(self.parts) for c in part}

    def at(self, focus: int) -> Groups:
        """The same groups with a known focus."""
        made = Groups(self.core, (), focus)
        made.parts, made._ranges = self.parts, self._ranges
        made._group = {c: made.first + g for g, part in enumerate(self.parts) for c in part}
        return made

    def __len__(self) -> int:
        return len(self.parts) + self.first

    def of(self, member: int) -> int:
        """The group of a class; with a focus, the one that it is in apart from that."""
        return self._group[member]

    def has(self, group: int, member: Num) -> Cond:
        """Whether a class is of a group."""
        if self.focus is not None and group == 0:
            return term.equal(member, self.focus)
        inside = _within(member, self._ranges[group - self.first], self.parts[group - self.first])
        if self.focus is None or inside is False:
            return inside
        return term.both(inside, term.no(term.equal(member, self.focus)))

    def alone(self, group: int) -> bool:
        """Whether a group is one class: the focus, or the only one of its part."""
        return (self.focus is not None and group == 0) or len(self.parts[group - self.first]) == 1

    def size(self, group: int) -> Num:
        """How many components a group has in all."""
        numbers = [one.number for one in self.core.components]
        if self.focus is not None and group == 0:
            return self._at_focus(numbers)
        part = self.parts[group - self.first]
        whole = sum(numbers[c] for c in part)
        return whole if self.focus is None else whole - self._at_focus([n if c in part else 0 for c, n in
                                                                        enumerate(numbers)])

    def _at_focus(self, numbers: Sequence[int]) -> Num:
        assert self.focus is not None
        return term.total([term.choose(term.equal(self.focus, c), n, 0) for c, n in enumerate(numbers) if n])

    def amounts(self, counts: Iterable[tuple[int, Num]]) -> tuple[Num, ...]:
        """How many of each group there are, from how many of each class."""
        parts: list[list[Num]] = [[] for _ in range(len(self))]
        for c, number in counts:
            if isinstance(number, int) and number == 0:
                continue
            for group in range(len(self)):
                parts[group].append(term.choose(self.has(group, c), number, 0))
        return tuple(term.total(one) for one in parts)

    def counted(self, members: Iterable[int | None]) -> tuple[Num, ...]:
        """How many of each group some known components are."""
        if self.focus is not None and not isinstance(self.focus, int):
            known = [c for c in members if c is not None]
            return self.amounts((c, known.count(c)) for c in sorted(set(known)))
        found = [0] * len(self)
        for c in members:
            if c is not None:
                found[0 if self.focus == c else self._group[c]] += 1
        return tuple(found)

    def on_spots(self, spots: Iterable[Opt], within: Iterable[int]) -> tuple[Num, ...]:
        """How many of each group lie on spots; their classes are some of those given."""
        there, among = list(spots), frozenset(within)
        return tuple(
            term.total([term.number(term.both(s.has, self._surely(g, among) or self.has(g, s.value))) for s in there])
            if self.meets(g, among) else 0 for g in range(len(self))
        )

    def _surely(self, group: int, among: frozenset[int]) -> bool:
        return self.focus is None and among <= self.parts[group]

    def of_class(self, member: Num, number: Num, within: range) -> tuple[Num, ...]:
        """How many of each group some components of one class are; the class lies in a range.

        Of the largest group they are as many as are of no other one: so Z3 need not look at each to add them up.
        """
        if isinstance(member, int):
            return self.amounts([(member, number)])
        large = max((g for g in range(self.first, len(self)) if self.meets(g, within)),
                    key=lambda g: len(self.parts[g - self.first]))
        some = [term.choose(self.has(g, member), number, 0) if g != large and self.meets(g, within) else 0
                for g in range(len(self))]
        some[large] = term.minus(number, term.total(some))
        return tuple(some)

    def meets(self, group: int, classes: Iterable[int]) -> bool:
        """Whether some of the classes may be of a group."""
        if self.focus is not None and group == 0:
            return not isinstance(self.focus, int) or self.focus in classes
        part = self.parts[group - self.first]
        return any(c in part for c in classes)

    def split(self, group: int, mask: frozenset[int]) -> tuple[bool, bool]:
        """Whether a group has classes inside and outside a mask. The focus, if not known, has both."""
        if self.focus is not None and group == 0:
            known = isinstance(self.focus, int)
            return (not known or self.focus in mask), (not known or self.focus not in mask)
        part = self.parts[group - self.first]
        return bool(part & mask), bool(part - mask)


def _ranges(part: frozenset[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for c in sorted(part):
        if found and found[-1][1] == c - 1:
            found[-1] = (found[-1][0], c)
        else:
            found.append((c, c))
    return found


def _within(member: Num, ranges: list[tuple[int, int]], part: frozenset[int]) -> Cond:
    if isinstance(member, int):
        return member in part
    return term.disj(
        term.equal(member, lo) if lo == hi else term.both(term.at_most(lo, member), term.at_most(member, hi))
        for lo, hi in ranges
    )


def admitted(core: Core, zone: Zone) -> frozenset[int]:
    """The classes that a zone admits."""
    return frozenset(i for i, one in enumerate(core.components) if one.kind in zone.kinds)
