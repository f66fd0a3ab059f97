"""Faults inside of what is asked and done: the numbers of conditions, conditions left out, gains, amounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from referee.core.expr import Const, If, Members, Numbers, Op, Operator, Or, Where
from referee.core.ruleset import Core, Role
from referee.core.stmt import Branch, Call, Each, Guard, Param, Put
from referee.core.traverse import walk
from referee.core.types import Bool, Int
from referee.diagnostics.source import Span
from tests.faults.rewrite import Change, in_core, told
from tests.faults.text import Text

COMPARING = frozenset({Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE})
CLAMPING = frozenset({Operator.LOWER, Operator.HIGHER})
COUNTING = frozenset({Operator.ADD, Operator.SUB})
YES = Const(True, Bool())


@dataclass(frozen=True, slots=True)
class Inside:
    """A fault inside a statement: `kind` (limit, guard, gain, amount), what it does in words, where, how it is made."""

    kind: str
    words: str
    span: Span
    cites: tuple[str, ...]
    change: Change

    def put(self, core: Core) -> Core:
        """The core with the fault, unchanged where the construct is not part of that shape."""
        return in_core(core, self.change)


def inside(core: Core, text: Text) -> Iterator[Inside]:
    """Every such fault, in the order of the rules; a definition is told where it is used first."""
    seen: set[tuple[str, str, Span]] = set()
    for owner, origin, node in told(core):
        for kind, words, span, change in (*_numbers(node, text), *_conditions(node, text), *_gains(core, node)):
            if (kind, words, span) not in seen:
                seen.add((kind, words, span))
                yield Inside(kind, f"{owner}: {words}", span, text.cites(span, origin), change)


Made = Iterator[tuple[str, str, Span, Change]]


# --- numbers


def _numbers(node: Any, text: Text) -> Made:
    """Numbers that something is compared with, that a definition gives, that bound a counter, a choice or rounds: one
    less and one more; those that are counted up or down by, or handed to a procedure: one more."""
    match node:
        case Op(op, args) if op in COMPARING | CLAMPING and not all(isinstance(one, Const) for one in args):
            yield from _shifted("limit", args, node.span, text)
        case Op(op, args) if op in COUNTING:
            yield from _shifted("amount", args, node.span, text)
        case If(_, yes, no):
            yield from _shifted("limit", (yes, no), node.span, text)
        case Put(value=Op()):
            for inner in walk(node.value):
                if isinstance(inner, Op) and inner.op in COUNTING | CLAMPING and inner.span is None:
                    kind = "amount" if inner.op in COUNTING else "limit"
                    yield from _shifted(kind, inner.args, node.origin.span, text)
        case Call(args=args):
            yield from _shifted("amount", args, node.origin.span, text)
        case Param(count=(least, most)):
            yield from _shifted("limit", (least, most) if least != most else (most,), node.origin.span, text)
        case Each(source=Numbers(_, most)):
            yield from _shifted("limit", (most,), node.origin.span, text)
        case _:
            pass


def _shifted(kind: str, among: Iterable[object], span: Span | None, text: Text) -> Made:
    """Those of some values that are numbers written in the rules, each another number."""
    numbers = [one for one in among if isinstance(one, Const) and isinstance(one.type, Int) and one.span is not None]
    for at, number in enumerate(numbers, 1):
        if number.span is None or text.at(number.span) != str(number.value):
            continue
        which = f" (number {at})" if sum(one.value == number.value for one in numbers) > 1 else ""
        for by in (1,) if kind == "amount" else (-1, 1):
            other = int(str(number.value)) + by
            if other >= 0:
                said = text.at(span or number.span)
                yield kind, f"`{said}`, {other} for {number.value}{which}", number.span, _number(number, other)


def _number(number: Const, other: int) -> Change:
    def change(node: object) -> object:
        if isinstance(node, Const) and node.span == number.span and node == number:
            return replace(node, value=other, type=Int(other, other))
        return node

    return change


# --- conditions


def _conditions(node: Any, text: Text) -> Made:
    """Conditions of what is done, of what may be chosen, and exceptions from conditions."""
    match node:
        case Branch(cond, yes, no) if cond.span is not None and not isinstance(cond, Const) and (yes or no):
            yield "guard", f"done even if not `{text.at(cond.span)}`", cond.span, _always(node)
        case Param(source=Members(Where(where=where))) if where is not None and where.span is not None:
            yield "guard", f"chosen from all, not only where `{text.at(where.span)}`", where.span, _from_all(node)
        case Guard(cond=Or(parts)):
            for part in parts[1:]:
                if part.span is not None:
                    yield "guard", f"without the exception `{text.at(part.span)}`", part.span, _without(part)
        case _:
            pass


def _always(branch: Branch) -> Change:
    def change(node: object) -> object:
        at_it = isinstance(node, Branch) and node.cond.span == branch.cond.span and node.origin == branch.origin
        return replace(node, cond=YES) if at_it and isinstance(node, Branch) else node

    return change


def _from_all(param: Param) -> Change:
    def change(node: object) -> object:
        match node:
            case Param(source=Members(Where() as where) as source) if node.origin.span == param.origin.span:
                return replace(node, source=replace(source, of=replace(where, where=None)))
            case _:
                return node

    return change


def _without(part: Any) -> Change:
    def change(node: object) -> object:
        if isinstance(node, Or):
            kept = tuple(one for one in node.parts if one.span != part.span)
            return node if len(kept) == len(node.parts) or not kept else replace(node, parts=kept)
        return node

    return change


# --- gains


def _gains(core: Core, node: Any) -> Made:
    """What is counted up, left out."""
    match node:
        case Put(var, _, value) if core.vars[var].role is Role.STATE and any(map(_adds, walk(value))):
            yield "gain", f"raising {var} is left out", node.origin.span, _left_out(node)


def _adds(node: object) -> bool:
    return isinstance(node, Op) and node.op is Operator.ADD


def _left_out(put: Put) -> Change:
    def change(node: object) -> object:
        return () if isinstance(node, Put) and node.var == put.var and node.origin.span == put.origin.span else node

    return change
