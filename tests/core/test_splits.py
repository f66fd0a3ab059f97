"""What is left of a set, and the sets that a condition means, against every choice of sets and every set there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.condition_members import TooManySets, sets_where
from referee.core.expr import Const, Fold, FoldKind, Local, Members, Op, Operator
from referee.core.splits import MOST_LEFT, most_left, parts_of, what_is_left
from referee.core.types import Bool, Int, SetOf
from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.loader import load

Set = frozenset[int]
SETS = st.frozensets(st.integers(0, 8), min_size=1, max_size=4)


def every(whole: Set, least: int = 0) -> Iterator[Set]:
    """Every set within a set."""
    for number in range(least, len(whole) + 1):
        yield from map(frozenset, combinations(sorted(whole), number))


def rests(whole: Set, parts: list[Set]) -> set[Set]:
    """What is left, of every choice of parts that share nothing."""
    if not parts:
        return {whole}
    first, *others = parts
    return rests(whole, others) | (rests(whole - first, others) if first <= whole else set())


@settings(max_examples=150, deadline=None)
@given(st.frozensets(st.integers(0, 8)), st.lists(SETS, max_size=7))
def test_what_is_left_is_what_every_choice_leaves(whole: Set, parts: list[Set]) -> None:
    left = what_is_left(whole, parts)
    assert left is not None
    assert left[0] == whole
    assert len(left) == len(set(left)) <= most_left(sorted(set(parts), key=sorted), len(whole))
    assert set(left) == rests(whole, parts)


def test_too_many_are_not_gone_through() -> None:
    twos = [frozenset(pair) for pair in combinations(range(20), 2)]
    assert what_is_left(frozenset(range(20)), twos) is None
    assert most_left(twos, 20) == MOST_LEFT


SUITS, RANKS = 3, 4
RULES = """game "Sets" for 2 players ana and ben

type Suit is {suits}
type Rank is 1..{ranks}

kind Card is each of Suit and Rank

components
  1 of each Card in deck

zones
  deck: bag of Card, open

play
  {play}
{rest}"""
MEANINGS = """

define apart of several Card s = number of s > 1 and
    (every c in s: every d in s where d is not c: suit of c is not suit of d)
define all_one of several Card s = every c in s: every d in s: suit of c is suit of d
define run of several Card s = number of s >= 2 and all_one(s) and
    (every c in s: every d in s: distance between (rank of c) and (rank of d) < number of s)
define meld of several Card s = number of s >= 3 and (run(s) or (every c in s: every d in s: rank of c = rank of d))
define six of several Card s = number of s <= 2 and sum of rank in s = 6
define wide of several Card s = number of s = 3 and (highest of rank in s) - (lowest of rank in s) = 3
define led of several Card s = some c in s where rank of c = 1 and (no d in s where suit of d is not suit of c)
define no_pair of several Card s = not (some c in s where (number of d in s where rank of d = rank of c) > 1) and
    number of s > 3

score of player p = LEAST

"""


def rank(card: int) -> int:
    return card % RANKS + 1


def suit(card: int) -> int:
    return card // RANKS


def is_run(some: Set) -> bool:
    ranks = sorted(map(rank, some))
    return len(some) >= 2 and one_suit(some) and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def one_suit(some: Set) -> bool:
    return len(set(map(suit, some))) == 1


MEANT: dict[str, Callable[[Set], bool]] = {
    "apart": lambda some: len(some) > 1 and len(set(map(suit, some))) == len(some),
    "all_one": one_suit,
    "run": is_run,
    "meld": lambda some: len(some) >= 3 and (is_run(some) or len(set(map(rank, some))) == 1),
    "six": lambda some: len(some) <= 2 and sum(map(rank, some)) == 6,
    "wide": lambda some: len(some) == 3 and max(map(rank, some)) - min(map(rank, some)) == 3,
    "led": lambda some: one_suit(some) and 1 in map(rank, some),
    "no_pair": lambda some: len(some) > 3 and len(set(map(rank, some))) == len(some),
}


def test_sets_that_definitions_mean_are_those_of_the_power_set(tmp_path: Path) -> None:
    least = " + ".join(f"(lowest of (number of it) in splits of deck into {name})" for name in MEANT)
    rules = tmp_path / "sets.rules"
    rules.write_text(RULES.format(suits="one, two, three", ranks=RANKS, play="nobody wins",
                                  rest=MEANINGS.replace("LEAST", least)), encoding="utf-8")
    tables = load(rules).tables
    whole = list(every(frozenset(range(SUITS * RANKS)), 1))
    for name, means in MEANT.items():
        found = parts_of(tables[f"sets of {name}"])
        assert len(found) == len(set(found))
        assert set(found) == set(filter(means, whole)), name


def test_more_sets_than_can_be_listed_are_refused() -> None:
    several = Local("s", SetOf(Int(1, 60)))
    true = Fold(FoldKind.ALL, "x", Members(several), None, Const(True, Bool()), Bool())
    none = Op(Operator.LT, (Op(Operator.SIZE, (several,), Int(0, 60)), Const(0, Int(0, 0))), Bool())
    with pytest.raises(TooManySets):
        sets_where(true, "s", Int(1, 60), {})
    assert sets_where(none, "s", Int(1, 60), {}) == ()


def test_definitions_of_what_was_chosen_cost_as_much_as_may_be_chosen(tmp_path: Path) -> None:
    """Eight at most, five times within each other: not the 40 that there are."""
    every = " ".join(f"every {name} in s:" for name in "cdefg")
    for most, codes in ((8, []), (20, ["BD10"])):
        rules = tmp_path / f"chosen {most}.rules"
        rules.write_text(RULES.format(suits="one, two, three, four", ranks=10, play="ana must take",
                                      rest=CHOSEN.format(most=most, every=every)), encoding="utf-8")
        try:
            load(rules)
            found: list[str] = []
        except Problems as problems:
            found = [one.code for one in problems.diagnostics]
        assert found == codes


CHOSEN = """
action take(cards: up to {most} Card in deck)
  needs "they are alike": alike(cards)
  nobody wins

define alike of several Card s = {every} rank of c + rank of d + rank of e + rank of f = 4 * rank of g
"""
