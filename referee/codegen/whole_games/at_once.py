"""Source for what is asked of all members of a set at once: conditions as the sets of what fulfils them.

None is said where a condition is not of such a form, or where a member could make an error: then the general way goes
through the members.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import assert_never

from referee.codegen.code_scope import Name, Scope, known, tight
from referee.codegen.whole_games.set_memory import KnownBest, KnownEnds, grouped_rows
from referee.codegen.whole_games.set_scope import SetCoding, empty
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
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, size


def filtered(code: SetCoding, expr: Where, scope: Scope) -> str | None:
    """The set of the members that pass."""
    members = source(code, expr.source, scope)
    if members is None:
        return None
    if expr.where is None:
        return members
    ends = _ends(code, expr)
    if ends is not None:
        return f"{ends}[{members}]"
    passing = condition(code, expr.where, expr.var, expr.source, scope)
    return None if passing is None else f"({members} & {passing})"


def _ends(code: SetCoding, expr: Where) -> str | None:
    """What knows which members have the least or greatest value in a table, if that is asked: the value was found of
    the same members before."""
    match expr.where:
        case Op(Operator.EQ, (Look(table, (key,)), Get(best, ()))) if _is(key, expr.var) and best in code.found:
            value = code.found[best]
        case None | (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
                     Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr.where)
    match value:
        case Fold(FoldKind.MIN | FoldKind.MAX, _, of, None, Look(other)) if (
                other == table and of == expr.source and not locals_of(of)):
            told = _values(code, value, {})
            return None if told is None else code.objects.name(
                "t", ("ends", table, value.kind), KnownEnds(*told))
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(value)


def fold(code: SetCoding, expr: Fold, scope: Scope) -> str | None:
    """The value of a fold."""
    match expr.kind:
        case FoldKind.ANY | FoldKind.ALL | FoldKind.COUNT:
            return _asked(code, expr, scope) or _rows(code, expr, scope)
        case FoldKind.MIN | FoldKind.MAX:
            return _end(code, expr, scope)
        case FoldKind.SUM:
            return None
        case _:
            assert_never(expr.kind)


def _asked(code: SetCoding, expr: Fold, scope: Scope) -> str | None:
    """Whether any, or all, or how many members pass."""
    if expr.kind is FoldKind.COUNT and (number := _lying(code, expr) or _in_bag(code, expr, scope)) is not None:
        return number
    members = source(code, expr.source, scope)
    if members is None:
        return None
    parts = []
    for one in (expr.where, expr.body if expr.kind is not FoldKind.COUNT else None):
        passing = None if one is None else condition(code, one, expr.var, expr.source, scope)
        if passing is None and one is not None:
            return None
        parts.append(passing)
    where, body = parts
    some = members if where is None else f"{members} & {where}"
    match expr.kind:
        case FoldKind.ANY:
            return f"({some if body is None else f'{some} & {body}'} != 0)"
        case FoldKind.ALL:
            if body is None:  # what is to hold of all stands where a filter does
                some, body = members, where
            return "True" if body is None else f"({some} & ~{tight(body)} == 0)"
        case FoldKind.COUNT:
            return f"({some}).bit_count()"
        case FoldKind.SUM | FoldKind.MIN | FoldKind.MAX:
            return None
        case _:
            assert_never(expr.kind)


def _lying(code: SetCoding, expr: Fold) -> str | None:
    """How much lies on the spots of a zone."""
    match expr.source:
        case Within(place) if place.zone in code.spots and place.spot is None and place.end is None and (
                expr.where is None):
            zone = code.layout.core.zones[place.zone]
            assert zone.spots is not None
            number = zone.spots.hi - zone.spots.lo + 1
            return f"({number} - {empty(code.spots[place.zone])}.bit_count())"
        case Within() | Numbers() | All() | Members():
            return None
        case _:
            assert_never(expr.source)


def _in_bag(code: SetCoding, expr: Fold, scope: Scope) -> str | None:
    """How much lies in a bag of which that is kept."""
    match expr.source:
        case Within(place) if place.zone in code.counted and place.spot is None and expr.where is None:
            return f"sum({code.slot(code.layout.zones[place.zone], place.keys, scope)})"
        case Within() | Numbers() | All() | Members():
            return None
        case _:
            assert_never(expr.source)


def _rows(code: SetCoding, expr: Fold, scope: Scope) -> str | None:
    """Whether of any row in a table of sets all, or any, members pass: what passes is found before the rows are gone
    through."""
    asked = expr.body if expr.where is None else expr.where if expr.body is None else None
    row = None if expr.kind is not FoldKind.ANY or asked is None else _row(asked, expr.var)
    if row is None:
        return None
    table, inner, passes = row
    sets = code.rows(table)
    spread = code.layout.tables[table][0]
    bounds = code.prover.members(expr.source, known(scope))
    if len(sets) != len(code.layout.tables[table][1].values) or len(spread.lows) != 1 or not bounds.inside(
            spread.lows[0], spread.lows[0] + spread.sizes[0] - 1):
        return None
    passing = condition(code, passes, inner.var, inner.source, {**scope, expr.var: Name("", bounds)})
    if passing is None:
        return None
    composed = _composed(code, expr.source, sets, spread.lows[0], scope)
    if composed is None:
        return None
    rows, together, fewest = composed
    if inner.kind is not FoldKind.ALL:
        return f"({together} & {passing} != 0)"
    passing, found, some = code.out.keep(passing), code.out.fresh(), code.out.fresh()
    code.out.line(f"{found} = False")
    full = code.out.fresh()
    with code.out.block(f"if ({together} & {passing}).bit_count() >= {fewest}:"), code.out.block(  # else none can be
            f"for {some}, {full} in {rows}:"), code.out.block(f"if {full}[{some} & {passing}]:"):
        code.out.line(f"{found} = True")
        code.out.line("break")
    return found


def met(code: SetCoding, asked: Expr, scope: Scope, var: str) -> tuple[list[int], str] | None:
    """Where all that is asked of a value is whether any member of its set in a table passes: the sets of all values, in
    their order, and what passes."""
    match asked:
        case Fold(FoldKind.ANY, one, Members(Look(table, (Local(name),)), None), where, body) if (
                name == var and (where is None) != (body is None)):
            passes, (spread, found) = body if where is None else where, code.layout.tables[table]
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(asked)
    sets, values = code.rows(table), scope[var].bounds
    if passes is None or var in locals_of(passes) or len(sets) != len(found.values):
        return None
    if (values.lo, values.hi) != (spread.lows[0], spread.lows[0] + spread.sizes[0] - 1) or len(spread.sizes) > 1:
        return None
    assert isinstance(asked, Fold)
    passing = condition(code, passes, one, asked.source, scope)
    return None if passing is None else (sets, passing)


def _row(asked: Expr, var: str) -> tuple[str, Fold, Expr] | None:
    """The table of sets, the fold over one of them, and what is asked of a member of it."""
    match asked:
        case Fold(FoldKind.ANY | FoldKind.ALL, _, Members(Look(table, (Local(name),)), None), where, body) if (
                name == var and (where is None) != (body is None)):
            passes = body if where is None else where
            assert passes is not None
            return None if var in locals_of(passes) else (table, asked, passes)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(asked)


def _composed(code: SetCoding, source: Domainlike, sets: Sequence[int], low: int,
              scope: Scope) -> tuple[str, str, int] | None:
    """The rows with the numbers that a table of sets has at one place, in groups of those that lie close together; what
    is in any of them; and how many members the shortest row has."""
    match source:
        case Members(Look(table, keys), None, False):
            several = code.layout.tables[table][1].values
            lists = [[sets[one - low] for one in sorted(some)] for some in several if isinstance(some, frozenset)]
            if len(lists) != len(several):
                return None
            key = (table, tuple(sets), low)
            rows = code.objects.name("m", ("rows", *key), list(map(grouped_rows, lists)))
            together = code.objects.name("m", ("together", *key), [reduce(or_, some, 0) for some in lists])
            place = code.out.keep(code.place(code.layout.tables[table][0], keys, scope))
            fewest = min((one.bit_count() for some in lists for one in some), default=0)
            return f"{rows}[{place}]", f"{together}[{place}]", fewest
        case Members() | Numbers() | All() | Within():
            return None
        case _:
            assert_never(source)


def _end(code: SetCoding, expr: Fold, scope: Scope) -> str | None:
    """The least or greatest member."""
    values = None if expr.body is None or _is(expr.body, expr.var) else _values(code, expr, scope)
    if expr.body is not None and not _is(expr.body, expr.var) and values is None:
        return None
    members = source(code, expr.source, scope)
    passing = None if expr.where is None or members is None else condition(
        code, expr.where, expr.var, expr.source, scope)
    if members is None or (expr.where is not None and passing is None):
        return None
    some = members if passing is None else f"({members} & {passing})"
    if values is not None:
        known_best = code.objects.name("t", ("best", *values), KnownBest(*values))
        return _best(code, expr, f"{known_best}[{some}]", scope)
    some = code.out.keep(some)
    if expr.empty is None:
        code.out.refuse(f"not {some}")
    text = f"{some} & -{some}" if expr.kind is FoldKind.MIN else some
    end = f"(({text}).bit_length() - 1)"
    if expr.empty is None:
        return end
    piece, empty = code.piece(expr.empty, scope)
    if not piece.plain:
        return None
    return f"({end} if {some} else {empty})"


def _values(code: SetCoding, expr: Fold, scope: Scope) -> tuple[tuple[int, ...], int, bool] | None:
    """What a table says of each member, which member it says it of first, and whether the least is asked for."""
    match expr.body:
        case Look(table, (key,)) if _is(key, expr.var):
            spread, found = code.layout.tables[table]
            low, bounds = spread.lows[0], code.prover.members(expr.source, known(scope))
            values = tuple(one for one in found.values if isinstance(one, int) and not isinstance(one, bool))
            if not bounds.inside(low, low + spread.sizes[0] - 1) or len(values) != len(found.values):
                return None
            return values, low, expr.kind is FoldKind.MIN
        case None | (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
                     Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr.body)


def _best(code: SetCoding, expr: Fold, text: str, scope: Scope) -> str:
    name = code.out.keep(text)
    if expr.empty is None:
        code.out.refuse(f"{name} is None")
        return name
    with code.out.block(f"if {name} is None:"):
        code.out.line(f"{name} = {code.value(expr.empty, scope)}")
    return name


def source(code: SetCoding, of: Domainlike, scope: Scope) -> str | None:
    """All members of a source as a set."""
    match of:
        case Members(members):
            match members.type:
                case SetOf():
                    return code.value(members, scope)
                case Bool() | Int() | Elem() | Maybe() | Many():
                    return None
                case _:
                    assert_never(members.type)
        case All(kind):
            return code.literal(frozenset(range(kind.lo, kind.hi + 1)))
        case Numbers() | Within():
            return None
        case _:
            assert_never(of)


def condition(code: SetCoding, cond: Expr, var: str, of: Domainlike, scope: Scope) -> str | None:
    """Everything of which a condition holds, members of a source or not."""
    bounds = code.prover.members(of, known(scope))
    return _holding(code, cond, var, {**scope, var: Name("", bounds)})


def _holding(code: SetCoding, cond: Expr, var: str, scope: Scope) -> str | None:
    if var not in locals_of(cond):
        text = _apart(code, cond, scope)
        return None if text is None else f"(-1 if {text} else 0)"
    match cond:
        case And(parts) | Or(parts):
            found = [_holding(code, one, var, scope) for one in parts]
            texts = [one for one in found if one is not None]
            sign = " & " if isinstance(cond, And) else " | "
            return None if len(texts) < len(found) else f"({sign.join(texts)})"
        case Op(Operator.NOT, (one,)):
            text = _holding(code, one, var, scope)
            return None if text is None else f"~{tight(text)}"
        case Op(Operator.EQ, (one, other)):
            return _alike(code, one, other, var, scope) or _alike(code, other, one, var, scope)
        case Op(Operator.NE, (one, other)):
            text = _alike(code, one, other, var, scope) or _alike(code, other, one, var, scope)
            return None if text is None else f"~{tight(text)}"
        case Op(Operator.IN, (one, group)):
            if not _is(one, var) or var in locals_of(group):
                return None
            match group.type:
                case SetOf():
                    return _apart(code, group, scope)
                case Bool() | Int() | Elem() | Maybe() | Many():
                    return None
                case _:
                    assert_never(group.type)
        case (Const() | Local() | Get() | Look() | Op() | If() | At() | Fold() | Where() | Connected() | Split() |
              Let() | Only() | After()):
            return None
        case _:
            assert_never(cond)


def _alike(code: SetCoding, one: Expr, other: Expr, var: str, scope: Scope) -> str | None:
    """All of which a value that hangs on nothing else is another one."""
    if var in locals_of(other):
        return None
    bounds = scope[var].bounds
    match one:
        case Local(name) if name == var:
            there = code.prover.value(other, known(scope))
            text = _apart(code, other, scope) if there.inside(0, MOST_SHIFTED) else None
            return None if text is None else f"(1 << {tight(text)})"
        case At(place, spot) if place.zone in code.spots and _is(spot, var):
            zone = code.layout.core.zones[place.zone]
            if zone.spots is None or not bounds.inside(zone.spots.lo, zone.spots.hi):
                return None
            return _of_class(code, place.zone, other, scope)
        case Look(table, (key,)) if _is(key, var):
            spread, found = code.layout.tables[table]
            low = spread.lows[0]
            if not bounds.inside(low, low + spread.sizes[0] - 1) or low < 0:
                return None
            text = _apart(code, other, scope)
            if text is None or any(isinstance(value, frozenset | tuple) for value in found.values):
                return None
            sets: dict[object, int] = {}
            for at, value in enumerate(found.values, low):
                sets[value] = sets.get(value, 0) | 1 << at
            return f"{code.objects.name('t', ('where', table), sets)}.get({text}, 0)"
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(one)


MOST_SHIFTED = 4_096
"""A set of one number is made by a shift, if the number is no larger: a larger one would be a long set."""


def filled(code: SetCoding, sides: Sequence[Expr]) -> str | None:
    """Whether so many lie on the spots of a zone, if that is asked."""
    for one, other in (sides, sides[::-1]):
        match one:
            case Fold(FoldKind.COUNT, _, Within(place)) if _lying(code, one) is not None:
                zone, number = code.layout.core.zones[place.zone], _constant(other)
                if number is not None and zone.spots is not None:
                    left, free = size(zone.spots) - number, empty(code.spots[place.zone])
                    return f"(not {free})" if left == 0 else f"({free}.bit_count() == {left})"
            case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
                  Connected() | Split() | Let() | Only() | After()):
                continue
            case _:
                assert_never(one)
    return None


def _constant(expr: Expr) -> int | None:
    """The number that an expression is, whatever the position."""
    match expr:
        case Const(int() as value):
            return value
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def lies(code: SetCoding, sides: Sequence[Expr], scope: Scope) -> str | None:
    """Whether what lies on a spot is something, if that is asked of a zone of which the spots are sets."""
    for one, other in (sides, sides[::-1]):
        match one:
            case At(place) if place.zone in code.spots:
                piece, spot = _spot(code, one, scope)
                sets = _of_class(code, place.zone, other, scope) if piece else None
                if sets is not None:
                    return f"({sets} >> {tight(spot)} & 1)"
            case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() |
                  Connected() | Split() | Let() | Only() | After()):
                continue
            case _:
                assert_never(one)
    return None


def _spot(code: SetCoding, one: At, scope: Scope) -> tuple[bool, str]:
    """Whether the spot is one for sure, and it; what it needs is written down then."""
    zone = code.layout.core.zones[one.place.zone]
    assert zone.spots is not None
    if not code.prover.value(one.spot, known(scope)).inside(zone.spots.lo, zone.spots.hi):
        return False, ""
    return True, code.value(one.spot, scope)


def _of_class(code: SetCoding, zone: str, other: Expr, scope: Scope) -> str | None:
    """The spots on which something lies, or nothing."""
    there = code.prover.value(other, known(scope))
    nothing = there.lo > there.hi and there.none
    if not nothing and not there.inside(0, code.classes - 1):
        return None
    if nothing:
        return empty(code.spots[zone])
    text = _apart(code, other, scope)
    return None if text is None else f"{code.spots[zone]}[{text}]"


def _apart(code: SetCoding, expr: Expr, scope: Scope) -> str | None:
    """A value that needs no lines and makes no error; None for others."""
    piece, text = code.piece(expr, scope)
    return text if piece.plain and not piece.raises and not piece.leaves else None


def _is(expr: Expr, var: str) -> bool:
    """Whether an expression is a name."""
    match expr:
        case Local(name):
            return name == var
        case (Const() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)
