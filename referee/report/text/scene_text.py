"""A scene as text: boards as grids, then what lies elsewhere, a line or more for each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.report.text.board_drawing import drawn_board
from referee.report.text.printable import printable, width
from referee.scene.scene import Scene, ScenePiece, SceneValue, SceneZone, ValueForm, ZoneForm

WIDE = 100
"""A line is about so long at most."""
FEW_ENTRIES = 6
"""Of more values of one name those are told that say something."""


def scene_lines(scene: Scene, *, settings: bool = True) -> Iterator[str]:
    """What lies where; not who has to act. `settings`: with what stays as it is throughout the game."""
    if scene.turn is not None:
        yield printable(f"turn: {scene.turn}")
    for plan in scene.boards:
        yield from map(printable, drawn_board(scene, plan))
    yield from _wrapped("", [*_told(scene, None), *(_settings(scene) if settings else ())])
    for player in scene.players:
        yield from _wrapped(f"{player} | ", list(_told(scene, player)))


def _told(scene: Scene, owner: str | None) -> Iterator[str]:
    """What belongs to a player, or to nobody, and does not lie on a board."""
    zones = [one for one in scene.zones if one.owner == owner and one.board is None]
    yield from (f"{_short(one)}: {_content(one)}" for one in zones if one.number)
    yield from (f"{_short(one)}: empty" for one in zones if not one.number)
    values = [one for one in scene.values if one.owner == owner and one.board is None and not one.setting]
    for _, alike in groupby(values, lambda one: one.name):
        entries = list(alike)
        if owner is not None and len(entries) > 2 and all(one.form is ValueForm.COUNTER for one in entries):
            yield f"{entries[0].name}: {', '.join(one.text for one in entries)}"
        else:
            yield from (_said(one) for one in entries if _says(one, few=len(entries) <= FEW_ENTRIES))


def _settings(scene: Scene) -> Iterator[str]:
    """What stays as it is throughout the game, and is not what the rules have if nobody says otherwise."""
    yield from (_said(one) for one in scene.values if one.setting and not one.default and _says(one, few=True))


def _says(one: SceneValue, *, few: bool) -> bool:
    """Whether it is worth a word: what is so; numbers, where there are few of a name."""
    if one.open or one.value:
        return True
    return (one.form in (ValueForm.TRACK, ValueForm.COUNTER) and few) or (one.value is None and one.text != "nothing")


def _said(one: SceneValue) -> str:
    return _short(one) if one.form is ValueForm.FACT and one.value else f"{_short(one)}: {one.text}"


def _short(one: SceneZone | SceneValue) -> str:
    """What it is called among what belongs to the same player."""
    return one.name if one.owner is not None and not one.title.startswith(f"{one.name}(") else one.title


def _content(zone: SceneZone) -> str:
    if not zone.pieces:
        return f"{zone.number} hidden"
    if zone.form is ZoneForm.SPOTS:
        return ", ".join(f"{_named(one)} at {one.spot}" for one in zone.pieces)
    return ", ".join(map(_named, zone.pieces))


def _named(piece: ScenePiece) -> str:
    name = "?" if piece.name is None else piece.name
    return f"{piece.number} {name}" if piece.number > 1 else name


def _wrapped(head: str, parts: Sequence[str]) -> Iterator[str]:
    """Parts one after the other, in lines that are not too long; none if there are no parts."""
    line, margin = head, " " * width(head)
    for number, part in enumerate(map(printable, parts)):
        if number and width(line) + width(part) + 2 > WIDE:
            yield line
            line = margin + part
        else:
            line += ("; " if number else "") + part
    if parts:
        yield line
