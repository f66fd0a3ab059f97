"""Sets of settings are what they would be as lists of all settings."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from referee.judge.open_settings import decision_diagrams
from referee.judge.open_settings.setting_sets import NOTHING, Choices, TooManyNodes, beyond
from referee.judge.open_settings.value_ranges import Box, Place, Stretch

RANGES: dict[Place, tuple[int, int]] = {("a", ()): (0, 3), ("b", ()): (0, 2), ("c", (1,)): (1, 3), ("d", ()): (0, 1)}
PLACES = list(RANGES)
Point = tuple[int, ...]
EVERY: list[Point] = list(product(*(range(lo, hi + 1) for lo, hi in RANGES.values())))


def drawn(random: Random) -> Box:
    box = []
    for place in PLACES:
        if random.random() < 0.6:
            lo = random.randint(*RANGES[place])
            box.append(Stretch(place, lo, random.randint(lo, RANGES[place][1])))
    return tuple(sorted(box))


def inside(box: Box, point: Point) -> bool:
    return all(one.lo <= point[PLACES.index(one.place)] <= one.hi for one in box)


def points(choices: Choices) -> set[Point]:
    """All settings of a set; its boxes have none in common."""
    boxes = list(choices.boxes())
    assert len(boxes) == choices.number_of_boxes
    found = [point for point in EVERY for box in boxes if inside(box, point)]
    assert len(found) == len(set(found))
    return set(found)


def made(random: Random) -> tuple[Choices, set[Point]]:
    boxes = [drawn(random) for _ in range(random.randint(0, 4))]
    return Choices.of(boxes, RANGES), {point for point in EVERY if any(inside(box, point) for box in boxes)}


@pytest.mark.parametrize("seed", range(60))
def test_sets_are_what_they_would_be_as_lists(seed: int) -> None:
    random = Random(seed)
    for _ in range(10):
        (one, first), (two, second) = made(random), made(random)
        box = Choices.of([drawn(random)], RANGES)
        third = points(box)
        for found, wanted in (
                (one, first), (one.both(box), first & third), (two.either(box), second | third),
                (one.less(box), first - third), (box.less(two), third - second),
                (box.both(two).either(box.both(one)), third & (first | second)),
                (box.both(one).less(two), third & first - second), (box.both(one).both(two), third & first & second)):
            assert points(found) == wanted
            assert bool(found) == bool(wanted)
            for index, place in enumerate(PLACES):
                values = {value for lo, hi in found.values(place) for value in range(lo, hi + 1)}
                assert values == {point[index] for point in wanted}
            kept = set(random.sample(PLACES, 2))
            shadow = {tuple(point[PLACES.index(place)] for place in kept) for point in wanted}
            assert points(found.among(kept)) == {
                point for point in EVERY if tuple(point[PLACES.index(place)] for place in kept) in shadow}


def test_equal_sets_are_one() -> None:
    """However they came about, and all of nothing is nothing."""
    low, high = (Choices.of([(Stretch(("a", ()), lo, lo + 1),)], RANGES) for lo in (0, 2))
    assert low.either(high).everything
    assert not low.both(high)
    assert low.either(high).less(high).either(high).everything
    assert not NOTHING
    assert (low.either(NOTHING), low.both(NOTHING)) == (low, NOTHING)


def test_entries_that_do_not_hang_together_take_no_room() -> None:
    """Of 200 entries, each of two out of three values: a diagram with a node for each."""
    ranges: dict[Place, tuple[int, int]] = {("x", (index,)): (0, 2) for index in range(200)}
    found = Choices(ranges)
    for place in ranges:
        found = found.both(Choices.of([(Stretch(place, 0, 0),), (Stretch(place, 2, 2),)], ranges))
    assert len(list(decision_diagrams.reach(found.node))) == 200
    assert found.number_of_boxes == 2 ** 200
    assert found.values(("x", (7,))) == [(0, 0), (2, 2)]


def test_sums_are_kept_that_no_few_boxes_hold() -> None:
    """Of ten entries of 0..2 those that add up to 9."""
    ranges: dict[Place, tuple[int, int]] = {("x", (index,)): (0, 2) for index in range(10)}
    reached = {0: Choices(ranges)}
    for place in ranges:
        after: dict[int, Choices] = {}
        for total, known in reached.items():
            for value in range(3):
                after[total + value] = after.get(total + value, NOTHING).either(known.within(place, value, value))
        reached = after
    assert reached[9].number_of_boxes > 5_000
    assert len(list(decision_diagrams.reach(reached[9].node))) < 150


def test_what_is_too_much_to_keep_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_diagrams, "MOST_DEEP", 1)
    with pytest.raises(TooManyNodes):
        Choices.of([(Stretch(("a", ()), 0, 0),), (Stretch(("a", ()), 1, 1), Stretch(("b", ()), 0, 0),
                                                   Stretch(("d", ()), 0, 0))], RANGES)


def test_numbers_beyond_others() -> None:
    assert beyond([(0, 9)], [(2, 3), (9, 12)]) == [(0, 1), (4, 8)]
    assert beyond([(0, 1)], [(0, 1)]) == []
