"""What a review finds and the rules accept: `accept "CLASS/PLACE" because "REASON"`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.core.ruleset import Accepted
from referee.core.stmt import Origin
from referee.diagnostics.diagnostic import Reporter
from referee.frontend.names.tree_access import cites, text, words
from referee.syntax.syntax_tree import Node, Word

_ID = re.compile(r"[a-z][a-z-]*/\S(.*\S)?")


def accepted(decls: Iterable[Node], reporter: Reporter) -> tuple[Accepted, ...]:
    """What is accepted, each finding once; an error is reported for what cannot be the name of one."""
    found: dict[str, Accepted] = {}
    for decl in decls:
        *names, last = words(decl, "STRING")
        reason = text(last).strip()
        if not reason:
            reporter.error("AK03", "it is not said why this is accepted", last.span, expected=('`because "REASON"`',))
        for name in names:
            _accept(name, reason, decl, found, reporter)
    return tuple(found.values())


def _accept(name: Word, reason: str, decl: Node, found: dict[str, Accepted], reporter: Reporter) -> None:
    called = text(name)
    if not _ID.fullmatch(called):
        expected = ('`"CLASS/PLACE"`, as `referee review` names it',)
        reporter.error("AK01", f"{called[:60] or 'nothing'} is no name of a finding", name.span, expected=expected)
    elif called in found:
        note = (("it is accepted here", found[called].origin.span),)
        reporter.error("AK02", f"{called} is accepted a second time", name.span, notes=note)
    else:
        found[called] = Accepted(called, reason, Origin(name.span, cites(decl)))
