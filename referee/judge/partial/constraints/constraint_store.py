"""What is known of the tokens of one game: their classes, conditions on them, and one way in which all holds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from referee.judge.partial.constraints.constraint_search import Domains, GaveUp, bounds, narrowed, value
from referee.judge.partial.constraints.derived_search import witness_of
from referee.judge.partial.constraints.derived_tokens import DerivedToken
from referee.judge.partial.constraints.hidden_values import Bag, Sum
from referee.system.deadline import NEVER, Deadline

MOST_EMPTY = 50
"""Bags that are empty, of which that is remembered."""
MOST_TOKENS = 1_000
"""Tokens in one game, at most."""


@dataclass(frozen=True, slots=True)
class ConstraintStore:
    """`conditions`: sums that are 0 or more, by a name; `lines`: the lines of the log that each comes from; `told`:
    questions of one line with their answers; `met`: the classes that each token had when it was met; `empty`: bags in
    which nothing is left, the latest last: what is known of them and their tokens come to nothing, class by class;
    `retired`: conditions on tokens that have nothing to do any more with what may be asked of the position; `derived`:
    tokens whose class follows from those of others.

    There is always a `witness`: classes with which everything holds.
    """

    domains: Domains = field(default_factory=dict)
    conditions: Mapping[Hashable, Sum] = field(default_factory=dict)
    lines: Mapping[Hashable, frozenset[int]] = field(default_factory=dict)
    witness: Mapping[int, int] = field(default_factory=dict)
    told: Mapping[object, bool] = field(default_factory=dict)
    met: Domains = field(default_factory=dict)
    empty: tuple[Bag, ...] = ()
    retired: Mapping[Hashable, Sum] = field(default_factory=dict)
    derived: Mapping[int, DerivedToken] = field(default_factory=dict)
    deadline: Deadline = NEVER

    def bounds(self, total: Sum) -> tuple[int, int]:
        """The least and the greatest that a sum may be, as far as the classes of single tokens tell."""
        return bounds(self.domains, total)

    def value(self, total: Sum) -> int:
        """What a sum is for the witness."""
        return value(self.witness, total)

    def telling(self, question: object, answer: bool) -> ConstraintStore:
        """The same, with an answer remembered."""
        return replace(self, told={**self.told, question: answer})

    def emptied(self, bag: Bag) -> ConstraintStore:
        """With a bag more of which everything was taken."""
        return replace(self, empty=(*self.empty[1 - MOST_EMPTY:], bag))

    def settled(self, bag: Bag, line: int) -> Bag:
        """The same components, told by fewer tokens if what was taken together came back together.

        A token that stands for what another one was comes in its place on the way, the latest first.
        """
        told = bag
        for empty in reversed(self.empty):
            told = min(told.plus(empty, line), told.plus(empty, line, -1), told, key=_tokens)
        return min(bag, told, key=_tokens)

    def adding(self, total: Sum, line: int, name: Hashable = None) -> ConstraintStore | None:
        """With one condition more (in the place of one with the same name); None if not all can hold together.

        Raises `GaveUp` and `OutOfTime`.
        """
        domains = narrowed(self.domains, total)
        if domains is None:
            return None
        key = total.key()
        name = key if name is None else name
        conditions = self.conditions
        if self.bounds(total)[0] < 0 or name in conditions:
            conditions = {**conditions, name: total}
            if name != key:
                conditions.pop(key, None)
        witness = self.witness
        if value(witness, total) < 0:
            if self._denied(total):
                return None
            found = witness_of(domains, tuple(conditions.values()), witness, self.deadline, [total],
                               self.derived)
            if found is None:
                return None
            witness = found
        lines = {**self.lines, name: total.why | {line}}
        return replace(self, domains=domains, conditions=conditions, lines=lines, witness=witness)

    def _denied(self, total: Sum) -> bool:
        """Whether some condition says the very contrary."""
        own = total.times(-1)
        row = own.row()
        if row is None:
            return any(-one.const > total.const and len(one.weights) == len(own.weights) and one.weights == own.weights
                       for one in self.conditions.values())
        others = (one.row() for one in self.conditions.values())
        return any(other is not None and -other.const > total.const and other[:3] == row[:3] for other in others)

    def retiring(self, tokens: Iterable[int]) -> ConstraintStore:
        """Without the conditions that have nothing to do with some tokens: there are classes with which they hold."""
        live, rest = set(tokens), dict(self.conditions)
        more = True
        while more:
            more = False
            for name, total in list(rest.items()):
                if not live.isdisjoint(total.weights):
                    live.update(total.weights)
                    del rest[name]
                    more = True
            for token, one in self.derived.items():
                if token in live and not live.issuperset(one.base):
                    live.update(one.base)
                    more = True
                elif token not in live and not live.isdisjoint(one.base):
                    live.add(token)
                    more = True
        if not rest:
            return self
        left = {name: total for name, total in self.conditions.items() if name not in rest}
        return replace(self, conditions=left, retired={**self.retired, **rest})

    def whole(self) -> ConstraintStore:
        """With all conditions, whatever they have to do with."""
        return replace(self, conditions={**self.retired, **self.conditions}, retired={}) if self.retired else self

    def without(self, names: Iterable[Hashable]) -> ConstraintStore:
        """Without conditions that follow from others."""
        gone = [name for name in names if name in self.conditions]
        if not gone:
            return self
        conditions = dict(self.conditions)
        for name in gone:
            del conditions[name]
        return replace(self, conditions=conditions)

    def meeting(self, token: int, mask: int, one: int) -> ConstraintStore:
        """With a new token, that may be of some classes; the witness takes it for `one`. Raises `GaveUp`."""
        if len(self.domains) >= MOST_TOKENS:
            raise GaveUp
        return replace(self, domains={**self.domains, token: mask}, witness={**self.witness, token: one},
                       met={**self.met, token: mask})

    def following(self, token: int, mask: int, derived: DerivedToken) -> ConstraintStore:
        """With a new token whose class, one of some, follows from others. Raises `GaveUp`."""
        after = self.meeting(token, mask, derived.of(self.witness))
        return replace(after, derived={**self.derived, token: derived})


def _tokens(bag: Bag) -> int:
    return len(bag.tokens)
