"""Constants: values that are known before a game begins."""

from __future__ import annotations

from referee.core.decided_values import decided
from referee.core.expr import Const, Expr
from referee.core.types import Bool, Elem, Int, Scalar, Type, Value
from referee.diagnostics.source import Span
from referee.frontend.expressions.coercions import Terms
from referee.frontend.names.bindings import Scope
from referee.frontend.names.symbol_table import guess
from referee.frontend.names.tree_access import word
from referee.syntax.syntax_tree import Node, Part, Word

MOST_DIGITS = 9
"""Digits of a number that is written in rules: longer ones are refused."""


class Constants:
    """Lowering of what stands in declarations: start values, bounds, cells of tables."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.symbols = terms.symbols

    def fixed(self, expr: Expr, kind: Type, span: Span) -> Value:
        """The value of a constant of a type, which options may choose; raises Wrong if it is none or outside it."""
        found = decided(expr, {})
        if found is None:
            raise self.symbols.wrong(
                "TY07", f"`{self.symbols.text(span)}` is known in play only: expected a fixed value", span
            )
        value = found.value
        if isinstance(kind, Int) and not (isinstance(value, int) and kind.lo <= value <= kind.hi):
            raise self.symbols.wrong("TY09", f"{value} is outside {kind.lo}..{kind.hi}", span)
        return value

    def fixed_number(self, term: Node) -> int:
        """A number that does not depend on the game."""
        found = self.terms.number(term, Scope())
        value = self.fixed(found, found.type, term.span)
        assert isinstance(value, int)
        return value

    def fixed_index(self, expr: Expr) -> int:
        """A constant member."""
        if not isinstance(expr, Const) or not isinstance(expr.value, int):
            where = expr.span or self.symbols.sources[0].whole()
            raise self.symbols.wrong(
                "TY07", f"`{self.symbols.text(where)}` is known in play only: expected a fixed value", where
            )
        return expr.value

    def range_type(self, term: Node) -> Int:
        """The type `lo..hi`."""
        lo, hi = (self.fixed_number(part) for part in term.parts if isinstance(part, Node))
        if lo > hi:
            raise self.symbols.wrong("TY08", f"{lo}..{hi} is empty: the lower number comes first", term.span)
        return Int(lo, hi)

    def literal(self, cell: Part, kind: Scalar | Type) -> Value:
        """A cell of a table, read as a value of a type."""
        if isinstance(cell, Node) and cell.kind in ("yes", "no") and isinstance(kind, Bool):
            return cell.kind == "yes"
        if isinstance(cell, Node) and cell.kind == "minus_int":
            label: str | int = -self.whole(word(cell.parts[0]))
            span = cell.span
        else:
            found = word(cell)
            label, span = (self.whole(found) if found.type == "INT" else found.text), found.span
        if isinstance(kind, Int) and isinstance(label, int) and kind.lo <= label <= kind.hi:
            return label
        index = self.symbols.labelled(kind, label) if isinstance(kind, Elem) else None
        if index is None:
            labels = self.symbols.labels(kind)
            raise self.symbols.wrong(
                "TB04",
                f"`{label}` is not {self.symbols.describe(kind)}",
                span,
                expected=tuple(f"`{known}`" for known in labels) if len(labels) <= 6 else (),
                hint=guess(str(label), labels),
            )
        return index

    def whole(self, digits: Word) -> int:
        """The number that digits stand for."""
        if len(digits.text) > MOST_DIGITS:
            raise self.symbols.wrong("TY09", f"a number has at most {MOST_DIGITS} digits", digits.span)
        return int(digits.text)
