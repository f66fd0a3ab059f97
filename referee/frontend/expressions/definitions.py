"""Definitions: put in where they are used, once for each use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import assert_never

from referee.core.expr import Const, Expr, If, Let, Local
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MOST_CASES, Terms
from referee.frontend.names.bindings import Bound, Define, Meaning, Scope
from referee.frontend.names.tree_access import ErrorReported, all_tried, node, nodes
from referee.syntax.syntax_tree import Node, Word

MOST_NESTED = 20
"""Definitions that are written out within each other: deeper ones are refused."""


class Definitions:
    """Lowering of definitions and of cases."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.symbols = terms.symbols
        terms.expand = self.expand
        self._expanding: list[str] = []
        self._sizes: dict[str, int] = {}

    def expand(self, define: Define, name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span) -> Meaning:
        if define.name in self._expanding:
            circle = [*self._expanding[self._expanding.index(define.name) :], define.name]
            shown = " -> ".join(circle if len(circle) < 8 else [*circle[:3], "...", *circle[-3:]])
            raise self.symbols.wrong("NM06", f"{define.name} is defined by itself: {shown}", name.span)
        self._bounded(define, name)
        kinds = tuple(kind for _, kind in define.params)
        if len(args) != len(kinds):
            raise self.terms.miscounted(name, kinds, len(args))
        values = [self._given(a, scope, k, name.span) for a, k in zip(args, kinds, strict=True)]
        self.terms.used.add(define.name)  # only now: where what it is applied to is wrong, it is read for itself
        self._expanding.append(define.name)
        try:
            return self._inline(define, values, scope, span)
        finally:
            self._expanding.pop()

    def _bounded(self, define: Define, name: Word) -> None:
        """A definition is written out wherever it is used, so a few lines could mean more than a memory holds."""
        if define.name not in self._sizes:
            self._sizes[define.name] = sum(1 for _ in _within(define.node))
        if self.symbols.room < 0:
            raise ErrorReported
        self.symbols.room -= self._sizes[define.name]
        if len(self._expanding) >= MOST_NESTED:
            self.symbols.room = -1
            raise self.symbols.wrong("DF02", f"{MOST_NESTED} definitions stand within each other here", name.span)
        if self.symbols.room < 0:
            raise self.symbols.wrong(
                "DF02",
                "definitions that use definitions become too long here",
                name.span,
                hint="a definition is written out wherever it is used; use fewer of them, or fewer times",
            )

    def _given(self, arg: Node | Expr, scope: Scope, kind: Type, span: Span) -> Expr:
        """What a definition is applied to; several are what can be gone through: what lies in a zone, or was chosen."""
        match kind:
            case SetOf():
                found = self.terms.meaning(arg, scope, kind) if isinstance(arg, Node) else arg
                return self.terms.as_set(found, kind, arg.span if isinstance(arg, Node) else span)
            case Bool() | Int() | Elem() | Maybe() | Many():
                return self.terms.argument(arg, scope, kind, span)
            case _:
                assert_never(kind)

    def value_of(self, define: Define, values: list[Expr], span: Span) -> Expr:
        """What a definition says of values, whoever asks. Raises Wrong."""
        self.terms.used.add(define.name)
        if define.name in self._expanding:
            raise self.symbols.wrong("NM06", f"{define.name} is defined by itself", span)
        self._expanding.append(define.name)
        try:
            return self._inline(define, values, Scope(), span)
        finally:
            self._expanding.pop()

    def _inline(self, define: Define, values: list[Expr], scope: Scope, span: Span) -> Expr:
        inner, lets = Scope(me=None, hoist=None, owner=scope.owner), []
        for (param, declared), value in zip(define.params, values, strict=True):
            kind = typed_operators.as_parameter(value.type, declared)
            put_in = _put_in(value, kind)
            if put_in is None:
                local = f"{param} of {define.name}"
                lets.append((local, value))
                put_in = Local(local, kind, span)
            inner = inner.bind(param, Bound(put_in))
        with self.terms.deeper(len(lets), span):
            body = self.cases(define.node, inner, define.result)
        used = span if body.span is None or lets else body.span
        for local, value in reversed(lets):
            body = Let(local, value, body, body.type, span)
        return replace(body, span=replace(used, use=span))

    def check_definition(self, define: Define) -> None:
        """Reads a definition that nothing uses, for its errors. Raises Wrong."""
        values: list[Expr] = []
        for name, kind in define.params:
            values.append(Local(f"{name} of {define.name}", kind, define.node.span))
        self._expanding.append(define.name)
        try:
            self._inline(define, values, Scope(), define.node.span)
        finally:
            self._expanding.pop()

    def cases(self, decl: Node, scope: Scope, expected: Type | None) -> Expr:
        """A definition's body: one value, or cases of which the first that holds counts."""
        found = [p for p in decl.parts if isinstance(p, Node) and p.kind in ("case", "otherwise")]
        if not found:
            body = [p for p in decl.parts if isinstance(p, Node) and p.kind != "cite"][-1]
            return self.terms.value(body, scope, expected)
        if len(found) > MOST_CASES:
            more = found[MOST_CASES].span
            raise self.symbols.wrong("DF04", f"there are at most {MOST_CASES} cases", more, hint="use a `table`")
        *cases, last = found
        early = next((c for c in cases if c.kind == "otherwise"), None)
        if early is not None:
            raise self.symbols.wrong("DF01", "`otherwise` is the last case, no other comes after it", early.span)
        if last.kind != "otherwise":
            raise self.symbols.wrong("DF01", "after this case `otherwise: VALUE` is missing", last.span)
        tests = all_tried(partial(self.terms.condition, node(c.parts[0]), scope) for c in cases)
        bodies = [node(c.parts[1]) for c in cases] + [node(last.parts[0])]
        found_values = all_tried(partial(self._nth, i, b, scope, expected) for i, b in enumerate(bodies))
        found_values = self.terms.with_nothing(found_values, bodies, scope)
        *values, result = self.terms.alike(found_values, [body.span for body in bodies])
        for case, test, value in reversed(list(zip(cases, tests, values, strict=True))):
            kind = typed_operators.join(value.type, result.type)
            if kind is None:
                first, other = self.symbols.describe(value.type), self.symbols.describe(result.type)
                raise self.symbols.wrong("TY01", f"this case is {first}, another {other}", node(case.parts[1]).span)
            result = If(test, value, result, kind, case.span)
        return result

    def _nth(self, number: int, body: Node, scope: Scope, expected: Type | None) -> Expr:
        """The value of a case; a later one lies deeper in the core, as the `else` of those before."""
        with self.terms.deeper(number, body.span):
            return self.terms.value(body, scope, expected)


def _put_in(value: Expr, kind: Type) -> Expr | None:
    """The value, of that type, if it may stand wherever the parameter does; None for one that is worked out once, for
    nothing, and for a local that the definition could take for one of its own."""
    if isinstance(value, Local) and " " not in value.name and value.name != "me":
        return None
    if isinstance(value, Const) and value.value is None:
        return None  # what asks it for more than whether it is none is written for whoever else it may be
    if isinstance(value, Const | Local):
        return replace(value, type=kind)
    return value if typed_operators.simple(value) else None


def _within(part: Node) -> Iterator[Node]:
    """A node with everything in it."""
    stack = [part]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(nodes(found))
