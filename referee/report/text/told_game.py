"""The game of a finding as it is told: its events with what is folded of them, and the position in which it matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from referee.game.event import FATE
from referee.report.text.printable import count
from referee.report.text.scene_text import scene_lines
from referee.review.finding import GameShare
from referee.scene.scene import Scene
from referee.simulation.witness import Witness

SET_UP = 3
"""More events of set-up than these are told in a line, in the game of a question."""
MOST_TOLD = 40
"""Of a longer game the end is told, from the last `LAST` events on."""
LAST = 20
"""So many events are told then."""


class TellableGames(Protocol):
    """Says what a report tells of the games of findings."""

    def story(self, witness: Witness) -> Sequence[str]:
        """The events of a game, each in words."""

    def settings(self, witness: Witness) -> Sequence[str]:
        """What is not the default in the setting of a game, in words."""

    def set_up(self, witness: Witness) -> int:
        """How many events of a game are set-up."""

    def scene(self, witness: Witness) -> Scene | None:
        """What lies where in the position that is to be drawn; None if there is none."""


def told_events(
    games: TellableGames, witness: Witness, *, question: bool, full: bool
) -> Sequence[tuple[int, str]]:
    """Numbered events; 0 stands before what several are told as: set-up in the game of a question, and all but the end
    of a long game. `full`: all of them."""
    numbered = list(enumerate(games.story(witness), 1))
    if full:
        return numbered
    before = games.set_up(witness) if question else 0
    if len(numbered) - before > MOST_TOLD:
        folded = len(numbered) - LAST
        return [(0, f"(1 to {folded}: told with `--full`, or as a log with `--out DIR`)"), *numbered[folded:]]
    if before <= SET_UP:
        return numbered
    dealt = all(event.by == FATE for event in witness.events[:before])
    return [(0, f"(1 to {before}: {'fate deals or draws' if dealt else 'set-up'})"), *numbered[before:]]


def position_head(witness: Witness) -> str:
    """Of which moment the position is."""
    if not witness.events or witness.drawn == 0:
        return "at the start (all cards open)"
    if witness.drawn is None or witness.drawn == len(witness.events):
        return "after these events (all cards open)"
    return f"before event {witness.drawn + 1} (all cards open)"


def position_lines(games: TellableGames, witness: Witness) -> Iterator[str]:
    """What lies where in the position of a game, of which the settings are told elsewhere; nothing if there is none."""
    scene = games.scene(witness)
    yield from () if scene is None else scene_lines(scene, settings=False)


def weight_text(share: GameShare) -> str:
    """`it matters in 3 of 20 games (5 to 36 %)`."""
    return (f"it matters in {share.told} of {count(share.games, 'game')} "
            f"({share.low * 100:.0f} to {share.high * 100:.0f} %)")  # fmt: skip
