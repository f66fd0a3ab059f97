"""Whether tokens can have classes so that all conditions hold, where some of them follow from others.

First these are looked at as if they followed from nothing: what cannot be then cannot be at all. What is found so is
mended by giving the others, of one after another, classes that it follows from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from referee.judge.partial.constraints.constraint_search import Domains, GaveUp, Witness, bounds, narrowed, value
from referee.judge.partial.constraints.constraint_search import witness_of as free_witness
from referee.judge.partial.constraints.derived_tokens import Classes, DerivedToken, completed, related
from referee.judge.partial.constraints.hidden_values import Sum
from referee.judge.partial.constraints.transport import concerned
from referee.system.deadline import Deadline

MOST_SOLVED = 30
"""So often it is asked whether the others can have classes, while a way is sought."""
MOST_TRIED = 12
"""So many ways are tried in which one token may be what it should be."""
MOST_DRAWN = 200
"""So many ways are drawn by lot to find some."""


def witness_of(domains: Domains, conditions: Sequence[Sum], near: Mapping[int, int], deadline: Deadline,
               wrong: Sequence[Sum] | None, derived: Mapping[int, DerivedToken]) -> Witness | None:
    """Classes with which all conditions hold, as `constraint_search` finds them; those that follow are what follows.

    Raises `GaveUp` and `OutOfTime`.
    """
    if not derived:
        return free_witness(domains, conditions, near, deadline, wrong)
    for total in wrong or ():
        own = {token: domains[token] & derived[token].mask for token in total.weights
               if token in derived and derived[token].mask}
        if own and (not all(own.values()) or bounds({**domains, **own}, total)[1] < 0):
            if all(derived[token].whole for token in own):
                return None
            raise GaveUp
    concerned, following = related(conditions, conditions if wrong is None else wrong, derived)
    if not following:
        found = free_witness(domains, conditions, near, deadline, wrong)
        return None if found is None else completed(dict(found), derived)
    mending = _Mending(domains, concerned, derived, following, deadline)
    found = mending.nudged(near, wrong) if wrong else None
    return mending.find(near) if found is None else found


class _Mending:
    def __init__(self, domains: Domains, conditions: Sequence[Sum], derived: Mapping[int, DerivedToken],
                 following: Sequence[int], deadline: Deadline) -> None:
        self._domains = domains
        self._conditions = conditions
        self._derived = derived
        self._following = following
        self._deadline = deadline
        self._left = MOST_SOLVED
        self._sure = True
        self._random = Random(0)

    def find(self, near: Mapping[int, int]) -> Witness | None:
        """Raises `GaveUp` and `OutOfTime`."""
        met = dict(self._domains)
        whole = True
        for token in self._following:
            one = self._derived[token]
            if not one.mask:
                one.sampled(met, self._random, MOST_DRAWN)
            met[token] &= one.mask
            whole &= one.whole
        if all(met[token] for token in self._following):
            relaxed = self._solved(met, near)
            found = None if relaxed is None else self._mended(met, relaxed, frozenset())
            if found is not None:
                return completed(dict(found), self._derived)
        if whole and self._sure:
            return None
        if not whole and self._solved(self._domains, near) is None:
            return None
        raise GaveUp

    def nudged(self, near: Mapping[int, int], wrong: Sequence[Sum]) -> Witness | None:
        """Classes with which all conditions hold, if it is enough that one token that follows becomes another; None if
        that was not found. All conditions but the wrong ones hold for those nearby. Raises `OutOfTime`."""
        ways: list[tuple[int, int, Classes]] = []
        for token in sorted({token for total in wrong for token in total.weights if token in self._derived}):
            one, own = self._derived[token], [total for total in self._conditions if token in total.weights]
            for each, some in one.met.items():
                if self._domains[token] >> each & 1 and all(value({**near, token: each}, total) >= 0 for total in own):
                    ways += [(abs(each - near[token]), token, classes) for classes in some[:2]]
        for tried, (_, token, classes) in enumerate(sorted(ways)):
            if tried >= MOST_TRIED:
                break
            found = self._moved(token, classes, near)
            if found is not None:
                return found
        return None

    def _moved(self, token: int, classes: Classes, near: Mapping[int, int]) -> Witness | None:
        """Classes near others, if what one token follows from is of some classes: all related to that may change."""
        one = self._derived[token]
        if any(not self._domains[base] >> each & 1 for base, each in zip(one.base, classes, strict=True)):
            return None
        plain = [total for total in self._conditions if self._derived.keys().isdisjoint(total.weights)]
        pin = Sum(0, {base: {each: 1} for base, each in zip(one.base, classes, strict=True)})
        local = concerned(plain, [pin])[1:]
        pinned = {**self._domains, **{base: 1 << each for base, each in zip(one.base, classes, strict=True)}}
        start = {**near, **dict(zip(one.base, classes, strict=True))}
        try:
            found = free_witness(pinned, local, start, self._deadline)
        except GaveUp:
            return None
        if found is None:
            return None
        after = completed({**near, **found}, self._derived)
        held = all(value(after, total) >= 0 for total in self._conditions)
        return after if held and all(self._domains[base] >> each & 1 for base, each in after.items()) else None

    def _solved(self, domains: Domains, near: Mapping[int, int]) -> Witness | None:
        return free_witness(domains, self._conditions, near, self._deadline)

    def _mended(self, domains: Domains, witness: Witness, settled: frozenset[int]) -> Witness | None:
        """Classes like these with which what follows is what follows; None if there are none, or (`_sure`) if none were
        found."""
        wrong = [token for token in self._following if self._derived[token].of(witness) != witness[token]]
        if not wrong:
            return witness
        after = {**witness, **{token: self._derived[token].of(witness) for token in wrong}}
        if all(domains[token] >> after[token] & 1 for token in wrong) and all(
                value(after, total) >= 0 for total in self._conditions):
            return after
        token = wrong[0]
        one = self._derived[token]
        for tried, classes in enumerate(self._ways(token, domains, witness)):
            if tried >= MOST_TRIED or self._left <= 0:
                self._sure = False
                return None
            self._left -= 1
            self._deadline.check()
            pinned = {**domains, token: 1 << one.at(classes),
                      **{base: 1 << own for base, own in zip(one.base, classes, strict=True)}}
            found = self._pinned(pinned, witness)
            if found is not None:
                found = self._mended(pinned, found, settled | {token})
            if found is not None:
                return found
        self._sure &= one.whole
        return None

    def _pinned(self, pinned: Domains, near: Witness) -> Witness | None:
        """Classes of the others, if some are given; first it is looked whether single conditions are against it."""
        for total in self._conditions:
            after = narrowed(pinned, total)
            if after is None:
                return None
            pinned = after
        moved = {token: one if mask >> (one := near[token]) & 1 else mask.bit_length() - 1
                 for token, mask in pinned.items() if token in near}
        try:
            return self._solved(pinned, moved)
        except GaveUp:
            self._sure = False
            return None

    def _ways(self, token: int, domains: Domains, witness: Witness) -> list[Classes]:
        """Classes of the tokens that one follows from, with which it is what it should be, or about that."""
        one, wanted = self._derived[token], witness[token]

        def fitting() -> list[Classes]:
            own = [(abs(found - wanted), classes) for found, some in one.met.items() if domains[token] >> found & 1
                   for classes in some if all(domains[base] >> each & 1
                                              for base, each in zip(one.base, classes, strict=True))]
            return [classes for _, classes in sorted(own)]

        found = fitting()
        if not one.whole and len(found) < MOST_TRIED:
            one.sampled(domains, self._random, MOST_DRAWN)
            found = fitting()
        return found
