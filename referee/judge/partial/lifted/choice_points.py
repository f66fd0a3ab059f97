"""Carries something out on hidden values: where the answer to a question is open, once for each answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from referee.judge.partial.constraints.constraint_search import ClassBounds, GaveUp, narrowed
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.derived_tokens import DerivedToken
from referee.judge.partial.constraints.hidden_values import (
    Bag,
    Case,
    Counts,
    Sum,
    Token,
    members,
    number_in,
    number_of,
)
from referee.judge.partial.lifted.dependent.case_diagrams import is_nested, leaves, only_way, same_as

_T = TypeVar("_T")
MOST_FORKS = 400
"""So many ways are followed of what happens at one line."""
MOST_NUMBERS = 100_000
"""So many numbers of tokens and of sources of bags are given at one line: those of the next line begin behind them."""
FEW_FORKS = 6
"""So many where it is only asked whether there are many."""


class TooManyForks(Exception):
    """More is open than is followed."""


class LeftOpen(Exception):
    """The answer to a question is open, where only what is known without further ado is wanted."""


class Trial:
    """One way through what is carried out. `store` grows by every answer; `others` are the ways not taken.

    `first` is the number of the first new token: whatever is carried out again up to a question meets the same ones.
    `left_out`: it was not found out whether a question has another answer, and that one is not followed.
    `briefly`: that is not tried for long. `doubts`: such an answer is followed in a doubtful store, which tells what
    cannot be at all. `quiet`: what is open is not decided now (`LeftOpen`). `refused`: the ways in which something is
    not as it must be, each with what becomes of it there (`refusal`).
    """

    def __init__(self, store: ConstraintStore, chosen: tuple[Any, ...], first: int, line: int, *,
                 free: bool = False, doubts: bool = False) -> None:
        """`free`: it is not found out of answers whether they can be together."""
        self.doubts = doubts
        self.store = store
        self.line = line
        self._asked: tuple[Sum, bool] | None = None
        self._drawn: tuple[Bag, int, Bag, list[int]] | None = None
        self.quiet = self.briefly = False
        self.left_out = False
        self.refusal: object = None
        self.refused: list[tuple[ConstraintStore, Any]] = []
        self._free = free
        self._next = first
        self._last = first + MOST_NUMBERS
        self.others: list[tuple[ConstraintStore, tuple[Any, ...]]] = []
        self._chosen = chosen
        self._taken: list[Any] = []

    # --- questions

    @property
    def forced(self) -> Sum | None:
        """What cannot be 0 or more, because of which the last question had but one answer; None if it had two."""
        if self._asked is None:
            return None
        total, answer = self._asked
        return total.times(-1).plus(-1) if answer else total

    def decide(self, total: Sum, *, must: bool = False) -> bool:
        """Whether a sum is 0 or more. Where both can be, this way is the one in which it is as in the witness.

        `must`: where it is not the answer is `refusal`: then this way is the one in which it is, and the other over.
        """
        known: bool | None = True if total.least is not None and total.least >= 0 else None
        if known is None and total.row() is not None:  # quicker than bounds
            known = self.store.answer(total.key())
        if known is None:
            lo, hi = self.store.bounds(total)
            known = lo >= 0 if lo >= 0 or hi < 0 else self.store.answer(total.key())
        if known is not None:
            self._asked = total, known
            return known
        if self.quiet:
            raise LeftOpen
        key, denial = total.key(), total.times(-1).plus(-1)
        answer = self.store.value(total) >= 0
        if self._free:
            return self._freely(total, denial, answer)
        try:
            other = self._other(denial if answer else total)
        except GaveUp:  # whoever finds nothing on the other ways has to say so
            self.left_out, self._asked = True, None
            self.store = self.store.guessing(key, answer)
            return answer
        self._asked = None if other is not None else (total, answer)
        if other is None:
            self.store = self.store.telling(key, answer)
            return answer
        after = self.store.adding(total if answer else denial, self.line)
        assert after is not None
        own, other = after.telling(key, answer), other.telling(key, not answer)
        if must:
            self.store, gone = (own, other) if answer else (other, own)
            self.refused.append((gone, self.refusal))
            return True
        self.others.append((other, tuple(self._taken)))
        self.store = own
        return answer

    def _other(self, total: Sum) -> ConstraintStore | None:
        """What is known if a question has the other answer; None if it cannot have it. Raises `GaveUp`."""
        also: list[Sum] = []
        try:
            found = self.store.adding(total, self.line, briefly=self.briefly, also=also)
        except GaveUp:
            if self.briefly or not self.doubts or self.store.doubtful:
                raise
            return self.store.doubting().adding(total, self.line)
        for one in also:
            self.store = self.store.telling(one.key(), False).telling(one.times(-1).plus(-1).key(), True)
        return found

    def _freely(self, total: Sum, denial: Sum, answer: bool) -> bool:
        """Both answers, but for what the classes of single tokens tell."""
        so, key = (total, denial) if answer else (denial, total), total.key()
        own, others = (narrowed(self.store.domains, one) for one in so)
        if others is not None:
            if len(self.others) >= FEW_FORKS:
                raise TooManyForks
            self.others.append((_loosely(self.store, others).telling(key, not answer), tuple(self._taken)))
        self.store = _loosely(self.store, own or self.store.domains).telling(key, answer)
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
        """The value of a case; of one that hangs on several tokens, it may still hang on others."""
        if is_nested(case):
            answer = self._at_once(case)
            if answer is not None:
                return answer
        groups: dict[object, tuple[object, int]] = {}
        for one in members(self.store.domains[case.token]):
            value = case.values[one]
            key = same_as(value)
            groups[key] = value, groups.get(key, (value, 0))[1] | 1 << one
        *others, (last, _) = groups.values()
        for known, mask in others:
            if self.is_in(case.token, mask):
                return known
        return last

    def _at_once(self, case: Case) -> bool | None:
        """Whether a condition on several tokens holds, if one thing must be so of each for it to hold, or not to; else
        None."""
        if not all(isinstance(one, bool) for one in leaves(case)):
            return None
        for wanted in (True, False):
            way = only_way(case, self.store.domains, wanted)
            if way is not None:
                counted = {token: dict.fromkeys(members(mask), 1) for token, mask in way.items()}
                return self.decide(Sum(-len(way), counted)) is wanted
        return None

    def has(self, bag: Bag, one: int, number: int = 1, *, must: bool = False) -> bool:
        """Whether so many of a class are in a bag. `must`: as in `decide`."""
        return self.decide(number_in(bag, 1 << one).plus(-number), must=must)

    def choose(self, options: Sequence[_T]) -> _T:
        """One of several possibilities, at least one: of those not looked at yet the first.

        What was chosen is remembered itself, not by its place: when this is carried out again more may be known, and
        fewer possibilities left.
        """
        at = len(self._taken)
        found: _T = self._chosen[at] if at < len(self._chosen) else options[0]
        if at >= len(self._chosen):
            if self.quiet and len(options) > 1:
                raise LeftOpen
            self.others.extend((self.store, (*self._taken, other)) for other in options[1:])
        self._taken.append(found)
        return found

    def once(self, found_out: Callable[[], _T]) -> _T:
        """What was found out when this was carried out first: so it is the same when more is known."""
        at = len(self._taken)
        return self.choose([found_out() if at >= len(self._chosen) else self._chosen[at]])

    # --- hidden things

    def source(self, bag: Bag) -> int:
        """The source of a bag; a new one if it has none yet."""
        return self._number() if bag.source is None else bag.source

    def _number(self) -> int:
        if self.quiet:
            raise LeftOpen
        self._next += 1
        if self._next >= self._last:
            raise GaveUp
        return self._next

    def token(self, mask: int) -> int:
        """A new token, of some classes, of which nothing else is known."""
        token = self._number()
        if token not in self.store.domains:
            self.store = self.store.meeting(token, mask, mask.bit_length() - 1)
        return token

    def pass_over(self) -> None:
        """Leaves out the number of a token that is not met this time."""
        self._number()

    @property
    def last(self) -> int:
        """The number of the last new token."""
        return self._next

    def following(self, derived: DerivedToken, mask: int) -> int:
        """A new token whose class, one of some, follows from others."""
        token = self._number()
        if token not in self.store.domains:
            self.store = self.store.following(token, mask, derived)
        return token

    def without(self, bag: Bag, known: Counts) -> Bag | None:
        """A bag without components of known classes; None if they are not there."""
        source = self.source(bag)
        for one, number in known.items():
            if not self.has(bag, one, number):
                return None
        left = bag.plus(Bag(known, {}), self.line, -1, source)
        self._note(left, {one: (source, one) for one in known})
        return self._left(left)

    def _left(self, bag: Bag) -> Bag:
        """What is left of a bag; that nothing is, is remembered: it follows from no class being there too seldom."""
        if len(bag) or not bag.tokens:
            return bag
        self.store = self.store.emptied(bag)
        return Bag({}, {}, bag.source, bag.why)

    def _note(self, left: Bag, names: Mapping[int, tuple[int | None, ...]]) -> None:
        """That of some classes not less than nothing is left: by these names."""
        ends, totals = ClassBounds(left, self.store.domains).each(names), dict[Hashable, Sum]()
        known = self.store.conditions.named
        for one, name in names.items():
            least, most = ends[one]
            if least >= 0 and name not in known:
                continue
            total = number_of(left, one)
            if most > 0:  # no class of a token is left out
                totals[name] = total
                continue
            after = self.store.adding(total, self.line, name)
            assert after is not None
            self.store = after.telling(total.key(), True)
            ends, known = ClassBounds(left, self.store.domains).each(names), self.store.conditions.named
        if totals:
            self.store = self.store.holding(totals, self.line)

    def draw(self, bag: Bag, mask: int) -> tuple[Token, Bag]:
        """A component of one of some classes, of which there is one in a bag; and what is left."""
        source = self.source(bag)
        there = list(members(mask & ClassBounds(bag, self.store.domains).there()))
        token = self._number()
        if token not in self.store.domains:
            numbers = dict(bag.known)
            for other, sign in bag.tokens.items():
                one = self.store.witness[other]
                numbers[one] = numbers.get(one, 0) + sign
            pick = next(one for one in there if numbers.get(one, 0) > 0)
            self.store = self.store.meeting(token, sum(1 << one for one in there), pick)
        left = bag.plus(Bag({}, {token: 1}), self.line, -1, source)
        self._note(left, {one: (source, one, token) for one in there})
        self._drawn = bag, token, left, there
        return Token(token), left

    def less(self, bag: Bag, other: Bag, *, must: bool = False) -> Bag | None:
        """A bag without another; None if that is not in it. `must`: as in `decide`."""
        if self._drawn is not None and self._drawn[0] is bag:
            as_drawn = self._as_drawn(other)
            if as_drawn is not None:
                return as_drawn
        # what replaces a condition must imply it: what is taken has to be something whatever the tokens are
        plain = all(sign > 0 for sign in other.tokens.values()) and all(number > 0 for number in other.known.values())
        left = bag.plus(other, self.line, -1, self.source(bag) if plain else self._number())
        ends = ClassBounds(left, self.store.domains)
        for one in members(self.classes(other)):
            if ends.of(one)[0] < 0 and not self.decide(number_in(left, 1 << one), must=must):
                return None
        self._note(left, {one: (left.source, one) for one in members(self.classes(other))})
        self.store = self.store.without((left.source, one, token) for one in members(self.classes(other))
                                        for token in other.tokens)
        return self._left(left)

    def _as_drawn(self, other: Bag) -> Bag | None:
        """What is left of a bag without what was drawn from it, if all was noted of it then; else None."""
        assert self._drawn is not None
        _, token, left, there = self._drawn
        known, source = self.store.conditions.named, left.source
        if other.known or other.tokens != {token: 1} or any(
                (source, one) in known and (source, one, token) not in known for one in there):
            return None
        self.store = self.store.renamed({(source, one, token): (source, one) for one in there})
        return self._left(left)

    def classes(self, bag: Bag) -> int:
        """The classes that may be in a bag, as bits."""
        more, less = bag.masks
        found = more | less
        for token in bag.tokens:
            found |= self.store.domains[token]
        return found

    def in_order(self, bag: Bag) -> list[Bag]:
        """The components of a bag one by one, the least class first; no token in it is one too few."""
        base = tuple(sorted(bag.tokens))
        known = [one for one, number in bag.known.items() for _ in range(number)]
        mask, found = self.classes(bag), list[Bag]()
        for at in range(len(bag)):
            def least(classes: tuple[int, ...], at: int = at) -> int:
                return sorted([*known, *classes])[at]

            found.append(Bag({}, {self.following(DerivedToken(base, least, alike=True), mask): 1}))
        together = Bag({}, {token: 1 for one in found for token in one.tokens})
        self.store = self.store.emptied(together.plus(bag, self.line, -1))
        return found

    def plain(self, bag: Bag) -> Bag | tuple[int, ...]:
        """The components of a bag without tokens; else the bag, because a token tells why it is what it is."""
        if bag.tokens:
            return bag
        return tuple(one for one in sorted(bag.known) for _ in range(bag.known[one]))


def _loosely(store: ConstraintStore, domains: Mapping[int, int]) -> ConstraintStore:
    """With other domains, and a witness within these that need not be one of the conditions."""
    moved = {token: mask.bit_length() - 1 for token, mask in domains.items() if not mask >> store.witness[token] & 1}
    return replace(store, domains=domains, witness={**store.witness, **moved} if moved else store.witness)


def forks(
    store: ConstraintStore, first: int, line: int, ask: Callable[[Trial], _T], *, free: bool = False,
    leave_out: Callable[[], None] | None = None, doubts: bool = False, most: int | None = MOST_FORKS,
) -> Iterator[tuple[ConstraintStore, _T]]:
    """What becomes of a store in every way through something, with the answer there. Raises `TooManyForks`.

    `first`: the number of the first token that may be new; `free`: it is not found out of answers whether they can be
    together; `leave_out`: is called where a way is not followed of which it was not found out whether it is one;
    `doubts`: such a way is followed if it can be, in a doubtful store; `most`: so many ways are followed at most, None:
    whoever asks for one after the other knows when it is enough.
    """
    waiting: list[tuple[ConstraintStore, tuple[Any, ...]]] = [(store, ())]
    followed = 0
    while waiting:
        store.deadline.check()
        here, chosen = waiting.pop()
        trial = Trial(here, chosen, first, line, free=free, doubts=doubts)
        answer = ask(trial)
        waiting.extend(trial.others)
        followed += 1
        if most is not None and followed + len(waiting) > most:  # each that waits is one more at least
            raise TooManyForks
        if trial.left_out and leave_out is not None:
            leave_out()
        yield trial.store, answer
        yield from trial.refused
