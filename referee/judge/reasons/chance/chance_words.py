"""What chance has to decide at a position, in words: for whom, how many cards or dice, and from where.

Chance is nobody: where a card has to be drawn for a player, he `must draw 1 card from deck`; where nobody is named, it
`must be dealt`. What a line gets wrong about it is a fault of the game (`here, not 2`), not of the form of the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import assert_never

from referee.core.expr import All, Expr, Members, Numbers, Within
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Rule, Run
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Param
from referee.core.types import PLAYER, Elem, Int, Many, Scalar, Value, one_of
from referee.game.event import FATE, Event
from referee.game.state import State
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.offers import Offer, ParameterChoice
from referee.interpreter.refusals import ArgumentProblem
from referee.interpreter.walker import Walker
from referee.judge.reasons.rule_words import RuleWords

NOT_ALLOWED, MISSING, UNEXPECTED = "not allowed", "missing", "unexpected"


@dataclass(frozen=True, slots=True)
class DueChance:
    """What chance decides at a position. `who`: the seat for which it does, if it is one, as the argument `whose`;
    `thing`: what it decides, None if nothing is left to it; `number`: of how many, None if it is not known; `named`:
    what the names in that stand for; `asked`: the expressions that say who and how many."""

    label: str
    who: int | None
    whose: Param | None
    thing: Param | None
    number: int | None
    named: tuple[tuple[str, Expr], ...]
    asked: tuple[Expr, ...]
    text: str


class ChanceWords:
    """The words for what chance decides, in one game."""

    def __init__(self, walker: Walker, words: RuleWords) -> None:
        self._walker = walker
        self._words = words
        self._names = words.names

    def due(self, state: State) -> DueChance | None:
        """What chance has to decide at a position; None where somebody else is asked, or it cannot be told."""
        course = self._walker.course
        node = course.point(state.at)
        match node:
            case Draw():
                frame = course.frame(state)
                try:
                    return self._of(course.offers(state.at, FATE, frame)[0], frame)
                except (Fault, Unsettled):
                    return None
            case Ask() | Gather() | Rule():
                return None
            case _:
                assert_never(node)

    def _of(self, offer: Offer, frame: Frame) -> DueChance:
        offer.enter(FATE, frame)
        named = offer.alternative.fixed
        asked = [value for _, value in named]
        seats: tuple[int, ...] = ()
        whose, thing, numbers = None, None, set[int | None]()
        for choice in offer.choices:
            found = self._seats(choice, frame) if whose is None and len(offer.choices) > 1 else ()
            if found:
                seats, whose = self._allowed(offer, choice.param, found, frame), choice.param
                frame.env[choice.param.name] = seats[0]
                asked.extend(_source(choice.param))
                continue
            thing = choice.param
            for seat in seats or (None,):
                if whose is not None:
                    frame.env[whose.name] = seat
                numbers.add(1 if thing.count is None else _number(thing, frame))
            asked.extend((*(thing.count or ()), *_source(thing)))
            break
        who = seats[0] if len(seats) == 1 else None
        number = next(iter(numbers)) if len(numbers) == 1 else None
        text = self._text(offer.label, seats, thing, number, frame)
        return DueChance(offer.label, who, whose, thing, number, named, tuple(asked), text)

    @staticmethod
    def _seats(choice: ParameterChoice, frame: Frame) -> tuple[int, ...]:
        """The players whom an argument can be: several where something comes for each of them, in any order."""
        match choice.param.type:
            case Elem() if _is_player(choice.param.type):
                return tuple(one for one in choice.values(frame) if isinstance(one, int))
            case Elem() | Int() | Many():
                return ()
            case _:
                assert_never(choice.param.type)

    @staticmethod
    def _allowed(offer: Offer, whose: Param, seats: tuple[int, ...], frame: Frame) -> tuple[int, ...]:
        """Those of some players whom no condition rules out that is about nothing else; all if that is everyone."""
        others = {one.name for one in offer.alternative.params} - {whose.name}
        conds = [guard.cond for guard in offer.alternative.guards if not locals_of(guard.cond) & others]
        left = []
        for seat in seats:
            frame.env[whose.name] = seat
            with suppress(Fault):  # a condition in error does not hold
                if all(frame.evaluate(cond) for cond in conds):
                    left.append(seat)
        return tuple(left) or seats

    def _text(self, label: str, seats: Sequence[int], thing: Param | None, number: int | None, frame: Frame) -> str:
        name = self._names.all_of(seats, "and") if seats else ""
        if thing is None:
            return f"{name} must {label}" if name else f"{label} must come"
        if label == "tie":
            return "a tie must be decided by lot"
        match thing.source:
            case Within(place):
                key = tuple(frame.evaluate(one) for one in place.keys)
                return _cards(label, name, f"{_counted(number, thing.arg or thing.name)}"
                              f" from {self._words.entry(place.zone, key)}")
            case All() | Numbers() | Members():
                dice = self._dice(thing, number)
                if dice:
                    return f"{name} must {label} {dice}" if name else f"{dice} must be rolled"
                said = f"{label}: {thing.arg or thing.name} must be chosen by lot"
                return f"{said} for {name}" if name else said
            case _:
                assert_never(thing.source)

    def _dice(self, thing: Param, number: int | None) -> str:
        """`2 dice 1..6 (pool)`; empty if it is no number that chance decides."""
        kind = one_of(thing.type)
        match kind:
            case Elem(domain) if not domain.startswith("die "):
                return ""
            case Elem(_, lo, hi) | Int(lo, hi):
                faces = f"{self._names.value(lo, kind)}..{self._names.value(hi, kind)}"
                several = "a die" if thing.count is None else "dice" if number is None else (
                    f"{number} {'die' if number == 1 else 'dice'}")
                return f"{several} {faces} ({thing.arg or thing.name})"
            case _:
                assert_never(kind)

    def mistaken(self, due: DueChance, event: Event, problems: Sequence[ArgumentProblem], state: State) -> str | None:
        """What a line gets wrong about who draws, or how many; None if it is something else."""
        if not problems:
            return None
        given, first = dict(event.args), problems[0]
        if due.whose is not None and first.param is due.whose and first.why == NOT_ALLOWED:
            return f"{due.text} here, not {self._names.value(first.value, due.whose.type)}"
        if due.thing is None or due.number is None or due.thing.arg is None:
            return None
        missing = [one.param for one in problems if one.why == MISSING]
        strange = [one for one in problems if one.why == UNEXPECTED]
        if len(missing) + len(strange) == len(problems) and len(strange) == 1 and (
                missing in ([], [due.thing])):
            other = strange[0]
            if not missing:
                return f"{due.text} here, and no {other.arg}"
            size = len(other.value) if isinstance(other.value, tuple) else 1
            alike = size != due.number and due.thing.arg.rstrip("s") == other.arg.rstrip("s")
            return f"{due.text} here, not {size if alike else other.arg}{self._for_another(due, given)}"
        if first.param is due.thing and first.why == NOT_ALLOWED and not first.beyond:
            value = given.get(due.thing.arg)
            if isinstance(value, tuple) and len(value) != due.number:
                return f"{due.text} here, not {len(value)}"
        if self._of_another_draw(due, first, state):
            return f"{due.text} here, not {self._names.value(first.value, due.thing.type)}"
        return None

    def _for_another(self, due: DueChance, given: Mapping[str, Value]) -> str:
        """For whom a line draws, if not for who has to."""
        if due.whose is None or due.whose.arg is None or given.get(due.whose.arg) in (None, due.who):
            return ""
        return f" for {self._names.value(given[due.whose.arg], due.whose.type)}"

    def _of_another_draw(self, due: DueChance, problem: ArgumentProblem, state: State) -> bool:
        """Whether what a line draws lies where another draw of the same name takes from, and not where this one."""
        if problem.param is not due.thing or problem.why != NOT_ALLOWED or due.thing is None or due.thing.count:
            return False
        here = lying(self._walker, state, problem.value)
        return bool(here & {zone for index in draws_of(self._walker.flow, due.label) if index != state.at
                            for zone in drawn_from(self._walker.flow, index)} - drawn_from(self._walker.flow, state.at))


def draws_of(flow: Flow, label: str) -> Iterator[int]:
    """The points at which chance does what has a label."""
    for index in range(len(flow.nodes)):
        drawn = _drawn_at(flow, index)
        if drawn is not None and drawn.label == label:
            yield index


def drawn_from(flow: Flow, at: int) -> frozenset[str]:
    """The zones from which chance takes something at a point."""
    drawn = _drawn_at(flow, at)
    return frozenset() if drawn is None else frozenset(zone for param in drawn.params for zone in _zone(param))


def _drawn_at(flow: Flow, at: int) -> Alternative | None:
    node = flow.nodes[at]
    match node:
        case Draw(alternative=one):
            return one
        case Run() | Fork() | Ask() | Gather() | Rule():
            return None
        case _:
            assert_never(node)


def _zone(param: Param) -> Iterator[str]:
    match param.source:
        case Within(place):
            yield place.zone
        case All() | Numbers() | Members():
            return
        case _:
            assert_never(param.source)


def _is_player(kind: Scalar | Many) -> bool:
    match kind:
        case Elem(domain):
            return domain == PLAYER
        case Int() | Many():
            return False
        case _:
            assert_never(kind)


def lying(walker: Walker, state: State, value: Value) -> frozenset[str]:
    """The zones in which a component lies."""
    layout, zones = walker.layout, walker.core.zones
    return frozenset(name for name, entries in layout.zones.items() for key in entries.keys()
                     if isinstance(held := state.slots[entries.find(key)], tuple)
                     and value in components(zones[name], held))


def _cards(label: str, name: str, cards: str) -> str:
    if label == "deal":
        what, _, place = cards.partition(" from ")
        return f"{what} must be dealt{f' to {name}' if name else ''} from {place}"
    if name:
        return f"{name} must {label} {cards}"
    return f"{cards} must be drawn" if label == "draw" else f"{label}: {cards} must come"


def _counted(number: int | None, noun: str) -> str:
    """`1 card`, `4 cards`."""
    single = noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
    if number is None:
        return f"{single}s"
    return f"{number} {single if number == 1 else f'{single}s'}"


def _number(param: Param, frame: Frame) -> int | None:
    """How many there must be; None if that is not one number."""
    assert param.count is not None
    least, most = (frame.evaluate(end) for end in param.count)
    return least if least == most and isinstance(least, int) else None


def _source(param: Param) -> Iterator[Expr]:
    match param.source:
        case Members(of):
            yield of
        case Within(place):
            yield from place.keys
        case All() | Numbers():
            return
        case _:
            assert_never(param.source)
