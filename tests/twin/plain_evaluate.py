"""Evaluates expressions by plain recursion over their nodes: nothing is prepared, nothing remembered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    End,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Form
from referee.diagnostics.source import Span
from referee.game.state import Spread
from referee.interpreter.closures.open_comparisons import compare
from referee.interpreter.interruptions import NOT_ONE, RANGE, Fault
from tests.twin.plain_frame import ABSENT, Frame


def evaluate(expr: Expr, frame: Frame) -> Any:
    """The value of an expression. Raises `Fault` and `Unsettled`."""
    match expr:
        case Const():
            return expr.value
        case Local():
            return frame.env[expr.name]
        case Get():
            return frame.slots[entry(frame.vars[expr.var], expr.var, expr.keys, frame, expr.span)]
        case Look():
            entries, table = frame.tables[expr.table]
            return table.values[entry(entries, expr.table, expr.keys, frame, expr.span)]
        case Op():
            return _operate(expr, frame)
        case And():
            for part in expr.parts:  # a loop, and not `all`, because this is where the time goes
                if not evaluate(part, frame):
                    break
            else:
                return True
            return False
        case Or():
            for part in expr.parts:
                if evaluate(part, frame):
                    break
            else:
                return False
            return True
        case If():
            return evaluate(expr.yes if evaluate(expr.cond, frame) else expr.no, frame)
        case At():
            return _component_at(expr, frame)
        case Fold():
            return _fold(expr, frame)
        case Where():
            return _filter(expr, frame)
        case Connected():
            return _connected(expr, frame)
        case Split():
            return _split(expr, frame)
        case Let():
            value = evaluate(expr.value, frame)
            before = frame.env.get(expr.var, ABSENT)
            frame.env[expr.var] = value
            try:
                return evaluate(expr.body, frame)
            finally:
                frame.restore(expr.var, before)
        case Only():
            return _only(expr, frame)
        case After():
            return _after(expr, frame)
        case _:
            assert_never(expr)


def entry(entries: Spread, name: str, keys: tuple[Expr, ...], frame: Frame, span: Span | None) -> int:
    """The position of an entry of an array; RT01 if a key leaves its range."""
    if not keys:
        return entries.base
    key = _key(keys, frame)
    index = entries.find(key)
    if index < 0:
        raise Fault(RANGE, f"{name} has no entry {', '.join(map(str, key))}", span)
    return index


def _key(keys: tuple[Expr, ...], frame: Frame) -> tuple[int, ...]:
    return tuple([evaluate(key, frame) for key in keys])


def _operate(expr: Op, frame: Frame) -> Any:
    """Comparisons come first: they are what guards are made of."""
    args = expr.args
    match expr.op:
        case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN):
            return compare(expr.op, evaluate(args[0], frame), evaluate(args[1], frame))
        case Operator.NOT:
            return not evaluate(args[0], frame)
        case Operator.ADD:
            return evaluate(args[0], frame) + evaluate(args[1], frame)
        case Operator.SUB:
            return evaluate(args[0], frame) - evaluate(args[1], frame)
        case Operator.MUL:
            return evaluate(args[0], frame) * evaluate(args[1], frame)
        case Operator.NEG:
            return -evaluate(args[0], frame)
        case Operator.LOWER:
            return min(evaluate(arg, frame) for arg in args)
        case Operator.HIGHER:
            return max(evaluate(arg, frame) for arg in args)
        case Operator.SET:
            return frozenset([evaluate(arg, frame) for arg in args])
        case Operator.UNION:
            return evaluate(args[0], frame) | evaluate(args[1], frame)
        case Operator.MINUS:
            return evaluate(args[0], frame) - evaluate(args[1], frame)
        case Operator.SIZE:
            return len(evaluate(args[0], frame))
        case Operator.BETWEEN:
            return abs(evaluate(args[0], frame) - evaluate(args[1], frame))
        case _:
            assert_never(expr.op)


def _component_at(expr: At, frame: Frame) -> Any:
    place = expr.place
    spot = evaluate(expr.spot, frame)
    content = frame.slots[entry(frame.zones[place.zone], place.zone, place.keys, frame, expr.span)]
    zone = frame.layout.core.zones[place.zone]
    low = zone.spots.lo if zone.spots is not None else 0
    if 0 <= spot - low < len(content):
        return content[spot - low]
    if zone.form is Form.SLOTS:
        raise Fault(RANGE, f"{place.zone} has no spot {spot}", expr.span)
    return None


def _only(expr: Only, frame: Frame) -> Any:
    value = evaluate(expr.of, frame)
    if value is None:
        raise Fault(NOT_ONE, "there is none, and exactly one is needed", expr.span)
    if not isinstance(value, (frozenset, tuple)):
        return value
    if len(value) != 1:
        raise Fault(NOT_ONE, f"there are {len(value)}, and exactly one is needed", expr.span)
    return next(iter(value))


def _after(expr: After, frame: Frame) -> Any:
    from tests.twin.plain_perform import perform

    there = frame.copy()
    try:
        perform(expr.body, there)
        return evaluate(expr.value, there)
    except Fault:
        if expr.failing is None:
            raise
        return evaluate(expr.failing, frame)


def _fold(expr: Fold, frame: Frame) -> Any:
    source = members(expr.source, frame)
    before = frame.env.get(expr.var, ABSENT)
    try:
        value = _folded(expr, source, frame)
    finally:
        frame.restore(expr.var, before)
    return _empty(expr, frame) if value is ABSENT else value


def _folded(expr: Fold, source: Sequence[int], frame: Frame) -> Any:
    """The fold, `ABSENT` for the best of nothing."""
    where, body = expr.where, expr.body
    match expr.kind:
        case FoldKind.ANY:
            return _some(expr, source, where, body, True, frame)
        case FoldKind.ALL if body is None:
            return not _some(expr, source, None, where, False, frame)
        case FoldKind.ALL:
            return not _some(expr, source, where, body, False, frame)
        case FoldKind.COUNT:
            return len(_values(expr, source, frame))
        case FoldKind.SUM:
            return sum(_values(expr, source, frame))
        case FoldKind.MIN:
            return min(_values(expr, source, frame), default=ABSENT)
        case FoldKind.MAX:
            return max(_values(expr, source, frame), default=ABSENT)
        case _:
            assert_never(expr.kind)


def _some(expr: Fold, source: Sequence[int], where: Expr | None, body: Expr | None, wanted: bool, frame: Frame) -> bool:
    """True if the body (left out: yes) is as wanted for a member that passes `where`."""
    env, var = frame.env, expr.var
    for member in source:
        env[var] = member
        if where is not None and not evaluate(where, frame):
            continue
        if (True if body is None else evaluate(body, frame)) is wanted:
            return True
    return False


def _values(expr: Fold, source: Sequence[int], frame: Frame) -> list[Any]:
    """The body (left out: the member) for each member that passes `where`."""
    env, var, where, body = frame.env, expr.var, expr.where, expr.body
    values = []
    for member in source:
        env[var] = member
        if where is None or evaluate(where, frame):
            values.append(member if body is None else evaluate(body, frame))
    return values


def _empty(expr: Fold, frame: Frame) -> Any:
    if expr.empty is None:
        raise Fault(NOT_ONE, "there is none to take the best of", expr.span)
    return evaluate(expr.empty, frame)


def _connected(expr: Connected, frame: Frame) -> frozenset[int]:
    """One step after the other from what was found last, until nothing new is found."""
    found = {evaluate(expr.start, frame)}
    met, last = set(found), sorted(found)
    before = frame.env.get(expr.here, ABSENT), frame.env.get(expr.var, ABSENT)
    try:
        while last:
            new = []
            for member in last:
                frame.env[expr.here] = member
                for one in sorted(evaluate(expr.step, frame) - met):
                    met.add(one)
                    frame.env[expr.var] = one
                    if expr.where is None or evaluate(expr.where, frame):
                        new.append(one)
                frame.restore(expr.var, before[1])
            found.update(new)
            last = new
    finally:
        frame.restore(expr.var, before[1])
        frame.restore(expr.here, before[0])
    return frozenset(found)


def _split(expr: Split, frame: Frame) -> Any:
    """The best over every choice of sets that lie in one and share nothing."""
    parts = [one for one in frame.layout.tables[expr.table][1].values if isinstance(one, frozenset) and one]
    before = frame.env.get(expr.rest, ABSENT)
    values = []
    try:
        for rest in _rests(evaluate(expr.of, frame), parts):
            frame.env[expr.rest] = rest
            values.append(evaluate(expr.body, frame))
    finally:
        frame.restore(expr.rest, before)
    return min(values) if expr.kind is FoldKind.MIN else max(values)


def _rests(whole: frozenset[int], parts: list[frozenset[int]]) -> list[frozenset[int]]:
    if not parts:
        return [whole]
    first, *others = parts
    return _rests(whole, others) + (_rests(whole - first, others) if first <= whole else [])


def _filter(expr: Where, frame: Frame) -> frozenset[int]:
    source = members(expr.source, frame)
    if expr.where is None:
        return frozenset(source)
    env, var, where = frame.env, expr.var, expr.where
    before = env.get(var, ABSENT)
    found = []
    try:
        for member in source:
            env[var] = member
            if evaluate(where, frame):
                found.append(member)
    finally:
        frame.restore(var, before)
    return frozenset(found)


def members(source: Domainlike, frame: Frame) -> Sequence[int]:
    """The members of a source in its order; alike ones as often as they are there."""
    match source:
        case Numbers():
            lo, hi = evaluate(source.lo, frame), evaluate(source.hi, frame)
            return range(hi, lo - 1, -1) if source.down else range(lo, hi + 1)
        case All():
            return _turned(range(source.of.lo, source.of.hi + 1), source.first, source.down, frame)
        case Members():
            return _turned(sorted(evaluate(source.of, frame)), source.first, source.down, frame)
        case Within():
            return inside(source.place, frame)
        case _:
            assert_never(source)


def _turned(values: Sequence[int], first: Expr | None, down: bool, frame: Frame) -> Sequence[int]:
    """Ascending values in the order asked for: from `first` on and round again, or downwards."""
    if first is None:
        return values[::-1] if down else values
    start = evaluate(first, frame)
    if down:
        return [*[v for v in reversed(values) if v <= start], *[v for v in reversed(values) if v > start]]
    return [*[v for v in values if v >= start], *[v for v in values if v < start]]


def inside(place: Place, frame: Frame) -> Sequence[int]:
    """The classes in a place, each as often as it is there: ascending, by position in a line."""
    content = frame.slots[entry(frame.zones[place.zone], place.zone, place.keys, frame, place.span)]
    zone = frame.layout.core.zones[place.zone]
    match zone.form:
        case Form.BAG:
            found: Sequence[int] = content
        case Form.LINE:
            found = content[-1:] if place.end is End.TOP else content[:1] if place.end is End.BOTTOM else content
        case Form.SLOTS:
            found = sorted(c for c in content if c is not None)
        case Form.PILE:
            blocks = content[:1] if place.end is End.TOP else content[-1:] if place.end is End.BOTTOM else content
            found = sorted(c for block in blocks for c in block)
        case _:
            assert_never(zone.form)
    if place.spot is None:
        return found
    spot = evaluate(place.spot, frame) - (zone.spots.lo if zone.spots is not None else 0)
    there = content[spot] if 0 <= spot < len(content) else None
    return () if there is None else (there,)


def distinct(source: Domainlike, frame: Frame) -> Sequence[int]:
    """The members of a source in its order, alike ones in a zone once (in a line every position counts)."""
    found = members(source, frame)
    if isinstance(source, Within) and frame.layout.core.zones[source.place.zone].form is not Form.LINE:
        return list(dict.fromkeys(found))
    return found
