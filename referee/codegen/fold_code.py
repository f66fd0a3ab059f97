"""Source for what is made of the members of a source: any, all, numbers of them, sums, the best, those that pass."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import assert_never

from referee.codegen.array_code import alike_entries, bounded, lying, marked, name_of
from referee.codegen.code_scope import Coding, Name, Scope, known
from referee.codegen.member_code import ascending_for_nothing, loop, unsorted, within
from referee.core.expr import (
    All,
    Connected,
    Expr,
    Fold,
    FoldKind,
    Local,
    Members,
    Numbers,
    Op,
    Operator,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Form
from referee.core.splits import parts_of, what_is_left


def fold(code: Coding, expr: Fold, scope: Scope) -> str:
    """The value of a fold."""
    match expr.kind:
        case FoldKind.ANY:
            return _any(code, expr, scope)
        case FoldKind.ALL if expr.body is None:
            return _search(code, expr, scope, None, expr.where, found=False)
        case FoldKind.ALL:
            return _search(code, expr, scope, expr.where, expr.body, found=False)
        case FoldKind.COUNT:
            return _count(code, expr, scope)
        case FoldKind.SUM:
            name = _started(code, "0")
            each_passing(code, expr, scope, lambda value: code.out.line(f"{name} += {value}"))
            return name
        case FoldKind.MIN | FoldKind.MAX:
            return _best(code, expr, scope)
        case _:
            assert_never(expr.kind)


def filtered(code: Coding, expr: Where, scope: Scope) -> str:
    """The set of the members that pass."""
    found = _started(code, "[]")
    each_passing(code, expr, scope, lambda value: code.out.line(f"{found}.append({value})"))
    return f"frozenset({found})"


def connected(code: Coding, expr: Connected, scope: Scope) -> str:
    """What steps lead to from a member: a list that grows while it is gone through."""
    found = _started(code, f"[{code.value(expr.start, scope)}]")
    met = _started(code, f"set({found})")
    bounds = code.prover.value(expr, known(scope))
    here, one = code.out.fresh(), code.out.fresh()
    with code.out.block(f"for {here} in {found}:"):
        steps = code.value(expr.step, {**scope, expr.here: Name(here, bounds)})
        with code.out.block(f"for {one} in {steps}:"), code.out.block(f"if {one} not in {met}:"):
            code.out.line(f"{met}.add({one})")
            inner = {**scope, expr.var: Name(one, bounds)}
            where = "True" if expr.where is None else code.value(expr.where, inner)
            code.out.line(f"if {where}: {found}.append({one})")
    return f"frozenset({found})"


def split(code: Coding, expr: Split, scope: Scope) -> str:
    """The best of what may be left of a set."""
    parts = code.objects.name("t", ("parts", expr.table), parts_of(code.layout.tables[expr.table][1]))
    left = _started(code, f"{code.objects.name('k', 'left', what_is_left)}({code.value(expr.of, scope)}, {parts})")
    code.out.refuse(f"{left} is None")
    name, rest, sign = _started(code, "None"), code.out.fresh(), "<" if expr.kind is FoldKind.MIN else ">"
    with code.out.block(f"for {rest} in {left}:"):
        bounds = code.prover.value(expr.of, known(scope))
        value = code.out.keep(code.value(expr.body, {**scope, expr.rest: Name(rest, bounds)}))
        code.out.line(f"if {name} is None or {value} {sign} {name}: {name} = {value}")
    return name


def _started(code: Coding, value: str) -> str:
    name = code.out.fresh()
    code.out.line(f"{name} = {value}")
    return name


def _any(code: Coding, expr: Fold, scope: Scope) -> str:
    test = expr.where if expr.body is None else expr.body if expr.where is None else None
    asked = None if test is None else _that_is(code, expr, test, scope, "({one} in {there})", "False")
    return asked or _search(code, expr, scope, expr.where, expr.body, found=True)


def _search(code: Coding, expr: Fold, scope: Scope, where: Expr | None, body: Expr | None, *, found: bool) -> str:
    """Goes on until a member passes `where` and then (any) holds or (all) does not."""
    if not found and body is None:
        return "True"
    whole = None if found or where is not None or body is None else bounded(code, expr.source, expr.var, body)
    if whole is not None:
        return whole
    name = _started(code, str(not found))

    def test(inner: Scope) -> None:
        tests = [code.piece(one, inner) for one in (where, body) if one is not None]
        if not found:
            tests[-1] = (tests[-1][0], f"(not {tests[-1][1]})")
        with code.out.block(f"if {code.chained(tests, 'and') if tests else 'True'}:"):
            code.out.line(f"{name} = {found}")
            code.out.line("break")

    _looped(code, expr, body if found and where is None else where, scope, test, stops=True)
    return name


def each_passing(code: Coding, expr: Fold | Where, scope: Scope, use: Callable[[str], None]) -> None:
    """Uses the body (left out: the member) of each member that passes."""
    body = expr.body if isinstance(expr, Fold) and expr.kind is not FoldKind.COUNT else None

    def one(inner: Scope) -> None:
        passing = nullcontext() if expr.where is None else code.out.block(f"if {code.value(expr.where, inner)}:")
        with passing:
            use(inner[expr.var].text if body is None else code.value(body, inner))

    _looped(code, expr, expr.where, scope, one, stops=False)


def _looped(code: Coding, expr: Fold | Where, where: Expr | None, scope: Scope, write: Callable[[Scope], None], *,
            stops: bool) -> None:
    """Goes through the members of a source; in their order only where that can make a difference."""
    some = None if where is None else (
        marked(code, expr.source, expr.var, where) or lying(code, expr.source, expr.var, where, scope))
    if some is None and not ascending_for_nothing(code, expr.source):
        with loop(code, expr.source, expr.var, scope) as inner:
            write(inner)
        return
    name = code.out.fresh()
    with code.out.apart() as body:
        write({**scope, expr.var: Name(name, code.prover.members(expr.source, known(scope)))})
    free = not body.raises or not (stops or body.leaves)
    text = some or unsorted(code, expr.source, scope, ordered=not free)
    with code.out.block(f"for {name} in {text}:"):
        code.out.insert(body)


def _count(code: Coding, expr: Fold, scope: Scope) -> str:
    lying = _content(code, expr, scope) if expr.where is None else None
    if lying is not None:
        form, there = lying
        match form:
            case Form.SLOTS:
                there = code.out.keep(there)
                return f"(len({there}) - {there}.count(None))"
            case Form.PILE:
                return f"sum(map(len, {there}))"
            case Form.BAG | Form.LINE:
                return f"len({there})"
            case _:
                assert_never(form)
    alike = None if expr.where is None else alike_entries(code, expr.source, expr.var, expr.where, scope)
    if alike is not None:
        return alike
    asked = None if expr.where is None else _that_is(code, expr, expr.where, scope, "{there}.count({one})", "0")
    if asked is not None:
        return asked
    name = _started(code, "0")
    each_passing(code, expr, scope, lambda _: code.out.line(f"{name} += 1"))
    return name


def _content(code: Coding, expr: Fold, scope: Scope) -> tuple[Form, str] | None:
    """The whole content of a zone that a fold goes through, if it does."""
    if not isinstance(expr.source, Within) or expr.source.place.spot is not None:
        return None
    form = code.layout.core.zones[expr.source.place.zone].form
    match form:
        case Form.LINE:
            return form, within(code, expr.source, scope)
        case Form.PILE if expr.source.place.end is not None:
            return None
        case Form.BAG | Form.SLOTS | Form.PILE:
            return form, code.content(expr.source.place, scope)
        case _:
            assert_never(form)


def _that_is(code: Coding, expr: Fold, cond: Expr, scope: Scope, answer: str, nothing: str) -> str | None:
    """The answer about the content `there` of a zone, if all that is asked of a member is whether it is `one` that can
    be said before. Where nothing lies the answer is `nothing`, and it is not asked which one."""
    if not isinstance(cond, Op) or cond.op is not Operator.EQ or not isinstance(expr.source, Within):
        return None
    sides = [other for one, other in (cond.args, cond.args[::-1]) if isinstance(one, Local) and one.name == expr.var]
    form = code.layout.core.zones[expr.source.place.zone].form
    if form.in_blocks or not sides or expr.var in locals_of(sides[0]):
        return None
    piece, one = code.piece(sides[0], scope)
    if form.on_spots and (piece.raises or code.prover.value(sides[0], known(scope)).none):
        return None
    lying = _content(code, expr, scope)
    if lying is None:
        return None
    if not piece.raises:
        code.out.insert(piece)
        return answer.format(there=lying[1], one=one)
    there, name = code.out.keep(lying[1]), _started(code, nothing)
    with code.out.block(f"if {there}:"):
        code.out.insert(piece)
        code.out.line(f"{name} = {answer.format(there=there, one=one)}")
    return name


def _best(code: Coding, expr: Fold, scope: Scope) -> str:
    name, sign = _started(code, "None"), "<" if expr.kind is FoldKind.MIN else ">"

    def better(value: str) -> None:
        text = code.out.keep(value)
        code.out.line(f"if {name} is None or {text} {sign} {name}: {name} = {text}")

    if not _first(code, expr, scope, name):
        each_passing(code, expr, scope, better)
    if expr.empty is None:
        code.out.refuse(f"{name} is None")
    else:
        with code.out.block(f"if {name} is None:"):
            code.out.line(f"{name} = {code.value(expr.empty, scope)}")
    return name


def _first(code: Coding, expr: Fold, scope: Scope, name: str) -> bool:
    """Where the best is the first member that passes it is looked for, and no further; false where it is another."""
    match expr.source:
        case Numbers(_, _, down):
            if down != (expr.kind is FoldKind.MAX) or (expr.body is not None and name_of(expr.body) != expr.var):
                return False
        case All() | Members() | Within():
            return False
        case _:
            assert_never(expr.source)
    with code.out.apart() as piece, loop(code, expr.source, expr.var, scope) as inner:
        passing = nullcontext() if expr.where is None else code.out.block(f"if {code.value(expr.where, inner)}:")
        with passing:
            code.out.line(f"{name} = {inner[expr.var].text}")
            code.out.line("break")
    if piece.raises or piece.leaves:
        return False
    code.out.insert(piece)
    return True
