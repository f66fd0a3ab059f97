"""How often logs used a rulebook: by which statements each of their events was legal, and did what it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from referee.game.event import Event
from referee.game.log.log_lines import EventLine
from referee.game.log.log_reader import Log
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.trace import TracedEvent, TracedFault, TracedFork, TracedLoop, TracedWrite, flat
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader
from referee.judge.open_settings.header_admission import admitted
from referee.page.log_page import cites_of


class StatementUses:
    """Counts for one rulebook. `events`: legal by a statement, in all logs; `logs`: in which there is such an event."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.logs: Counter[str] = Counter()

    def count(self, log: Log, load: Loader) -> None:
        """Takes in a legal log that has not been read further than its header. Raises `LogProblem`."""
        walker = load(log.header)
        setting = admitted(walker, log.header)
        judge = Judge(walker, setting)
        log.test = judge.claims.readable
        met: set[str] = set()
        for line in log:
            alive = judge.arrive() if judge.holes is None else []
            states = [here.step for here in alive if isinstance(here.step, State)]
            judge.feed(line)
            if not isinstance(line, EventLine):
                continue
            event = decode_event(walker.core, setting, {"by": line.by, "do": line.do, "with": line.args})
            used = _used(walker, judge, states, event) if isinstance(event, Event) else frozenset()
            self.events.update(used)
            met |= used
        self.logs.update(met)


def _used(walker: Walker, judge: Judge, states: Iterable[State], event: Event) -> frozenset[str]:
    """The statements that an event used, in the first of the positions in which it is legal."""
    for state in states:
        try:
            cited = [*cites_of(walker, state, event), *_done(judge, state, event)]
        except (Unsettled, Fault, ValueError):
            continue
        return frozenset(walker.core.statements_in(cited))
    return frozenset()


def _done(judge: Judge, state: State, event: Event) -> Iterator[str]:
    """What the rules cite that a legal event carried out."""
    for entry in flat(judge.reasons.replay.step(state, event).entries):
        match entry:
            case TracedFork():
                yield from entry.origin.cites if entry.held else ()
            case TracedWrite() | TracedLoop() | TracedEvent():
                yield from entry.origin.cites
            case TracedFault():
                pass
