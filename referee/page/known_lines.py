"""What somebody knew of the lines of a log when each was taken, and what he learned of earlier ones by it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from referee.game.event import FATE, NOBODY, TABLE, Event
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, UndoLine
from referee.game.log.strict_json import Json, brief
from referee.game.player_views import Sighting, seen_anyway
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.knowledge.custody import Custody
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.visibility import HIDDEN, PlayerSight
from referee.report.text.printable import count

MOST_LETTERS = 200
"""Of a value that no rules know."""


@dataclass(frozen=True, slots=True)
class KnownLine:
    """A line in words. `event`: what happened, if it is an event of the rules; `learned`: lines before, with what is
    known of them from now on."""

    text: str
    event: Event | None = None
    learned: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An event of which not everything is known. `hidden`: the arguments that are not."""

    line: int
    event: Event
    group: str | None
    hidden: frozenset[str]


class KnownLines:
    """Takes the lines of one log in order. `viewer`: a seat, `NOBODY` for the public, None for somebody who sees all.

    Where the rules do not say who sees an argument, and after something was taken back, less is concluded rather than
    more.
    """

    def __init__(self, walker: Walker, setting: Setting, names: Names, claims: AssertedClaims,
                 viewer: int | None) -> None:
        self._walker, self._setting, self._names, self._claims, self._viewer = walker, setting, names, claims, viewer
        self._seat = None if viewer == NOBODY else viewer
        self._sight = PlayerSight(walker.flow, viewer)
        self._custody = Custody(walker.flow)
        self._waiting: dict[int, _Waiting] = {}
        self._number = 0

    def take(self, line: Line, before: Iterable[State]) -> KnownLine:
        """The next line, as it is known when it is taken. `before`: where the game may have stood."""
        match line:
            case EventLine():
                return self._event(line, tuple(before))
            case AssertLine():
                known = [f"{text}: {brief(value)}" for text, value in line.claims.items() if self._open(text)]
                more = len(line.claims) - len(known)
                told = "; ".join([*known, *([count(more, "claim") + " not for him to know"] if more else [])])
                return KnownLine(f"claimed: {told}")
            case EndLine():
                return KnownLine(self._end(line))
            case UndoLine():
                self._undone()
                return KnownLine(f"{count(line.count, 'event')} taken back")
            case _:
                assert_never(line)

    def _open(self, text: str) -> bool:
        return self._sight.all or self._sight.open(self._claims.expression(text), FATE)

    def _end(self, line: EndLine) -> str:
        parts = []
        if line.winners is not None:
            parts.append(f"{', '.join(line.winners) or 'nobody'} won")
        score = self._walker.core.score
        if score is None or self._sight.all or self._sight.open(score.value, FATE):
            if line.scores is not None:
                parts.append(", ".join(f"{name} {brief(value)}" for name, value in line.scores.items()))
            if line.ranking is not None:
                parts.append(" before ".join(" and ".join(place) for place in line.ranking))
        return "; ".join(["the game is over", *parts])

    # ------------------------------------------------------------------ events
    def _event(self, line: EventLine, before: tuple[State, ...]) -> KnownLine:
        read = decode_event(self._walker.core, self._setting, {"by": line.by, "do": line.do, "with": line.args})
        if not isinstance(read, Event):
            return KnownLine(self._unread(line))
        sighting = None if self._sight.all else self._sighting(read, before)
        hidden = self._hidden(read, sighting)
        if hidden and sighting is not None:
            self._waiting[self._number] = _Waiting(line.number, read, sighting.group, frozenset(hidden))
        learned = tuple(self._learned(sighting)) if sighting is not None else ()
        if hidden and sighting is not None and self._number not in self._waiting:
            hidden, learned = set(), tuple(one for one in learned if one[0] != line.number)
        self._number += 1
        return KnownLine(f"{self._names.who(read.by)}: {self._names.event(read, hidden)}", read, learned)

    def _unread(self, line: EventLine) -> str:
        """A line that closes a log or lets another one stand, one with holes, and what is no event of the rules."""
        said: list[tuple[str, Json]] = list(line.args.items())
        if not (self._sight.all or line.by == "table" or self._own(line.by)):
            said = [(name, HIDDEN) for name in line.args]
        told = [f"{name} {value if isinstance(value, str) else brief(value)}"[:MOST_LETTERS] for name, value in said]
        return " ".join([f"{line.by}: {line.do}", *told])

    def _own(self, by: str) -> bool:
        return self._seat is not None and by == self._names.players[self._seat]

    def _sighting(self, event: Event, before: tuple[State, ...]) -> Sighting | None:
        """Who saw what of an event, wherever it may have happened; None if it is legal nowhere."""
        made = []
        for state in before:
            try:
                if self._walker.check(state, event) is None:
                    made.append(self._walker.sighting(state, event))
            except (Unsettled, Fault):
                continue
        if len(before) == 1 and made:
            self._custody.event(self._number, before[0], event)
        else:  # where it happened is open, so where its components are is not followed
            self._custody.kept = None
        return seen_anyway(made) if made else None

    def _hidden(self, event: Event, sighting: Sighting | None) -> set[str]:
        if self._sight.all:
            return set()
        if sighting is None:
            return set() if event.by in (self._viewer, TABLE) else {name for name, _ in event.args}
        return {name for (name, _), seen in zip(event.args, sighting.seen, strict=True)
                if seen is not None and self._seat not in seen}

    def _learned(self, sighting: Sighting) -> Iterator[tuple[int, str]]:
        """The lines of which more is known from now on: a group is complete, or something was seen to arrive."""
        for number, one in list(self._waiting.items()):
            shown = sighting.closes and sighting.group is not None and one.group == sighting.group
            left = frozenset() if shown else frozenset(name for name in one.hidden if not self._arrived(number, name))
            if left != one.hidden:
                yield one.line, f"{self._names.who(one.event.by)}: {self._names.event(one.event, left)}"
                del self._waiting[number]
                if left:
                    self._waiting[number] = replace(one, hidden=left)

    def _arrived(self, number: int, name: str) -> bool:
        who = self._custody.learned.get((number, name), set())
        return None in who or (self._seat is not None and self._seat in who)

    def _undone(self) -> None:
        """What was kept secret and is taken back never is revealed; which events those are is not asked."""
        self._waiting.clear()
        self._custody.kept = None
