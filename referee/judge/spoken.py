"""What the lines of one log say: events by the text of their lines, which need not be read twice."""

from __future__ import annotations

from referee.core.ruleset import Core
from referee.game.codec import DecodeProblem, decode_event
from referee.game.event import Event, Spoken, spoken
from referee.game.log_lines import EventLine, Line
from referee.game.setting import Setting
from referee.game.signatures import Signatures

STOP, CONCEDE, OVERRULE = "stop", "concede", "overrule"
TABLE_NAME = "table"


class Sayings:
    """Reads lines in the words of a ruleset. `known`: the events that are known by their text."""

    def __init__(self, core: Core, setting: Setting) -> None:
        self._core = core
        self._setting = setting
        self._labels = {action.label for action in core.actions.values()}
        self.known: dict[str, Spoken] = Signatures.of(core).said(setting.players)

    def event(self, line: EventLine) -> Event | list[DecodeProblem]:
        """The event that a line says, or what is wrong with it."""
        known = self.known.get(line.text)
        if known is not None:
            return known[0]
        event = decode_event(self._core, self._setting, {"by": line.by, "do": line.do, "with": line.args})
        if line.text and isinstance(event, Event):
            self.known = Signatures.of(self._core).said(self._setting.players)
            self.known[line.text] = spoken(event)
        return event

    def plain(self, line: Line) -> Spoken | None:
        """The event that a line says, if it says one, wholly, and is no word of the table."""
        if not isinstance(line, EventLine) or line.holes or line.by == TABLE_NAME or self.closing(line) is not None:
            return None
        event = self.event(line)
        return (self.known.get(line.text) or spoken(event)) if isinstance(event, Event) else None

    def closing(self, line: EventLine) -> str | None:
        """`STOP` or `CONCEDE` for a line by which the game ends whatever the rules say."""
        if line.do not in self._labels:
            if line.by == TABLE_NAME and line.do == STOP:
                return STOP
            if line.do == CONCEDE and line.by in self._setting.players:
                return CONCEDE
        return None
