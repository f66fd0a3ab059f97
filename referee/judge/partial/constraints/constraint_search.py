"""Whether tokens can have classes so that all conditions hold: by changing a near miss, else by trying everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.judge.partial.constraints.hidden_values import Bag, Sum, mask_of, members
from referee.judge.partial.constraints.lagrangian_bound import Relaxation
from referee.judge.partial.constraints.transport import FlowUndecided, concerned, flowing
from referee.system.deadline import Deadline

Domains = Mapping[int, int]
"""The classes, as bits, that each token may have."""
Witness = dict[int, int]
"""A class for each token."""
MOST_CHANGES, SHORT_CHANGES = 150, 25
"""So many classes are changed one after the other to repair a witness, in the end and before a proof is sought."""
MOST_NODES = 400
"""So many cases are looked at in one search for a witness; then it gives up."""
MOST_ROUNDS, FEW_ROUNDS, SHORT_ROUNDS = 3_000, 150, 60
"""Rounds in which a proof is sought that there is no witness: at first, after something was tried, and before changes
are tried for long."""


class GaveUp(Exception):
    """It was not found out whether the conditions can hold together."""


_ENDS: dict[tuple[int, int], tuple[Mapping[int, int], int, int]] = {}
MOST_ENDS = 4_096
"""So many answers are kept at once."""


def ends(mask: int, own: Mapping[int, int]) -> tuple[int, int]:
    """The least and the greatest that one token may count."""
    key = id(own), mask
    kept = _ENDS.get(key)
    if kept is not None and kept[0] is own:  # what a token counts is never changed
        return kept[1], kept[2]
    covered = least = most = 0
    for one, weight in own.items():
        if mask >> one & 1:
            if not covered:
                least = most = weight
            elif weight < least:
                least = weight
            elif weight > most:
                most = weight
            covered += 1
    if covered < mask.bit_count():
        least, most = min(least, 0), max(most, 0)
    if len(_ENDS) >= MOST_ENDS:
        _ENDS.clear()
    _ENDS[key] = own, least, most
    return least, most


def bounds(domains: Domains, total: Sum) -> tuple[int, int]:
    """The least and the greatest that a sum may be, as far as the classes of single tokens tell."""
    lo = hi = total.const
    row = total.row()
    if row is not None:
        mask = row.mask
        for token in row.plus:
            own = domains[token]
            if own & mask:
                hi += 1
                lo += not own & ~mask
        for token in row.minus:
            own = domains[token]
            if own & mask:
                lo -= 1
                hi -= not own & ~mask
        return lo, hi
    shared = total.shared
    if shared.domains is not domains:
        found = [ends(domains[token], weights) for token, weights in total.weights.items()]
        shared.domains = domains
        shared.least, shared.most = sum([least for least, _ in found]), sum([most for _, most in found])
    return lo + shared.least, hi + shared.most


class ClassBounds:
    """How many components of each class may be in a bag, as far as the classes of single tokens tell."""

    __slots__ = ("_bag", "_known", "_masks")

    def __init__(self, bag: Bag, domains: Domains) -> None:
        self._bag = bag
        self._known = bag.known
        self._masks: dict[int, tuple[int, int]] = {}
        for token, sign in bag.tokens.items():
            more, fewer = self._masks.get(mask := domains[token], (0, 0))
            self._masks[mask] = (more + 1, fewer) if sign > 0 else (more, fewer + 1)

    def there(self) -> int:
        """The classes, as bits, of which there may be some."""
        found, doubtful = self._bag.masks
        for mask, (more, fewer) in self._masks.items():
            if more:
                found |= mask
            if fewer and not mask & mask - 1:  # that one is gone
                doubtful |= mask
        for one in members(found & doubtful):
            if self.of(one)[1] <= 0:
                found &= ~(1 << one)
        return found

    def each(self, classes: Iterable[int]) -> dict[int, tuple[int, int]]:
        """The same as `of`, of several classes: those that are among the same tokens are looked at together."""
        parts = [(mask_of(classes), 0, 0)]
        for mask, (more, fewer) in self._masks.items():
            split: list[tuple[int, int, int]] = []
            low, high = (more, -fewer) if not mask & mask - 1 else (0, 0)
            for bits, lo, hi in parts:
                if inside := bits & mask:
                    split.append((inside, lo - fewer + low, hi + more + high))
                if outside := bits & ~mask:
                    split.append((outside, lo, hi))
            parts = split
        known, found = self._known, dict[int, tuple[int, int]]()
        for bits, lo, hi in parts:
            for one in members(bits):
                number = known.get(one, 0)
                found[one] = lo + number, hi + number
        return found

    def of(self, one: int) -> tuple[int, int]:
        """The least and the greatest number of a class."""
        lo = hi = self._known.get(one, 0)
        for mask, (more, fewer) in self._masks.items():
            if mask >> one & 1:
                hi += more
                lo -= fewer
                if mask == 1 << one:
                    lo += more
                    hi -= fewer
        return lo, hi


def value(witness: Mapping[int, int], total: Sum) -> int:
    """What a sum is for classes of all tokens."""
    row = total.row()
    if row is not None:
        mask, found = row.mask, total.const
        for token in row.plus:
            found += mask >> witness[token] & 1
        for token in row.minus:
            found -= mask >> witness[token] & 1
        return found
    return total.const + sum(own.get(witness[token], 0) for token, own in total.weights.items())


def narrowed(domains: Domains, total: Sum) -> Domains | None:
    """The classes with which a sum may be 0 or more; None if it cannot."""
    row = total.row()
    if row is not None:
        hi = bounds(domains, total)[1]
        if hi > 0:  # no single token counts more than one
            return domains
        if hi < 0:
            return None
        left = {token: domains[token] & row.mask for token in row.plus if domains[token] & row.mask}
        left.update((token, domains[token] & ~row.mask) for token in row.minus if domains[token] & ~row.mask)
        changed = {token: mask for token, mask in left.items() if mask != domains[token]}
        return {**domains, **changed} if changed else domains
    found = [(token, own, *ends(domains[token], own)) for token, own in total.weights.items()]
    hi = total.const + sum(most for _, _, _, most in found)
    if hi < 0:
        return None
    fewer = {token: _kept(domains[token], own, most - hi) for token, own, least, most in found if most - least > hi}
    return {**domains, **fewer} if fewer else domains


def _kept(mask: int, own: Mapping[int, int], least: int) -> int:
    """The classes of a token that count at least so much."""
    return sum(1 << one for one in members(mask) if own.get(one, 0) >= least)


class Tightening:
    """Leaves out the classes that single conditions exclude."""

    def __init__(self, conditions: Sequence[Sum]) -> None:
        self._conditions = conditions
        self._around: dict[int, list[int]] = {}
        for index, total in enumerate(conditions):
            for token in total.weights:
                self._around.setdefault(token, []).append(index)

    def of(self, domains: Domains, news: Iterable[int] | None = None) -> Domains | None:
        """The classes that are left once no single condition excludes more; None if a token has none. `news`: the only
        tokens that have fewer classes than when that was found out before."""
        waiting = dict.fromkeys(range(len(self._conditions)) if news is None else
                                [index for token in news for index in self._around.get(token, ())])
        while waiting:
            index = next(iter(waiting))
            del waiting[index]
            after = narrowed(domains, self._conditions[index])
            if after is None:
                return None
            if after is not domains:
                for token in self._conditions[index].weights:
                    if after[token] != domains[token]:
                        waiting.update(dict.fromkeys(self._around[token]))
                domains = after
        return domains


def tightened(domains: Domains, conditions: Sequence[Sum]) -> Domains | None:
    """The classes that are left once no single condition excludes more; None if a token has none."""
    return Tightening(conditions).of(domains)


class Repair:
    """Changes the class of one token after the other until all conditions hold. `witness` is changed in place."""

    def __init__(self, domains: Domains, conditions: Sequence[Sum], witness: Witness) -> None:
        self.witness = witness
        self._domains = domains
        self._conditions = conditions
        self._slack = [value(witness, total) for total in conditions]
        self._around: dict[int, list[tuple[int, Mapping[int, int]]]] = {}
        self._since: dict[tuple[int, int], int] = {}

    def run(self, most: int) -> bool:
        """Whether a witness was found with so many changes."""
        for step in range(1, most + 1):
            wrong = [index for index, slack in enumerate(self._slack) if slack < 0]
            if not wrong:
                return True
            if not self._change(wrong[step % len(wrong)], step):
                return False
        return all(slack >= 0 for slack in self._slack)

    @property
    def wrong(self) -> list[int]:
        """The conditions that do not hold."""
        return [index for index, slack in enumerate(self._slack) if slack < 0]

    @property
    def blamed(self) -> list[int]:
        """The tokens in conditions that do not hold."""
        return [token for index in self.wrong for token in self._conditions[index].weights]

    def _of(self, token: int) -> list[tuple[int, Mapping[int, int]]]:
        known = self._around.get(token)
        if known is None:
            known = self._around[token] = [(index, total.weights[token]) for index, total in
                                           enumerate(self._conditions) if token in total.weights]
        return known

    def _change(self, index: int, step: int) -> bool:
        """The change that helps one condition and harms the others least; not one that was just taken back."""
        best: tuple[int, int, int, int] | None = None
        for token, own in self._conditions[index].weights.items():
            now = own.get(self.witness[token], 0)
            for one in members(self._domains[token]):
                if own.get(one, 0) <= now:
                    continue
                since = self._since.get((token, one), 0)
                cost = self._cost(token, one) + (3 if since and step - since < 8 else 0)
                if best is None or (cost, since) < best[:2]:
                    best = (cost, since, token, one)
        if best is None:
            return False
        self._put(best[2], best[3], step)
        return True

    def _cost(self, token: int, one: int) -> int:
        cost, was = 0, self.witness[token]
        for index, own in self._of(token):
            change = own.get(one, 0) - own.get(was, 0)
            if change:
                slack = self._slack[index]
                cost += min(slack, 0) - min(slack + change, 0)
        return cost

    def _put(self, token: int, one: int, step: int) -> None:
        was = self.witness[token]
        self._since[token, was] = step
        for index, own in self._of(token):
            self._slack[index] += own.get(one, 0) - own.get(was, 0)
        self.witness[token] = one


def witness_of(domains: Domains, conditions: Sequence[Sum], near: Mapping[int, int],
               deadline: Deadline, wrong: Sequence[Sum] | None = None) -> Witness | None:
    """Classes with which all conditions hold, found from others nearby; None if there are none. `wrong`: all those that
    do not hold for these.

    Raises `GaveUp` and `OutOfTime`.
    """
    try:
        return flowing(domains, conditions if wrong is None else concerned(conditions, wrong), near, deadline)
    except FlowUndecided as why:
        near = why.near or near
    quick = Repair(domains, conditions, dict(near))
    if quick.run(SHORT_CHANGES):
        return quick.witness
    return Search(conditions, deadline).find(domains, dict(near))


class Search:
    """Tries every class of one token after the other."""

    def __init__(self, conditions: Sequence[Sum], deadline: Deadline) -> None:
        self._conditions = conditions
        self._deadline = deadline
        self._left = MOST_NODES
        self._rounds = MOST_ROUNDS

    def find(self, domains: Domains, near: Witness) -> Witness | None:
        """A witness, None if there is none. Raises `GaveUp` and `OutOfTime`."""
        self._deadline.check()
        tight = tightened(domains, self._conditions)
        if tight is None:
            return None
        for token, mask in tight.items():
            if not mask >> near[token] & 1:
                near[token] = next(members(mask))
        live = [total for total in self._conditions if bounds(tight, total)[0] < 0]
        repair = Repair(tight, live, dict(near))
        proof = Relaxation(tight, live)
        for changes, rounds in ((SHORT_CHANGES, SHORT_ROUNDS), (MOST_CHANGES, self._rounds)):
            if repair.run(changes):
                return repair.witness
            if proof.refutes(repair.wrong, rounds, self._deadline) is not None:
                return None
        self._rounds = FEW_ROUNDS
        forked = _fork(tight, repair)
        if forked is None:
            return None
        for one in members(tight[forked]):
            self._left -= 1
            if self._left < 0:
                raise GaveUp
            found = self.find({**tight, forked: 1 << one}, dict(repair.witness))
            if found is not None:
                return found
        return None


def _fork(domains: Domains, repair: Repair) -> int | None:
    """The token with the fewest classes in a condition that does not hold."""
    several = [token for token in repair.blamed or domains if domains[token].bit_count() > 1]
    return min(several, key=lambda token: domains[token].bit_count(), default=None)
