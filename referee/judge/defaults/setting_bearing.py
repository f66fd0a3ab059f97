"""Whether a setting has a bearing on a wrong line: the last steps are carried out with other values.

`spec/decisions/032` says why. All is bounded by numbers, not by time: the same log has the same verdict everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.game.event import Event
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, LineFault
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.game.state import Ended, Open, Slot, State, Step, unknown
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.defaults.settings_read import DoneStep
from referee.judge.open_settings.value_ranges import Place

MOST_CARRIED_OUT = 600
"""Steps that are carried out with other values for one verdict, at most. What was not tried by then is told."""
MOST_PASSES = 8
"""So many passes that a log need not state are put before an event."""
FEW_VALUES = 6
"""So many other values of a setting are all tried; of more the ends, the neighbours and the middle."""


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """What is said of a line. `asked`: who is asked for what, or what the values and the result are that are claimed;
    `kind`: how it is refused (empty: it is not); `failed`: what of it cannot be."""

    asked: object
    kind: str
    failed: frozenset[str] = frozenset()

    def kept_by(self, other: LineAnswer) -> bool:
        """Whether it would be wrong for the same reason in the other place, and maybe for more."""
        return (self.asked, self.kind) == (other.asked, other.kind) and self.failed <= other.failed


class SettingBearing:
    """Tries other values of settings in the last steps before one wrong line.

    `steps`: what led to the line; `final`: where the game stood then.
    """

    def __init__(self, walker: Walker, setting: Setting, steps: Sequence[DoneStep], final: Step, line: Line,
                 claims: AssertedClaims) -> None:
        self._walker = walker
        self._steps = steps
        self._final = final
        self._line = line
        self._claims = claims
        self._left = MOST_CARRIED_OUT
        self._event = _event_of(walker, setting, line)
        self._usual = self._answer_at(final)

    def among(self, entries: Mapping[int, tuple[int, int]], places: Mapping[int, Place]) -> set[int]:
        """Those of some entries with which another value would change what is said of the line, found nearest first.

        `entries`: how many steps before the line each was looked at first, and last; what is not tried any more counts
        if it was looked at in the last step or at the line. `places`: the variables; a ruling is not tried.
        """
        found = set()
        for index, (first, last) in sorted(entries.items(), key=lambda one: (one[1][1], one[1][0], one[0])):
            decides = self._decides(index, places[index], first) if index in places else None
            if last <= 1 if decides is None else decides:
                found.add(index)
        return found

    def _decides(self, index: int, place: Place, first: int) -> bool | None:
        """Whether another value would change what is said; None if it was not found out."""
        for value in self._others(index, place[0]):
            if self._left <= 0 or self._usual is None:
                return None
            answer = self._with(index, value, first)
            if answer is not None and not self._usual.kept_by(answer):
                return True
        return False

    def _others(self, index: int, name: str) -> Iterator[int | bool]:
        """Other values of an entry that are related to the rest as the rules say; any, if none is by itself."""
        whole = unknown(self._walker.layout.defs[name])
        if not isinstance(whole, Open):
            return
        slots = _state(self._final).slots
        usual = slots[index]
        if not isinstance(usual, int):
            return
        everything = range(whole.lo, whole.hi + 1)
        values = everything if len(everything) <= FEW_VALUES + 1 else sorted({
            whole.lo, whole.hi, (whole.lo + whole.hi) // 2, usual - 1, usual + 1} & set(everything))
        others = [other for other in (bool(value) if isinstance(usual, bool) else value for value in values)
                  if other != usual]
        related = [one for one in others if self._walker.relations.broken(list(_put(slots, index, one))) is None]
        yield from related or others

    def _with(self, index: int, value: int | bool, first: int) -> LineAnswer | None:
        """What is said of the line with another value; None if the rules then fail. Where an event would not have been
        legal, the value holds from there on."""
        here: Step | None = None
        for state, event in self._steps[len(self._steps) - first:]:
            before = here if isinstance(here, State) else _other(state, index, value)
            here = self._carried_out(before, event)
        return self._answer(_put_in(self._final, index, value) if here is None else here)

    def _carried_out(self, state: State, event: Event) -> Step | None:
        self._left -= 1
        try:
            if self._walker.check(state, event) is not None:
                return None
            return self._walker.advance(state, event)
        except (Unsettled, Fault, ValueError):
            return None

    # ---------------------------------------------------------------------- what is said of the line
    def _answer_at(self, final: Step) -> LineAnswer | None:
        """What is said of it as things are; None if that hangs on what nobody stated."""
        try:
            return self._answer(final if isinstance(final, Ended) else self._walker.arrive(_state(final)))
        except (Unsettled, Fault):
            return None

    def _answer(self, here: Step) -> LineAnswer | None:
        self._left -= 1
        try:
            match self._line:
                case EventLine():
                    return self._of_event(here)
                case AssertLine(claims=claims):
                    return self._of_claims(here, claims)
                case EndLine():
                    return self._of_end(here)
                case _:
                    return None
        except (Unsettled, Fault, LineFault, ValueError):
            return None

    def _of_event(self, here: Step) -> LineAnswer | None:
        if isinstance(here, Ended):
            return LineAnswer(here.winners, "over")
        if not isinstance(here, State):
            return None
        asked = self._walker.asked(here)
        at = (asked.point.name, asked.by)
        if self._event is None:
            return LineAnswer(at, "unknown")
        refusal = self._walker.check(here, self._event)
        if refusal is None or self._after_passes(here, self._event):
            after = self._walker.advance(here, self._event) if refusal is None else None
            broken = self._walker.broken(after) if isinstance(after, State) else ()
            return LineAnswer(at, "broken" if broken else "", frozenset(one.name for one in broken))
        failed = {one.guard.text for one in refusal.failed} | {
            f"{one.arg} {one.why}" for one in refusal.arguments if one.why != "not allowed" or not refusal.failed}
        return LineAnswer(at, refusal.kind, frozenset(failed))

    def _after_passes(self, here: Step, event: Event) -> bool:
        """Whether an event is legal after passes that a log need not state."""
        for _ in range(MOST_PASSES):
            passed = self._walker.silent(here) if isinstance(here, State) and self._walker.asked(here).silent else None
            if passed is None or not isinstance(here, State):
                return False
            here = self._walker.advance(here, passed)
            if isinstance(here, State) and self._walker.check(here, event) is None:
                return True
        return False

    def _of_claims(self, here: Step, claims: Mapping[str, Json]) -> LineAnswer:
        state = _state(here)
        values = tuple(str(self._walker.evaluate(state, self._claims.read(text, claimed)[0]))
                       for text, claimed in claims.items())
        return LineAnswer(values, "claim")

    def _of_end(self, here: Step) -> LineAnswer:
        if not isinstance(here, Ended):
            return LineAnswer(self._walker.asked(_state(here)).point.name, "goes on")
        scores = self._walker.scores(here.state)
        return LineAnswer((here.winners, tuple(sorted((scores or {}).items()))), "over")


def _event_of(walker: Walker, setting: Setting, line: Line) -> Event | None:
    if not isinstance(line, EventLine):
        return None
    found = decode_event(walker.core, setting, {"by": line.by, "do": line.do, "with": line.args})
    return found if isinstance(found, Event) else None


def _state(step: Step) -> State:
    state = step.state if isinstance(step, Ended) else step
    if not isinstance(state, State):
        raise ValueError("there is no position")
    return state


def _put(slots: Sequence[Slot], index: int, value: int | bool) -> tuple[Slot, ...]:
    return (*slots[:index], value, *slots[index + 1:])


def _other(state: State, index: int, value: int | bool) -> State:
    return State(state.at, _put(state.slots, index, value))


def _put_in(step: Step, index: int, value: int | bool) -> Step:
    if isinstance(step, Ended):
        return replace(step, state=_other(step.state, index, value))
    return _other(_state(step), index, value)
