"""dead: actions, procedures and branches that no game comes to."""

from __future__ import annotations

from collections.abc import Iterator

from referee.review.covered_parts import ACTION, CASE, PROCEDURE, PartCoverage, RulePart, coverage, never
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.proved_checks import hold_always
from referee.review.subject import Subject

CODE = "dead"
_NEVER = {ACTION: "is never taken", PROCEDURE: "is never carried out", CASE: "never comes about"}
PASS = ".pass"
"""How the name of the action ends by which somebody passes at a point."""


def dead(subject: Subject) -> Iterator[Finding]:
    """Parts of the rules that no game carries out: proved if all positions are known, else what no game did."""
    found = coverage(subject)
    missing = list(found.missing())
    sure = frozenset() if found.whole or not missing else _proved(subject, [number for number, _ in missing])
    for number, part in missing:
        yield _found(subject, part, found, number in sure)
    if found.placed:
        said = f"{found.placed} of the {len(found.parts)} parts of the rules"
        yield bounded(CODE, f"{said} are carried out in scenarios that begin in the middle, and in none of the games")
    elif not missing:
        yield absent(CODE, f"each of the {len(found.parts)} parts of the rules is carried out in some game")


def _proved(subject: Subject, parts: list[int]) -> frozenset[int]:
    """The parts of which it is proved that no game comes to them."""
    core, conditions = never(subject.core, parts)
    return frozenset(int(name) for name in hold_always(subject, core, conditions))


def _found(subject: Subject, part: RulePart, found: PartCoverage, sure: bool) -> Finding:
    named = part.name if part.name.isidentifier() else ""
    text = named or subject.places.text(part.span)
    place = f"{part.kind}.{named}" if named else subject.places.name(part.span)
    looked_at = found.seen
    outcome = FindingOutcome.FOUND if found.whole or sure else FindingOutcome.CANDIDATE
    looked_at += ", and in none at all, by induction" if sure else ""
    kind = part.kind if named else CASE
    text = text if len(text) <= 70 else text[:67] + "..."
    message = f"{kind} {text} {_NEVER[kind]}"
    if part.name.endswith(PASS):
        message = f"nobody ever passes, or is unable: {text}"
    settle = "take it out, or mend the conditions in front of it"
    cites = part.cites or subject.places.cites(part.span)
    return Finding(CODE, outcome, message, place, (part.span,), cites, settle=settle, notes=(f"not in {looked_at}",))
