"""What is known of the tokens of one game: their classes, conditions on them, and one way in which all holds."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from referee.judge.partial.constraints.constraint_search import Domains, GaveUp, bounds, narrowed, value
from referee.judge.partial.constraints.derived_search import witness_of
from referee.judge.partial.constraints.derived_tokens import DerivedToken
from referee.judge.partial.constraints.hidden_values import Bag, Sum
from referee.judge.partial.constraints.named_conditions import NamedConditions
from referee.judge.partial.constraints.settled_numbers import SettledNumber, settled, stretches
from referee.judge.partial.constraints.shortcuts.class_counts import counted_out
from referee.judge.partial.constraints.shortcuts.compared_totals import cannot_be
from referee.judge.partial.constraints.shortcuts.exchanges import AT_ONCE, exchanged
from referee.judge.partial.constraints.shortcuts.implied_counts import refuted
from referee.system.deadline import NEVER, Deadline
from referee.system.quick_replace import replace

_K = TypeVar("_K")
_V = TypeVar("_V")
MOST_EMPTY = 50
"""Bags that are empty, of which that is remembered."""
MOST_TOKENS = 1_000
"""Tokens in one game, at most."""


@dataclass(frozen=True, slots=True)
class ConstraintStore:
    """`conditions`: sums that are 0 or more, by a name; `lines`: the lines of the log that each comes from; `told`:
    questions with their answers; `guessed`: those of one line whose other answer is not followed, though it may be one;
    `met`: the classes that each token had when it was met; `empty`: bags in
    which nothing is left, the latest last: what is known of them and their tokens come to nothing, class by class;
    `past`: what is known of tokens that have nothing to do any more with what may be asked of the position; there,
    `number`: what is left of them all; `derived`: tokens whose class follows from those of others.

    There is always a `witness`: classes with which everything holds. If it is `doubtful`, tokens that follow from
    others are looked at as if they followed from nothing: what cannot be then cannot be at all, but nothing is sure.
    """

    domains: Domains = field(default_factory=dict)
    conditions: NamedConditions = field(default_factory=NamedConditions)
    lines: Mapping[Hashable, frozenset[int]] = field(default_factory=dict)
    witness: Mapping[int, int] = field(default_factory=dict)
    told: Mapping[object, bool] = field(default_factory=dict)
    guessed: Mapping[object, bool] = field(default_factory=dict)
    met: Domains = field(default_factory=dict)
    empty: tuple[Bag, ...] = ()
    past: ConstraintStore | None = None
    number: SettledNumber | None = None
    derived: Mapping[int, DerivedToken] = field(default_factory=dict)
    deadline: Deadline = NEVER
    doubtful: bool = False

    def bounds(self, total: Sum) -> tuple[int, int]:
        """The least and the greatest that a sum may be, as far as the classes of single tokens tell."""
        return bounds(self.domains, total)

    def value(self, total: Sum) -> int:
        """What a sum is for the witness."""
        return value(self.witness, total)

    def telling(self, question: object, answer: bool) -> ConstraintStore:
        """The same, with an answer remembered."""
        return replace(self, told={**self.told, question: answer})

    def guessing(self, question: object, answer: bool) -> ConstraintStore:
        """The same, with an answer remembered for this line: it was not found out whether there is another."""
        return replace(self, guessed={**self.guessed, question: answer})

    def answer(self, question: object) -> bool | None:
        """The answer that is remembered."""
        known = self.told.get(question)
        return self.guessed.get(question) if known is None else known

    def at_next_line(self) -> ConstraintStore:
        """The same without what was not found out at the line before: now more may be known."""
        return replace(self, guessed={}) if self.guessed else self

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

    def adding(self, total: Sum, line: int, name: Hashable = None, *, briefly: bool = False,
               also: list[Sum] | None = None) -> ConstraintStore | None:
        """With one condition more (in the place of one with the same name); None if not all can hold together.
        `briefly`: where tokens follow from others it is not looked for long how it can hold. `also`: gets a weaker
        condition that cannot hold either, if one was found on the way.

        Raises `GaveUp` and `OutOfTime`.
        """
        domains = narrowed(self.domains, total)
        if domains is None:
            return None
        key = total.key()
        conditions = self.conditions
        if name is None:
            name = key
            if total.row() is None and self.bounds(total)[0] < 0:
                conditions = conditions.less([other for other, one in conditions.items()
                                              if one.row() is None and self._implied(one, total)])
        if self.bounds(total)[0] < 0 or name in conditions:
            conditions = conditions.plus({name: total}, () if name == key else (key,))
        witness = self.witness
        if value(witness, total) < 0:
            if self._denied(total):
                return None
            found = None
            if total.row() is not None:  # quicker than to show that there is nothing to be found
                found = exchanged(domains, conditions, witness, total, self.derived, AT_ONCE)
                if found is None and counted_out(self.domains, self.conditions, witness, total):
                    return None
            elif self.derived.keys().isdisjoint(total.weights) and cannot_be(self.domains, self.conditions, total):
                return None
            found = found or exchanged(domains, conditions, witness, total, self.derived)
            if found is None and briefly and not self.derived.keys().isdisjoint(total.weights):
                raise GaveUp
            if found is None and refuted(self.domains, self.conditions, witness, total):
                return None
            if found is None and also is not None and total.row() is None and value(witness, total) < -1:
                nearer = self._nearer(total.plus(1))
                if nearer is None:
                    also.append(total.plus(1))
                    return None
                witness = nearer
            found = found or witness_of(domains, tuple(conditions.values()), witness, self.deadline, [total],
                                        self.derived)
            if found is None:
                return None
            witness = found
        lines = {**self.lines, name: total.why | {line}}
        return replace(self, domains=domains, conditions=conditions, lines=lines, witness=witness)

    def _nearer(self, total: Sum) -> Mapping[int, int] | None:
        """Classes with which one condition more holds. Who asks for less than one asks for one less next, mostly: then
        both are refuted at once. Raises `GaveUp` and `OutOfTime`."""
        domains = narrowed(self.domains, total)
        if domains is None:
            return None
        others = (*self.conditions.values(), total)
        return witness_of(domains, others, self.witness, self.deadline, [total], self.derived)

    def _implied(self, total: Sum, other: Sum) -> bool:
        """Whether a sum that counts nothing but what another one does is 0 or more whenever that is."""
        if total.weights.keys() - other.weights.keys() or any(own != other.weights[token]
                                                              for token, own in total.weights.items()):
            return False
        more = {token: own for token, own in other.weights.items() if token not in total.weights}
        return self.bounds(Sum(other.const - total.const, more))[1] <= 0

    def doubting(self) -> ConstraintStore:
        """The same, of which only what cannot be is sure."""
        return replace(self, derived={}, doubtful=True)

    def holding(self, totals: Mapping[Hashable, Sum], line: int) -> ConstraintStore:
        """With conditions more, by name, that hold for the witness and tell nothing of single tokens."""
        lines, told, here = dict(self.lines), dict(self.told), frozenset({line})
        again: list[object] = []
        known = self.conditions.named
        for name, total in totals.items():
            key = total.key()
            told[key] = True
            lines[name] = total.why | here if total.why else here
            if key in known and key != name:
                again.append(key)
        return replace(self, conditions=self.conditions.plus(totals, again), lines=lines, told=told)

    def _denied(self, total: Sum) -> bool:
        """Whether some condition says the very contrary."""
        own = total.times(-1)
        row = own.row()
        if row is None:
            return any(-one.const > total.const and len(one.weights) == len(own.weights) and one.weights == own.weights
                       for one in self.conditions.weighed)
        single = row.mask.bit_count() == 1
        return any(other.mask == row.mask and -other.const > total.const and other.plus == row.plus and
                   other.minus == row.minus
                   for other in (self.conditions.about(row.mask) if single else self.conditions.wide))

    def settling(self, there: Iterable[int], sums: Sequence[Sum]) -> list[SettledNumber]:
        """What is left of stretches of the game only as a part of sums of a position. `there`: the tokens that are in
        it in any other way. Raises `OutOfTime`."""
        conditions, found = tuple(self.conditions.values()), list[SettledNumber]()
        for stretch in stretches(there, sums, conditions, self.derived):
            own = [total for total in conditions if stretch.tokens.issuperset(total.weights)]
            domains, derived = _parted(self.domains, stretch.tokens)[1], _parted(self.derived, stretch.tokens)[1]
            witness = {token: self.witness[token] for token in domains}
            found.append(settled(stretch, domains, own, witness, derived, self.deadline))
        return found

    def with_number(self, found: SettledNumber) -> ConstraintStore:
        """With a token in the place of what is left of a stretch of the game, which is kept aside."""
        token, out, mask = found.token, found.stretch.tokens, found.mask
        inner = {name: total for name, total in self.conditions.items() if out.issuperset(total.weights)}
        apart = self._without(out, inner)
        assert apart.past is not None
        one = found.number.of(self.witness)
        derived = apart.derived if found.sure else {**apart.derived, token: found.doubtful()}
        return replace(
            apart, derived=derived, past=replace(apart.past, number=found), domains={**apart.domains, token: mask},
            witness={**apart.witness, token: one}, met={**apart.met, token: mask},
            conditions=NamedConditions({name: found.in_place(total) for name, total in apart.conditions.items()}))

    def retiring(self, tokens: Iterable[int]) -> ConstraintStore:
        """Without what has nothing to do with some tokens: there are classes with which it holds. It is kept aside.
        Answers are found out anew: they may be about what is gone."""
        live, rest = _concerning(set(tokens), self)
        gone = [token for token in self.domains if token not in live]
        return replace(self._without(gone, rest) if gone or rest else self, told={})

    def _without(self, gone: Collection[int], conditions: Mapping[Hashable, Sum]) -> ConstraintStore:
        """With some tokens, and all conditions that have to do with them, kept aside."""
        out = frozenset(gone)
        domains, gone_domains = _parted(self.domains, out)
        witness, gone_witness = _parted(self.witness, out)
        met, gone_met = _parted(self.met, out)
        derived, gone_derived = _parted(self.derived, out)
        named, gone_named = self.conditions.parted(conditions)
        lines, gone_lines = _parted(self.lines, conditions)
        past = replace(self, domains=gone_domains, witness=gone_witness, met=gone_met, derived=gone_derived,
                       conditions=gone_named, lines=gone_lines, told={}, empty=())
        return replace(self, domains=domains, witness=witness, met=met, derived=derived, conditions=named,
                       lines={name: known for name, known in lines.items() if name in named},
                       empty=tuple(bag for bag in self.empty if out.isdisjoint(bag.tokens)), past=past)

    def whole(self) -> ConstraintStore:
        """With all that is known, whatever it has to do with."""
        if self.past is None:
            return self
        apart: list[ConstraintStore] = [self]
        while (past := apart[-1].past) is not None:
            apart.append(past)
        witness: dict[int, int] = {}
        later: list[Mapping[int, DerivedToken]] = []
        for one in apart:  # what was put aside first follows from what was put aside later
            for token, own in one.witness.items():
                witness.setdefault(token, own)
            derived = dict(one.derived)
            if one.number is not None:
                witness.update(one.number.way(witness[one.number.token]))
                derived[one.number.token] = one.number.number
            later.append(derived)
        known = list(reversed(apart))
        return replace(
            self, domains=_joined(one.domains for one in known), witness=witness, met=_joined(one.met for one in known),
            derived=_joined(reversed(later)), lines=_joined(one.lines for one in known), past=None,
            conditions=NamedConditions(_joined(one.conditions.named for one in known)))

    def without(self, names: Iterable[Hashable]) -> ConstraintStore:
        """Without conditions that follow from others."""
        conditions = self.conditions.less(names)
        return self if conditions is self.conditions else replace(self, conditions=conditions)

    def renamed(self, names: Mapping[Hashable, Hashable]) -> ConstraintStore:
        """With conditions by other names, in the place of those that had these before."""
        lines = dict(self.lines)
        lines.update([(new, lines.pop(old)) for old, new in names.items() if old in self.conditions])
        named = {new: self.conditions[old] for old, new in names.items() if old in self.conditions}
        return replace(self, conditions=self.conditions.plus(named, names), lines=lines)

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


def _concerning(tokens: set[int], store: ConstraintStore) -> tuple[set[int], dict[Hashable, Sum]]:
    """The tokens that have to do with some, and the conditions that have nothing to do with these."""
    live, rest = set(tokens), dict(store.conditions)
    more = True
    while more:
        more = False
        for name, total in list(rest.items()):
            if not live.isdisjoint(total.weights):
                live.update(total.weights)
                del rest[name]
                more = True
        for token, one in store.derived.items():
            if token in live and not live.issuperset(one.base):
                live.update(one.base)
                more = True
            elif token not in live and not live.isdisjoint(one.base):
                live.add(token)
                more = True
    return live, rest


def _joined(parts: Iterable[Mapping[_K, _V]]) -> dict[_K, _V]:
    """What stands in some of several parts: as in the last of them."""
    found: dict[_K, _V] = {}
    for one in parts:
        found.update(one)
    return found


def _parted(known: Mapping[_K, _V], aside: Container[_K]) -> tuple[dict[_K, _V], dict[_K, _V]]:
    """What stands under other names, and what under some."""
    return ({one: value for one, value in known.items() if one not in aside},
            {one: value for one, value in known.items() if one in aside})
