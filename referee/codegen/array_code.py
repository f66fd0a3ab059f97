"""Source for what is asked of many values at once.

Either the same is asked of every entry of a variable or of a zone, which lie side by side, or one value is looked for
among several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from referee.codegen.code_scope import Coding, Scope, known
from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
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
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Role, Var
from referee.core.types import Bool, Elem, Int, Scalar, Value, size

_BEST = {Operator.LE: ("max", "<="), Operator.LT: ("max", "<"), Operator.GE: ("min", ">="), Operator.GT: ("min", ">")}


def bounded(code: Coding, source: Domainlike, var: str, cond: Expr) -> str | None:
    """Whether every entry of a variable is at most, or at least, a constant; None if something else is asked."""
    if not isinstance(cond, Op) or cond.op not in _BEST or not isinstance(cond.args[1], Const):
        return None
    entries = _entries(code, source, var, cond.args[0])
    if entries is None or not isinstance(cond.args[0].type, Int | Elem) or not isinstance(cond.args[1].value, int):
        return None
    best, sign = _BEST[cond.op]
    return f"({best}({entries}) {sign} {code.literal(cond.args[1].value)})"


def alike_entries(code: Coding, source: Domainlike, var: str, cond: Expr, scope: Scope) -> str | None:
    """How many entries of a variable, from one index to another, are a value; None if something else is asked."""
    sides, ends = _compared(cond), _ends(source)
    if sides is None or ends is None:
        return None
    for one, other in (sides, sides[::-1]):
        run = _run(code, ends, var, one, scope)
        if run is None or var in locals_of(other):
            continue
        piece, sought = code.piece(other, scope)
        if piece.plain and not piece.raises:
            listed, begin, end = run
            return f"times(s, {begin}, {end}, {sought})" if listed else f"s[{begin}:{end}].count({sought})"
    return None


def _ends(source: Domainlike) -> tuple[Expr, Expr] | None:
    """The least and the greatest of the numbers that are gone through; None for other sources."""
    match source:
        case Numbers(lo, hi):
            return lo, hi
        case All() | Members() | Within():
            return None
        case _:
            assert_never(source)


def _run(code: Coding, ends: tuple[Expr, Expr], var: str, expr: Expr, scope: Scope) -> tuple[bool, str, str] | None:
    """Where the entries of a variable begin and end from one index to another, which it surely has, if an expression
    reads each of them; and whether these are a list from its beginning on."""
    read = _entry_of(expr, var)
    if read is None:
        return None
    entries = code.layout.vars[read]
    low, high = (code.prover.value(end, known(scope)) for end in ends)
    first, last = entries.lows[0], entries.lows[0] + entries.sizes[0] - 1
    if low.lo < first or not first - 1 <= high.lo or high.hi > last or low.none or high.none or not entries.count:
        return None
    if read in code.prover.doubtful or code.layout.may_be_open(read) or entries.base >= code.layout.fixed:
        return None
    pieces = [code.piece(end, scope) for end in ends]
    if any(not piece.plain or piece.raises for piece, _ in pieces):
        return None
    (_, begin), (_, end) = pieces
    shift = entries.base - first
    listed = is_list(code.layout.defs[read]) and low.hi == first
    return listed, f"{begin} + {shift}", f"{end} + {shift + 1}"


def is_list(var: Var) -> bool:
    """Whether a variable is written at its end alone and read up to there: what has come about, one after another."""
    return var.role is Role.COUNTER and len(var.keys) == 1


def _entry_of(expr: Expr, index: str) -> str | None:
    """The variable of which an expression reads the entry at the index that has a name; None if it reads no such."""
    match expr:
        case Get(var, (key,)):
            return var if name_of(key) == index else None
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def marked(code: Coding, source: Domainlike, var: str, cond: Expr) -> str | None:
    """The members of a source of which a condition holds that is one of some marks; None if it is no such condition."""
    parts = _options(cond)
    found = [_entries(code, source, var, part) if part.type == Bool() else None for part in parts]
    every = _every(source)
    if every is None or not found or None in found:
        return None
    marks = str(found[0])
    for more in found[1:]:
        marks = f"map(either, {marks}, {more})"
    return f"compress(range({every.lo}, {every.hi + 1}), {marks})"


def lying(code: Coding, source: Domainlike, var: str, cond: Expr, scope: Scope) -> str | None:
    """The spots of a zone on which something lies that a condition asks for first; None if it asks for something else.
    What else it asks is still to be tested."""
    every = _every(source)
    mine, scope, first = _asked_first(var, cond, scope)
    options = _options(first)
    at = None if every is None or not options else next(
        (side for side in _compared(options[0]) or () if _spot(side) in mine), None)
    if at is None or every is None or any(at not in (_compared(one) or ()) for one in options):
        return None
    content = _content(code, at, every, mine, scope)
    if content is None:
        return None
    if len(options) > 1:
        text = among(code, options, at, scope)
        return None if text is None else f"lying_of({content}, {text}, {every.lo})"
    one, other = _compared(options[0]) or (at, at)
    sought = other if one == at else one
    piece, text = code.piece(sought, scope)
    if mine & locals_of(sought) or not piece.plain or piece.raises:
        return None
    return f"lying({content}, {text}, {every.lo})"


def _every(source: Domainlike) -> Scalar | None:
    """The type of whose values each is a member, in their order; None for other sources."""
    match source:
        case All(of, None, False):
            return of
        case All() | Numbers() | Members() | Within():
            return None
        case _:
            assert_never(source)


def _content(code: Coding, at: Expr, every: Scalar, mine: frozenset[str], scope: Scope) -> str | None:
    """What lies on all spots of the zone that an expression looks into, if these are all members of a type."""
    match at:
        case At(place):
            zone = code.layout.core.zones[place.zone]
            if mine & locals_of(place.keys) or zone.spots is None or (
                    zone.spots.lo, size(zone.spots)) != (every.lo, size(every)):
                return None
            with code.out.apart() as piece:
                text = code.content(place, scope)
            return text if piece.plain and not piece.raises else None
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(at)


def _spot(expr: Expr) -> str | None:
    """The name of the spot that is looked at, if it has one."""
    match expr:
        case At(_, spot):
            return name_of(spot)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def name_of(expr: Expr) -> str | None:
    """The name that an expression is, None for any other."""
    match expr:
        case Local(name):
            return name
        case (Const() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _options(expr: Expr) -> tuple[Expr, ...]:
    """Conditions of which one is enough."""
    match expr:
        case Or(parts):
            return parts
        case (Const() | Local() | Get() | Look() | Op() | And() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return (expr,)
        case _:
            assert_never(expr)


def _asked_first(var: str, cond: Expr, scope: Scope) -> tuple[frozenset[str], Scope, Expr]:
    """What a condition on a member asks first, with the names that it has there for the member, and for others."""
    mine = frozenset((var,))
    while True:
        match cond:
            case And((first, *_)):
                cond = first
            case After((), value):
                cond = value
            case Let(name, value, body):
                other = name_of(value)
                if other is None or (other not in mine and other not in scope):
                    return mine, scope, cond
                scope = scope if other in mine else {**scope, name: scope[other]}
                mine = mine | {name} if other in mine else mine - {name}
                cond = body
            case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
                  Connected() | Split() | Only() | After()):
                return mine, scope, cond
            case _:
                assert_never(cond)


def alike(code: Coding, parts: Sequence[Expr], scope: Scope) -> Iterator[Expr | tuple[Expr, str]]:
    """The alternatives of a disjunction; those in a row that compare the same value with one after the other are told
    as that value and the set that it is looked for in."""
    at = 0
    while at < len(parts):
        for side in _compared(parts[at]) or ():
            many = at + 1
            while many < len(parts) and side in (_compared(parts[many]) or ()):
                many += 1
            text = among(code, parts[at:many], side, scope) if many - at > 1 else None
            if text is not None:
                yield side, text
                at = many
                break
        else:
            yield parts[at]
            at += 1


def among(code: Coding, parts: Sequence[Expr], one: Expr, scope: Scope) -> str | None:
    """The set of what a value is compared with, if that is constant, or stands in constant tables at one place."""
    fixed, tables = list[Value](), list[Look]()
    for sides in map(_compared, parts):
        assert sides is not None
        other = sides[0] if sides[1] == one else sides[1]
        match other:
            case Const(value):
                fixed.append(value)
            case Look():
                tables.append(other)
            case (Local() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split() |
                  Let() | Only() | After()):
                return None
            case _:
                assert_never(other)
    if not tables:
        return code.objects.name("k", ("among", found := frozenset(fixed)), found)
    spreads = {(spread.lows, spread.sizes, look.keys) for look in tables
               for spread in (code.layout.tables[look.table][0],)}
    piece, place = code.piece(tables[0], scope)
    if len(spreads) > 1 or not piece.plain or piece.raises:
        return None
    rows = zip(*(code.layout.tables[look.table][1].values for look in tables), strict=True)
    sets = tuple(frozenset((*fixed, *row)) for row in rows)
    return f"{code.objects.name('k', ('among', sets), sets)}{place[place.index('['):]}"


def _compared(expr: Expr) -> tuple[Expr, Expr] | None:
    """The two sides of a comparison."""
    match expr:
        case Op(Operator.EQ, (one, other)):
            return one, other
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
              Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _entries(code: Coding, source: Domainlike, var: str, expr: Expr) -> str | None:
    """All entries of the variable that an expression reads for each member of a source, if it reads no more."""
    if not isinstance(expr, Get) or not isinstance(source, All) or source.first is not None or source.down:
        return None
    entries = code.layout.vars[expr.var]
    if len(expr.keys) != 1 or not isinstance(expr.keys[0], Local) or expr.keys[0].name != var:
        return None
    if (source.of.lo, size(source.of)) != (entries.lows[0], entries.sizes[0]) or not entries.count:
        return None
    if expr.var in code.prover.doubtful or code.layout.may_be_open(expr.var) or entries.base >= code.layout.fixed:
        return None
    return f"s[{entries.base}:{entries.base + entries.count}]"
