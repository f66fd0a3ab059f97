"""Values that may be missing: comparisons fail without them, and what a contest between two of them is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import Terms
from referee.frontend.names.bindings import Meaning, Scope
from referee.frontend.names.tree_access import node, nodes, word, words
from referee.syntax.syntax_tree import Node

_FALSE = typed_operators.FALSE


def _missing(kind: Type) -> Maybe | None:
    """A type whose values may be missing."""
    match kind:
        case Maybe():
            return kind
        case Bool() | Int() | Elem() | SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def there(value: Expr, span: Span | None) -> Expr:
    """The condition that a value is not missing: of one by cases, that a case holds which gives something."""
    kind = _missing(value.type)
    if kind is None:
        return typed_operators.TRUE
    match value:
        case If(test, yes, no):
            return _chosen(test, there(yes, span), there(no, span), span)
        case Let(name, given, body):
            inner = there(body, span)
            return inner if inner in (typed_operators.TRUE, _FALSE) else Let(name, given, inner, Bool(), span)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected()
              | Split() | Only() | After()):
            nothing = typed_operators.nothing(kind.of, span)
            same = typed_operators.equal(value, nothing, span)
            return _FALSE if value == nothing else typed_operators.negate(same, span)
        case _:
            assert_never(value)


def _chosen(test: Expr, yes: Expr, no: Expr, span: Span | None) -> Expr:
    """One of two conditions, without what is always so or never."""
    if yes == no:
        return yes
    if no == _FALSE:
        return typed_operators.both((test, yes), span)
    if yes == _FALSE:
        return typed_operators.both((typed_operators.negate(test, test.span), no), span)
    return If(test, yes, no, Bool(), span)


def known(value: Expr) -> Expr:
    """A value that is not missing, as one that cannot be."""
    kind = _missing(value.type)
    if kind is None:
        return value
    match value:
        case If(test, yes, no):
            one, other = (_FALSE if there(part, None) == _FALSE else known(part) for part in (yes, no))
            if _FALSE in (one, other):
                kept = other if one == _FALSE else one
                return kept if value.span is None or value.span.use is None else replace(kept, span=value.span)
            joined = typed_operators.join(one.type, other.type)
            assert joined is not None
            return If(test, one, other, joined, value.span)
        case Let(name, given, body):
            inner = known(body)
            return Let(name, given, inner, inner.type, value.span)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected()
              | Split() | Only() | After()):
            return Only(value, kind.of, value.span)
        case _:
            assert_never(value)


def compared(left: Expr, right: Expr, span: Span, made: Callable[[Expr, Expr], Expr]) -> Expr:
    """A comparison that fails where one of the values is missing."""
    return typed_operators.both((there(left, span), there(right, span), made(known(left), known(right))), span)


class Contests:
    """The lowering of contests."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.symbols = terms.symbols
        terms.rules.update({"contested": self._elsewhere, "contest": self._contest, "possible": self._possible})

    def _elsewhere(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        raise self.symbols.wrong("PH02", "contests stand in the phases of a text", term.span)

    def _contest(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """What attacks has to be there; it is enough if what defends is not."""
        attack, defence = (self._points(node(part), scope) for part in term.parts[:2])
        present, met = there(attack, term.span), there(defence, term.span)
        test = self._test(term, known(attack), known(defence), scope)
        if met != typed_operators.TRUE:
            test = Or((typed_operators.negate(met, term.span), test), term.span)
        return typed_operators.both((present, test), term.span)

    def _points(self, term: Node, scope: Scope) -> Expr:
        """A number, which may be missing. Raises Wrong."""
        found = self.terms.value(term, scope)
        if there(found, None) == _FALSE:
            raise self.symbols.wrong("TY01", f"`{self.symbols.text(term.span)}` is never a number", term.span)
        self.terms.as_number(known(found), term.span)
        return found

    def _test(self, term: Node, attack: Expr, defence: Expr, scope: Scope) -> Expr:
        attack = self.terms.as_number(attack, node(term.parts[0]).span)
        defence = self.terms.as_number(defence, node(term.parts[1]).span)
        margin = term.parts[3]
        if margin is None:
            won = word(term.parts[2])
            found = self.terms.plain(self.terms.function(won, [attack, defence], scope, term.span), term.span)
            return self.terms.fit(found, typed_operators.TRUE.type, term.span)
        how, *by = words(node(margin))
        if by:
            span = node(term.parts[1]).span.to(node(margin).span)
            op = Operator.SUB if how.type == "NOT_FAR" else Operator.ADD
            defence = typed_operators.arithmetic(op, defence, typed_operators.number(int(by[0].text)), span)
        return typed_operators.compare(Operator.GE, attack, defence, term.span)

    def _possible(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """Whether any of several conditions may hold: what attacks in a contest has to be there."""
        found: list[Expr] = []
        for cond in nodes(term):
            test = self._may_hold(cond, scope)
            if test == typed_operators.TRUE:
                return test
            found += [test] if test not in found else []
        return Or(tuple(found), term.span) if len(found) != 1 else found[0]

    def _may_hold(self, cond: Node, scope: Scope) -> Expr:
        match cond.kind:
            case "contest":
                return there(self._points(node(cond.parts[0]), scope), cond.span)
            case "and_":
                return typed_operators.both((self._may_hold(one, scope) for one in nodes(cond)), cond.span)
            case _:
                return typed_operators.TRUE
