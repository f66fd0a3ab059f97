"""Rules that go on after an error do so on slices that keep nothing of what is in error: else too much is proved."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.core.expr import After, Const, Expr, Fold, FoldKind, Get, If, Op, Operator, Place, Within
from referee.core.stmt import Action, Block, Decide, Move, Option
from referee.core.types import Bool, Int
from referee.flow.lowering import lower
from referee.game.setting import Setting
from referee.game.state import Layout, State
from referee.interpreter.walker import Walker
from referee.proofs.lemmas.slice_facts import holds_of
from referee.proofs.proof_claims import Instance
from referee.smt import term
from referee.smt.abstraction import slices
from referee.smt.abstraction.class_groups import Groups
from referee.smt.abstraction.slices import Slice
from referee.smt.solver import Answer, Solver
from tests import cores
from tests.conformance import world
from tests.conformance.sliced import Passed, Sliced
from tests.conformance.world import AT, HAND, NUMBER, ONE

BEYOND = Op(Operator.ADD, (AT, cores.num(1)), Int(1, 3))
KEPT = Get("kept", (BEYOND,), NUMBER)
"""There is none where `at` is the last seat."""
FIRST, OTHER = Place("hand", (Const(0, world.SEAT),)), Const(1, world.THING)
"""Where one thing lies, and another one that is of its group."""
LAST = 2
NO = Const(False, Bool())
SETTING = Setting(("ana", "ben", "cleo"), parameters={"given": {(): 4}})
SOME = cores.less(KEPT, cores.num(7))
BEST = Fold(FoldKind.MIN, "x", Within(HAND), None, cores.num(1), NUMBER)


def told(block: Block, value: Expr) -> Block:
    """5 if a value is so after a block, 6 if it is not or makes an error."""
    return (cores.put("n", If(After(block, value, Bool(), NO), cores.num(5), cores.num(6), NUMBER)),)


def decided(*guards: Expr) -> Block:
    """6 if a guard does not hold."""
    asked = Decide(cores.point("p"), AT, (Option("beyond"),), (cores.put("n", cores.num(6)),))
    return asked, cores.put("m", cores.num(0))


def taken_by_the_slice(body: Block, actions: Sequence[Action], keep: frozenset[str]) -> list[str]:
    """Steps of the rules that a slice lacks which keeps so much, when somebody takes a body."""
    flow = lower(world.core([body], (), actions))
    passed = Passed(flow)
    layout = passed.walker.layout
    begun = passed.walker.begin(SETTING)
    assert isinstance(begun, State)
    slots = list(begun.slots)
    slots[layout.vars["at"].base] = LAST
    state = State(begun.at, tuple(slots))
    after, pairs = passed.steps(state, next(iter(passed.walker.legal(state))))
    assert isinstance(after, State)
    assert after.slots[layout.vars["n"].base] == 6
    zones = keep & frozenset(flow.core.zones)
    slice_ = Slice(layout, Groups(flow.core, ()), keep - zones, zones)
    return list(Sliced(flow, slice_, SETTING).differs(pairs))


@pytest.mark.parametrize(("block", "value", "keep"), [
    ((), SOME, {"n", "at"}),
    ((cores.put("kept", cores.num(0), BEYOND),), Const(True, Bool()), {"n", "at"}),
    ((Move(ONE, None, Place("hand", (BEYOND,)), Place("row"), cores.HERE),), Const(True, Bool()), {"n", "at"}),
    ((Move(OTHER, None, FIRST, Place("row"), cores.HERE),), Const(True, Bool()), {"n", "at", "hand", "row"}),
    ((), cores.less(BEST, cores.num(7)), {"n", "at", "hand"}),
    ((), SOME, {"n", "at", "kept"}),
], ids=["read", "written", "moved from nowhere", "not there", "best of none", "kept"])
def test_what_comes_after_an_error_may_come_on_a_slice(block: Block, value: Expr, keep: set[str]) -> None:
    assert taken_by_the_slice(told(block, value), (), frozenset(keep)) == []


@pytest.mark.parametrize("keep", [{"n", "at"}, {"n", "at", "kept"}])
def test_a_guard_in_error_may_not_hold_on_a_slice(keep: set[str]) -> None:
    beyond = cores.action("beyond", (), (cores.guard("some", SOME),))
    assert taken_by_the_slice(decided(), (beyond,), frozenset(keep)) == []


@pytest.mark.parametrize(("claim", "keep", "sure"), [
    (SOME, {"at"}, False), (SOME, {"at", "kept"}, False),
    (cores.less(Get("kept", (AT,), NUMBER), cores.num(7)), {"at"}, True),
], ids=["not kept", "kept", "no error"])
def test_a_claim_that_may_be_in_error_does_not_hold_by_itself(claim: Expr, keep: set[str], sure: bool) -> None:
    layout: Layout = Walker(lower(world.core([()]))).layout
    slice_ = Slice(layout, Groups(layout.core, ()), frozenset(keep), frozenset())
    solver = Solver(5)
    solver.add(term.no(holds_of(Instance((), claim))(slices.unknown(slice_))), *slice_.true)
    assert solver.ask() is (Answer.NO if sure else Answer.YES)
