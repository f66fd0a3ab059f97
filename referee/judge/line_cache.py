"""What the lines of one log say: events by the text of their lines, which need not be read twice."""

from __future__ import annotations

import re

from referee.core.ruleset import Core
from referee.game.event import FATE, Event, Spoken, spoken
from referee.game.event_table import LineMemo
from referee.game.log.line_remarks import bare
from referee.game.log.log_lines import EventLine, Line
from referee.game.log.log_reader import OVERRULING
from referee.game.setting import Setting
from referee.game.signatures import Signatures
from referee.game.value_codec import OF, DecodeProblem, decode_event

STOP, CONCEDE = "stop", "concede"
TABLE_NAME, OVERRULE = OVERRULING
_BY = re.compile(r'\A\{"by": ?"([^"\\\x00-\x1f]+)", ?(?=")')


class Sayings:
    """Reads lines in the words of a ruleset, and remembers them, also from one log to the next."""

    def __init__(self, core: Core, setting: Setting) -> None:
        self._core = core
        self._setting = setting
        self._labels = {action.label for action in core.actions.values()}
        self._said = Signatures.of(core).said(setting.players)
        self._seats = {"fate": FATE, **{name: seat for seat, name in enumerate(setting.players)}}
        self._names = [f'{start}{name}"' for name in setting.players for start in ('"', OF)]

    @property
    def lines(self) -> LineMemo:
        """What is known of lines by their bytes."""
        return Signatures.of(self._core).lines(self._setting.players)

    def known(self, text: str) -> Spoken | None:
        """The event that a line says, if a line has said it before."""
        found = self._said.get(text)
        if found is None:
            said = bare(text)
            found = (self._said.get(said) if said is not text else None) or self._by_others(said)
        return found

    def _by_others(self, text: str) -> Spoken | None:
        """The same, said by whoever sat there in another game."""
        apart = self._apart(text)
        found = None if apart is None else Signatures.of(self._core).anonymous().get(apart)
        if found is not None:
            self._keep(text, found)
        return found

    def _apart(self, text: str) -> tuple[int, str] | None:
        """Who acted, and the rest of a line, if it names nobody: then it says the same whoever the players are."""
        found = _BY.match(text)
        seat = None if found is None else self._seats.get(found[1])
        if found is None or seat is None:
            return None
        rest = text[found.end():]
        return None if "\\" in rest or any(name in rest for name in self._names) else (seat, rest)

    def _keep(self, text: str, said: Spoken) -> None:
        self._said = Signatures.of(self._core).said(self._setting.players)
        self._said[text] = said

    def event(self, line: EventLine) -> Event | list[DecodeProblem]:
        """The event that a line says, or what is wrong with it."""
        known = self._said.get(line.text)
        if known is not None:
            return known[0]
        event = decode_event(self._core, self._setting, {"by": line.by, "do": line.do, "with": line.args})
        if line.text and isinstance(event, Event):
            self._keep(line.text, spoken(event))
            apart = self._apart(line.text)
            if apart is not None:
                Signatures.of(self._core).anonymous()[apart] = spoken(event)
        return event

    def plain(self, line: Line) -> Spoken | None:
        """The event that a line says, if it says one, wholly, and is no word of the table."""
        if not isinstance(line, EventLine) or line.holes or line.by == TABLE_NAME or self.closing(line) is not None:
            return None
        event = self.event(line)
        return (self._said.get(line.text) or spoken(event)) if isinstance(event, Event) else None

    def closing(self, line: EventLine) -> str | None:
        """`STOP` or `CONCEDE` for a line by which the game ends whatever the rules say."""
        if line.do not in self._labels:
            if line.by == TABLE_NAME and line.do == STOP:
                return STOP
            if line.do == CONCEDE and line.by in self._setting.players:
                return CONCEDE
        return None
