"""component-sum: contents of the box that do not add up, or are too few for some number of players."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.base.source import Span
from referee.core.stmt import Origin
from referee.game.state import Failed, Step, Stopped
from referee.meaning.nodes import cites, nodes
from referee.review.finding import Finding, Outcome, absent
from referee.review.subject import Subject, Trail

CODE = "component-sum"


def component_sum(subject: Subject) -> Iterator[Finding]:
    """Set-up that stops or fails; kinds of which there is none; totals that a statement says and the rules have not."""
    found = [*_too_few(subject), *_nothing(subject), *_totals(subject)]
    yield from found
    if not found:
        yield absent(CODE, f"{sum(one.number for one in subject.core.components)} components, and set-up is done")


def _too_few(subject: Subject) -> Iterator[Finding]:
    """Set-up that cannot be carried out with the components there are."""
    told: set[str] = set()
    for trail in subject.endings():
        stop = _short(subject, trail)
        if stop is None or str(stop.span) in told:
            continue
        told.add(str(stop.span))

        def shows(step: Step, span: Span = stop.span) -> bool:
            other = _origin(step)
            return other is not None and other.span == span

        number = subject.core.seats.number
        message = f"set-up cannot be carried out with {number} players: there are too few components"
        place, witness = subject.places.name(stop.span), subject.witness(trail, shows)
        settle = "more components, or another set-up for so many"
        yield Finding(CODE, Outcome.FOUND, message, place, (stop.span,), stop.cites, witness, settle=settle)


def _short(subject: Subject, trail: Trail) -> Origin | None:
    """Where set-up comes to nothing: it is what a game stops or fails at before it was ever anybody's turn."""
    step = trail.step
    if not isinstance(step, Stopped | Failed) or step.state is None:
        return None
    if isinstance(step, Stopped) and step.point.name.partition(".")[0] != "setup":
        return None
    if isinstance(step, Failed) and (step.span is None or subject.places.owner(step.span) != "setup"):
        return None
    return _origin(step)


def _origin(step: Step) -> Origin | None:
    match step:
        case Stopped():
            return step.point.origin
        case Failed(span=span) if span is not None:
            return Origin(span)
        case _:
            return None


def _nothing(subject: Subject) -> Iterator[Finding]:
    """Kinds of component of which there is none with so many players."""
    for one in subject.core.components:
        if one.number:
            continue
        node = subject.places.declared("kind", one.kind)
        span = () if node is None else (node.span,)
        yield Finding(CODE, Outcome.FOUND, f"there is no {one.name} in the box", f"{one.kind}.{one.name}", span,
                      settle=f"`1 {one.name} in ...` among the components")  # fmt: skip


def _totals(subject: Subject) -> Iterator[Finding]:
    """Numbers that a statement of the rulebook names and that no components that cite it add up to."""
    lines: dict[str, list[tuple[int, Span]]] = {}
    homes = {str(one.name): one.number for one in subject.core.components}
    for block in subject.places.all("components"):
        for stock in nodes(block, "stock"):
            text = subject.places.text(stock.span)
            counted = re.match(r"(\d+) (\w+) in ", text)
            for cite in cites(stock):
                if counted and homes.get(counted.group(2)) == int(counted.group(1)):
                    lines.setdefault(cite, []).append((int(counted.group(1)), stock.span))
    for cite, counted_lines in lines.items():
        said = subject.core.statements.get(cite, "")
        numbers = [number for number, _ in counted_lines]
        sums = _sums(numbers)
        for number in map(int, re.findall(r"\b\d{1,4}\b", said)):
            if number > max(numbers) and number not in sums:
                message = f"{cite} speaks of {number}, the components that cite it are {sum(numbers)}"
                yield Finding(CODE, Outcome.FOUND, message, f"{cite}.{number}", (counted_lines[0][1],), (cite,),
                              settle="other numbers, or another wording of the statement")  # fmt: skip


def _sums(numbers: list[int]) -> set[int]:
    """What some of the numbers, one beside the other, add up to."""
    found = {0}
    for number in numbers[:20]:
        found |= {known + number for known in found}
    return found
