"""Names in expressions: locals replaced by what holds their value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

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
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Block
from referee.core.traverse import rewrite_expressions

Names = Mapping[str, Expr]
"""Locals in scope, with the expression that reads each; a local that is not in it stays a local."""


class PutIn:
    """What is put into expressions in place of their names, made once: bodies are written out wherever they are carried
    out, and their names mostly stand for the same registers there."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[Expr, tuple[str, ...]]] = {}
        self._made: dict[tuple[object, ...], Expr] = {}

    def expr(self, expr: Expr, names: Names) -> Expr:
        """As `substitute`."""
        if not names:
            return expr
        known = self._read.get(id(expr))
        if known is None:
            known = self._read[id(expr)] = (expr, tuple(sorted(locals_of(expr))))
        values = tuple([(name, names[name]) for name in known[1] if name in names])
        if not values:
            return expr
        key = (id(expr), values, *(value.span for _, value in values))
        if key not in self._made:
            self._made[key] = substitute(expr, names)
        return self._made[key]


def substitute(expr: Expr, names: Names) -> Expr:
    """The expression with its free locals replaced. What is put in has no locals of its own."""
    if not names:
        return expr
    match expr:
        case Const():
            return expr
        case Local(name):
            found = names.get(name, expr)
            return replace(found, span=expr.span) if found.span is None and expr.span is not None else found
        case Get() | Look():
            return replace(expr, keys=_all(expr.keys, names))
        case Op():
            return replace(expr, args=_all(expr.args, names))
        case And() | Or():
            return replace(expr, parts=_all(expr.parts, names))
        case If():
            return replace(expr, cond=substitute(expr.cond, names), yes=substitute(expr.yes, names),
                           no=substitute(expr.no, names))
        case At():
            return replace(expr, place=in_place(expr.place, names), spot=substitute(expr.spot, names))
        case Fold():
            inner = without(names, expr.var)
            return replace(expr, source=in_source(expr.source, names), where=_maybe(expr.where, inner),
                           body=_maybe(expr.body, inner), empty=_maybe(expr.empty, names))
        case Where():
            return replace(expr, source=in_source(expr.source, names),
                           where=_maybe(expr.where, without(names, expr.var)))
        case Connected():
            return replace(expr, start=substitute(expr.start, names),
                           step=substitute(expr.step, without(names, expr.here)),
                           where=_maybe(expr.where, without(names, expr.var)))
        case Split():
            return replace(expr, of=substitute(expr.of, names), body=substitute(expr.body, without(names, expr.rest)))
        case Let():
            return replace(expr, value=substitute(expr.value, names),
                           body=substitute(expr.body, without(names, expr.var)))
        case Only():
            return replace(expr, of=substitute(expr.of, names))
        case After():
            return replace(expr, body=_in_block(expr.body, names), value=substitute(expr.value, names),
                           failing=_maybe(expr.failing, names))
        case _:
            assert_never(expr)


def _all(exprs: tuple[Expr, ...], names: Names) -> tuple[Expr, ...]:
    return tuple(substitute(expr, names) for expr in exprs)


def _maybe(expr: Expr | None, names: Names) -> Expr | None:
    return None if expr is None else substitute(expr, names)


def _in_block(block: Block, names: Names) -> Block:
    """The block of an `After` with its free locals replaced; what it binds has names that nothing around it has."""
    return rewrite_expressions(block, lambda part: substitute(part, names))


def in_place(place: Place, names: Names) -> Place:
    """A place with its free locals replaced."""
    return replace(place, keys=_all(place.keys, names), spot=_maybe(place.spot, names))


def in_source(source: Domainlike, names: Names) -> Domainlike:
    """A source with its free locals replaced."""
    match source:
        case Numbers():
            return replace(source, lo=substitute(source.lo, names), hi=substitute(source.hi, names))
        case All():
            return replace(source, first=_maybe(source.first, names))
        case Members():
            return replace(source, of=substitute(source.of, names), first=_maybe(source.first, names))
        case Within():
            return Within(in_place(source.place, names))
        case _:
            assert_never(source)


def without(names: Names, name: str) -> Names:
    """The names in scope inside something that binds `name`."""
    return {known: value for known, value in names.items() if known != name} if name in names else names
