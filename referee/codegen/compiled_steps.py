"""Carries the entries of a game from point to point by compiled functions.

What is unusual raises `StepError` or `Again`.

Entries are lists as `Layout.shortened` makes them, and change in place: after an exception they are good for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple, assert_never

from referee.codegen.compiled_program import Program
from referee.codegen.offer_groups import groups, logged, plain, stored
from referee.codegen.runtime_support import Again, StepError
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, OfferNode, Rule, Run, asks, offered, offers
from referee.core.read_write_sets import changes
from referee.game.event import CHOICE, FATE, TABLE, Event
from referee.game.state import Layout

MOST_CALLS = 2_000
"""So many functions are called from one point to the next; what goes on for longer the walker counts node by node."""
MOST_TESTS = 4_096
"""For so many sets of doubtful claims their tests are kept, then all are forgotten."""
HERE = -1
"""Stands for a node: the game goes on where it is."""
Slots = list[Any]
Taking = tuple[int, ...]
"""The number of an alternative, who takes it, and what of it is kept."""
Take = tuple[Any, int]
"""What tests an event, takes it and goes on, and the claims that this may break."""


class Stepping:
    """The compiled ways of a flow. `doubts`: the claims that may have been broken since somebody set it to 0."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self.flow = flow
        self.layout = layout
        self.program = Program(flow, layout)
        self.doubts = 0
        number = len(flow.nodes)
        self._rests = [_rests(node) for node in flow.nodes]
        self._is_ruled = [_is_ruled(node) for node in flow.nodes]
        self._is_asked = [asks(node) is not None for node in flow.nodes]
        self._whos: list[Any] = [None] * number
        self._somes: list[Any] = [None] * number
        self._group_doubts: dict[int, int] = {}
        self._ruleds: list[Any] = [None] * number
        self._founds: list[Any] = [None] * number
        self._kept: dict[int, list[int]] = {}
        self._runs: list[Any] = [None] * number
        self._checks: list[dict[tuple[str, ...], Any] | None] = [None] * number
        self.takes: list[dict[tuple[str, ...], Take]] = [{} for _ in flow.nodes]
        self._tests: dict[int, list[Any]] = {}
        self._applies: dict[tuple[int, int], tuple[Any, int]] = {}

    # --- what is possible

    def who(self, at: int, slots: Any) -> frozenset[int]:
        """Who can act at a point."""
        node = self.flow.nodes[at]
        match node:
            case Ask():
                return frozenset((self.program.function("who", at)(slots),))
            case Gather():
                pending: frozenset[int] = slots[self.layout.vars[node.pending].base]
                return pending
            case Draw():
                return frozenset((FATE,))
            case Rule():
                return frozenset((TABLE,))
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)

    def events(self, at: int, by: int, slots: Any) -> Iterator[Event]:
        """What somebody may do at a point, in a fixed order."""
        node = self.flow.nodes[at]
        match node:
            case Rule():
                return (Event(TABLE, node.point.name, ((CHOICE, value),)) for value in self._found(at, slots))
            case Ask() | Gather() | Draw():
                found: Iterator[Event] = self.program.function("legal", at)(slots, by)
                return found
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)

    def taken(self, at: int, slots: Any, event: Event) -> Taking | None:
        """What of a legal event is kept; None for one that is not, or not plainly."""
        args = event.args
        checks = self._checks[at]
        if checks is None:
            node = self.flow.nodes[at]
            match node:
                case Rule():
                    return self._ruled(node, at, slots, event)
                case Ask() | Gather() | Draw():
                    checks = self._checks[at] = {key: self.program.function("check", at, *numbers)
                                                 for key, numbers in groups(node).items()}
                case Run() | Fork():
                    raise TypeError(f"nobody is asked at node {at}")
                case _:
                    assert_never(node)
        if len(args) == 1:
            (name, value), = args
            check = checks.get((event.label, name))
            return None if check is None else check(slots, event.by, value)
        check = checks.get((event.label, *[name for name, _ in args]))
        return None if check is None else check(slots, event.by, *[value for _, value in args])

    def _ruled(self, node: Rule, at: int, slots: Any, event: Event) -> Taking | None:
        if event.by != TABLE or event.label != node.point.name or len(event.args) != 1:
            return None
        name, value = event.args[0]
        if name != CHOICE or value.__class__ is not int or value not in self._found(at, slots):
            return None
        return (0, value)

    def _found(self, at: int, slots: Any) -> tuple[int, ...]:
        found = self._founds[at]
        if found is None:
            found = self._founds[at] = self.program.function("found", at)
        values: tuple[int, ...] = found(slots)
        return values

    def take(self, at: int, key: tuple[str, ...]) -> Take | None:
        """What takes an event with such a label and arguments at a point; None if nothing plainly does."""
        node = offers(self.flow.nodes[at])
        numbers = None if node is None else groups(node).get(key)
        if numbers is None:
            return None
        made = self.takes[at][key] = (self.program.function("take", at, *numbers),
                                      self.program.doubts("take", at, *numbers))
        return made

    # --- what holds

    def hold(self, doubts: int, slots: Any) -> None:
        """Raises `StepError` if some claims do not all hold."""
        tests = self._tests.get(doubts)
        if tests is None:
            if len(self._tests) >= MOST_TESTS:
                self._tests.clear()
            tests = self._tests[doubts] = [self.program.function("claim", bit)
                                           for bit in range(self.program.claims.number) if doubts >> bit & 1]
        for test in tests:
            if not test(slots):
                raise StepError

    # --- on from point to point

    def apply(self, at: int, taking: Taking, slots: Slots) -> Any:
        """Keeps what a legal event says; where to go on, `HERE`, or the end."""
        if self._is_ruled[at]:
            return self._rule(at, taking[1], slots)
        key = (at, taking[0])
        known = self._applies.get(key)
        if known is None:
            known = self._applies[key] = self.program.function("apply", *key), self.program.doubts("apply", *key)
        self.doubts |= known[1]
        return known[0](slots, *taking[1:])

    def _rule(self, at: int, choice: int, slots: Slots) -> Any:
        known = self._ruleds[at]
        if known is None:
            known = self._ruleds[at] = self.program.function("ruled", at), self.program.doubts("ruled", at)
        self.doubts |= known[1]
        return known[0](slots, choice)

    def go(self, at: Any, slots: Slots, test: bool) -> Any:
        """On to the next point at which somebody is really asked: its node; or the end: its node, and who won.

        Without `test` it is not tested whether anything is possible at a decision without an `otherwise`.
        """
        runs, rests = self._runs, self._rests
        for _ in range(MOST_CALLS):
            if at.__class__ is tuple:
                return at
            run = runs[at]
            if run is not None:
                self.doubts |= run[1]
                at = run[0](slots)
            elif rests[at] and not test:
                who = self._whos[at] or self._who(at)
                if not who[1]:
                    who[0](slots)  # that there is nobody to be asked is an error of the rules
                return at
            elif not self._is_asked[at]:
                runs[at] = self.program.function("run", at), self.program.doubts("run", at)
            else:
                after = self.arrived(at, slots)
                if after == HERE:
                    return at
                at = after
        raise Again

    def _who(self, at: int) -> tuple[Any, bool]:
        """Who is asked at a decision, and whether it is proved that there is somebody."""
        made = self._whos[at] = self.program.function("who", at), self.program.whole("who", at)
        return made

    def arrived(self, at: int, slots: Slots) -> Any:
        """Where the game goes on from a point without asking; `HERE` if somebody is asked."""
        node = self.flow.nodes[at]
        match node:
            case Rule():
                return self._arrived_at_rule(at, node, slots)
            case Gather():
                return self._arrived_at_group(at, node, slots)
            case Draw():
                return self._arrived_at_offer(at, node, FATE, None, slots)
            case Ask():
                return self._arrived_at_offer(at, node, (self._whos[at] or self._who(at))[0](slots), node.otherwise,
                                              slots)
            case Run() | Fork():
                raise TypeError(f"nobody is asked at node {at}")
            case _:
                assert_never(node)

    def _arrived_at_offer(self, at: int, node: Ask | Draw, by: int, otherwise: int | None, slots: Slots) -> Any:
        if not node.point.automatic:
            some = self._somes[at]
            if some is None:
                some = self._somes[at] = self.program.function("some", at)
            if some(slots, by):
                return HERE
        else:
            found = self._two(at, by, slots)
            if found:
                return self.apply(at, found[0], slots) if len(found) == 1 else HERE
        if otherwise is None:
            raise Again
        return otherwise

    def _two(self, at: int, by: int, slots: Slots) -> list[Taking]:
        """What is kept of the only legal event at a point; two of several."""
        ends = self._kept.get(at)
        if ends is None:
            node = offers(self.flow.nodes[at])
            assert node is not None
            ends = self._kept[at] = [2 + len(stored(one)) for one in offered(node)] if plain(node) else []
        if ends:
            return [way[:ends[way[0]]] for way in islice(self.program.function("ways", at)(slots, by), 2)]
        found = [self.taken(at, slots, event) for event in islice(self.program.function("legal", at)(slots, by), 2)]
        if None in found:
            raise Again
        return [taking for taking in found if taking is not None]

    def _arrived_at_group(self, at: int, node: Gather, slots: Slots) -> Any:
        pending = self.program.function("who", at)(slots)
        slots[self.layout.vars[node.pending].base] = pending
        if at not in self._group_doubts:
            self._group_doubts[at] = self.program.claims.touched(changes(node))
        self.doubts |= self._group_doubts[at]
        if not pending:
            return node.next
        if not node.point.automatic:
            some = self.program.function("some", at)
            if all(some(slots, by) for by in pending):
                return HERE
            raise Again
        found = [self._two(at, by, slots) for by in sorted(pending)]
        if not all(found):
            raise Again
        if any(len(takings) > 1 for takings in found):
            return HERE
        for taking, in found[:-1]:
            self.apply(at, taking, slots)
        return self.apply(at, found[-1][0], slots)

    def _arrived_at_rule(self, at: int, node: Rule, slots: Slots) -> Any:
        found = self._found(at, slots)
        if not found:
            raise Again
        ruled = slots[self.layout.rulings[node.point.name]]
        chosen = found[0] if len(found) == 1 else ruled if ruled in found else None
        return HERE if chosen is None else self._rule(at, chosen, slots)


class EventReading(NamedTuple):
    """How a way to take an alternative is read: the label, where in it what is logged begins, the names of that.

    `sure`: the event is taken in this way and in no other."""

    label: str
    kept: int
    args: tuple[str, ...]
    sure: bool

    def event(self, by: int, way: tuple[Any, ...]) -> Event:
        """The event that a way is."""
        return Event(by, self.label, tuple(zip(self.args, way[self.kept:], strict=True)))


def _rests(node: Node) -> bool:
    """Whether a game rests there though it is not tested that anything is possible."""
    match node:
        case Ask():
            return node.otherwise is None and not node.point.automatic
        case Run() | Fork() | Gather() | Draw() | Rule():
            return False
        case _:
            assert_never(node)


def _is_ruled(node: Node) -> bool:
    match node:
        case Rule():
            return True
        case Run() | Fork() | Ask() | Gather() | Draw():
            return False
        case _:
            assert_never(node)


def ways_of(node: OfferNode) -> list[EventReading]:
    """How the ways to take each alternative are read."""
    known = groups(node)
    return [EventReading(one.label, 2 + len(stored(one)), logged(one),
                len(logged(one)) == len(one.params) and known.get((one.label, *logged(one))) == (number,))
            for number, one in enumerate(offered(node))]
