"""Reading a single condition or value."""

from __future__ import annotations

import lark

from referee.base.diagnostic import Reporter
from referee.syntax.complaint import complain
from referee.syntax.draft import Draft
from referee.syntax.layout import Plan
from referee.syntax.machine import Machine, Stuck, machine
from referee.syntax.remedy import Doctor

_START = "claim"


def read_claim(plan: Plan, path: str, reporter: Reporter, engine: Machine | None) -> lark.Tree[lark.Token] | None:
    """The tree of the one line of a plan; None, and what is wrong reported, if it does not parse."""
    engine = engine or machine()
    draft = Draft.of(plan.lines, plan.texts)
    found = _run(engine, draft)
    if not isinstance(found, Stuck):
        return None if reporter.failed else found
    if plan.marred:
        return None
    doctor = Doctor(engine, path, lambda changed, _: not isinstance(_run(engine, changed), Stuck))
    remedy = doctor.remedy(draft, found, 0, frozenset())
    if remedy is not None:
        reporter.error(remedy.code, remedy.message, remedy.span, hint=remedy.hint)
    else:
        complain(reporter, engine, path, draft, found, 0)
    return None


def _run(engine: Machine, draft: Draft) -> lark.Tree[lark.Token] | Stuck:
    return engine.run(draft.text.rstrip("\n"), draft.depths(), 1, _START)
