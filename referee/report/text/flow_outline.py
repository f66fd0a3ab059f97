"""Flow as an outline: its registers, its numbered nodes, and the list of its points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.core.ruleset import Role
from referee.report.data.listed_points import listed_points
from referee.report.text.outline import CoreOutline, Line, lay_out, origin_text, point_text
from referee.report.text.printable import printable


def flow_outline(flow: Flow) -> Iterator[str]:
    """Registers and nodes; an arrow names the node that follows."""
    return lay_out(_Outline(flow).lines())


def points_outline(flow: Flow) -> Iterator[str]:
    """The points by their published names: what each is, whether it is a rest point, what it offers, with the names of
    the arguments; below each who is asked, and how a game starts there."""
    for point in listed_points(flow):
        kind = "window" if point.window else point.kind
        offers = ", ".join(f"{label}({', '.join(args)})" if args else label for label, args in point.offers)
        rest = "rest" if point.rest else ""
        shown = printable(f"{point.name:<28} {kind:<12} {rest:<5} {offers:<36}")
        yield f"{shown} {origin_text(point.origin)}"
        yield printable(f"    asked: {point.who}")
        if point.start is not None:
            needs = f", set: {', '.join(point.needs)}" if point.needs else ""
            yield printable(f"    start: at {point.start}{needs}")


class _Outline:
    """Writes one flow."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._core = CoreOutline(flow.core)
        self._text = self._core.formulas.text

    def lines(self) -> Iterator[Line]:
        yield 0, f"flow of {self._flow.core.name}, starts at {self._flow.start}", None
        for var in self._flow.vars.values():
            if var.role is Role.REGISTER:
                yield self._core.variable(var)
        for index, node in enumerate(self._flow.nodes):
            yield from self._node(index, node)

    def _node(self, index: int, node: Node) -> Iterator[Line]:
        match node:
            case Run(body, following):
                yield 0, f"{index}: run -> {following}", None
                yield from self._core.block(body, 1)
            case Fork(cond, yes, no, origin):
                yield 0, f"{index}: if {self._text(cond)} -> {yes} else -> {no}", origin
            case Ask(point, actor, alternatives, otherwise):
                other = "" if otherwise is None else f", otherwise -> {otherwise}"
                yield 0, f"{index}: ask {point_text(point)} of {self._text(actor)}{other}", point.origin
                for alternative in alternatives:
                    yield from self._alternative(alternative)
            case Gather():
                yield from self._gather(index, node)
            case Draw(point, alternative):
                yield 0, f"{index}: draw {point_text(point)}", point.origin
                yield from self._alternative(alternative)
            case Rule():
                yield self._rule(index, node)
            case _:
                assert_never(node)

    def _gather(self, index: int, node: Gather) -> Iterator[Line]:
        secret = ", hidden" if node.hidden else ""
        text = f"{index}: gather {point_text(node.point)}{secret}, pending in {node.pending} -> {node.next}"
        yield 0, text, node.point.origin
        for actors, alternative in node.parts:
            yield 1, f"by each of {self._text(actors)}", None
            yield from self._alternative(alternative)

    def _rule(self, index: int, node: Rule) -> Line:
        among = "" if node.candidates is None else f" among {self._core.formulas.source(node.candidates)}"
        kept = "" if node.into is None else f" into {node.into}"
        text = f'{index}: rule {point_text(node.point)} "{node.question}"{among}{kept} -> {node.next}'
        return 0, text, node.point.origin

    def _alternative(self, offered: Alternative) -> Iterator[Line]:
        stores = "".join(f", {local} in {register}" for register, local in offered.stores)
        silent = ", silent" if offered.silent else ""
        head = f"{offered.action}{self._core.bound(offered.fixed)}, logged as {offered.label}"
        yield 1, f"{head}{silent}{stores} -> {offered.next}", offered.origin
        yield from (self._core.param(param, 2) for param in offered.params)
        yield from (self._core.guard(guard, 2) for guard in offered.guards)
