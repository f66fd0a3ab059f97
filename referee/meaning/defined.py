"""Definitions: put in where they are used, once for each use."""

from __future__ import annotations

from collections.abc import Sequence

from referee.base.source import Span
from referee.core.expr import Expr, If, Let, Local
from referee.core.types import Type
from referee.meaning import make
from referee.meaning.entity import Bound, Define, Meaning, Scope
from referee.meaning.symbols import Symbols
from referee.meaning.terms import Terms, things
from referee.syntax.tree import Node, Word

MOST_NESTED = 40


class Defined(Terms):
    """Lowering of definitions and of cases."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._expanding: list[str] = []

    def expand(self, define: Define, name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span) -> Meaning:
        if define.name in self._expanding or len(self._expanding) > MOST_NESTED:
            way = " -> ".join([*self._expanding, define.name])
            raise self.symbols.wrong("NM06", f"{define.name} is defined by itself: {way}", name.span)
        self.used.add(define.name)
        kinds = tuple(kind for _, kind in define.params)
        if len(args) != len(kinds):
            raise self.symbols.wrong(
                "NM05", f"{name.text} needs {things(len(kinds))}, here are {things(len(args))}", name.span
            )
        values = [self.argument(a, scope, k, name.span) for a, k in zip(args, kinds, strict=True)]
        self._expanding.append(define.name)
        try:
            return self._inline(define, values, scope, span)
        finally:
            self._expanding.pop()

    def _inline(self, define: Define, values: list[Expr], scope: Scope, span: Span) -> Expr:
        inner, lets = Scope(me=None, hoist=None, owner=scope.owner), []
        for (param, _), value in zip(define.params, values, strict=True):
            if make.simple(value):
                inner = inner.bind(param, Bound(value))
            else:
                local = f"{param} of {define.name}"
                lets.append((local, value))
                inner = inner.bind(param, Bound(Local(local, value.type, span)))
        body = self.cases(define.node, inner, define.result)
        for local, value in reversed(lets):
            body = Let(local, value, body, body.type, span)
        return body

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
            body = [p for p in decl.parts if isinstance(p, Node)][-1]
            return self.value(body, scope, expected)
        return self._cases(found, scope, expected, decl)

    def _cases(self, found: list[Node], scope: Scope, expected: Type | None, decl: Node) -> Expr:
        last = found[-1]
        if last.kind != "otherwise" or any(c.kind == "otherwise" for c in found[:-1]):
            raise self.symbols.wrong("DF01", "the last case, and only the last, is `otherwise: VALUE`", last.span)
        body = last.parts[0]
        assert isinstance(body, Node)
        result = self.value(body, scope, expected)
        for case in reversed(found[:-1]):
            test, body = case.parts[0], case.parts[1]
            assert isinstance(test, Node)
            assert isinstance(body, Node)
            value = self.value(body, scope, expected)
            kind = make.join(value.type, result.type)
            if kind is None:
                raise self.symbols.wrong(
                    "TY01", f"this case is {make.describe(value.type)}, another {make.describe(result.type)}", body.span
                )
            result = If(self.condition(test, scope), value, result, kind, case.span)
        return result
