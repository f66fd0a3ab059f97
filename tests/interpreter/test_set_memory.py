"""What functions of whole games remember of sets is what a search of the members finds."""

from __future__ import annotations

import pickle
from random import Random

from referee.codegen.whole_games.set_memory import WIDEST_GROUP, KnownBest, KnownEnds, grouped_rows
from referee.codegen.whole_games.set_numbers import bag_content, bag_counts, members_of, number_of
from referee.codegen.whole_games.ways_listed import watched


def test_a_row_is_found_in_the_group_in_which_it_is() -> None:
    random = Random(4)
    rows = [number_of(random.sample(range(30), random.randint(0, 11))) for _ in range(40)]
    groups = grouped_rows(rows)
    assert any(members.bit_count() <= WIDEST_GROUP for members, _ in groups)
    for share in (0.5, 0.8, 0.95):
        for _ in range(200):
            inside = number_of(at for at in range(30) if random.random() < share)
            found = any(full[members & inside] for members, full in groups)
            assert found == any(row & inside == row for row in rows)


def test_the_members_with_the_best_value_are_those_that_have_it() -> None:
    random, values = Random(2), [3, 1, 4, 1, 5, 9, 2, 6]
    for least in (True, False):
        best, ends = KnownBest(values, 2, least), KnownEnds(values, 2, least)
        assert best[0] is None
        assert ends[0] == 0
        for _ in range(100):
            some = number_of(random.sample(range(2, 10), random.randint(1, 8)))
            worth = [(values[one - 2], one) for one in members_of(some)]
            top = (min if least else max)(worth)[0]
            assert best[some] == top
            assert members_of(ends[some]) == tuple(one for value, one in worth if value == top)
            assert pickle.loads(pickle.dumps(ends))[some] == ends[some]  # noqa: S301 our own


def test_what_is_watched_tells_whether_another_set_meets_the_same() -> None:
    random = Random(9)
    pairs = [(value, number_of(random.sample(range(24), random.randint(0, 5)))) for value in range(8)]
    same = 0
    for _ in range(2_000):
        inside = number_of(at for at in range(24) if random.random() < 0.3)
        found, looked, seen = watched(pairs, inside)
        assert found == [value for value, members in pairs if members & inside]
        other = inside ^ 1 << random.randrange(24)
        if other & looked == seen:
            same += 1
            assert watched(pairs, other)[0] == found
    assert same > 100


def test_a_bag_is_what_it_was_before_it_was_counted() -> None:
    for content in ((), (0, 0, 2), (1,), (0, 1, 1, 3)):
        assert bag_content(bag_counts(content, 4)) == content
