"""Flows say of conditions on tokens what trying every class of every token says, or that they do not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.judge.partial.constraints.constraint_search import value
from referee.judge.partial.constraints.hidden_values import Sum, members
from referee.judge.partial.constraints.transport import FlowUndecided, flowing
from referee.system.deadline import NEVER, Deadline, OutOfTime

Domains = dict[int, int]


def counted(plus: Sequence[int], minus: Sequence[int], classes: Sequence[int], const: int) -> Sum:
    """So many of some classes are among some tokens, less those among others."""
    return Sum(const, {token: dict.fromkeys(classes, sign) for tokens, sign in ((plus, 1), (minus, -1))
                       for token in tokens})


def dealt(rng: Random) -> tuple[Domains, list[Sum]]:
    """Tokens from a pile in two hands, some passed on, and what may be said of them."""
    kinds, number = rng.randint(2, 4), rng.randint(2, 6)
    every = 2 ** kinds - 1
    domains = {token: rng.randint(1, every) if rng.random() < 0.1 else every for token in range(number)}
    tokens, classes = list(domains), range(kinds)
    cut = rng.randint(1, number)
    passed = tokens[cut:rng.randint(cut, number)]
    hand, other = tokens[:cut], tokens[cut + len(passed):]
    found = [counted((), hand + other, [one], rng.randint(0, 3)) for one in classes if rng.random() < 0.9]
    if passed:
        found += [counted(hand, passed, [one], rng.choice([0, 0, 0, 1, -1])) for one in classes if rng.random() < 0.95]
    for _ in range(rng.randint(0, 5)):
        some = rng.choice([hand, other, passed + other, hand + other, rng.sample(tokens, rng.randint(1, number))])
        of = rng.choice([[rng.randrange(kinds)], rng.sample(classes, rng.randint(1, kinds))])
        found.append(counted(some, (), of, -rng.randint(1, 2)) if rng.random() < 0.6 else
                     counted((), some, of, rng.randint(0, 2)))
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        costs = {one: rng.randint(-3, 3) for one in classes}
        minus = {one: -cost for one, cost in costs.items()} if rng.random() < 0.5 else {}
        found.append(Sum(rng.randint(-4, 3), {**dict.fromkeys(other, minus), **dict.fromkeys(hand, costs)}))
    return domains, found


def worlds(domains: Domains) -> Iterator[dict[int, int]]:
    for classes in product(*(tuple(members(mask)) for mask in domains.values())):
        yield dict(zip(domains, classes, strict=True))


def hold(conditions: Sequence[Sum], world: Mapping[int, int]) -> bool:
    return all(value(world, total) >= 0 for total in conditions)


@given(st.integers(0, 10 ** 9))
@settings(max_examples=150, deadline=None)
def test_as_if_everything_was_tried(seed: int) -> None:
    domains, conditions = dealt(Random(seed))
    everything = list(worlds(domains))
    possible = any(hold(conditions, world) for world in everything)
    try:
        found = flowing(domains, conditions, everything[-1], NEVER)
    except FlowUndecided:
        return
    assert (found is not None) is possible
    assert found is None or (found in everything and hold(conditions, found))


def deal(hands: int, each: int) -> tuple[Domains, list[list[int]], list[Sum]]:
    """A whole pack of different cards in hands that nobody has seen."""
    number = hands * each
    domains = dict.fromkeys(range(number), 2 ** number - 1)
    held = [list(range(hand, number, hands)) for hand in range(hands)]
    return domains, held, [counted((), list(domains), [one], 1) for one in range(number)]


def test_a_whole_deal_of_which_every_card_is_laid_openly() -> None:
    """What each hand laid fills it: then no other hand can have one of these cards."""
    domains, held, conditions = deal(4, 13)
    near = {token: token for token in domains}
    laid = [counted(held[one // 13], (), [one], -1) for one in range(52)]
    found = flowing(domains, conditions + laid, near, NEVER)
    assert found is not None
    assert hold(conditions + laid, found)
    twice = counted(held[1], (), [0], -1)
    assert flowing(domains, [*conditions, *laid, twice], near, NEVER) is None


def test_who_had_none_of_a_suit_leaves_the_others_too_many() -> None:
    """Of 13 cards of a suit three hands with none of it leave all to the fourth, which has laid one of another."""
    domains, held, conditions = deal(4, 13)
    near = {token: token for token in domains}
    suit = list(range(13))
    none = [counted((), hand, suit, 0) for hand in held[1:]]
    assert flowing(domains, conditions + none, near, NEVER) is not None
    other = counted(held[0], (), [20], -1)
    assert flowing(domains, [*conditions, *none, other], near, NEVER) is None


def test_what_is_passed_on_comes_from_the_hand() -> None:
    domains, held, conditions = deal(4, 13)
    passed = [52, 53, 54]
    domains.update(dict.fromkeys(passed, 2 ** 52 - 1))
    near = {token: token for token in range(52)} | {52: 0, 53: 4, 54: 8}
    conditions += [counted(held[0], passed, [one], 0) for one in range(52)]
    three = [counted(passed, (), [one], -1) for one in (1, 2, 3)]
    found = flowing(domains, conditions + three, near, NEVER)
    assert found is not None
    assert hold(conditions + three, found)
    assert flowing(domains, [*conditions, *three, counted(held[1], (), [2], -1)], near, NEVER) is None


def test_what_no_weights_refute_is_decided_case_by_case() -> None:
    """An odd number twice over: each of two conditions can be, both cannot, and no weights tell."""
    domains, held, conditions = deal(2, 2)
    even = [Sum(const, {token: {0: 2 * sign, 1: 2 * sign} for token in held[0]}) for const, sign in ((-1, 1), (1, -1))]
    assert flowing(domains, conditions + even, {token: token for token in domains}, NEVER) is None


def test_the_time_is_looked_at() -> None:
    domains, _, conditions = deal(4, 13)
    with pytest.raises(OutOfTime):
        flowing(domains, conditions, {token: token for token in domains}, Deadline(0))
