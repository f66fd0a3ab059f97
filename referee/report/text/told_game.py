"""The game of a finding as it is told: its events with what is folded of them, and the position in which it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.game.event import FATE
from referee.report.text.printable import count
from referee.report.text.scene_text import scene_lines
from referee.review.finding import Finding, GameShare
from referee.scene.scene import Scene
from referee.simulation.witness import Witness

SET_UP = 3
"""More events than these that fate begins with are told in a line, in the game of a question."""
MOST_TOLD = 40
"""Of a longer game the end is told, from the last `LAST` events on."""
LAST = 20


class TellableGames(Protocol):
    """Says what a report tells of the games of findings."""

    def story(self, finding: Finding, witness: Witness) -> Sequence[str]:
        """The events of a game, each in words."""

    def settings(self, witness: Witness) -> Sequence[str]:
        """What is not the default in the setting of a game, in words."""

    def scene(self, witness: Witness) -> Scene | None:
        """What lies where in the position that is to be drawn; None if there is none."""


def told_events(witness: Witness, events: Sequence[str], *, question: bool, full: bool) -> Sequence[tuple[int, str]]:
    """Numbered events; 0 stands before what several are told as: what fate deals first in the game of a question, and
    all but the end of a long game. `full`: all of them."""
    numbered = list(enumerate(events, 1))
    if full:
        return numbered
    dealt = _dealt(witness) if question else 0
    folded = len(numbered) - LAST if len(numbered) - max(dealt, 0) > MOST_TOLD else 0
    if folded:
        return [(0, f"(1 to {folded}: told with `--full`, or as a log with `--out DIR`)"), *numbered[folded:]]
    return [(0, f"(1 to {dealt}: fate deals or draws)"), *numbered[dealt:]] if dealt > SET_UP else numbered


def position_head(witness: Witness) -> str:
    """Of which moment the position is."""
    if not witness.events or witness.drawn == 0:
        return "at the start (all cards open)"
    if witness.drawn is None or witness.drawn == len(witness.events):
        return "then (all cards open)"
    return f"before event {witness.drawn + 1} (all cards open)"


def position_lines(games: TellableGames, witness: Witness) -> Iterator[str]:
    """What lies where in the position of a game; nothing if there is none."""
    scene = games.scene(witness)
    yield from () if scene is None else scene_lines(scene)


def weight_text(share: GameShare) -> str:
    """`it matters in 3 of 20 games (5 to 36 %)`."""
    return (f"it matters in {share.told} of {count(share.games, 'game')} "
            f"({share.low * 100:.0f} to {share.high * 100:.0f} %)")  # fmt: skip


def _dealt(witness: Witness) -> int:
    """How many events come before anybody has done anything."""
    return next((n for n, event in enumerate(witness.events) if event.by != FATE), len(witness.events))
