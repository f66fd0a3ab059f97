"""What is said to be read and written holds of what is carried out: random games with positions that take notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.core.expr import Const, Numbers, Place
from referee.core.flow import Flow
from referee.core.read_write_sets import block_writes, changes, reads, writes
from referee.core.ruleset import WINNERS
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Origin,
    Part,
    Point,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements
from referee.core.types import Int
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load_flow
from referee.game.state import Layout
from referee.interpreter import course
from referee.interpreter.closures import expression_closures, statement_closures
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.statement_closures import Act
from referee.interpreter.walker import Walker
from tests.interpreter.agreement import ROOT, places
from tests.laws.games import play
from tests.sample_sizes import CLASSICS, CONSTRUCTS, in_turn
from tests.twin.random_core import Maker

GAMES, EVENTS, MOST = 1, 25, 40
HERE = Origin(Span("x", 1, 1, 1, 1))
ONE = Const(1, Int(1, 1))
POINT = Point("p", True, HERE)
STATEMENTS: dict[type[Stmt], tuple[Stmt, frozenset[str]]] = {
    Put: (Put("x", (), ONE, HERE), frozenset({"x"})),
    Move: (Move(ONE, ONE, Place("a"), Place("b"), HERE), frozenset({"a", "b"})),
    Merge: (Merge(Place("a"), (Place("b"), Place("c")), HERE), frozenset({"a", "b", "c"})),
    Swap: (Swap(Place("a"), Place("b"), HERE), frozenset({"a", "b"})),
    Bind: (Bind("n", ONE, HERE), frozenset()),
    Branch: (Branch(ONE, (Put("x", (), ONE, HERE),), (), HERE), frozenset()),
    Each: (Each("n", Numbers(ONE, ONE), (Put("x", (), ONE, HERE),), HERE), frozenset()),
    Repeat: (Repeat(ONE, (Put("x", (), ONE, HERE),), 1, HERE), frozenset()),
    Decide: (Decide(POINT, ONE, (), None), frozenset()),
    Commit: (Commit(POINT, (Part(ONE, "a", ("x", "y")),), False, False), frozenset({"x", "y"})),
    Chance: (Chance(POINT, "a"), frozenset()),
    Unspecified: (Unspecified(POINT, "?", None, None, None), frozenset()),
    Finish: (Finish(ONE, HERE), frozenset({WINNERS})),
    Call: (Call("p", (), (), HERE), frozenset()),
}


class Noting(list[Any]):
    """The entries of a position; notes which are read and which are written.

    What is read of a copy of it (`of`) is read of the position too; what is written there is not.
    """

    def __init__(self, slots: Slots, of: Noting | None = None) -> None:
        super().__init__(slots)
        self.read = set[int]()
        self.written = set[int]()
        self._of = of

    def __getitem__(self, index: Any) -> Any:
        self._note(index)
        return super().__getitem__(index)

    def _note(self, index: int) -> None:
        self.read.add(index)
        if self._of is not None:
            self._of._note(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.written.add(index)
        super().__setitem__(index, value)


class Notebook:
    """Compares what statements and nodes of a flow do with what is said of them."""

    def __init__(self, layout: Layout) -> None:
        self._names = {i: name for of in (layout.vars, layout.zones) for name, one in of.items() for i in one.entries}
        self.done = 0
        self.wrong: list[str] = []

    def around(self, what: object, may_read: frozenset[str], may_write: frozenset[str],
               slots: Slots, act: Callable[[], Any]) -> Any:
        """Carries something out, and notes what it reads or writes besides what it may."""
        assert isinstance(slots, Noting)
        before = slots.read, slots.written
        slots.read, slots.written = set(), set()
        try:
            return act()
        finally:
            self.done += 1
            read, written = self._of(slots.read), self._of(slots.written)
            if not (read <= may_read and written <= may_write):
                self.wrong.append(f"{what}: reads {sorted(read - may_read)}, writes {sorted(written - may_write)}")
            slots.read, slots.written = before[0] | slots.read, before[1] | slots.written

    def _of(self, indices: set[int]) -> frozenset[str]:
        return frozenset(self._names[index] for index in indices if index in self._names)


def apart(slots: Slots) -> Noting:
    """What `After` carries its block out on."""
    assert isinstance(slots, Noting)
    return Noting(slots, slots)


@contextmanager
def noting(monkeypatch: pytest.MonkeyPatch, made: Walker) -> Iterator[Notebook]:
    """The walker, with positions and statements that take notes."""
    book = Notebook(made.layout)
    step, run, fork, carry, events = (
        statement_closures.step,
        course.FlowCourse._run,
        course.FlowCourse._fork,
        course.FlowCourse.carry,
        (course.FlowCourse.events),
    )

    def noted(stmt: Stmt, *rest: Any) -> Act:
        act, may_read, may_write = step(stmt, *rest), reads(stmt), block_writes((stmt,))
        may_read |= watched
        return lambda slots, env: book.around(stmt, may_read, may_write, slots, lambda: act(slots, env))

    def noted_run(self: course.FlowCourse, at: int, node: Any) -> Act:
        act = run(self, at, node)
        return lambda slots, env: book.around(node, reads(node.body) | watched, changes(node), slots,
                                              lambda: act(slots, env))

    def noted_fork(self: course.FlowCourse, at: int, node: Any) -> Any:
        cond = fork(self, at, node)
        return lambda slots, env: book.around(node, reads(node), changes(node), slots, lambda: cond(slots, env))

    def noted_carry(self: course.FlowCourse, at: int, event: Any, frame: Frame, offer: Any = None) -> Any:
        node = self.point(at)
        return book.around(node, reads(node) | changes(node), changes(node), frame.slots,
                           lambda: carry(self, at, event, frame, offer))

    def noted_events(self: course.FlowCourse, at: int, by: int, frame: Frame) -> Iterator[Any]:
        node = self.point(at)
        return iter(book.around(node, reads(node) | changes(node), frozenset(), frame.slots,
                                lambda: list(islice(events(self, at, by, frame), MOST))))

    everywhere = tuple(one.guard for one in made.core.invariants if one.everywhere)
    watched = reads(everywhere)
    with monkeypatch.context() as patch:
        start = Frame.__init__
        patch.setattr(Frame, "__init__", lambda self, code, slots: start(self, code, Noting(slots)))
        patch.setattr(expression_closures, "apart", apart)
        patch.setattr(statement_closures, "step", noted)
        patch.setattr(course.FlowCourse, "_run", noted_run)
        patch.setattr(course.FlowCourse, "_fork", noted_fork)
        patch.setattr(course.FlowCourse, "carry", noted_carry)
        patch.setattr(course.FlowCourse, "events", noted_events)
        yield book


def _noted(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    made = Walker(flow)
    with noting(monkeypatch, made) as book:
        for seed in range(GAMES):
            play(made, seed, EVENTS)
    return book


@pytest.mark.parametrize("where", in_turn(places(), "sets", 6, CLASSICS | CONSTRUCTS), ids=lambda where: where.stem)
def test_what_is_read_and_written_was_said_to_be(where: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = _noted(load_flow(where), monkeypatch)
    assert book.done
    assert book.wrong == []


@pytest.mark.parametrize("seed", range(12))
def test_of_rules_made_at_random_too(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _noted(lower(Maker(seed).core()), monkeypatch).wrong == []


@pytest.mark.parametrize("kind", get_args(Stmt))
def test_each_kind_of_statement_has_its_set(kind: type[Stmt]) -> None:
    """What a statement of each kind changes by itself; a kind that is new has to be told here."""
    assert writes(STATEMENTS[kind][0]) == STATEMENTS[kind][1]


def test_the_notes_notice_a_set_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is said that a move changes nothing where it leads to, the notes say otherwise."""
    def less(block: Block) -> frozenset[str]:
        return whole(block) - {one.to.zone for one in statements(block, Move)}

    whole = block_writes
    monkeypatch.setitem(globals(), "block_writes", less)
    assert _noted(load_flow(ROOT / "rulesets" / "go_goal"), monkeypatch).wrong
