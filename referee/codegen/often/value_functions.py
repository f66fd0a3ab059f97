"""Functions for sums of expressions, for whoever asks the same of very many positions.

Nothing is relied on but what the core says of constants and components: a position may be one that no game comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from referee.codegen.code_scope import Name
from referee.codegen.compiled_program import carried_out, space
from referee.codegen.runtime_support import Again, StepError
from referee.codegen.source_text import Objects, TooLong
from referee.core.expr import Expr
from referee.core.intervals import WIDE
from referee.core.read_write_sets import locals_of
from referee.game.state import Layout

Terms = Sequence[tuple[int, Expr]]
"""Expressions, each with its sign."""
LEFT = (Again, StepError, LookupError, TypeError, ValueError)
"""What a function raises where the rules make an error, or the walker has to say."""
ValueFunction = Callable[[Sequence[Any], Mapping[Any, Any]], int]


class ValueFunctions:
    """Functions of entries and locals, each made once."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._made: dict[tuple[tuple[int, int], ...], tuple[Terms, ValueFunction | None]] = {}

    def total(self, terms: Terms, known: Container[str]) -> ValueFunction | None:
        """What gives the sum of some terms, where some locals are known; None if it cannot be made."""
        key = tuple((sign, id(term)) for sign, term in terms)
        if key not in self._made:  # the terms are kept with it, so that no others come to stand where they stood
            self._made[key] = terms, self._function(terms, known)
        return self._made[key][1]

    def _function(self, terms: Terms, known: Container[str]) -> ValueFunction | None:
        # slow to import, and seldom needed
        from referee.codegen.expression_code import Coder
        from referee.codegen.value_bounds import BoundProver

        objects, prover = Objects(), BoundProver(self._layout)
        prover.doubtful = set(self._layout.defs)
        names = sorted(name for name in locals_of(tuple(term for _, term in terms)) if name in known)
        code = Coder(self._layout, objects, prover)
        scope = {name: Name(f"a{at}", WIDE) for at, name in enumerate(names)}
        try:
            for at, name in enumerate(names):
                code.out.line(f"a{at} = e[{objects.name('n', name, name)}]")
            total = " ".join(f"{'+' if sign > 0 else '-'} {code.out.keep(code.value(term, scope))}"
                             for sign, term in terms)
            code.out.line(f"return {total}")
            text = compile(code.out.text("def f(s, e):"), "<generated>", "exec")
        except (TooLong, SyntaxError, RecursionError, MemoryError):
            return None
        return carried_out(text, {**space(), **objects.named})
