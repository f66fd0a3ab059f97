"""Logs by their headers: those that are known, and what is plainly legal behind them."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from referee.archives.log_places import LogPlace
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_lines import REMARKS
from referee.game.log.log_reader import Log, LogProblem
from referee.game.log.strict_json import JsonFault, parse
from referee.judge.open_settings.header_admission import admitted
from referee.judge.verdict import LogVerdict
from referee.judge.whole_logs.known_header import KnownHeader, known_header

if TYPE_CHECKING:
    from referee.judge.judgement_summary import Loader

MOST_HEADERS = 64
"""Headers that are known at once: for a further one the oldest is forgotten."""
MOST_SEEN = 1_024
"""Headers that were seen once, of which the hash is kept; then all are forgotten."""
LONGEST = 4_096
"""Of a header with more bytes it is not looked whether only its remarks are new."""


class WholeLogs:
    """Judges logs as `judge_log` does without options, or not at all. The rules have to be the same each time for the
    same header."""

    def __init__(self) -> None:
        self._known: dict[bytes, KnownHeader | None] = {}
        self._alike: dict[str, KnownHeader | None] = {}
        self._seen: set[int] = set()

    def verdict(self, text: bytes, place: LogPlace | str, load: Loader) -> LogVerdict | None:
        """The verdict on a log, if it is plainly legal, and its header can be known. `place`: where it is; of a file in
        which nothing else is its path is enough."""
        if not text.endswith(b"\n"):
            return None
        header = text[:text.find(b"\n")]
        try:
            known = self._known[header]
        except KeyError:
            known = self._learnt(header, load)
        return None if known is None else known.verdict(text, len(header) + 1, place)

    def followed(self, text: bytes, path: str) -> LogVerdict | None:
        """The same of a file that ends with a line, if all its lines are known: then no log begins behind the first."""
        at = text.find(b"\n")
        known = self._known.get(text[:at])
        return None if known is None else known.followed(text, at + 1, path)

    def _learnt(self, header: bytes, load: Loader) -> KnownHeader | None:
        """Makes a header known: the first, and any other when it comes again. Not all come more than once. One that is
        like another but for a remark says the same."""
        alike = _without_remarks(header) if self._known else None
        if alike is not None and alike in self._alike:
            return self._alike[alike]
        if self._known and hash(header) not in self._seen:
            if len(self._seen) >= MOST_SEEN:
                self._seen.clear()
            self._seen.add(hash(header))
            return None
        if len(self._known) >= MOST_HEADERS:
            del self._known[next(iter(self._known))]
            self._alike.clear()
        made = self._known[header] = _made(header, load)
        alike = _without_remarks(header)
        if alike is not None:
            self._alike[alike] = made
        return made


def _without_remarks(header: bytes) -> str | None:
    """What a header says besides its remarks; None for one that cannot be read, or is long."""
    if len(header) > LONGEST or b"\0" in header:
        return None
    try:
        value = parse(header.decode())
    except (UnicodeDecodeError, JsonFault):
        return None
    return repr([one for one in value.items() if one[0] not in REMARKS]) if isinstance(value, dict) else None


def _made(header: bytes, load: Loader) -> KnownHeader | None:
    try:
        log = Log(BytesIO(header + b"\n"), "")
        walker = load(log.header)
        made = known_header(walker, admitted(walker, log.header), log.header)
    except (LogProblem, HeaderFault, Problems):
        return None
    return None if log.warnings else made


_OF: WeakKeyDictionary[Loader, WholeLogs] = WeakKeyDictionary()


def whole_logs(load: Loader) -> WholeLogs:
    """What is known of the logs whose rules somebody finds."""
    try:
        found = _OF.get(load)
        if found is None:
            found = _OF[load] = WholeLogs()
    except TypeError:  # nothing can be remembered of it
        return WholeLogs()
    return found
