"""Games that show something: a game that was found, and one that a scenario tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.diagnostics.source import Span
from referee.game.event import Event
from referee.game.setting import Setting


@dataclass(frozen=True, slots=True)
class Tale:
    """A game that a scenario tells. `span`: where it stands; `state`: as a log's header says it, the position that it
    begins in, if that is not set-up."""

    setting: Setting
    events: tuple[Event, ...]
    span: Span
    state: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """A game that shows a finding: how it begins, its events, and what was made sure of about its length.

    `shortest`: every shorter game was looked at. `minimised`: no event of it can be left out. Maybe neither is known.
    `position`: what it has come to, in words. `options`: those that differ from the default; `tale`: the scenario in
    whose position it begins, if it does not begin with set-up: then nobody says that a game comes there. `drawn`: after
    how many events the position stands that a report draws; None for the last one.
    """

    setting: Setting
    events: tuple[Event, ...]
    shortest: bool = False
    minimised: bool = False
    position: str = ""
    options: tuple[tuple[str, str], ...] = ()
    tale: Tale | None = None
    drawn: int | None = None
