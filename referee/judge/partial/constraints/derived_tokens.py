"""Tokens whose class follows from those of others: numbers that hang on several components, the least of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from random import Random

from referee.judge.partial.constraints.hidden_values import Sum, members

Classes = tuple[int, ...]
MOST_SAMPLED = 40
"""So many ways are looked at what a token may be, to begin with."""
MOST_LISTED = 400
"""Where the others may come in so few ways all are looked at."""


class DerivedToken:
    """What a token is, for the classes of those that it follows from (`base`), in their order.

    `met`: for each class that it was found to have (`mask`), classes of the others; `whole`: there are no others.
    """

    def __init__(self, base: Sequence[int], of: Callable[[Classes], int], *, alike: bool) -> None:
        """`alike`: it is no matter which of them is of which class."""
        self.base = tuple(base)
        self._alike = alike
        self.met: dict[int, list[Classes]] = {}
        self.mask = 0
        self.whole = False
        self._of = of
        self._known: dict[Classes, int] = {}
        self._noted: set[Classes] = set()

    def of(self, witness: Mapping[int, int]) -> int:
        """The class, for classes of all tokens."""
        return self.at(tuple([witness[token] for token in self.base]))

    def at(self, classes: Classes) -> int:
        """The class, for classes of those that it follows from."""
        key = tuple(sorted(classes)) if self._alike else classes
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._of(classes)
            self.mask |= 1 << found
        elif classes in self._noted:
            return found
        some = self.met.setdefault(found, [])
        if len(some) < MOST_LISTED:  # in each order: what is alike here need not be so for what else is known
            self._noted.add(classes)
            some.append(classes)
        return found

    def listed(self, domains: Mapping[int, int], most: int) -> bool:
        """Looks at every way in which the others may come, if there are few enough. Whether that was done."""
        number = 1
        for token in self.base:
            number *= domains[token].bit_count()
            if number > most:
                return False
        for classes in product(*(tuple(members(domains[token])) for token in self.base)):
            self.at(classes)
        self.whole = True
        return True

    def sampled(self, domains: Mapping[int, int], random: Random, number: int) -> None:
        """Looks at some ways, of each token another class."""
        own = [tuple(members(domains[token])) for token in self.base]
        for _ in range(number):
            classes = tuple([random.choice(some) for some in own])
            if len(set(classes)) == len(classes):
                self.at(classes)


def related(conditions: Sequence[Sum], wrong: Iterable[Sum], derived: Mapping[int, DerivedToken]) -> tuple[
        list[Sum], list[int]]:
    """The conditions that have something to do with some of them, and the tokens in these that follow from others."""
    counted = {token for total in conditions for token in total.weights if token in derived}
    tokens: set[int] = set()
    found: list[Sum] = []
    more, rest, follow = list(wrong), list(conditions), set(counted)
    while more:
        for total in more:
            tokens.update(total.weights)
        found += more
        for token in [one for one in follow if one in tokens or not tokens.isdisjoint(derived[one].base)]:
            follow.discard(token)
            tokens.add(token)
            tokens.update(derived[token].base)
        more, rest = ([one for one in rest if tokens.isdisjoint(one.weights) is apart] for apart in (False, True))
    return found, sorted(tokens & counted)


def completed(witness: dict[int, int], derived: Mapping[int, DerivedToken]) -> dict[int, int]:
    """The classes with those that follow from others."""
    for token, one in derived.items():  # later ones follow from earlier ones
        witness[token] = one.of(witness)
    return witness

