"""What a game looks like at a table: the scene of where it stands, as plain data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.api.argument_checks import one_of
from referee.core.ruleset import PUBLIC
from referee.game.state import Step
from referee.interpreter.walker import Walker
from referee.report.data.scene_data import scene_data
from referee.report.text.scene_text import scene_lines
from referee.scene.arrangement import Arrangement
from referee.scene.scene import Scene


def data_of(walker: Walker, players: Sequence[str], step: Step, player: str) -> dict[str, Any]:
    """The scene for a player (or `public`), as scene.schema.json says. Raises `ArgumentError` for anybody else."""
    return scene_data(_scene(walker, players, step, player))


def text_of(walker: Walker, players: Sequence[str], step: Step, player: str) -> str:
    """The same as text. Raises `ArgumentError` for anybody else."""
    return "\n".join(scene_lines(_scene(walker, players, step, player)))


def _scene(walker: Walker, players: Sequence[str], step: Step, player: str) -> Scene:
    one_of(player, "player of this game", (*players, PUBLIC))
    viewers = (players.index(player),) if player in players else ()
    return Arrangement(walker, players).scene(step, viewers)
