"""The course of a game through the nodes of a flow: arriving at points, taking offers, going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, PointNode, Rule, Run
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.state import Ended, Layout, State, Step, Stopped
from referee.interpreter.closures.closure_types import Fn
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.statement_closures import Act, block
from referee.interpreter.interruptions import TOO_LONG, Fault
from referee.interpreter.offers import InRange, Offer

MAX_NODES = 100_000
"""So many nodes may be passed from one point to the next."""


Passing = Callable[[int, Sequence[Any]], None]
"""What is told of each node that is no point when it is passed: which it is, and the entries before it."""
Leaving = Callable[[int, Event | None, Sequence[Any]], None]
"""What is told of each point that is left without asking anybody: which it is, the event that is taken there (None:
nothing is possible, or nobody has to choose), and the entries before it."""


class FlowCourse:
    """A flow with its layout and offers. Frames are changed in place, states never."""

    def __init__(self, flow: Flow, passing: Passing | None = None, leaving: Leaving | None = None, *,
                 wary: bool = False) -> None:
        """`wary`: values may hang on what is not known."""
        self._passing = passing
        self._leaving = leaving
        self.nodes = flow.nodes
        self.layout = Layout(flow)
        self.code = ExpressionClosures(self.layout, wary=wary)
        self._watched = tuple(one for one in flow.core.invariants if one.everywhere)
        self._known_offers: dict[int, list[Offer]] = {}
        self._known_once: dict[int, bool] = {}
        self._runs: dict[int, Act] = {}
        self._forks: dict[int, Fn] = {}

    def _offers(self, at: int) -> list[Offer]:
        """All that is offered at a node; like everything else, made when it is used first."""
        known = self._known_offers.get(at)
        if known is None:
            known = self._known_offers[at] = _offers(self.nodes[at], self.code)
        return known

    def _run(self, at: int, node: Run) -> Act:
        known = self._runs.get(at)
        if known is None:
            known = self._runs[at] = block(node.body, self.code, self._watched)
        return known

    def _fork(self, at: int, node: Fork) -> Fn:
        known = self._forks.get(at)
        if known is None:
            known = self._forks[at] = self.code.expr(node.cond)
        return known

    def once(self, at: int) -> bool:
        """True if no two ways of taking what is offered at a node are the same event."""
        known = self._known_once.get(at)
        if known is None:
            known = self._known_once[at] = _once(self._offers(at))
        return known

    def frame(self, state: State) -> Frame:
        """A frame of its own for a position."""
        return Frame(self.code, list(state.slots))

    def go(self, at: int, frame: Frame, since: State | None, test: bool = True) -> Step:
        """From a node to the next point at which somebody is really asked, or the end."""
        frame.env = {}
        try:
            for _ in range(MAX_NODES):
                node = self.nodes[at]
                match node:
                    case Run():
                        self._passed(at, frame)
                        winners = self._run(at, node)(frame.slots, frame.env)
                        if winners is not None:
                            return Ended(frame.state(at), winners)
                        at = node.next
                    case Fork():
                        self._passed(at, frame)
                        at = node.yes if self._fork(at, node)(frame.slots, frame.env) else node.no
                    case Ask() | Gather() | Draw() | Rule():
                        after = self._arrive(at, node, frame, test)
                        if not isinstance(after, int):
                            return after
                        at = after
                        frame.env = {}
                    case _:
                        assert_never(node)
            raise Fault(TOO_LONG, "the game goes on without asking anybody", None)
        except Fault as fault:
            return fault.step(since)

    def _passed(self, at: int, frame: Frame) -> None:
        if self._passing is not None:
            self._passing(at, frame.slots)

    def _left(self, at: int, event: Event | None, frame: Frame) -> None:
        if self._leaving is not None:
            self._leaving(at, event, frame.slots)

    def point(self, at: int) -> PointNode:
        """The point at a node. `TypeError` if there is none: no state that the game goes on from is there."""
        node = self.nodes[at]
        match node:
            case Ask() | Gather() | Draw() | Rule():
                return node
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)

    def who(self, at: int, frame: Frame) -> frozenset[int]:
        """Who can act at a point."""
        node = self.point(at)
        match node:
            case Ask():
                return frozenset((frame.evaluate(node.actor),))
            case Gather():
                pending: frozenset[int] = frame.slots[self.layout.vars[node.pending].base]
                return pending
            case Draw():
                return frozenset((FATE,))
            case Rule():
                return frozenset((TABLE,))
            case _:
                assert_never(node)

    def offers(self, at: int, by: int, frame: Frame) -> list[Offer]:
        """What somebody is offered at a point."""
        node = self.point(at)
        match node:
            case Ask() | Draw() | Rule():
                return self._offers(at)
            case Gather():
                frame.env = {}
                return [offer for offer, (actors, _) in zip(self._offers(at), node.parts, strict=True)
                        if by in frame.evaluate(actors)]
            case _:
                assert_never(node)

    def events(self, at: int, by: int, frame: Frame) -> Iterator[Event]:
        """What somebody can do at a point, in a fixed order, each event once."""
        node = self.point(at)
        match node:
            case Rule():
                return (Event(TABLE, node.point.name, ((CHOICE, value),)) for value in self.candidates(node, frame))
            case Ask() | Gather() | Draw():
                return self._offered(at, by, frame)
            case _:
                assert_never(node)

    def _offered(self, at: int, by: int, frame: Frame) -> Iterator[Event]:
        once = self.once(at)
        seen: set[Event] = set()
        for offer in self.offers(at, by, frame):
            for _ in offer.ways(by, frame):
                event = offer.event(by, frame)
                if once:
                    yield event
                elif event not in seen:
                    seen.add(event)
                    yield event

    def in_ranges(self, at: int, by: int, frame: Frame) -> Iterator[InRange]:
        """What somebody can do at a point, where numbers that are free in their range stand once."""
        node = self.point(at)
        match node:
            case Rule():
                listed = True
            case Ask() | Gather() | Draw():
                listed = not self.once(at)
            case _:
                assert_never(node)
        if listed:
            yield from ((event, ()) for event in self.events(at, by, frame))
            return
        for offer in self.offers(at, by, frame):
            yield from offer.in_ranges(by, frame)

    def candidates(self, node: Rule, frame: Frame) -> tuple[int, ...]:
        """What the table can choose from; nothing at an open point."""
        frame.env = {}
        return () if node.candidates is None else tuple(dict.fromkeys(frame.distinct(node.candidates)))

    def _arrive(self, at: int, node: PointNode, frame: Frame, test: bool) -> Step | int:
        """The step that ends at a point, or the node to go on at without asking."""
        match node:
            case Ask():
                return self._arrive_ask(at, node, frame, test)
            case Gather():
                return self._arrive_gather(at, node, frame)
            case Draw():
                found = list(islice(self.events(at, FATE, frame), 2))
                if not found:
                    return self._stop(at, node, frame, "fate has nothing to choose from")
                only = found[0] if node.point.automatic and len(found) == 1 else None
                return frame.state(at) if only is None else self._pass(at, only, frame)
            case Rule():
                return self._arrive_rule(at, node, frame)
            case _:
                assert_never(node)

    def _arrive_ask(self, at: int, node: Ask, frame: Frame, test: bool) -> Step | int:
        by: int = frame.evaluate(node.actor)
        if not test and node.otherwise is None and not node.point.automatic:
            return frame.state(at)  # the game rests here whatever is possible; that nothing is, is found out when asked
        found = list(islice(self.events(at, by, frame), 2 if node.point.automatic else 1))
        if not found:
            if node.otherwise is not None:
                self._left(at, None, frame)
                return node.otherwise
            return self._stop(at, node, frame, "nothing is possible, and the rules do not say what then")
        if node.point.automatic and len(found) == 1:
            return self._pass(at, found[0], frame)
        return frame.state(at)

    def _arrive_gather(self, at: int, node: Gather, frame: Frame) -> Step | int:
        pending: frozenset[int] = frozenset().union(*(frame.evaluate(actors) for actors, _ in node.parts))
        frame.slots[self.layout.vars[node.pending].base] = pending
        if not pending:
            self._left(at, None, frame)
            return node.next
        found = [list(islice(self.events(at, by, frame), 2)) for by in sorted(pending)]
        if not all(found):
            return self._stop(at, node, frame, "nothing is possible for a player, and the rules do not say what then")
        if not node.point.automatic or any(len(events) > 1 for events in found):
            return frame.state(at)
        for events in found[:-1]:
            self._left(at, events[0], frame)
            self.carry(at, events[0], frame)
        return self._pass(at, found[-1][0], frame)

    def _arrive_rule(self, at: int, node: Rule, frame: Frame) -> Step | int:
        found = self.candidates(node, frame)
        if not found:
            return self._stop(at, node, frame, node.question)
        ruled = frame.slots[self.layout.rulings[node.point.name]]
        chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
        if chosen is None:
            return frame.state(at)
        return self._pass(at, Event(TABLE, node.point.name, ((CHOICE, chosen),)), frame)

    def _stop(self, at: int, node: PointNode, frame: Frame, why: str) -> Stopped:
        return Stopped(frame.state(at), node.point, why)

    def _pass(self, at: int, event: Event, frame: Frame) -> int:
        """Takes an event without asking; the node to go on at."""
        self._left(at, event, frame)
        after = self.carry(at, event, frame)
        assert after is not None
        return after

    def carry(self, at: int, event: Event, frame: Frame, offer: Offer | None = None) -> int | None:
        """Keeps what a legal event says; the node to go on at, None if others have to choose here still.

        `offer`: the one that the event takes, if that is known and its parameters are bound in the frame.
        """
        node = self.point(at)
        match node:
            case Rule():
                if node.into is not None:
                    frame.slots[self.layout.vars[node.into].base] = dict(event.args)[CHOICE]
                return node.next
            case Ask() | Draw():
                return self._kept(offer or self.taken(at, event, frame), (), frame)
            case Gather():
                self._kept(offer or self.taken(at, event, frame), (event.by,), frame)
                pending = self.layout.vars[node.pending].base
                frame.slots[pending] = frame.slots[pending] - {event.by}
                return None if frame.slots[pending] else node.next
            case _:
                assert_never(node)

    def _kept(self, offer: Offer, key: tuple[int, ...], frame: Frame) -> int:
        """Keeps what an offer that is taken stores; the node that it leads to."""
        for register, local in offer.alternative.stores:
            frame.slots[self.layout.vars[register].find(key)] = frame.env[local]
        return offer.alternative.next

    def taken(self, at: int, event: Event, frame: Frame) -> Offer:
        """The offer that a legal event takes, with its parameters bound."""
        found = self.taking(at, event, frame)
        if found is None:
            raise ValueError(f"{event} is not legal here")
        return found

    def taking(self, at: int, event: Event, frame: Frame) -> Offer | None:
        """The first offer that an event takes, with its parameters bound; None if there is none."""
        for offer in self.offers(at, event.by, frame):
            if offer.label == event.label and offer.fits(event, frame):
                return offer
        return None


def _once(offers: list[Offer]) -> bool:
    """True if no two ways of taking these offers are the same event."""
    return len({offer.label for offer in offers}) == len(offers) and all(offer.told for offer in offers)


def _offers(node: Node, code: ExpressionClosures) -> list[Offer]:
    match node:
        case Ask():
            return [Offer(alternative, code) for alternative in node.alternatives]
        case Gather():
            return [Offer(alternative, code) for _, alternative in node.parts]
        case Draw():
            return [Offer(node.alternative, code)]
        case Run() | Fork() | Rule():
            return []
        case _:
            assert_never(node)
