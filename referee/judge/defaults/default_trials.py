"""What a verdict becomes with something else in the place of defaults: tried one by one, then two by two, in some time.

What is tried is left open, so that one look at the log tells with which of its values the log stands; of a log with
holes each value is tried by itself. Options are tried alone: each value of one is another shape of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import Header, HeaderFault
from referee.game.log.log_lines import Line, LineFault
from referee.game.setting import Setting
from referee.game.state import Open, unknown
from referee.interpreter.walker import Walker
from referee.judge.defaults.log_settings import LogSettings, other_values
from referee.judge.defaults.recording_walker import RecordingWalker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader, begun, verdict_of
from referee.judge.open_settings.header_admission import admitted
from referee.judge.open_settings.setting_relations import Related
from referee.judge.open_settings.setting_sets import NOTHING, Choices, TooManyNodes
from referee.judge.open_settings.setting_space import edges_of, state_of
from referee.judge.open_settings.setting_verdicts import settled_at
from referee.judge.open_settings.value_ranges import Box, Place, Stretch
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import DefaultTrials, LogOutcome, LogVerdict, NamedSetting, OtherSetting, SettingKind
from referee.smt.undecided import Undecided
from referee.system.deadline import Deadline

LEAST_SECONDS = 1.0
"""So long may trials take, however quickly the log was judged."""
READ_SHARE = 0.4
"""The share of the time in which it is found out which defaults the rules look at."""
MOST_FOUND = 20
"""After so many settings that were found no more are tried."""
MOST_VALUES = 24
"""So many values of one default are tried one by one."""
MOST_BOXES = 6
"""So many combinations of the values of two defaults are told."""
_STANDS = (LogOutcome.LEGAL, LogOutcome.POSSIBLE, LogOutcome.STOPPED)


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A log that was judged: its verdict, its lines, by which rules, and how long it took."""

    verdict: LogVerdict
    walker: Walker
    setting: Setting
    header: Header
    lines: Sequence[Line]
    load: Loader
    seconds: float


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What a log comes to with other settings: whether the verdict is another one, the first wrong line then, and where
    the game may stand: at the end, or of an illegal log that has another wrong line then, after the one before."""

    differs: bool
    line: int | None
    alive: tuple[PossibleState, ...]
    sure: bool


class Trier:
    """Tries the defaults of one log."""

    def __init__(self, game: JudgedGame, known: LogSettings, until: Deadline) -> None:
        """`until`: by then all ends, whatever the log took."""
        self._game = game
        self._known = known
        self._seconds = min(max(LEAST_SECONDS, game.seconds), max(until.seconds_left, 0.0))
        self._deadline = Deadline.computing(self._seconds)
        self._related = Related(game.walker)
        self._alone: dict[int, Choices] = {}
        self._found: list[OtherSetting] = []

    def tried(self, near: Sequence[int], near_options: Sequence[str]) -> DefaultTrials:
        """What was found out. `near`: what was looked at on the way to the wrong line, which is tried first."""
        read = self._read()
        others = self._known.places if read is None else read
        entries = list(dict.fromkeys([*near, *others]))
        options = list(dict.fromkeys([*near_options, *self._known.options]))
        done = self._one_by_one(entries[:len(near)]) + self._options(options[:len(near_options)])
        done += self._one_by_one(entries[len(near):]) + self._options(options[len(near_options):])
        left = [index for index in entries if not self._alone.get(index, NOTHING)]
        pairs = 0 if self._game.verdict.holes else len(left) * (len(left) - 1) // 2
        pairs_done = self._two_by_two(left) if pairs else 0
        unread = None if read is None else len(self._known.places) - len(entries)
        return DefaultTrials(tuple(self._found[:MOST_FOUND]), len(entries) + len(options), done, pairs, pairs_done,
                             unread, round(self._seconds, 1))

    # ---------------------------------------------------------------------- what is looked at
    def _read(self) -> list[int] | None:
        """The defaults that the rules look at in this log up to its wrong line, what was looked at last first; None if
        that was not found out."""
        game = self._game
        if game.verdict.holes:
            return None
        deadline = Deadline.computing(self._seconds * READ_SHARE)
        recorder = RecordingWalker(game.walker)
        judge = Judge(recorder, game.setting)
        judge.limit(deadline)
        last: dict[int, int] = {}
        try:
            for line in game.lines:
                judge.feed(line)
                last |= dict.fromkeys(recorder.read, line.number)
                recorder.begin_log()
                if line.number == game.verdict.at and game.verdict.wrong is not None:
                    break
            judge.arrive()
        except LineFault:
            return None
        if judge.halt is not None or judge.overflowed:
            return None
        last |= dict.fromkeys(recorder.read, judge.lines)
        return sorted(self._known.among(last), key=lambda index: (-last[index], index))

    # ---------------------------------------------------------------------- one, and two
    def _one_by_one(self, entries: Sequence[int]) -> int:
        """Tries some entries alone; how many were tried to the end."""
        done = 0
        for index in entries:
            if self._over:
                break
            changes = self._changes((index,))
            if changes is not None:
                self._alone[index] = changes
                done += 1
        return done

    def _two_by_two(self, entries: Sequence[int]) -> int:
        """Tries pairs of entries, those that were to be tried first first; how many were tried to the end."""
        done = 0
        for pair in _pairs(entries):
            if self._over:
                break
            done += self._changes(pair) is not None
        return done

    @property
    def _over(self) -> bool:
        return self._deadline.passed or len(self._found) >= MOST_FOUND

    def _changes(self, entries: Sequence[int]) -> Choices | None:
        """The values of some entries that change the verdict, as they were found; None if they were not tried to the
        end."""
        if self._game.verdict.holes:
            return self._each_value(entries[0])
        places = [self._known.places[index] for index in entries]
        try:
            look = self._look(self._with(places, [None] * len(places)))
            if look is None:
                return None
            full = self._full(places)
            stands = Choices.of((self._box(entries, here) for here in look.alive), full.ranges).both(full)
            if self._game.verdict.outcome is LogOutcome.ILLEGAL:
                self._tell(places, stands, look.line)
                return stands
            if not look.sure:
                return None
            fails = full.less(stands)
            if fails:
                first = next(fails.boxes())
                values = {one.place: one.lo for one in first}
                other = self._look(self._with(places, [values.get(place) for place in places]))
                self._tell(places, fails, None if other is None else other.line)
            return fails
        except TooManyNodes:
            return None

    def _each_value(self, index: int) -> Choices | None:
        """The same for a log with holes, value by value."""
        place = self._known.places[index]
        lo, hi = self._range(place)
        usual = int(self._game.walker.entries(self._game.setting)[index])
        others = [value for value in range(max(lo, usual - MOST_VALUES), min(hi, usual + MOST_VALUES) + 1)
                  if value != usual]
        found: list[Stretch] = []
        for value in sorted(others, key=lambda value: abs(value - usual)):
            look = self._look(self._with([place], [value]))
            if look is None:
                return None
            if look.differs:
                found.append(Stretch(place, value, value))
                self._tell([place], Choices({place: (lo, hi)}, box=(found[-1],)), look.line)
        return Choices.of(((one,) for one in found), {place: (lo, hi)})

    def _options(self, options: Sequence[str]) -> int:
        """Tries each value of some options; how many options were tried to the end."""
        done = 0
        for name in options:
            looks = []
            for value in other_values(self._game.walker.core, name, self._known.options[name]):
                if self._over:
                    return done
                looks.append(self._shaped(name, value))
                if looks[-1] is not None and looks[-1].differs:
                    self._found.append(
                        OtherSetting((NamedSetting(SettingKind.OPTION, name, value),), looks[-1].line))
            done += None not in looks
        return done

    def _shaped(self, name: str, value: str) -> TrialOutcome | None:
        """A look at the log with another value of an option, by the rules for that."""
        header = replace(self._game.header, options={**self._game.header.options, name: value})
        try:
            walker = self._game.load(header)
            return self._judged(walker, admitted(walker, header))
        except (HeaderFault, Problems):
            return None

    # ---------------------------------------------------------------------- a look
    def _with(self, places: Sequence[Place], values: Sequence[int | None]) -> Setting:
        """The setting with some values, open where none is said."""
        setting = self._game.setting
        for place, value in zip(places, values, strict=True):
            piece = self._range(place) if value is None else (value, value)
            setting = settled_at(place, piece)(self._game.walker, setting)
        return setting

    def _look(self, setting: Setting) -> TrialOutcome | None:
        """A look at the log by the same rules; None if it was not looked at to the end, or the values are not related
        as the rules say."""
        if self._game.walker.relations.broken(self._game.walker.entries(setting)) is not None:
            return TrialOutcome(differs=False, line=None, alive=(), sure=True)
        return self._judged(self._game.walker, setting)

    def _judged(self, walker: Walker, setting: Setting) -> TrialOutcome | None:
        verdict = self._game.verdict
        at = None if verdict.wrong is None else verdict.wrong.line
        judge = Judge(walker, setting, None, somewhere=begun(walker, setting))
        judge.limit(self._deadline)
        alive: tuple[PossibleState, ...] = ()
        try:
            for line in self._game.lines:
                judge.feed(line)
                if judge.halt is not None and judge.halt.late:
                    return None
                if at is not None and any(one.wrong.line not in verdict.overruled and one.wrong.line <= at
                                          for one in judge.found):
                    return TrialOutcome(differs=False, line=at, alive=(), sure=True)
                if line.number == at:
                    alive = tuple(judge.arrive())
        except (LineFault, Undecided):
            return None
        found = verdict_of(judge, LogVerdict(verdict.path, LogOutcome.LEGAL))
        if found.wrong is not None:
            return TrialOutcome(found.wrong.line != at, found.wrong.line, alive, sure=not judge.overflowed)
        if found.outcome not in _STANDS:
            return None
        return TrialOutcome(at is not None, None, tuple(judge.arrive()), sure=not judge.overflowed)

    def _range(self, place: Place) -> tuple[int, int]:
        whole = unknown(self._game.walker.layout.defs[place[0]])
        assert isinstance(whole, Open)
        return whole.lo, whole.hi

    def _full(self, places: Sequence[Place]) -> Choices:
        """Every combination of values that is related as the rules say. Raises `TooManyNodes`."""
        full = Choices({place: self._range(place) for place in places})
        return self._related.part(full, self._game.walker.entries(self._with(places, [None] * len(places))))

    def _box(self, entries: Sequence[int], here: PossibleState) -> Box:
        """The values with which a game may stand at a candidate."""
        state = state_of(here.step)
        slots = () if state is None else state.slots
        found = [Stretch(self._known.places[index], *edges_of(slots[index])) for index in entries if slots]
        return tuple(sorted(found))

    # ---------------------------------------------------------------------- what is told
    def _tell(self, places: Sequence[Place], settings: Choices, line: int | None) -> None:
        if len(places) == 1:
            pieces = settings.values(places[0])
            if pieces:
                self._found.append(OtherSetting((self._named(places[0], pieces),), line))
            return
        for box in islice(settings.boxes(), MOST_BOXES):
            named = tuple(self._named(one.place, [(one.lo, one.hi)]) for one in box)
            self._found.append(OtherSetting(named, line))

    def _named(self, place: Place, pieces: Sequence[tuple[int, int]]) -> NamedSetting:
        return self._known.with_values(place, pieces)


def _pairs(entries: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every two of some entries; those of which both come early first."""
    number = len(entries)
    for both in range(1, 2 * number - 2):
        for first in range(max(0, both - number + 1), (both + 1) // 2):
            yield entries[first], entries[both - first]
