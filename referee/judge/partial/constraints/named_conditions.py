"""Conditions by name, and by the classes they are about: who moves components of two classes looks at few of them."""

from __future__ import annotations

from collections.abc import Container, Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import chain

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum

FEW = 8
"""With so many more or fewer they are not sorted anew."""


class NamedConditions(Mapping[Hashable, Sum]):
    """Sums that are 0 or more, by name; never changed. By what they are about they are sorted when that is asked."""

    __slots__ = ("_named", "_sorted")

    def __init__(self, named: dict[Hashable, Sum] | None = None) -> None:
        self._named = {} if named is None else named
        self._sorted: _Sorted | None = None

    @staticmethod
    def of(totals: Iterable[Sum]) -> NamedConditions:
        """Some conditions, each with its place for a name."""
        return NamedConditions(dict(enumerate(totals)))

    def __getitem__(self, name: Hashable) -> Sum:
        return self._named[name]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def __contains__(self, name: object) -> bool:
        return name in self._named

    @property
    def named(self) -> Mapping[Hashable, Sum]:
        """The same, as quick to go through as can be."""
        return self._named

    def values(self) -> ValuesView[Sum]:
        """The conditions."""
        return self._named.values()

    def items(self) -> ItemsView[Hashable, Sum]:
        """The conditions with their names."""
        return self._named.items()

    # --- what they are about

    def about(self, mask: int) -> list[CountedTokens]:
        """Those that count tokens of one class (its bit) alone."""
        return self._by_class().single.get(mask, [])

    @property
    def single(self) -> Iterator[CountedTokens]:
        """Those that count tokens of any one class."""
        return chain.from_iterable(self._by_class().single.values())

    @property
    def wide(self) -> list[CountedTokens]:
        """Those that count tokens of several classes."""
        return self._by_class().wide

    @property
    def weighed(self) -> list[Sum]:
        """All others."""
        return self._by_class().weighed

    def _by_class(self) -> _Sorted:
        if self._sorted is None:
            self._sorted = _Sorted(self._named.values())
        return self._sorted

    # --- others

    def plus(self, more: Mapping[Hashable, Sum], less: Iterable[Hashable] = ()) -> NamedConditions:
        """With more of them, in the place of those with the same names; and without some."""
        named, out = {**self._named, **more}, tuple(less)
        for name in out:
            named.pop(name, None)
        made = NamedConditions(named)
        if self._sorted is not None and len(more) + len(out) <= FEW:
            gone = [one for name in {*more, *out} if (one := self._named.get(name)) is not None]
            made._sorted = self._sorted.changed([one for name, one in more.items() if name in named], gone)
        return made

    def less(self, gone: Iterable[Hashable]) -> NamedConditions:
        """Without those with some names."""
        names = [name for name in gone if name in self._named]
        return self.plus({}, names) if names else self

    def parted(self, aside: Container[Hashable]) -> tuple[NamedConditions, NamedConditions]:
        """Those with other names, and those with some."""
        return (NamedConditions({name: total for name, total in self._named.items() if name not in aside}),
                NamedConditions({name: total for name, total in self._named.items() if name in aside}))


class _Sorted:
    """Conditions by what they are about."""

    __slots__ = ("single", "weighed", "wide")

    def __init__(self, totals: Iterable[Sum]) -> None:
        self.single: dict[int, list[CountedTokens]] = {}
        self.wide: list[CountedTokens] = []
        self.weighed: list[Sum] = []
        self._put(totals)

    def changed(self, more: Iterable[Sum], gone: Iterable[Sum]) -> _Sorted:
        """The same with some more, and without some."""
        made, out = _Sorted(()), set[int]()
        made.single, made.wide = dict(self.single), list(self.wide)
        for total in (*more, *gone):
            row = total.row()
            if row is not None and row.mask in made.single:
                made.single[row.mask] = list(made.single[row.mask])
        for total in gone:
            row = total.row()
            if row is None:
                out.add(id(total))
            else:
                (made.wide if row.mask & row.mask - 1 else made.single[row.mask]).remove(row)
        made.weighed = [total for total in self.weighed if id(total) not in out]
        made._put(more)
        return made

    def _put(self, totals: Iterable[Sum]) -> None:
        for total in totals:
            row = total.row()
            if row is None:
                self.weighed.append(total)
            elif (mask := row.mask) & mask - 1:
                self.wide.append(row)
            elif mask in self.single:
                self.single[mask].append(row)
            else:
                self.single[mask] = [row]
