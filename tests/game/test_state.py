"""A position is the same however its entries are kept; what never changes lies at their end."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest

from referee.core.flow import Flow
from referee.core.read_write_sets import changes, unchanging
from referee.frontend import load_flow
from referee.game.state import MANY_ENTRIES, MOST_HASHED, Layout, State

FIXED = (7, 8, 9)


@pytest.mark.parametrize("moving", [0, 1, MOST_HASHED - 2, MOST_HASHED - 1, MOST_HASHED, MOST_HASHED + 5])
def test_a_position_is_equal_in_both_forms(moving: int) -> None:
    entries = tuple(range(moving))
    whole, short = State(3, (*entries, *FIXED)), State.of_short(3, (*entries, FIXED))
    assert whole == short
    assert short == State.of_short(3, (*entries, FIXED))
    assert short == State.of_short(3, (*entries, (*FIXED[:1], *FIXED[1:])))
    assert hash(whole) == hash(short)
    assert short.slots == whole.slots
    assert repr(short) == repr(whole)
    assert pickle.loads(pickle.dumps(short)) == whole  # noqa: S301 our own bytes


def test_positions_differ_by_point_by_entry_and_by_what_never_changes() -> None:
    short = State.of_short(3, (1, 2, FIXED))
    for other in (State.of_short(4, (1, 2, FIXED)), State.of_short(3, (1, 3, FIXED)), State.of_short(3, (1, 2, (7, 8))),
                  State(3, (1, 2, 7, 8, 0)), (1, 2, FIXED)):
        assert short != other


@pytest.fixture(scope="module")
def flow() -> Flow:
    return load_flow("go_goal", 2, {})


def test_what_no_node_changes_is_found(flow: Flow) -> None:
    kept = unchanging(flow)
    assert {"may_score", "same_symbol", "yellow_goes"} <= kept
    assert not kept & {"goals", "winners"}
    assert not kept & frozenset().union(*map(changes, flow.nodes))


def test_only_large_tables_that_never_change_lie_behind_the_rest(flow: Flow) -> None:
    layout = Layout(flow)
    behind = {name for name, entries in layout.vars.items() if entries.base >= layout.fixed}
    assert behind == {"may_score", "may_stop"}
    assert all(layout.vars[name].count > MANY_ENTRIES for name in behind)
    assert layout.fixed + sum(layout.vars[name].count for name in behind) == layout.size
    taken = sorted((entries.base, entries.count) for entries in (*layout.vars.values(), *layout.zones.values()))
    assert all(base + count <= after for (base, count), (after, _) in pairwise(taken))


def test_entries_that_never_change_are_shared_if_they_are_the_same(flow: Flow) -> None:
    layout = Layout(flow)
    known = tuple(range(layout.fixed, layout.size))
    made = layout.shortened(State(0, tuple(range(layout.size))), known)
    assert made == [*range(layout.fixed), known]
    assert made[-1] is known
    assert layout.shortened(State.of_short(0, tuple(made)))[-1] is known
