"""What somebody owns that keeps several effects from him: another answer is that it does so with one of them alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from referee.core.expr import Const, Expr, Fold, Local, Members, Op, Operator, Where, Within
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Each, Origin, Stmt, origin_of
from referee.core.traverse import conjuncts, in_play, walk, with_blocks
from referee.core.types import COMPONENT, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.if_scopes import IF_SCOPE
from referee.other_rules.forms import as_a, with_value

FIRST_ALONE, REST_ALONE = "from_the_first_alone", "from_all_but_the_first"
_Made = Callable[[Expr, Block], Stmt]
"""A statement with another condition and another block."""


def with_protections_of_one_effect(core: Core, others: OtherAnswers) -> Core:
    """The rules with each condition over several effects that somebody does not own something; for another answer it
    holds for the first of them alone, or for all but that."""

    def asked(stmt: Stmt) -> Stmt:
        branch, each = as_a(stmt, Branch), as_a(stmt, Each)
        if branch is not None and not branch.no:
            return _asked(stmt, branch.origin, branch.cond, branch.yes,
                          lambda cond, block: replace(branch, cond=cond, yes=block), others)  # fmt: skip
        found = None if each is None else _filter(each)
        if each is None or found is None or found.where is None:
            return stmt
        cond = with_value(found.where, found.var, Local(each.var, found.type.of))

        def for_each(free: Expr, block: Block) -> Stmt:
            source = replace(found, var=each.var, where=free)
            return replace(each, source=_of(each, source), body=block)

        return _asked(stmt, each.origin, cond, each.body, for_each, others)

    def inside(block: Block) -> Block:
        return tuple(asked(with_blocks(stmt, inside)) for stmt in block)

    return in_play(core, inside)


def _asked(stmt: Stmt, origin: Origin, cond: Expr, block: Block, made: _Made, others: OtherAnswers) -> Stmt:
    """A statement, or for other answers that with a part of its condition over one part of its block."""
    kept = tuple(one for one in conjuncts(cond) if _is_protection(one))
    lines = [origin_of(one).span.first_line for one in block]
    at = next((number for number, line in enumerate(lines) if line != lines[0]), len(block))
    first, more = block[:at], block[at:]
    named = {one.name for one in walk(first, Bind)}
    if not kept or not more or all(as_a(one, Bind) for one in first) or named & locals_of(more):
        return stmt
    rest = [one for one in conjuncts(cond) if one not in kept]
    free = typed_operators.both(rest) if rest else typed_operators.TRUE
    under = typed_operators.both(kept)
    for name, parts in ((FIRST_ALONE, (Branch(under, first, (), origin), *more)),
                        (REST_ALONE, (*first, Branch(under, more, (), origin)))):  # fmt: skip
        test = others.test(IF_SCOPE, name, origin, alone=True)
        if test is not None:
            stmt = Branch(test, (made(free, parts),), (stmt,), origin)
    return stmt


def _filter(each: Each) -> Where | None:
    """The condition of a loop."""
    members = as_a(each.source, Members)
    return None if members is None else as_a(members.of, Where)


def _of(each: Each, source: Where) -> Members:
    members = as_a(each.source, Members)
    assert members is not None
    return replace(members, of=source)


def _is_protection(cond: Expr) -> bool:
    """Whether a condition says that somebody has not a certain thing."""
    denied = as_a(cond, Op)
    if denied is None or denied.op is not Operator.NOT:
        return False
    for fold in walk(denied, Fold):
        within = as_a(fold.source, Within)
        named = [one for one in walk(fold.where, Const) for kind in walk(one.type, Elem) if kind.domain == COMPONENT]
        if within is not None and within.place.keys and named:
            return True
    return False
