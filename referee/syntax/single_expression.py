"""Reading a single condition or value."""

from __future__ import annotations

import lark

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Span
from referee.syntax.layout import Plan
from referee.syntax.lr_parser import Machine, Stuck, machine
from referee.syntax.recovery.complaints import complain
from referee.syntax.recovery.remedies import Doctor
from referee.syntax.recovery.repair_draft import Draft

_START = "claim"


def read_claim(plan: Plan, path: str, reporter: Reporter, engine: Machine | None) -> lark.Tree[lark.Token] | None:
    """The tree of the one line of a plan; None, and what is wrong reported, if it does not parse."""
    engine = engine or machine()
    draft = Draft.of(plan.lines, plan.texts)
    found = engine.run(_text(draft), draft.depths(), start=_START)
    if not isinstance(found, Stuck):
        return None if reporter.failed else found
    if plan.marred:
        return None

    def helps(changed: Draft, _index: int) -> bool:
        return engine.probe(_text(changed), changed.depths(), start=_START) is None

    remedy = Doctor(engine, path, helps).remedy(draft, found, 0)
    if remedy is not None:
        reporter.error(remedy.code, remedy.message, remedy.span, hint=remedy.hint)
    elif found.type == "$END":
        last = len(_text(draft)) + 1
        reporter.error("SY34", "something is missing at the end", Span(path, 1, last, 1, last + 1))
    else:
        complain(reporter, engine, path, draft, found, 0)
    return None


def _text(draft: Draft) -> str:
    return draft.text.rstrip("\n")
