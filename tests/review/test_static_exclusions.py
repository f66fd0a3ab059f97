"""What the rules themselves rule out, counted place by place on rules made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.analysis.static_exclusions import GAP_MOVE, UNDEFINED, open_places
from referee.core.expr import Const, Expr, Fold, FoldKind, Local, Members, Only
from referee.core.ruleset import TURN
from referee.core.stmt import Finish, Gap, Unspecified
from referee.core.types import PLAYER, Elem, Int, Maybe, SetOf
from referee.flow.lowering import lower
from tests import cores

SEAT = Elem(PLAYER, 0, 1)
FIVE = Int(0, 4)
SEATS = Const(frozenset({0}), SetOf(SEAT))
TURN_NOW = cores.get(TURN, Maybe(SEAT))
LEAST = Fold(FoldKind.MIN, "x", Members(SEATS), None, Local("x", SEAT), SEAT)


@pytest.mark.parametrize(("value", "counted"), [
    (Only(TURN_NOW, SEAT), (1, 0)),
    (Only(SEATS, SEAT), (1, 1)),
    (LEAST, (1, 1)),
    (replace(LEAST, empty=Const(1, SEAT)), (0, 0)),
    (cores.get("points", FIVE, Const(1, SEAT)), (1, 0)),
    (cores.get("points", FIVE, Const(1, Elem(PLAYER, 1, 2))), (1, 1)),
], ids=["turn", "only", "least", "least or else", "in range", "beyond"])
def test_a_value_that_may_be_missing_is_counted_with_whether_it_can_be(value: Expr, counted: tuple[int, int]) -> None:
    core = cores.made((cores.put("kept", value), Finish(SEATS, cores.HERE)), variables=[
        cores.state("kept", value.type, 0), cores.state("points", FIVE, 0, SEAT), cores.state(TURN, Maybe(SEAT), 0)])
    every, left = counted
    # the turn itself is read from where it lies: one place more, and a sure one
    assert open_places(lower(core), UNDEFINED) == (every + (isinstance(value, Only) and value.of is TURN_NOW), left)


@pytest.mark.parametrize(("gap", "counted"), [(Gap.OVER, (1, 1)), (Gap.CASE, (0, 0))])
def test_where_the_rules_are_through_nothing_is_possible(gap: Gap, counted: tuple[int, int]) -> None:
    core = cores.made((Unspecified(cores.point("end"), "who wins?", None, None, None, gap),))
    assert open_places(lower(core), GAP_MOVE) == counted
