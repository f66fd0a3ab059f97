"""The points of a game as a list: who is asked for what there, and what it takes to start a game there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, PointNode, Rule, asks
from referee.core.stmt import Origin
from referee.interpreter.start_points import StartPoint, StartPoints
from referee.report.text.formula import Formulas


@dataclass(frozen=True, slots=True)
class ListedPoint:
    """A point. `kind`: `decision`, `commit`, `chance` or `unspecified`; `who` is asked, in words; `offers`: the actions
    with the names of their arguments, or the question that the rules leave open; `window`: a log may leave out that
    somebody passes. `start`: the name by which a game can start there, None if it cannot; `needs`: what is told then.
    """

    name: str
    kind: str
    who: str
    offers: tuple[tuple[str, tuple[str, ...]], ...]
    rest: bool
    window: bool
    start: str | None
    needs: tuple[str, ...]
    origin: Origin


def listed_points(flow: Flow) -> tuple[ListedPoint, ...]:
    """The points in the order of the course; what is the same in all of this is told once."""
    starts, formulas = StartPoints(flow), Formulas(flow.core)
    return tuple(dict.fromkeys(_listed(formulas, node, starts.at(at)) for at, one in enumerate(flow.nodes)
                               if (node := asks(one)) is not None))


def _listed(formulas: Formulas, node: PointNode, start: StartPoint | None) -> ListedPoint:
    point = node.point
    kind, who, offers = _asked(formulas, node)
    return ListedPoint(point.name, kind, who, tuple(offers), point.rest, _is_window(node),
                       None if start is None else start.name, () if start is None else start.needs, point.origin)


def _asked(formulas: Formulas, node: PointNode) -> tuple[str, str, Iterator[tuple[str, tuple[str, ...]]]]:
    match node:
        case Ask(_, actor, alternatives):
            return "decision", formulas.text(actor), map(_offer, alternatives)
        case Gather(_, parts):
            who = dict.fromkeys(formulas.text(actors) for actors, _ in parts)
            return "commit", " and ".join(who), (_offer(one) for _, one in parts)
        case Draw(_, alternative):
            return "chance", "fate", map(_offer, (alternative,))
        case Rule(_, question):
            return "unspecified", "the table", iter([(question, ())])
        case _:
            assert_never(node)


def _offer(one: Alternative) -> tuple[str, tuple[str, ...]]:
    return one.label, tuple(param.arg for param in one.params if param.arg is not None)


def _is_window(node: PointNode) -> bool:
    match node:
        case Ask(alternatives=alternatives):
            return any(one.silent for one in alternatives)
        case Gather() | Draw() | Rule():
            return False
        case _:
            assert_never(node)
