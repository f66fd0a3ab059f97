"""The walker: carries a game from point to point, the reference that every other engine agrees with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, assert_never

from referee.core.expr import Const, Expr, Op, Operator
from referee.core.flow import Ask, Draw, Flow, Gather, PointNode, Rule, is_decision, is_rest, silent
from referee.core.free_ranges import ranges_wide
from referee.core.ruleset import Invariant, Zone
from referee.core.stmt import Guard, Point
from referee.core.types import Bool, Int, Value
from referee.game.event import CHOICE, Event, Spoken
from referee.game.event_table import EventTable, LineMemo
from referee.game.player_views import Sighting
from referee.game.setting import Setting
from referee.game.start_position import BadPosition, Position
from referee.game.state import Ended, Failed, Layout, State, Step, is_open, narrowed
from referee.game.text_following import Result, TextFollower
from referee.interpreter.closures.closure_types import Fn, Slots
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.statement_closures import block
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.course import FlowCourse
from referee.interpreter.event_explanation import explain, test
from referee.interpreter.event_sampling import sampled
from referee.interpreter.initial_state import home, stated
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.offers import InRange, Offer
from referee.interpreter.parameter_relations import Relations
from referee.interpreter.position_start import Conceal, placed
from referee.interpreter.refusals import (
    BAD_ARGUMENT,
    UNKNOWN_EVENT,
    WRONG_PLAYER,
    ArgumentProblem,
    BrokenInvariant,
    Refusal,
    Shown,
    Tested,
)
from referee.interpreter.start_points import StartPoints
from referee.system.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """Who can act at a position. `silent`: a log may leave out one of the events that are possible here."""

    point: Point
    kind: str
    by: frozenset[int]
    silent: bool


class Walker:
    """Runs a flow. It keeps nothing of a game: every method is a function of its arguments.

    Every method may raise `Unsettled`, if a value that nobody stated decides. What `check` accepted last is remembered,
    because `advance` mostly follows with the same state and event, and would have to test it all again.
    """

    note = ""
    """What a verdict says of the engine that it comes from."""
    asked_step_by_step = False
    """Whether nothing is concluded of several ways of a game at once, because its answers are a second opinion."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.core = flow.core
        self.course = FlowCourse(flow)
        self.layout: Layout = self.course.layout
        self._home: list[Any] | None = None
        self._invariants: list[tuple[Invariant, Fn]] | None = None
        self._accepted: tuple[State, Event, Offer, Frame] | None = None
        self._start_points: StartPoints | None = None
        self._wide: dict[int, bool] = {}
        self.relations = Relations(self.core.relations, self.layout, self.course.code)
        self.may_be_open = any(map(is_open, flow.vars.values()))

    def begin_log(self) -> None:
        """Another log is judged. An engine that keeps time begins to count."""

    def entries(self, setting: Setting) -> Slots:
        """The entries of a game before set-up. Raises `Fault` (RT03) if a home cannot hold its components."""
        self._home = home(self.layout) if self._home is None else self._home
        return stated(self.layout, setting, self._home.copy())

    def begin(self, setting: Setting, *, test_arrival: bool = True) -> Step:
        """The first point of a game. What the setting does not state has its default, or stays open.

        `test_arrival` as in `advance`.
        """
        if setting.position is not None:
            return self._begin_at(setting, setting.position)
        try:
            slots = self.entries(setting)
        except Fault as fault:
            return fault.step(None)
        return self.course.go(self.flow.start, Frame(self.course.code, slots), None, test_arrival)

    def begin_at(self, setting: Setting, position: Position, unknown: object = None,
                 conceal: Conceal | None = None) -> State:
        """A position as it is told, before it is tested whether anything is possible there. `unknown`: stands where it
        is not known what lies there; `conceal`: puts something in the place of hidden components.

        Raises `BadPosition`, and `Fault` if the rules cannot be carried out there.
        """
        at, frame = placed(self.course, self.start_points, setting, position, unknown, conceal)
        return frame.state(at)

    @property
    def start_points(self) -> StartPoints:
        """The points from which a game can start."""
        self._start_points = self._start_points or StartPoints(self.flow)
        return self._start_points

    def _begin_at(self, setting: Setting, position: Position) -> Step:
        try:
            state = self.begin_at(setting, position)
            over = self.over(state)
        except BadPosition as bad:
            return Failed(bad.code, bad.message, None, None)
        except Fault as fault:
            return fault.step(None)
        return over or self.course.go(state.at, self.course.frame(state), None)

    def over(self, state: State) -> Ended | None:
        """The end of a game that starts from a position in which it is over by `end as soon as`.

        Raises `BadPosition` (LG29) if the rules leave open how it ends.
        """
        frame = self.course.frame(state)
        if self.core.over is None or not frame.evaluate(self.core.over):
            return None
        ending = self.flow.ending
        winners = None if ending is None else block(ending, self.course.code, ())(frame.slots, frame.env)
        if winners is None:
            raise BadPosition("LG29", "in this position the game is over, and the rules leave open how", "state")
        return Ended(frame.state(state.at), winners)

    def asked(self, state: State) -> Asked:
        """Who can act at a position."""
        node = self.course.point(state.at)
        return Asked(node.point, _kind(node), self.who(state), bool(silent(node)))

    def legal(self, state: State) -> Iterator[Event]:
        """Every legal event, in a fixed order; found one by one, as asked for."""
        frame = self.course.frame(state)
        for by in sorted(self.course.who(state.at, frame)):
            yield from self.course.events(state.at, by, frame)

    def who(self, state: State) -> frozenset[int]:
        """Who can act at a position."""
        return self.course.who(state.at, self.course.frame(state))

    def events(self, state: State, by: int) -> Iterator[Event]:
        """What somebody who can act may do at a position, in a fixed order."""
        yield from self.course.events(state.at, by, self.course.frame(state))

    def in_ranges(self, state: State, by: int) -> Iterator[InRange]:
        """The same, where a number that is free in its range stands once, the least with the greatest beside it."""
        yield from self.course.in_ranges(state.at, by, self.course.frame(state))

    def pick(self, state: State, by: int, random: Random, few: int, tries: int) -> Event | None:
        """What somebody does at random: any of his legal events alike; of more than `few`, one whose parameters are
        drawn one by one, and so where a number that is free in its range may be more than `few`. None if there is
        none."""
        drawn = self.sampled(state, by, random, tries) if self.ranges_wide(state.at, few) else None
        if drawn is not None:
            return drawn
        found = list(islice(self.events(state, by), few + 1))
        if len(found) <= few:
            return random.choice(found) if found else None
        return self.sampled(state, by, random, tries) or random.choice(found)

    def play_on(self, state: State, random: Random, most: int, *, rule: bool) -> tuple[list[Event], Step]:
        """Plays by lot from a position on, as far as an engine does so by itself: what was played, at most so many
        events, and where the game then is. `rule`: the table rules by lot, too; else nothing is played for it.

        This engine does not.
        """
        return [], state

    def ranges_wide(self, at: int, few: int) -> bool:
        """Whether at a point something is offered with a number that is free in a range of more than `few`."""
        known = self._wide.get(at)
        if known is None:
            known = self._wide[at] = ranges_wide(self.flow.nodes[at], few)
        return known

    def sampled(self, state: State, by: int, random: Random, tries: int) -> Event | None:
        """An event whose parameters are drawn one by one, tried again if it is not legal; None if no try was."""
        return sampled(self.course, state.at, by, self.course.frame(state), random, tries)

    def silent(self, state: State) -> Event | None:
        """The legal event that a log may leave out here, if there is one."""
        node, frame = self.course.point(state.at), self.course.frame(state)
        for by in self.course.who(state.at, frame) if silent(node) else ():
            for offer in self.course.offers(state.at, by, frame):
                if offer.alternative.silent:
                    for _ in offer.ways(by, frame):
                        return offer.event(by, frame)
        return None

    def check(self, state: State, event: Event) -> Refusal | None:
        """None if an event is legal, else why it is not."""
        course, frame = self.course, self.course.frame(state)
        node, by = course.point(state.at), course.who(state.at, frame)
        match node:
            case Rule():
                return self._check_ruling(node, event, by, frame)
            case Ask() | Gather() | Draw():
                return self._check_offered(state, event, by, frame)
            case _:
                assert_never(node)

    def _check_offered(self, state: State, event: Event, by: frozenset[int], frame: Frame) -> Refusal | None:
        course = self.course
        offer = course.taking(state.at, event, frame) if event.by in by else None
        if offer is not None:
            self._accepted = (state, event, offer, frame)
            return None
        offers = course.offers(state.at, event.by if event.by in by else min(by), frame)
        labels = tuple(dict.fromkeys(offer.label for offer in offers))
        if event.by not in by:
            return Refusal(WRONG_PLAYER, by, labels)
        if event.label not in labels:
            return Refusal(UNKNOWN_EVENT, by, labels)
        return explain(event, offers, by, labels, frame)

    def _check_ruling(self, node: Rule, event: Event, by: frozenset[int], frame: Frame) -> Refusal | None:
        labels = (node.point.name,)
        if event.by not in by:
            return Refusal(WRONG_PLAYER, by, labels)
        if event.label != node.point.name:
            return Refusal(UNKNOWN_EVENT, by, labels)
        found, given = self.course.candidates(node, frame), dict(event.args)
        if given.keys() == {CHOICE} and given[CHOICE] in found:
            return None
        why = "not allowed" if CHOICE in given else "missing"
        problem = ArgumentProblem(CHOICE, why, given.get(CHOICE), None, found)
        return Refusal(BAD_ARGUMENT, by, labels, None, node.point.origin, arguments=(problem,))

    def advance(self, state: State, event: Event, *, test_arrival: bool = True) -> Step:
        """The next point after an event that `check` accepts; `ValueError` for one that it refuses.

        Without `test_arrival` it is not tested whether anything is possible at a decision: then the caller calls
        `arrive` there, at the latest when the next event is refused.
        """
        known, self._accepted = self._accepted, None
        if known is not None and known[0] is state and known[1] is event:
            offer, frame = known[2], known[3]
        else:
            offer, frame = None, self.course.frame(state)
            self._refuse_ruling(state, event)
        try:
            after = self.course.carry(state.at, event, frame, offer)
        except Fault as fault:
            return fault.step(state)
        if after is None:
            return frame.state(state.at)
        return self.course.go(after, frame, state, test_arrival)

    def _refuse_ruling(self, state: State, event: Event) -> None:
        """Raises `ValueError` for a ruling that is not legal; of what is offered that is found out as it is taken."""
        node = self.course.point(state.at)
        match node:
            case Rule():
                if self.check(state, event) is not None:
                    raise ValueError(f"{event} is not legal here")
            case Ask() | Gather() | Draw():
                pass
            case _:
                assert_never(node)

    def follow(self, state: State, events: Iterable[Spoken], *, tested: bool) -> tuple[int, Step]:
        """Carries on with events as long as that is quickly done: how many, and where the game has come to.

        Each was legal and arrived as `advance` does without `test_arrival`; if `tested` nothing was `broken` after it.
        The event after those may have been looked at as well. Where the number is 0 the answer is the position itself.
        """
        return 0, state

    def follow_numbers(self, state: State, numbers: Sequence[int], table: EventTable, *,
                       tested: bool) -> tuple[int, Step]:
        """The same, of events that a table has by these numbers."""
        return self.follow(state, map(table.events.__getitem__, numbers), tested=tested)

    def result(self, state: State, numbers: Sequence[int], table: EventTable, *, tested: bool) -> Result | None:
        """What a game comes to that ends with the last of some events; None if it does not, or one of them is not
        plainly legal. `tested` as in `follow`."""
        number, step = self.follow_numbers(state, numbers, table, tested=tested)
        while number < len(numbers) and isinstance(step, State):
            before = step
            more, step = self.follow_numbers(step, numbers[number:], table, tested=tested)
            number += more
            if not more:
                event = table.events[numbers[number]][0]
                if self.check(before, event) is not None:
                    return None
                step = self.advance(before, event, test_arrival=False)
                reached = step.state if isinstance(step, Ended) else step
                if not isinstance(reached, State) or (tested and self.broken(reached)):
                    return None
                number += 1
        if number < len(numbers) or not isinstance(step, Ended):
            return None
        scores = self.scores(step.state)
        return step.winners, None if scores is None else tuple(scores[one] for one in range(self.core.seats.number))

    def text_follower(self, state: State, memo: LineMemo, *, tested: bool) -> TextFollower | None:
        """Who judges logs of certain players that begin at a position by their text; None if nobody does."""
        return None

    def sighting(self, state: State, event: Event) -> Sighting:
        """Who learns what when a legal event happens."""
        node, frame = self.course.point(state.at), self.course.frame(state)
        match node:
            case Rule():
                return Sighting(event, (None,) * len(event.args))
            case Ask() | Draw():
                return Sighting(event, self._observers(state, event, frame))
            case Gather():
                return self._sighting_in_group(node, state, event, frame)
            case _:
                assert_never(node)

    def _observers(self, state: State, event: Event, frame: Frame) -> tuple[frozenset[int] | None, ...]:
        """Who learns each argument, by what is offered."""
        offer = self.course.taken(state.at, event, frame)
        params = {param.arg: param for param in offer.params}
        observers = [params[arg].seen for arg, _ in event.args]
        return tuple([None if some is None else frozenset(frame.evaluate(some)) for some in observers])

    def _sighting_in_group(self, node: Gather, state: State, event: Event, frame: Frame) -> Sighting:
        seen = self._observers(state, event, frame)
        if not node.hidden:
            return Sighting(event, seen)
        alone = frozenset((event.by,))
        closes = node.revealed and self.course.who(state.at, frame) == alone and (
            node.once is None or bool(frame.evaluate(node.once)))
        return Sighting(event, (alone,) * len(seen), node.point.name if node.revealed else None, closes)

    def arrive(self, state: State) -> Step:
        """The position itself, or where the game goes on from it because nothing is possible there."""
        if is_decision(self.course.point(state.at)):
            return self.course.go(state.at, self.course.frame(state), state)
        return state

    def settle(self, state: State, unsettled: Unsettled, piece: tuple[int, int]) -> State:
        """The position, where the open value lies in one of the pieces into which it was split."""
        value = narrowed(self.layout.defs[unsettled.var].type, piece)
        index = self.layout.vars[unsettled.var].find(unsettled.key)
        return State(state.at, (*state.slots[:index], value, *state.slots[index + 1:]))

    def broken(self, state: State) -> tuple[BrokenInvariant, ...]:
        """The invariants and limits that do not hold at a rest point or at the end; nothing elsewhere."""
        if not is_rest(self.flow.nodes[state.at]):
            return ()
        frame = self.course.frame(state)
        found = []
        if self._invariants is None:
            self._invariants = [(one, self.course.code.expr(one.guard.cond)) for one in self.core.invariants]
        for invariant, holds in self._invariants:
            try:
                if holds(frame.slots, frame.env):
                    continue
            except Fault:
                pass
            tested, _ = test(invariant.guard, frame)
            found.append(BrokenInvariant(invariant.name, tested, invariant.is_limit))
        for zone in self.core.zones.values():
            found.extend(self._over_limit(zone, frame))
        return tuple(found)

    def _over_limit(self, zone: Zone, frame: Frame) -> Iterator[BrokenInvariant]:
        if zone.limit is None:
            return
        entries = self.layout.zones[zone.name]
        for key in entries.keys():
            there = amount(zone, frame.slots[entries.find(key)])
            try:
                limit = frame.evaluate(zone.limit)
            except Unsettled as open_:  # compared, its range is split only where that decides
                limit = open_.pieces[-1][1]
                if not frame.evaluate(Op(Operator.GT, (Const(there, Int(there, there)), zone.limit), Bool())):
                    continue
            if there > limit:
                guard = Guard(f"at most {limit}", zone.limit, zone.origin)
                shown = Shown(f"number of {zone.name}", there, zone.limit.type)
                yield BrokenInvariant(f"limit of {zone.name}", Tested(guard, (shown,)), True, (zone.name, key))

    def scores(self, state: State) -> dict[int, int] | None:
        """The score of each player at the end of a game; None if the rules have none, or cannot compute one."""
        made = {}
        for player in range(self.core.seats.number):
            score = self.score_of(state, player)
            if score is None:
                return None
            made[player] = score
        return made

    def score_of(self, state: State, player: int) -> int | None:
        """The score of one player, if the game ended here; None as of all."""
        score = self.core.score
        if score is None:
            return None
        frame = self.course.frame(state)
        frame.env = {score.player: player}
        try:
            return int(frame.evaluate(score.value))
        except Fault:
            return None

    def evaluate(self, state: State, expr: Expr) -> Value:
        """The value of an expression at a position. Raises `Fault` if it has none."""
        value: Value = self.course.frame(state).evaluate(expr)
        return value


def _kind(node: PointNode) -> str:
    match node:
        case Ask():
            return "decide"
        case Gather():
            return "commit"
        case Draw():
            return "chance"
        case Rule():
            return "table"
        case _:
            assert_never(node)
