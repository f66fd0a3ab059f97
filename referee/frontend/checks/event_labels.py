"""What logs call things: a word for an event and the names of its arguments mean the same wherever they are used."""

from __future__ import annotations

from referee.core.ruleset import Core
from referee.core.stmt import Param
from referee.core.types import Elem, Many
from referee.diagnostics.diagnostic import Reporter


def check_labels(core: Core, reporter: Reporter) -> bool:
    """False, and reported, if an argument is sometimes one sort of thing and sometimes another (LA02).

    A line of a log is read without knowing the position, so `choose x 3` must not be a card here and a number there.
    """
    first: dict[tuple[str, str], Param] = {}
    fine = True
    for action in core.actions.values():
        for param in action.params:
            if param.arg is None:
                continue
            known = first.setdefault((action.label, param.arg), param)
            if _sort(known) != _sort(param):
                fine = False
                said = f"`{action.label} {param.arg}` is something else elsewhere: a log could mean either"
                notes = (("here it is the other", known.origin.span),)
                hint = "choose another name, or write `, logged as LABEL(arg: NAME)`"
                reporter.error("LA02", said, param.origin.span, hint=hint, notes=notes)
    return fine


def _sort(param: Param) -> str:
    kind = param.type.of if isinstance(param.type, Many) else param.type
    return kind.domain if isinstance(kind, Elem) else "number"
