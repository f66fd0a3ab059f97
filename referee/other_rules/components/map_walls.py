"""Walls of a map: where another answer to "does a wall stop it?" is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, If, Look
from referee.core.ruleset import Core, Table
from referee.core.stmt import Origin
from referee.core.traverse import in_all_play, rewrite_each, walk
from referee.core.types import Elem, SetOf, Value, size
from referee.frontend.names.grids import Grid
from referee.frontend.names.other_answers import OtherAnswers

WALLS, THROUGH, STOP = "walls", "through_walls", "walls_stop"
_STRAIGHT, _BEYOND, _STEP, _RAY, _BESIDE, _FAR = (
    "straight on ", "beyond on ", "step on ", "ray on ", "next to on ", "distance on ")  # fmt: skip
"""How tables of a map begin: all cells in a direction, the next cell wall or not, the next cell where no wall is, the
cells there as far as a wall, those one move away, and how far it is from one to another."""
A = TypeVar("A")


def with_walls_aside(core: Core, others: OtherAnswers) -> Core:
    """The rules with each step, ray, neighbour and distance on a map, for another answer as if there were no walls; and
    with each look past walls, for another answer only as far as a wall. Nothing is asked of a map without walls.

    What is defined for many uses is asked about once.
    """
    instead = {table: found for name in core.tables if name.startswith(_STRAIGHT)
               for table, found in _on_map(core, name.removeprefix(_STRAIGHT))}  # fmt: skip
    made: dict[str, Table] = {}

    def looked(look: Look) -> Expr | None:
        found = instead.get(look.table)
        if found is None or look.span is None:
            return None
        answer, table = found
        keys = tuple(inside(key) for key in look.keys)
        test = others.test(WALLS, answer, Origin(look.span), alone=True)
        if test is None:
            return None
        made[table.name] = table
        plain = replace(look, keys=keys)
        return If(test, replace(plain, table=table.name), plain, look.type, look.span)

    def inside(node: A) -> A:
        return rewrite_each(node, Look, looked, lambda _: False)

    changed = in_all_play(core, inside)
    return replace(changed, tables={**core.tables, **made}) if made else core


def _on_map(core: Core, name: str) -> Iterator[tuple[str, tuple[str, Table]]]:
    """The tables of a map with the other answer that there is to each, and the table that it looks up; none where walls
    make no difference."""
    beyond, step, ahead = (core.tables[begun + name] for begun in (_BEYOND, _STEP, _STRAIGHT))
    cells, ways = (size(key) for key in beyond.keys)
    (cell, *_) = walk(beyond.keys[0], Elem)
    open_, walled = (Grid(name, cells, {str(way): tuple(_cell(table.values[way + ways * at]) for at in range(cells))
                                        for way in range(ways)}) for table in (beyond, step))  # fmt: skip
    if open_.steps == walled.steps:
        return
    yield _STEP + name, (THROUGH, beyond)
    yield _RAY + name, (THROUGH, ahead)
    beside = tuple(open_.beside(at, "all") for at in range(cells))
    yield _BESIDE + name, (THROUGH, Table(f"{_BESIDE}{name}, walls or not", (cell,), SetOf(cell), beside))
    far = replace(core.tables[_FAR + name], name=f"{_FAR}{name}, walls or not", values=tuple(open_.far("all")))
    yield _FAR + name, (THROUGH, far)
    rays = tuple(frozenset(walled.ray(at, str(way))) for at in range(cells) for way in range(ways))
    yield _STRAIGHT + name, (STOP, replace(ahead, name=f"{_STRAIGHT}{name}, as far as a wall", values=rays))


def _cell(value: Value) -> int | None:
    return value if isinstance(value, int) else None
