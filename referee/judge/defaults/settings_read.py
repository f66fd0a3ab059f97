"""Which settings at their default were looked at on the way to a wrong line (`spec/decisions/030`).

That is: in the step before it, after what its player chose, up to where somebody was asked next; and in the test of the
line itself. Both are carried out once more, by a walker that remembers what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

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
from referee.judge.defaults.settings_at_default import SettingsAtDefault
from referee.judge.display_names import Names
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import FailedLine
from referee.system.deadline import Deadline, OutOfTime

DoneStep = tuple[State, Event]
"""A position, and the event that happened there."""


class SettingsRead:
    """Looks at lines of one game again. `viewer`: the seat from which hidden values are kept, None for nobody."""

    def __init__(self, walker: Walker, setting: Setting, known: SettingsAtDefault, viewer: int | None,
                 deadline: Deadline) -> None:
        self._setting = setting
        self._known = known
        self._viewer = viewer
        self._recorder = RecordingWalker(walker)
        names = Names(walker.flow, setting.players)
        self._explorer, self._arriving = Explorer(self._recorder, names), Explorer(walker, names)
        self._explorer.deadline = self._arriving.deadline = deadline
        self._claims = AssertedClaims(self._recorder, setting, self._explorer, names, viewer)

    def before(self, wrong: FailedLine, line: Line, alive: Sequence[PossibleState],
               step: DoneStep | None) -> tuple[list[int], list[str]]:
        """The settings at their default that were looked at: their entries in a position, and the names of options.

        `alive`: where the game may have stood before the line; `step`: what led there, if that is known.
        """
        if self._viewer is not None:
            entries, options = self._told_to_viewer(wrong, alive)
        else:
            self._recorder.begin_log()
            labels = {line.do} if isinstance(line, EventLine) else set()
            if step is not None:
                labels.add(step[1].label)
                self._carry_out(step)
            with suppress(OutOfTime, Unsettled, Fault, LineFault):
                self._look_at(line, alive)
            entries, options = self._recorder.read, self._options_asked(labels, line)
        return self._known.among(entries), sorted(options)

    def _carry_out(self, step: DoneStep) -> None:
        """What the rules did after an event. What let it be legal has no part in what came then."""
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

    # ---------------------------------------------------------------------- options
    def _options_asked(self, labels: set[str], line: Line) -> frozenset[str]:
        """The options that the rules ask for which were gone through: of points only what has one of some labels."""
        nodes = self._recorder.flow.nodes
        found = {name for at in self._recorder.passed for name in self._known.options_in(_part(nodes[at], labels))}
        if isinstance(line, AssertLine):
            with suppress(LineFault):
                for text in line.claims:
                    found |= self._known.options_in(self._claims.expression(text))
        if isinstance(line, EndLine) and self._recorder.core.score is not None:
            found |= self._known.options_in(self._recorder.core.score.value)
        return frozenset(found)

    # ---------------------------------------------------------------------- for a player
    def _told_to_viewer(self, wrong: FailedLine, alive: Sequence[PossibleState]) -> tuple[set[int], frozenset[str]]:
        """What stands in the conditions that he is told of anyway: which way a game took may be for others to know,
        and with it what was looked at."""
        guards = list(self._guards_told(wrong, alive))
        names = {name for guard in guards for name in variables_of(guard.cond)}
        entries = {index for index, (name, key) in self._known.places.items() if not key and name in names}
        return entries, frozenset(name for guard in guards for name in self._known.options_in(guard.cond))

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
