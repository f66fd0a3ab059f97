"""Values that may be missing: comparisons fail without them, and what a contest between two of them is."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.expr import Const, Expr, Let, Local, Only, Operator, Or
from referee.core.types import Maybe, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import Terms
from referee.frontend.names.bindings import Meaning, Scope
from referee.frontend.names.tree_access import node, nodes, word, words
from referee.syntax.syntax_tree import Node


def there(value: Expr, span: Span | None) -> Expr:
    """Whether a value is not missing."""
    kind = value.type
    if not isinstance(kind, Maybe):
        return typed_operators.TRUE
    return typed_operators.negate(typed_operators.equal(value, typed_operators.nothing(kind.of, span), span), span)


def with_values(
    given: tuple[Expr, Expr], fresh: Callable[[str], str], span: Span, made: Callable[[Expr, Expr], Expr]
) -> Expr:
    """What is made of two values, of which each that may be missing is worked out once."""
    lets: list[tuple[str, Expr]] = []
    known: list[Expr] = []
    for value in given:
        if isinstance(value.type, Maybe) and not typed_operators.simple(value):
            lets.append((fresh("compared"), value))
            value = Local(lets[-1][0], value.type, value.span)
        known.append(value)
    found = made(known[0], known[1])
    for name, value in reversed(lets):
        found = Let(name, value, found, found.type, span)
    return found


def compared(
    left: Expr, right: Expr, fresh: Callable[[str], str], span: Span, made: Callable[[Expr, Expr], Expr]
) -> Expr:
    """A comparison that fails where one of the values is missing."""
    if not isinstance(left.type, Maybe) and not isinstance(right.type, Maybe):
        return made(left, right)

    def both_there(one: Expr, other: Expr) -> Expr:
        return typed_operators.both((there(one, span), there(other, span), made(_known(one), _known(other))), span)

    return with_values((left, right), fresh, span, both_there)


def _known(value: Expr) -> Expr:
    """A value that is there."""
    return Only(value, value.type.of, value.span) if isinstance(value.type, Maybe) else value


class Contests:
    """The lowering of contests."""

    def __init__(self, terms: Terms, fresh: Callable[[str], str]) -> None:
        self.terms = terms
        self.symbols = terms.symbols
        self._fresh = fresh
        terms.rules.update({"against": self._against, "contest": self._contest, "possible": self._possible})

    def _against(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        raise self.symbols.wrong("PH02", "contests stand in the phases of a text", term.span)

    def _contest(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """What attacks has to be there; it is enough if what defends is not."""
        left, right = node(term.parts[0]), node(term.parts[1])
        values = (self._points(left, scope), self._points(right, scope))

        def won(attack: Expr, defence: Expr) -> Expr:
            test = self._test(term, _known(attack), _known(defence), scope)
            if isinstance(defence.type, Maybe):
                missing = typed_operators.negate(there(defence, right.span), right.span)
                test = Or((missing, test), term.span)
            return typed_operators.both((there(attack, left.span), test), term.span)

        return with_values(values, self._fresh, term.span, won)

    def _points(self, term: Node, scope: Scope) -> Expr:
        """A number, which may be missing. Raises Wrong."""
        found = self.terms.value(term, scope)
        if isinstance(found, Const) and found.value is None:
            raise self.symbols.wrong("TY01", f"`{self.symbols.text(term.span)}` is never a number", term.span)
        self.terms.as_number(_known(found), term.span)
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
        points = typed_operators.number(int(by[0].text) if by else 0, term.span)
        op = Operator.SUB if how.type == "NOT_FAR" else Operator.ADD
        return typed_operators.compare(
            Operator.GE, attack, typed_operators.arithmetic(op, defence, points, term.span), term.span)

    def _possible(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """Whether what attacks in the contests of a condition is there, of all that have to be won together."""
        return self._may_hold(node(term.parts[0]), scope)

    def _may_hold(self, cond: Node, scope: Scope) -> Expr:
        match cond.kind:
            case "contest":
                return there(self._points(node(cond.parts[0]), scope), cond.span)
            case "and_":
                return typed_operators.both((self._may_hold(n, scope) for n in nodes(cond)), cond.span)
            case _:
                return typed_operators.FALSE if cond.kind == "no" else typed_operators.TRUE
