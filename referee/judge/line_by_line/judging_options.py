"""How logs are judged, and who looks on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from referee.game.log.log_header import Header
from referee.game.log.log_lines import Line
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogVerdict
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from referee.judge.judge import Judge

Begun: TypeAlias = "Callable[[Judge, LogVerdict], None]"
"""Takes who judges a log, and what is known of it before its first line."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to judge. `viewer`: a player from whom nothing is told that he cannot see; `all_readings`: those that the
    header does not choose are open, not at their default; `timeout`: how many seconds a log may take (None: only one
    with holes is limited); `facts`: what must be so of the holes is found out, and which lines would mend an illegal
    log with holes."""

    viewer: str | None = None
    all_readings: bool = False
    timeout: float | None = None
    facts: bool = False
    under: bool = False


PLAIN = Options()


class LineWatcher(Protocol):
    """Looks on while a log is judged. `watches`: it still wants to see each line."""

    @property
    def watches(self) -> bool: ...

    def begins(self, header: Header, walker: Walker, setting: Setting, judge: Judge) -> None:
        """The header has been read."""

    def before(self) -> None:
        """A line comes next."""

    def after(self, line: Line) -> None:
        """The judge has taken it."""
