"""What is refuted because of what hidden hands cost together cannot be: in every world, and without a flow."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.judge.partial.constraints.constraint_search import value
from referee.judge.partial.constraints.constraint_store import ConstraintStore
from referee.judge.partial.constraints.hidden_values import Sum
from referee.judge.partial.constraints.named_conditions import NamedConditions
from referee.judge.partial.constraints.shortcuts.compared_totals import cannot_be
from referee.judge.partial.constraints.shortcuts.exchanges import exchanged
from referee.judge.partial.constraints.transport import FlowUndecided
from tests.judge.test_transport import Domains, counted, hold, worlds


def compared(one: Sequence[int], other: Sequence[int], costs: Sequence[int], const: int = 0) -> Sum:
    """What some tokens cost, less what others cost."""
    return Sum(const, {token: {each: sign * cost for each, cost in enumerate(costs)}
                       for sign, tokens in ((1, one), (-1, other)) for token in tokens})


def hands(rng: Random) -> tuple[Domains, list[list[int]], list[Sum]]:
    """Up to three hands of few tokens, there are some of each class, and some of them are known to be in a hand."""
    sizes = [rng.randint(1, 2) for _ in range(rng.randint(2, 3))]
    classes = rng.randint(3, 8 - sum(sizes) // 2)
    tokens = list(range(sum(sizes)))
    dealt = [tokens[sum(sizes[:at]):sum(sizes[:at + 1])] for at in range(len(sizes))]
    domains = {token: rng.randint(1, 2 ** classes - 1) if rng.random() < 0.2 else 2 ** classes - 1 for token in tokens}
    said = [counted((), tokens, [one], rng.choice([1, 1, 1, 2])) for one in range(classes) if rng.random() < 0.95]
    for _ in range(rng.randint(0, 2)):
        hand = rng.choice(dealt)
        said.append(counted(hand, (), [rng.randrange(classes)], -1) if rng.random() < 0.6 else
                    counted((), hand, [rng.randrange(classes)], rng.randint(0, 1)))
    return domains, dealt, said


@given(st.integers(0, 10 ** 9))
@settings(max_examples=40, deadline=None)
def test_nothing_is_refuted_that_some_world_has(seed: int) -> None:
    rng = Random(seed)
    domains, dealt, said = hands(rng)
    costs = [rng.randint(-2, 7) for _ in range(6)]
    for _ in range(rng.randint(1, 3)):
        one, other = rng.sample(dealt, 2)
        said.append(compared(one, other if rng.random() < 0.8 else (), costs, rng.randint(-5, 3)))
        if rng.random() < 0.4:
            said.append(said[-1].times(-1))
    fitting = [world for world in worlds(domains) if hold(said, world)]
    for _ in range(4):
        one, other = rng.sample(dealt, 2)
        other = other if rng.random() < 0.8 else []
        total = compared(one, other, costs, rng.randint(-6, 2)).times(rng.choice([1, 1, 2, -1]))
        if rng.random() < 0.2:
            total = total.plus(compared(dealt[0], (), [rng.randint(0, 2) for _ in costs]))
        if cannot_be(domains, NamedConditions.of(said), total):
            assert not any(value(world, total) >= 0 for world in fitting)


def pack(sizes: Sequence[int], classes: int) -> tuple[Domains, list[list[int]], list[Sum]]:
    """Hands of different cards; nothing else is known of them."""
    tokens = list(range(sum(sizes)))
    dealt = [tokens[sum(sizes[:at]):sum(sizes[:at + 1])] for at in range(len(sizes))]
    once = [counted((), tokens, [one], 1) for one in range(classes)]
    return dict.fromkeys(tokens, 2 ** classes - 1), dealt, once


def level(one: Sequence[int], other: Sequence[int], costs: Sequence[int]) -> list[Sum]:
    """That two hands cost as much as each other."""
    return [compared(one, other, costs), compared(other, one, costs)]


def test_what_goes_around_in_a_circle_cannot_be() -> None:
    domains, (one, other, third), once = pack((3, 3, 3), 20)
    costs = [1 + each % 10 for each in range(20)]
    said = NamedConditions.of([*once, compared(one, other, costs, -1), compared(other, third, costs)])
    assert cannot_be(domains, said, compared(third, one, costs))
    assert not cannot_be(domains, said, compared(third, one, costs, 1))


def test_what_was_dealt_to_the_end_is_not_always_shared_out_evenly() -> None:
    """Twelve cards that cost 1 to 11 and 14, together 80, in three hands: not each as much, but one of them 1 less."""
    domains, (one, other, third), once = pack((4, 4, 4), 12)
    costs = [*range(1, 12), 14]
    said = NamedConditions.of([*once, *level(one, other, costs), compared(other, third, costs)])
    assert cannot_be(domains, said, compared(third, other, costs))
    assert not cannot_be(domains, said, compared(third, other, costs, 1))
    even = [*range(1, 13)]
    said = NamedConditions.of([*once, *level(one, other, even), compared(other, third, even)])
    assert not cannot_be(domains, said, compared(third, other, even))


def test_two_hands_together_may_not_be_what_each_of_them_may_be() -> None:
    """Of 1, 1, 2, 2, 3, 3, 3, 4 and more than that four cost 10 and eight cost 19, 21 or more, but never 20."""
    costs = [1, 1, 2, 2, 3, 3, 3, 4, 6, 6, 10, 10, 10, 10, 10, 50]
    domains, (one, other, _), once = pack((4, 4, 8), 16)
    said = NamedConditions.of([*once, compared(one, (), costs, -10), compared((), one, costs, 10),
                               compared(other, (), costs, -10)])
    assert cannot_be(domains, said, compared((), other, costs, 10))
    assert not cannot_be(domains, said, compared((), other, costs, 11))


def test_who_laid_a_card_has_it_so_another_hand_costs_more() -> None:
    domains, (one, other), once = pack((2, 2), 4)
    costs = [1, 2, 5, 9]
    said = NamedConditions.of([*once, counted(one, (), [0], -1), compared(one, (), costs)])
    assert cannot_be(domains, said, compared((), other, costs, 6))
    assert not cannot_be(domains, said, compared((), other, costs, 7))


def test_hands_are_made_level_by_exchanges_that_first_lead_away() -> None:
    """Nine cards that cost 1 to 9 in three hands: two cost 18, and any two that change places change that."""
    domains, (one, other, third), once = pack((3, 3, 3), 9)
    costs = range(1, 10)
    witness = dict(zip(domains, (7, 6, 2, 8, 3, 4, 5, 1, 0), strict=True))
    wanted = compared(third, one, costs)
    known = NamedConditions.of([*once, *level(one, other, costs), wanted])
    found = exchanged(domains, known, witness, wanted, {})
    assert found is not None
    assert hold(list(known.values()), found)
    assert sorted(found.values()) == sorted(witness.values())


def test_numbers_that_lie_far_apart_are_left_to_others() -> None:
    domains, (one, other, third), once = pack((3, 3, 3), 20)
    costs = [10 ** 9 * each + each % 2 for each in range(20)]
    said = NamedConditions.of([*once, compared(one, other, costs, -1), compared(other, third, costs)])
    assert not cannot_be(domains, said, compared(third, one, costs))


def test_hands_that_are_compared_need_no_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three hands of twelve cards that cost 79 together: that all cost as much is refuted at once."""
    def none(*_: object) -> None:
        raise FlowUndecided({})

    domains, (one, other, third), once = pack((4, 4, 4), 12)
    costs = [*range(1, 12), 13]
    store: ConstraintStore | None = ConstraintStore(
        domains=domains, conditions=NamedConditions.of(once), met=domains,
        witness=dict(zip(domains, (0, 3, 8, 11, 1, 4, 7, 10, 2, 5, 6, 9), strict=True)))
    for total in (*level(one, other, costs), compared(other, third, costs)):
        assert store is not None
        store = store.adding(total, 1)
    assert store is not None
    monkeypatch.setattr("referee.judge.partial.constraints.constraint_search.flowing", none)
    monkeypatch.setattr("referee.judge.partial.constraints.constraint_search.MOST_NODES", 0)
    assert store.adding(compared(third, other, costs), 2) is None
