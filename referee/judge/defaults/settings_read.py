"""What of settings was looked at on the way to a wrong line (`spec/decisions/030` and `032`).

That is: in some steps before it, each after what its player chose, up to where somebody was asked next; and in the test
of the line itself. They are carried out once more, by a walker that remembers what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run, offered, offers
from referee.core.read_write_sets import variables_of
from referee.core.stmt import Guard
from referee.game.event import Event
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, LineFault
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.defaults.recording_walker import RecordingWalker
from referee.judge.display_names import Names
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import FailedLine
from referee.system.deadline import Deadline, OutOfTime

DoneStep = tuple[State, Event]
"""A position, and the event that happened there."""


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What was looked at: entries of positions, and pieces of the rules. Of an entry it is told how many steps before
    the line it was looked at first, and last (0: at the line itself)."""

    entries: Mapping[int, tuple[int, int]]
    parts: tuple[object, ...]


class SettingsRead:
    """Looks at lines of one game again. `viewer`: the seat from which hidden values are kept, None for nobody."""

    def __init__(self, walker: Walker, setting: Setting, viewer: int | None, deadline: Deadline) -> None:
        self._setting = setting
        self._viewer = viewer
        self._recorder = RecordingWalker(walker)
        names = Names(walker.flow, setting.players)
        self._explorer, self._arriving = Explorer(self._recorder, names), Explorer(walker, names)
        self._explorer.deadline = self._arriving.deadline = deadline
        self._claims = AssertedClaims(self._recorder, setting, self._explorer, names, viewer)

    def before(self, wrong: FailedLine, line: Line, alive: Sequence[PossibleState],
               steps: Sequence[DoneStep]) -> LookedAt:
        """What was looked at. `alive`: where the game may have stood before the line; `steps`: what led there, as far
        as it is known."""
        if self._viewer is not None:
            return self._told_to_viewer(wrong, alive)
        entries: dict[int, tuple[int, int]] = {}
        passed: set[int] = set()
        for back, step in zip(range(len(steps), 0, -1), steps, strict=True):
            self._carry_out(step)
            entries |= {index: (entries.get(index, (back, 0))[0], back) for index in self._recorder.read}
            passed = set(self._recorder.passed)
        self._recorder.begin_log()
        with suppress(OutOfTime, Unsettled, Fault, LineFault):
            self._look_at(line, alive)
        labels = {line.do} if isinstance(line, EventLine) else set()
        labels |= {event.label for _, event in steps[-1:]}
        entries |= {index: (entries.get(index, (0, 0))[0], 0) for index in self._recorder.read}
        return LookedAt(entries, self._parts(passed | self._recorder.passed, labels, line))

    def _carry_out(self, step: DoneStep) -> None:
        """What the rules did after an event. What let it be legal has no part in what came then."""
        self._recorder.begin_log()
        with suppress(Unsettled, Fault, ValueError):
            if self._recorder.check(*step) is None:
                self._recorder.begin_log()
                self._recorder.advance(*step, test_arrival=False)

    def _look_at(self, line: Line, alive: Sequence[PossibleState]) -> None:
        """The test of a line. Raises what it raises. Whether anything at all is possible has no part in it."""
        alive = [known for here in alive for known in self._arriving.arrived(here, line.number)]
        if isinstance(line, EventLine):
            said: dict[str, Json] = {"by": line.by, "do": line.do, "with": line.args}
            event = decode_event(self._recorder.core, self._setting, said)
            if isinstance(event, Event):
                for accepted in self._explorer.take(alive, event, line.number).accepted:
                    list(self._explorer.tested(accepted, line.number))
        elif isinstance(line, AssertLine):
            self._claims.check(alive, line)
        elif isinstance(line, EndLine):
            for here in self._explorer.settling(alive, line.number):
                list(self._explorer.at_end(here, line.number, self._recorder.scores))

    def _parts(self, passed: set[int], labels: set[str], line: Line) -> tuple[object, ...]:
        """The pieces of the rules that were gone through: of points only what has one of some labels."""
        nodes = self._recorder.flow.nodes
        found: list[object] = [_part(nodes[at], labels) for at in sorted(passed)]
        if isinstance(line, AssertLine):
            with suppress(LineFault):
                found += [self._claims.expression(text) for text in line.claims]
        if isinstance(line, EndLine) and self._recorder.core.score is not None:
            found.append(self._recorder.core.score.value)
        return tuple(found)

    # ---------------------------------------------------------------------- for a player
    def _told_to_viewer(self, wrong: FailedLine, alive: Sequence[PossibleState]) -> LookedAt:
        """What stands in the conditions that he is told of anyway: which way a game took may be for others to know,
        and with it what was looked at."""
        guards = tuple(guard.cond for guard in self._guards_told(wrong, alive))
        names = {name for cond in guards for name in variables_of(cond)}
        spreads = self._recorder.layout.vars
        return LookedAt({spreads[name].base: (0, 0) for name in names
                         if name in spreads and not spreads[name].sizes}, guards)

    def _guards_told(self, wrong: FailedLine, alive: Sequence[PossibleState]) -> Iterator[Guard]:
        told = {(fact.text, fact.span) for fact in wrong.failed}
        for here in alive:
            node = offers(self._recorder.flow.nodes[here.step.at]) if isinstance(here.step, State) else None
            for one in () if node is None else offered(node):
                yield from (guard for guard in one.guards if (guard.text, guard.origin.span) in told)


def _part(node: Node, labels: Iterable[str]) -> object:
    """What of a node of the flow has a say when it is passed, or when something with one of some labels is tried."""
    match node:
        case Run(body):
            return body
        case Fork(cond):
            return cond
        case Rule():
            return node.candidates
        case Ask() | Gather() | Draw():
            return tuple((one.params, one.guards, one.fixed) for one in offered(node) if one.label in labels)
