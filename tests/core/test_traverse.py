"""The one traversal: every part of every kind is come to, in order, and what does not change stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from referee.core.expr import Const, Domainlike, Expr, Get, Local, Op, Operator, Place
from referee.core.flow import Flow, Node
from referee.core.stmt import Branch, Origin, Put, Stmt, Swap
from referee.core.traverse import (
    blocks,
    bodies,
    children,
    inner_blocks,
    rewrite,
    statements,
    types_in,
    walk,
    with_blocks,
)
from referee.core.types import Bool, Elem, Int
from referee.diagnostics.source import Span
from referee.frontend import find, load_flow
from tests.interpreter.agreement import ROOT, places

HERE = Origin(Span("x", 1, 1, 1, 1))
ONE = Const(1, Int(1, 1))


SMALL = 20_000
"""Bytes of rules: reflection on larger ones takes long."""
_flow = cache(load_flow)


def _size(where: Path) -> int:
    return sum(path.stat().st_size for path in find(where).rules)


PLACES = sorted((where for where in places() if where.is_relative_to(ROOT / "rulesets")), key=_size)


def _flows() -> Iterator[Flow]:
    """Those of the bundled rules, small ones first: larger ones are loaded where they are needed."""
    return map(_flow, PLACES)


def _naive(node: object) -> list[object]:
    """Everything in a node, by reflection on whatever is there."""
    if isinstance(node, tuple):
        return [one for part in node for one in _naive(part)]
    if not is_dataclass(node):
        return []
    inside = [_naive(getattr(node, f.name)) for f in fields(node) if f.name not in ("type", "origin", "span")]
    return [node, *(one for part in inside for one in part)]


def test_everything_in_the_bundled_rules_is_gone_through_in_order() -> None:
    for flow in (_flow(where) for where in PLACES if _size(where) < SMALL):
        for node in (bodies(flow.core), flow.nodes):
            there, found = _naive(node), list(walk(node))
            assert len(found) == len(there)
            assert all(a is b for a, b in zip(found, there, strict=True))


USED = [kind for union in (Stmt, Expr, Domainlike, Node) for kind in get_args(union) if kind is not Swap]
"""No bundled game swaps places; the constructs of the language and the conformance test have games that do."""


@pytest.mark.parametrize("kind", USED)
def test_the_bundled_rules_hold_every_kind(kind: type[object]) -> None:
    """So that what is tested on them is tested of every kind."""
    assert any(True for flow in _flows() for node in (bodies(flow.core), flow.nodes) for _ in walk(node, kind))


def test_children_are_what_is_one_step_in() -> None:
    deep = Op(Operator.ADD, (ONE, Get("x", (ONE,), Int(0, 9))), Int(0, 9))
    assert list(children(Put("x", (ONE,), deep, HERE))) == [ONE, deep]
    assert list(children((deep, (ONE,)))) == [deep, ONE]
    assert list(children(ONE)) == list(children("text")) == []


def test_kinds_are_picked_out() -> None:
    both = Op(Operator.EQ, (Local("a", Int(0, 1)), Get("x", (), Int(0, 1))), Bool())
    assert list(walk(both, Get)) == [both.args[1]]
    assert list(walk((both, Place("z")), Local, Place)) == [both.args[0], Place("z")]


def test_types_are_found_where_they_stand() -> None:
    assert set(types_in(Op(Operator.EQ, (Local("a", Elem("d", 0, 1)), ONE), Bool()))) == {
        Elem("d", 0, 1), Int(1, 1), Bool(),
    }  # fmt: skip


def test_only_what_changes_is_made_anew() -> None:
    kept, gone = Put("x", (), ONE, HERE), Put("y", (), Local("a", Int(0, 1)), HERE)
    whole = Branch(Local("b", Bool()), (kept, gone), (kept,), HERE)
    made = rewrite(whole, lambda one: ONE if one == Local("a", Int(0, 1)) else None)
    assert made == Branch(Local("b", Bool()), (kept, Put("y", (), ONE, HERE)), (kept,), HERE)
    assert (made.yes[0] is kept, made.no is whole.no, made.cond is whole.cond) == (True, True, True)
    assert rewrite(whole, lambda _: None) is whole


def test_blocks_are_what_statements_hold() -> None:
    put = Put("x", (), ONE, HERE)
    whole = Branch(Local("b", Bool()), (put,), (), HERE)
    assert inner_blocks(whole) == ((put,), ())
    assert list(blocks((whole, put))) == [(whole, put), (put,)]
    assert list(statements((whole,), Put)) == [put]
    assert with_blocks(whole, lambda old: (*old, put)) == Branch(whole.cond, (put, put), (put,), HERE)
    assert with_blocks(put, lambda old: ()) is put
