"""Carries something out on hidden values: where the answer to a question is open, once for each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Bag, Case, Counts, Sum, Token, members, number_in

_T = TypeVar("_T")
MOST_FORKS = 400
"""So many ways are followed of what happens at one line."""


class TooManyForks(Exception):
    """More is open than is followed."""


class Trial:
    """One way through what is carried out. `store` grows by every answer; `others` are the ways not taken.

    `first` is the number of the first new token: whatever is carried out again up to a question meets the same ones.
    `forced`: what cannot be 0 or more, because of which the last question had but one answer; None if it had two.
    """

    def __init__(self, store: ConstraintStore, chosen: tuple[Any, ...], first: int, line: int) -> None:
        self.store = store
        self.line = line
        self.forced: Sum | None = None
        self._next = first
        self.others: list[tuple[ConstraintStore, tuple[Any, ...]]] = []
        self._chosen = chosen
        self._taken: list[Any] = []

    # --- questions

    def decide(self, total: Sum) -> bool:
        """Whether a sum is 0 or more. Where both can be, this way is the one in which it is as in the witness."""
        lo, hi = self.store.bounds(total)
        denial = total.times(-1).plus(-1)
        if lo >= 0 or hi < 0:
            self.forced = denial if lo >= 0 else total
            return lo >= 0
        key = total.key()
        known = self.store.told.get(key)
        if known is not None:
            self.forced = denial if known else total
            return known
        answer = self.store.value(total) >= 0
        other = self.store.adding(denial if answer else total, self.line)
        self.forced = None if other is not None else denial if answer else total
        if other is not None:
            self.others.append((other.telling(key, not answer), tuple(self._taken)))
            after = self.store.adding(total if answer else denial, self.line)
            assert after is not None
            self.store = after
        self.store = self.store.telling(key, answer)
        return answer

    def number(self, total: Sum) -> int:
        """The value of a sum."""
        lo, hi = self.store.bounds(total)
        while lo < hi:
            middle = max(min(self.store.value(total), hi), lo + 1)
            if self.decide(total.plus(-middle)):
                lo = middle
                if lo < hi and not self.decide(total.plus(-middle - 1)):
                    hi = middle
            else:
                hi = middle - 1
        return lo

    def is_in(self, token: int, mask: int) -> bool:
        """Whether the class of a token is one of some."""
        return self.decide(Sum(-1, {token: dict.fromkeys(members(mask), 1)}))

    def class_of(self, token: Token) -> int:
        """The class of a token."""
        while (mask := self.store.domains[token.id]).bit_count() > 1:
            if self.is_in(token.id, 1 << self.store.witness[token.id]):
                return self.store.witness[token.id]
        return mask.bit_length() - 1

    def case(self, case: Case) -> object:
        """The value of a case."""
        domain = list(members(self.store.domains[case.token]))
        groups: list[tuple[object, int]] = []
        for one in domain:
            for index, (known, mask) in enumerate(groups):
                if type(known) is type(case.values[one]) and known == case.values[one]:
                    groups[index] = (known, mask | 1 << one)
                    break
            else:
                groups.append((case.values[one], 1 << one))
        for known, mask in groups[:-1]:
            if self.is_in(case.token, mask):
                return known
        return groups[-1][0]

    def has(self, bag: Bag, one: int, number: int = 1) -> bool:
        """Whether so many of a class are in a bag."""
        return self.decide(number_in(bag, 1 << one).plus(-number))

    def choose(self, options: Sequence[_T]) -> _T:
        """One of several possibilities, at least one: of those not looked at yet the first.

        What was chosen is remembered itself, not by its place: when this is carried out again more may be known, and
        fewer possibilities left.
        """
        at = len(self._taken)
        found: _T = self._chosen[at] if at < len(self._chosen) else options[0]
        if at >= len(self._chosen):
            self.others.extend((self.store, (*self._taken, other)) for other in options[1:])
        self._taken.append(found)
        return found

    # --- hidden things

    def source(self, bag: Bag) -> int:
        """The source of a bag; a new one if it has none yet."""
        return self._number() if bag.source is None else bag.source

    def _number(self) -> int:
        self._next += 1
        return self._next

    def without(self, bag: Bag, known: Counts) -> Bag | None:
        """A bag without components of known classes; None if they are not there."""
        source = self.source(bag)
        for one, number in known.items():
            if not self.has(bag, one, number):
                return None
        left = bag.plus(Bag(known, {}), self.line, -1, source)
        for one in known:
            self._note(left, one, (source, one))
        return left

    def _note(self, left: Bag, one: int, name: tuple[int | None, ...]) -> None:
        """That of a class not less than nothing is left."""
        total = number_in(left, 1 << one)
        if self.store.bounds(total)[0] < 0 or name in self.store.conditions:
            after = self.store.adding(total, self.line, name)
            assert after is not None
            self.store = after.telling(total.key(), True)

    def draw(self, bag: Bag, mask: int) -> tuple[Token, Bag]:
        """A component of one of some classes, of which there is one in a bag; and what is left."""
        source = self.source(bag)
        there = [one for one in members(mask) if self.store.bounds(number_in(bag, 1 << one))[1] > 0]
        token = self._number()
        if token not in self.store.domains:
            pick = next(one for one in there if self.store.value(number_in(bag, 1 << one)) > 0)
            self.store = self.store.meeting(token, sum(1 << one for one in there), pick)
        left = bag.plus(Bag({}, {token: 1}), self.line, -1, source)
        for one in there:
            self._note(left, one, (source, one, token))
        return Token(token), left

    def less(self, bag: Bag, other: Bag) -> Bag | None:
        """A bag without another; None if that is not in it."""
        # what replaces a condition must imply it: what is taken has to be something whatever the tokens are
        plain = all(sign > 0 for sign in other.tokens.values()) and all(number > 0 for number in other.known.values())
        left = bag.plus(other, self.line, -1, self.source(bag) if plain else self._number())
        for one in members(self.classes(other)):
            if not self.decide(number_in(left, 1 << one)):
                return None
            self._note(left, one, (left.source, one))
        self.store = self.store.without((left.source, one, token) for one in members(self.classes(other))
                                        for token in other.tokens)
        if not len(left) and left.tokens:
            self.store = self.store.emptied(left)
        return left

    def classes(self, bag: Bag) -> int:
        """The classes that may be in a bag, as bits."""
        found = 0
        for one in bag.known:
            found |= 1 << one
        for token in bag.tokens:
            found |= self.store.domains[token]
        return found

    def plain(self, bag: Bag) -> Bag | tuple[int, ...]:
        """The components of a bag without tokens; else the bag, because a token tells why it is what it is."""
        if bag.tokens:
            return bag
        return tuple(one for one in sorted(bag.known) for _ in range(bag.known[one]))


def forks(
    store: ConstraintStore, first: int, line: int, ask: Callable[[Trial], _T]
) -> Iterator[tuple[ConstraintStore, _T]]:
    """What becomes of a store in every way through something, with the answer there. Raises `TooManyForks`.

    `first`: the number of the first token that may be new.
    """
    waiting: list[tuple[ConstraintStore, tuple[Any, ...]]] = [(store, ())]
    followed = 0
    while waiting:
        store.deadline.check()
        here, chosen = waiting.pop()
        trial = Trial(here, chosen, first, line)
        answer = ask(trial)
        waiting.extend(trial.others)
        followed += 1
        if followed + len(waiting) > MOST_FORKS:  # each that waits is one more at least
            raise TooManyForks
        yield trial.store, answer
