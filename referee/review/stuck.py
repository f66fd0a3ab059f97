"""gap-move: the rules want somebody to act, and there is nothing that he may do."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.flow import Ask, Gather, Rule
from referee.core.stmt import Gap
from referee.game.state import Step, Stopped
from referee.review.finding import Finding, Outcome, absent, bounded
from referee.review.subject import Subject, Trail

CODE = "gap-move"


def gap_move(subject: Subject) -> Iterator[Finding]:
    """Decisions and commit groups at which a game was stopped because nothing was possible; rules that just end."""
    told: dict[str, Trail] = {}
    for trail in subject.endings():
        if isinstance(trail.step, Stopped) and _is_stuck(subject, trail.step):
            told.setdefault(trail.step.point.name, trail)
    for trail in told.values():
        assert isinstance(trail.step, Stopped)
        yield _found(subject, trail, trail.step)
    if not told:
        yield (absent if subject.space.whole else bounded)(CODE, subject.seen)


def _is_stuck(subject: Subject, step: Stopped) -> bool:
    node = subject.flow.nodes[step.state.at]
    return isinstance(node, Ask | Gather) or (isinstance(node, Rule) and node.gap is Gap.OVER)


def _found(subject: Subject, trail: Trail, stopped: Stopped) -> Finding:
    name, origin = stopped.point.name, stopped.point.origin

    def shows(step: Step) -> bool:
        return isinstance(step, Stopped) and step.point.name == name

    if isinstance(subject.flow.nodes[stopped.state.at], Rule):
        message, settle = "the rules are through, and the game has no end", "a line that says who wins, after the last"
    else:
        message, settle = "somebody must act and can do nothing", "an option that is always possible, or `may`"
    witness = subject.witness(trail, shows)
    return Finding(CODE, Outcome.FOUND, message, name, (origin.span,), origin.cites, witness, settle=settle)
