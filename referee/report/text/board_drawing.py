"""A board of a scene as a grid of text: rows upwards, what stands on each cell, walls of a map."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count

from referee.report.text.printable import width
from referee.scene.scene import BoardCell, BoardPlan, BoardShape, Scene, ScenePiece, SceneValue, SceneZone, ValueForm

WIDE = 72
"""A board is about so wide at most: else what stands on it is told by short signs."""
MANY = 12
"""A board where more different things stand than this is listed cell by cell, if it would be too wide."""
_Layer = SceneZone | SceneValue


def drawn_board(scene: Scene, plan: BoardPlan) -> Iterator[str]:
    """The lines of a board; none if nothing ever stands on it. What each player has a board of his own for is drawn
    player by player."""
    layers: list[_Layer] = [one for one in scene.zones if one.board == plan.name]
    layers += [one for one in scene.values if one.board == plan.name and not one.setting]
    own = {one.owner for one in layers if one.form is not ValueForm.MARKER} - {None}
    for owner in (None, *scene.players):
        here = [one for one in layers if (one.owner if one.owner in own else None) == owner]
        if here:
            yield f"{plan.name} of {owner}:" if owner is not None else f"{plan.name}:"
            yield from _drawn(plan, _marks(here))


def _drawn(plan: BoardPlan, marks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The grid, with short signs if it would be too wide, or else a list."""
    if _wide(plan, marks) <= WIDE:
        yield from _grid(plan, marks)
        return
    signs = _signs(list(dict.fromkeys(mark for here in marks.values() for mark in here)))
    short = {cell: [signs[mark] for mark in here] for cell, here in marks.items()}
    if len(signs) > MANY or _wide(plan, short) > WIDE:
        yield from (f"  {cell.name}: {', '.join(marks[cell.name])}" for cell in plan.cells if cell.name in marks)
        return
    yield from _grid(plan, short)
    yield "  " + ", ".join(f"{sign}: {mark}" for mark, sign in signs.items())


def _marks(layers: Sequence[_Layer]) -> dict[str, list[str]]:
    """What stands on each cell on which something does."""
    zones = [one for one in layers if isinstance(one, SceneZone)]
    values = [one for one in layers if isinstance(one, SceneValue)]
    kinds = {(piece.owner, piece.name) for zone in zones for piece in zone.pieces if piece.owner is not None}
    owners = Counter[str | None](owner for owner, _ in kinds)
    found: dict[str, list[str]] = {}
    for zone in zones:
        for piece in zone.pieces:
            found.setdefault(piece.spot or str(zone.cell), []).append(_mark(piece, owners[piece.owner] == 1))
        if zone.number and not zone.pieces and zone.cell is not None:
            found.setdefault(zone.cell, []).append(f"{zone.number} hidden")
    names = {one.name for one in values if one.form is not ValueForm.MARKER}
    for one in values:
        if one.form is ValueForm.MARKER:
            if one.value is not None:
                found.setdefault(str(one.value), []).append(one.owner or one.title)
        elif one.value and one.cell is not None:
            found.setdefault(one.cell, []).append(_value(one, len(names) > 1))
    return found


def _mark(piece: ScenePiece, alone: bool) -> str:
    """What stands on a cell: a component, by its owner if that says it all."""
    name = "?" if piece.name is None else str(piece.owner) if alone else piece.name
    return f"{piece.number} {name}" if piece.number > 1 else name


def _value(one: SceneValue, named: bool) -> str:
    if one.form is ValueForm.FACT:
        return one.name
    return f"{one.name} {one.text}" if named else one.text


def _wide(plan: BoardPlan, marks: Mapping[str, Sequence[str]]) -> int:
    return (_cell_width(plan, marks) + 1) * len(plan.columns)


def _cell_width(plan: BoardPlan, marks: Mapping[str, Sequence[str]]) -> int:
    return max(1, *map(width, plan.columns), *(width("+".join(here)) for here in marks.values()))


def _signs(marks: Sequence[str]) -> dict[str, str]:
    """A short sign for each mark: beginnings of its words, as long as they must be to tell it from the others."""
    signs: dict[str, str] = {}
    for mark in marks:
        words = [one for one in re.split(r"[\W_]+", mark) if one and one != "of"] or [mark]
        rest = "".join(word[:1] for word in words[1:])
        tries = chain((words[0][:number] + rest for number in (1, 2, 3)),
                      (f"{words[0][:1]}{rest}{number}" for number in count(len(signs))))  # fmt: skip
        signs[mark] = next(one for one in tries if one not in signs.values())
    return signs


def _grid(plan: BoardPlan, marks: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The highest row on top; of hexagons each half a cell further to the right than the one below it."""
    size, margin = _cell_width(plan, marks), max(map(width, plan.rows))
    at = {(cell.column, cell.row): cell for cell in plan.cells}
    half = (size + 1) // 2 if plan.shape is BoardShape.HEXAGONS else 0
    for row in range(len(plan.rows) - 1, -1, -1):
        cells = [at.get((column, row)) for column in range(len(plan.columns))]
        line = "".join(_padded("" if one is None else "+".join(marks.get(one.name, (".",))), size)
                       + ("|" if one is not None and "east" in one.walls else " ") for one in cells)  # fmt: skip
        yield f"  {_padded(plan.rows[row], margin, right=True)}  {' ' * (half * row)}{line}".rstrip()
        if any(one is not None and "south" in one.walls for one in cells):
            yield f"  {'':{margin}}  {_below(cells, size)}".rstrip()
    yield f"  {'':{margin}}  {' '.join(_padded(one, size) for one in plan.columns)}".rstrip()


def _below(cells: Sequence[BoardCell | None], size: int) -> str:
    """The walls between a row and the one below it."""
    return "".join(("-" if one is not None and "south" in one.walls else " ") * size + " " for one in cells)


def _padded(text: str, size: int, *, right: bool = False) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space
