"""What all logs with the same header have in common: the rules, the position at the beginning, most of a verdict."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

from referee.archives.log_places import LogPlace
from referee.game.event_table import EventTable, LineMemo
from referee.game.log.log_header import Header
from referee.game.log.log_lines import EndLine, LineFault, line_of
from referee.game.log.strict_json import JsonFault, parse
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.state import Open, State, Step
from referee.game.text_following import Result, TextFollower
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.claimed_results import wrong_result
from referee.judge.display_names import Names
from referee.judge.line_cache import Sayings
from referee.judge.open_settings.header_admission import other_rules
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.judge.whole_logs.line_reading import LineReading
from referee.system.quick_values import quick_maker

MOST_RESULTS = 4_096
"""So many ends of logs are remembered, with what they claim rightly."""
SHORT, MOST_GAMES = 16, 4_096
"""So many games are remembered that have no more events, with what they come to."""
END_WORD = b'"end"'
"""No claim about the result is without it."""
LOOKS = 64
"""Of lines that are mostly unknown it is seen once in so many logs whether they still are."""
FEW_LOGS = 30
"""Behind so many logs it pays to make verdicts more quickly."""
_DIFFERING = ("path", "lines", "events", "finished", "winners", "notes", "place", "engine")
"""In what verdicts on legal logs with the same header differ."""


class KnownHeader:
    """Judges logs that begin with a certain line."""

    def __init__(self, walker: Walker, setting: Setting, header: Header, state: State) -> None:
        core = walker.core
        self.walker = walker
        self._players = setting.players
        self._signatures = Signatures.of(core)
        self._names = Names(walker.flow, setting.players)
        self._sayings = Sayings(core, setting)
        self._state = state
        self._guarded = bool(core.invariants) or any(zone.limit is not None for zone in core.zones.values())
        self._notes = tuple(other_rules(walker, header))
        self._blank = LogVerdict("", LogOutcome.LEGAL, core.name, core.version, header.players)
        self._made: Callable[..., LogVerdict] = partial(_replaced, self._blank)
        self._placed: Callable[[str], LogPlace] = partial(LogPlace, at_hand=True)
        self._holds = not walker.broken(state)
        self._games: dict[bytes, Result | bool] = {}
        self._numbered_by: EventTable | None = None
        self._right: set[tuple[bytes, Result]] = set()
        self._winners: dict[frozenset[int], tuple[str, ...]] = {}
        self._follower: TextFollower | None = None
        self._taught_for: LineMemo | None = None
        self._claims: dict[bytes, tuple[str, ...]] = {}
        self._reading: LineReading | None = None
        self._missed = 0
        self._judged = 0

    def verdict(self, text: bytes, begin: int, place: LogPlace | str) -> LogVerdict | None:
        """The verdict on a log by its lines behind the header, if it is a game that is legal as far as it goes, and
        nothing more is to be said of it. Its place is what it was called by when it was read, or its file's path."""
        found = self.followed(text, begin, place)
        if found is not None:
            return found
        lines = text.split(b"\n")
        lines.pop()
        return self._by_lines(lines, place)

    def followed(self, text: bytes, begin: int, place: LogPlace | str) -> LogVerdict | None:
        """The same, if all its lines are known by their bytes to an engine that reads them."""
        follower = self._follower
        if follower is None or (told := follower.followed(text, begin)) is None:
            return None
        winners = self._claims.get(told)
        if winners is None:
            winners = self._claimed_in(told, text[text.rfind(b"\n", 0, -1) + 1:-1], follower.result())
        return None if winners is None else self._legal(place, follower.events + 2, follower.events, winners,
                                                            follower.note)

    def _by_lines(self, lines: Sequence[bytes], place: LogPlace | str) -> LogVerdict | None:
        memo, ends = self._signatures.lines(self._players), len(lines) > 1 and END_WORD in lines[-1]
        numbers = self._numbers(lines[1:-1] if ends else lines[1:], memo)
        if numbers is None:
            return None
        result = self._known_game(numbers, memo.table, ends=ends)
        if result is None:
            return None
        if isinstance(result, bool):
            return self._legal(place, len(lines), len(numbers), None, self.walker.note)
        if not self._claimed(lines[-1], result):
            return None
        if self._missed < LOOKS:
            self._teach(lines, numbers, memo)
        return self._legal(place, len(lines), len(numbers), self._names_of(result[0]), self.walker.note)

    def _teach(self, lines: Sequence[bytes], numbers: Sequence[int], memo: LineMemo) -> None:
        """Makes the lines of a log known to who judges logs by their text, if anybody does."""
        if self._follower is None or self._taught_for is not memo:
            self._follower = self.walker.text_follower(self._state, memo, tested=self._guarded)
            self._taught_for = memo
            self._claims.clear()
        if self._follower is not None:
            self._follower.teach(lines[1:-1], numbers, lines[-1])

    def _claimed_in(self, told: bytes, raw: bytes, result: Result) -> tuple[str, ...] | None:
        """The names of those who have won, if the last line claims that; remembered by what was told of it."""
        if not self._claimed(raw, result):
            return None
        if len(self._claims) >= MOST_RESULTS:
            self._claims.clear()
        winners = self._claims[told] = self._names_of(result[0])
        return winners

    def _names_of(self, winners: frozenset[int]) -> tuple[str, ...]:
        if winners not in self._winners:
            self._winners[winners] = tuple(self._names.who(seat) for seat in sorted(winners))
        return self._winners[winners]

    def _legal(self, place: LogPlace | str, lines: int, events: int, winners: tuple[str, ...] | None,
               note: str) -> LogVerdict:
        self._judged += 1
        if self._judged == FEW_LOGS:
            self._made = quick_maker(self._blank, _DIFFERING)
            self._placed = _place_maker()
        if isinstance(place, str):
            path = place
            place = self._placed(place)
        else:
            path, lines = str(place), place.line - 1 + lines
        notes = (note, *self._notes) if note else self._notes
        return self._made(path, lines, events, winners is not None, winners, notes, place, note)

    def _known_game(self, numbers: Sequence[int], table: EventTable, *, ends: bool) -> Result | bool | None:
        """What a game comes to that ends with the last of some events, or that one goes on behind them; None if it is
        neither. Short games come again."""
        if table is not self._numbered_by:
            self._numbered_by, self._games = table, {}
        key = array("i", numbers).tobytes() if len(numbers) <= SHORT else None
        known = None if key is None else self._games.get(key)
        if known is not None and ends is not isinstance(known, bool):
            return known
        try:
            self.walker.begin_log()
            found = self.walker.result(self._state, numbers, table, tested=self._guarded) if ends else (
                self._goes_on(numbers, table))
        except (Unsettled, Fault):
            return None
        if key is not None and found is not None and not self.walker.note:
            if len(self._games) >= MOST_GAMES:
                self._games.clear()
            self._games[key] = found
        return found

    def _goes_on(self, numbers: Sequence[int], table: EventTable) -> bool | None:
        """Whether a game goes on behind some events, of which each is legal; None if that is not plain."""
        step: Step = self._state
        done = 0
        while done < len(numbers):
            if not isinstance(step, State):
                return None
            more, step = self.walker.follow_numbers(step, numbers[done:], table, tested=self._guarded)
            if not more:
                return None
            done += more
        return (self._holds and isinstance(step, State) and isinstance(self.walker.arrive(step), State)) or None

    def _numbers(self, lines: Sequence[bytes], memo: LineMemo) -> Sequence[int] | None:
        """The numbers of lines: by their bytes, or where these are mostly other ones by what they say."""
        if self._missed < LOOKS or self._missed % LOOKS == 0:
            try:
                found = array("i", map(memo.numbers.__getitem__, lines))
            except KeyError:
                self._missed += 1
            else:
                self._missed = max(0, min(self._missed, LOOKS) - LOOKS // 4)
                return found
        else:
            self._missed += 1
        if self._reading is None or self._reading.table is not memo.table:
            self._reading = LineReading(memo.table, self._sayings.plain)
        read = self._reading.numbers(lines)
        if read is not None and self._missed < LOOKS:
            for raw, number in zip(lines, read, strict=True):
                memo.learn(raw, number)
        return read

    def _claimed(self, raw: bytes, result: Result) -> bool:
        """Whether the last line claims a result, and rightly."""
        if (raw, result) in self._right:
            return True
        winners, scores = result
        line = _end_line(raw)
        told = None if scores is None else dict(enumerate(scores))
        if line is None or wrong_result(line, winners, told, self._names) is not None:
            return False
        if len(self._right) >= MOST_RESULTS:
            self._right.clear()
        self._right.add((raw, result))
        return True


def _replaced(blank: LogVerdict, *told: object) -> LogVerdict:
    found: LogVerdict = replace(blank, **dict(zip(_DIFFERING, told, strict=True)))  # type: ignore[arg-type]
    return found


@cache
def _place_maker() -> Callable[..., LogPlace]:
    return quick_maker(LogPlace("", at_hand=True), ("path",))


def _end_line(raw: bytes) -> EndLine | None:
    """The claim that a line makes about the result; None if it is no such line, or there is anything odd about it."""
    told: list[str] = []
    try:
        line = line_of(parse(raw.decode()), 0, lambda code, *_: told.append(code))
    except (UnicodeDecodeError, LineFault, JsonFault):
        return None
    return line if isinstance(line, EndLine) and not told and b"\0" not in raw else None


def known_header(walker: Walker, setting: Setting, header: Header) -> KnownHeader | None:
    """What logs with a header have in common; None if each has to be looked at."""
    core = walker.core
    if core.undo or walker.asked_step_by_step or not setting.starts_known:
        return None
    if header.version is not None and header.version != core.version:
        return None
    try:
        step = walker.begin(setting, test_arrival=True)
    except (Unsettled, Fault):
        return None
    if not isinstance(step, State) or any(isinstance(one, Open) for one in step.slots):
        return None
    return KnownHeader(walker, setting, header, step)
