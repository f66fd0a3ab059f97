"""Expressions where the unknowns have values: what cannot happen there is not followed."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.expr import Expr
from referee.core.types import Value
from referee.symbolic.context import Context
from referee.symbolic.decode import decode_value
from referee.symbolic.evaluate import Evaluator
from referee.symbolic.value import Sym
from referee.symbolic.veil import Veiled


def guided(store: Veiled, env: Mapping[str, Sym] | None = None) -> Context[Veiled]:
    """A context in a position whose unknowns have values; what is asked there is decided by the guide."""
    return Context(store, dict(env or {}), known=store.guide)


def decoded(store: Veiled, evaluate: Evaluator, expr: Expr) -> Value:
    """The value of an expression here."""
    return decode_value(expr.type, evaluate(expr), store.guide.leaf)
