"""What is in scope where source is written: locals, and what writes expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from referee.codegen.source_text import CodePiece, Objects, Writer
from referee.codegen.value_bounds import BoundProver
from referee.core.expr import Domainlike, Expr, Place
from referee.core.intervals import Bounds
from referee.core.types import Scalar, Value
from referee.game.state import Layout, Spread


@dataclass(frozen=True, slots=True)
class Name:
    """A local: what it is called in the source, and what is known of its value."""

    text: str
    bounds: Bounds


Scope = Mapping[str, Name]


def known(scope: Scope) -> dict[str, Bounds]:
    """What is known of the locals of a scope."""
    return {name: one.bounds for name, one in scope.items()}


class Coding(Protocol):
    """Writes one function. What its methods return is source for a value; lines that it needs stand before it."""

    layout: Layout
    objects: Objects
    prover: BoundProver
    out: Writer

    def value(self, expr: Expr, scope: Scope) -> str:
        """An expression."""

    def literal(self, value: Value) -> str:
        """A constant."""

    def piece(self, expr: Expr, scope: Scope) -> tuple[CodePiece, str]:
        """An expression with its lines apart."""

    def place(self, entries: Spread, keys: tuple[Expr, ...], scope: Scope) -> str:
        """Where an entry lies."""

    def slot(self, entries: Spread, keys: tuple[Expr, ...], scope: Scope) -> str:
        """An entry of the position."""

    def content(self, place: Place, scope: Scope) -> str:
        """What lies in a zone instance."""

    def ordered(self, of: Expr, scope: Scope) -> str:
        """The members of a set or Many, ascending."""

    def has(self, of: Expr, member: str, scope: Scope, *, surely: bool = False) -> str:
        """Whether the value of a name is a member of a set or Many. `surely`: it is a number that may be one."""

    def several(self, what: Expr, text: str, number: str) -> str:
        """The components that a move is about, sorted."""

    def set_misfit(self, text: str, of: Scalar) -> str:
        """The condition under which a set has members outside of a range."""

    def distinct(self, source: Domainlike) -> bool:
        """True if no member of a source comes twice."""

    def chained(self, made: list[tuple[CodePiece, str]], word: str) -> str:
        """Parts of which the later are reached only if the earlier do not decide."""


def offset(text: str, low: int) -> str:
    """A number, less the lowest that it can be."""
    return text if low == 0 else f"{tight(text)} - {low}" if low > 0 else f"{tight(text)} + {-low}"


def tight(text: str) -> str:
    """Source that can stand beside an operator."""
    bare = text.isidentifier() or text.isdigit() or (text.endswith(("]", ")")) and " " not in text)
    return text if bare or (text.startswith("(") and _closed(text)) else f"({text})"


def _closed(text: str) -> bool:
    """True if the first bracket is closed by the last."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return at == len(text) - 1
    return False
