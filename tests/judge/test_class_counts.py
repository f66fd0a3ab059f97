"""What is refuted by single classes cannot be, and what is made to hold by changing places holds: in every world."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.judge.partial.constraints.constraint_search import ClassBounds, narrowed, value
from referee.judge.partial.constraints.hidden_values import Bag, Sum
from referee.judge.partial.constraints.named_conditions import NamedConditions
from referee.judge.partial.constraints.shortcuts.class_counts import counted_out
from referee.judge.partial.constraints.shortcuts.exchanges import exchanged
from referee.judge.partial.constraints.shortcuts.implied_counts import refuted
from tests.judge.test_transport import counted, dealt, hold, worlds


def asked(rng: Random, tokens: list[int], classes: int) -> Sum:
    """That so many of some classes are among some tokens, less those among others."""
    some = rng.sample(tokens, rng.randint(1, len(tokens)))
    cut = rng.randint(0, len(some))
    return counted(some[:cut], some[cut:], rng.sample(range(classes), rng.randint(1, classes)), rng.randint(-3, 2))


@given(st.integers(0, 10 ** 9))
@settings(max_examples=150, deadline=None)
def test_nothing_is_refuted_and_nothing_found_that_is_not_so(seed: int) -> None:
    rng = Random(seed)
    domains, conditions = dealt(rng)
    fitting = [world for world in worlds(domains) if hold(conditions, world)]
    for _ in range(6 if fitting else 0):
        witness = rng.choice(fitting)
        total = asked(rng, list(domains), max(domains.values()).bit_length())
        if value(witness, total) >= 0:
            continue
        left = narrowed(domains, total)
        known = NamedConditions.of(conditions)
        if left is None or counted_out(rng.choice([domains, left]), known, witness, total) or refuted(
                rng.choice([domains, left]), known, witness, total):
            assert not any(value(world, total) >= 0 for world in fitting)
        found = exchanged(domains, NamedConditions.of([*conditions, total]), witness, total, {})
        assert found is None or (hold([*conditions, total], found) and found in fitting)


def test_who_laid_a_card_has_had_it_so_nobody_else_has_even_where_cards_are_passed_on() -> None:
    """Two hands of two, one card of each passed to the other; there is one of each of four classes."""
    one, other, given_, back = [1, 2], [3, 4], 5, 6
    domains = dict.fromkeys(range(1, 7), 0b1111)
    once = [counted((), [*one, *other], [card], 1) for card in range(4)]
    passed = [counted(hand, [card], [each], 0) for hand, card in ((one, given_), (other, back)) for each in range(4)]
    laid = counted([*one, back], [given_], [0], -1)
    witness = {1: 0, 2: 1, 3: 2, 4: 3, 5: 1, 6: 2}
    known = NamedConditions.of([*once, *passed, laid])
    assert hold(list(known.values()), witness)
    has_it = counted([*other, given_], [back], [0], -1)
    assert counted_out(domains, known, witness, has_it)
    another = counted([*other, given_], [back], [2], -1)
    assert not counted_out(domains, known, witness, another)
    after = exchanged(domains, NamedConditions.of([*known.values(), another]), witness, another, {})
    assert after is not None
    assert hold([*once, *passed, laid, another], after)


def test_what_others_have_none_of_and_what_was_dealt_to_the_end_is_where_it_alone_can_be() -> None:
    """Two hands of two of four cards; one of them has laid card 0 and has no other of the two of its suit."""
    one, other = [1, 2], [3, 4]
    domains = dict.fromkeys([*one, *other], 0b1111)
    dealt_out = [counted((), [*one, *other], [card], 1) for card in range(4)]
    laid, none_more = counted(one, (), [0], -1), counted((), one, [0, 1], 1)
    witness = {1: 0, 2: 2, 3: 1, 4: 3}
    known = NamedConditions.of([*dealt_out, laid, none_more])
    assert hold(list(known.values()), witness)
    not_there = counted((), other, [1], 0)
    assert not counted_out(domains, known, witness, not_there)
    assert refuted(domains, known, witness, not_there)
    assert not refuted(domains, NamedConditions.of([*dealt_out, none_more]), witness, not_there)
    assert not refuted(domains, known, witness, counted((), other, [3], 0))


def test_a_number_of_components_is_never_less_than_nothing() -> None:
    domains = dict.fromkeys(range(1, 6), 0b111)
    hand, left = [1, 2, 3], [4]
    known = NamedConditions.of([counted(hand, left, [one], 0) for one in range(3)])
    witness = {1: 0, 2: 1, 3: 2, 4: 0, 5: 0}
    assert counted_out(domains, known, witness, counted(left, hand, [0, 1], -1))
    assert not counted_out(domains, known.less([1, 2]), witness, counted(left, hand, [0, 1], -1))


def test_what_is_known_to_lie_there_leaves_no_room_and_what_may_lie_there_has_to_fill_it() -> None:
    hand = [1, 2, 3]
    domains = dict.fromkeys([*hand, 4], 0b1111)
    known = NamedConditions.of([counted(hand, (), [0], -1), counted(hand[:2], (), [1], -1),
                           counted((), [*hand, 4], [2], 1), counted((), hand, [1], 1), counted((), hand, [0], 1)])
    witness = {1: 0, 2: 1, 3: 2, 4: 1}
    assert counted_out(domains, known, witness, counted(hand, (), [3], -2))
    assert not counted_out(domains, known, witness, counted(hand, (), [3], -1))
    assert not counted_out(domains, known, witness, counted((), hand, [2], 0))
    few = dict.fromkeys([*hand, 4], 0b111)
    assert counted_out(few, known, witness, counted((), hand, [2], 0))


@given(st.integers(0, 10 ** 9))
@settings(max_examples=50, deadline=None)
def test_conditions_are_about_the_same_however_they_came_together(seed: int) -> None:
    rng = Random(seed)
    tokens = list(range(1, 6))

    def some() -> Sum:
        return asked(rng, tokens, 4) if rng.random() < 0.8 else Sum(rng.randint(0, 3), {1: {0: 1, 1: 2}})

    now = NamedConditions()
    for _ in range(12):
        now.about(1)  # so they are sorted before they are changed
        now = now.plus({rng.randint(0, 9): some() for _ in range(rng.randint(0, 4))}, rng.sample(range(12), 2))
        anew = NamedConditions(dict(now.items()))
        assert Counter(now.wide) == Counter(anew.wide)
        assert set(map(id, now.weighed)) == set(map(id, anew.weighed))
        for mask in (1, 2, 4, 8):
            assert Counter(now.about(mask)) == Counter(anew.about(mask))


@given(st.integers(0, 10 ** 9))
@settings(max_examples=150, deadline=None)
def test_the_bounds_of_several_classes_are_those_of_each(seed: int) -> None:
    rng = Random(seed)
    classes, tokens = rng.randint(1, 6), range(rng.randint(0, 6))
    domains = {one: rng.randrange(1, 1 << classes) for one in tokens}
    known = {one: rng.randint(-2, 3) for one in range(classes)}
    bounds = ClassBounds(Bag(known, {one: rng.choice((-1, 1)) for one in tokens}), domains)
    asked_of = rng.sample(range(classes), rng.randint(0, classes))
    assert bounds.each(asked_of) == {one: bounds.of(one) for one in asked_of}
