"""Expressions where the unknowns have values: what cannot happen there is not followed."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.expr import Expr
from referee.core.types import Value
from referee.smt.concolic.unknown_positions import UnknownStore
from referee.smt.encoding.decoding import decode_value
from referee.smt.encoding.term_evaluation import Evaluator
from referee.smt.encoding.term_execution import carried
from referee.smt.semantics.context import Context
from referee.smt.value import Sym


def guided(store: UnknownStore, env: Mapping[str, Sym] | None = None) -> Context[UnknownStore]:
    """A context in a position whose unknowns have values; what is asked there is decided by the guide."""
    return Context(store, dict(env or {}), known=store.guide, carry=carried)


def decoded(store: UnknownStore, evaluate: Evaluator, expr: Expr) -> Value:
    """The value of an expression here."""
    return decode_value(expr.type, evaluate(expr), store.guide.leaf)
