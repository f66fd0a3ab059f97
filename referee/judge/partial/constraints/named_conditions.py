"""Conditions by name, and by the classes they are about: who moves components of two classes looks at few of them."""

from __future__ import annotations

from collections.abc import Container, Hashable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from itertools import chain

from referee.judge.partial.constraints.hidden_values import CountedTokens, Sum


class Conditions(Mapping[Hashable, Sum]):
    """Sums that are 0 or more, by name; never changed. By what they are about they are sorted when that is asked."""

    __slots__ = ("_named", "_sorted")

    def __init__(self, named: dict[Hashable, Sum] | None = None) -> None:
        self._named = {} if named is None else named
        self._sorted: _Sorted | None = None

    @staticmethod
    def of(totals: Iterable[Sum]) -> Conditions:
        """Some conditions, each with its place for a name."""
        return Conditions(dict(enumerate(totals)))

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

    def plus(self, more: Mapping[Hashable, Sum], less: Iterable[Hashable] = ()) -> Conditions:
        """With more of them, in the place of those with the same names; and without some."""
        named = {**self._named, **more}
        for name in less:
            named.pop(name, None)
        return Conditions(named)

    def less(self, gone: Iterable[Hashable]) -> Conditions:
        """Without those with some names."""
        names = [name for name in gone if name in self._named]
        return self.plus({}, names) if names else self

    def parted(self, aside: Container[Hashable]) -> tuple[Conditions, Conditions]:
        """Those with other names, and those with some."""
        return (Conditions({name: total for name, total in self._named.items() if name not in aside}),
                Conditions({name: total for name, total in self._named.items() if name in aside}))


class _Sorted:
    """Conditions by what they are about."""

    __slots__ = ("single", "weighed", "wide")

    def __init__(self, totals: Iterable[Sum]) -> None:
        self.single: dict[int, list[CountedTokens]] = {}
        self.wide: list[CountedTokens] = []
        self.weighed: list[Sum] = []
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
