"""What the definitions say that a claim uses: their values, what these were worked out from, their statements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from referee.core.expr import Expr
from referee.core.stmt import Origin
from referee.core.traverse import expressions
from referee.game.state import State
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.verdict import Reason

MOST_DEFINITIONS = 2
"""So many uses of definitions in one claim are told."""


def of_definitions(state: State, claim: str, expr: Expr, reasons: LineReasons) -> Iterator[Reason]:
    """The definitions that an expression uses, as far as what they look at lies open to who is told."""
    if reasons.hides:
        return
    deciding = reasons.replay.deciding(state)
    rules = reasons.replay.flow.core.texts
    uses = ((one, one.span, one.span.use) for one in expressions(expr) if one.span is not None
            and one.span.use is not None and one.span.use.path not in rules)
    for use, span, place in islice(uses, MOST_DEFINITIONS):
        known = deciding.known(use, {})
        if known is None or (reasons.sight is not None and not reasons.sight.sees(known.reads, use)):
            continue
        said = claim if use is expr else claim[place.column - 1:place.end_column - 1]
        parts = () if reasons.sight is not None else deciding.of_value(use, {})  # may look at more than the value did
        spans = [part.expr.span for part in parts if part.held or not part.chose]
        cites = reasons.words.all_cites(Origin(span), span, *spans)
        value = reasons.words.names.value(known.value, use.type)
        yield Reason(f"{said}: {value}", reasons.shows(parts), cites, span)
