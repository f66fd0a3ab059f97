"""Points at which the rules say that they do not say: what may happen there, and whether it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from referee.analysis.step_consequences import Consequences
from referee.core.flow import Rule
from referee.core.stmt import Gap
from referee.game.event import CHOICE, TABLE, Event
from referee.game.state import Ended, State, Step
from referee.review.checks.stuck_games import GAP_CASE, GAP_SUPPLY, is_shortage
from referee.review.finding import Continuation, Finding, FindingOutcome
from referee.review.subject import TRIED, Subject, Trail
from referee.simulation.guided_search import not_reached

Choice = tuple[Event, Step]


def open_points(subject: Subject, code: str) -> Iterator[Finding]:
    """Of one class, the points with a choice for the table that a game comes to, and where it matters what is ruled."""
    points: dict[str, list[Trail]] = {}
    for trail in chain(subject.trails(), subject.middle()):
        if not isinstance(trail.step, State):
            continue
        node = subject.flow.nodes[trail.step.at]
        if not isinstance(node, Rule) or node.gap is not Gap.SAID or len(points.get(node.point.name, ())) >= TRIED:
            continue
        if (GAP_SUPPLY if is_shortage(subject, trail.step.at) else GAP_CASE) == code and _matters(subject, trail.step):
            points.setdefault(node.point.name, []).append(trail)
    tried: dict[str, int] = {}
    for name, goals in _nowhere(subject, code, points).items():
        tried[name], shown = _aim(subject, goals)
        points.update({} if shown is None else {name: [shown]})
    for name, trails in points.items():
        yield _found(subject, code, name, trails, tried.get(name, 0))


def _nowhere(subject: Subject, code: str, points: Mapping[str, list[Trail]]) -> dict[str, set[int]]:
    """The points of a class to which no game came that begins with set-up, each with its nodes."""
    found: dict[str, set[int]] = {}
    for at, node in enumerate(subject.flow.nodes):
        if isinstance(node, Rule) and node.gap is Gap.SAID and node.candidates is not None:
            here = (GAP_SUPPLY if is_shortage(subject, at) else GAP_CASE) == code
            if here and all(trail.tale is not None for trail in points.get(node.point.name, ())):
                found.setdefault(node.point.name, set()).add(at)
    return found


def _aim(subject: Subject, goals: set[int]) -> tuple[int, Trail | None]:
    """How many games were played toward some nodes, and the first that comes there where it matters."""
    tried = 0
    for game in subject.toward(goals):
        tried += 1
        for number, state in game.came:
            if _matters(subject, state):
                return tried, Trail(game.setting, game.events[:number], state, False)
    return tried, None


def _choices(subject: Subject, state: State) -> list[Choice]:
    return [(event, subject.walker.advance(state, event)) for event in subject.walker.events(state, TABLE)]


def _matters(subject: Subject, state: State) -> bool:
    """True if what is ruled makes a difference to the position or to who has won."""
    return len({_what(step) for _, step in _choices(subject, state)}) > 1


def _what(step: Step) -> object:
    return ("over", step.winners) if isinstance(step, Ended) else step


def _found(subject: Subject, code: str, name: str, trails: list[Trail], tried: int) -> Finding:
    def shows(step: Step) -> bool:
        if not isinstance(step, State):
            return False
        node = subject.flow.nodes[step.at]
        return isinstance(node, Rule) and node.point.name == name and _matters(subject, step)

    witness = subject.shortest(trails, shows)
    state = trails[0].step
    if witness is not None:
        state = subject.after(witness)
    assert isinstance(state, State)
    node = subject.flow.nodes[state.at]
    assert isinstance(node, Rule)
    says = Consequences(subject.walker, subject.players)
    candidates = tuple(Continuation(_text(subject, node, event), says.of(state, step), (event,))
                       for event, step in _choices(subject, state))  # fmt: skip
    origin = node.point.origin
    return Finding(code, FindingOutcome.FOUND, f"the rules leave this open: {node.question}", name, (origin.span,),
                   origin.cites, witness, candidates, "one of these, in its place", not_reached(witness, tried),
                   )  # fmt: skip


def _text(subject: Subject, node: Rule, event: Event) -> str:
    value = dict(event.args)[CHOICE]
    domain = getattr(node.type, "domain", None)
    return str(subject.core.domains[domain].labels[value]) if isinstance(value, int) and domain else str(value)
