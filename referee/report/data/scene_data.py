"""A scene as plain data for JSON."""

from __future__ import annotations

from typing import Any

from referee.scene.scene import BoardPlan, Scene, ScenePiece, SceneValue, SceneZone

SCHEMA = "referee/scene/1"


def scene_data(scene: Scene) -> dict[str, Any]:
    """A scene as plain data for JSON; the keys are always the same."""
    asked = scene.asked
    return {
        "schema": SCHEMA,
        "ruleset": scene.ruleset,
        "players": list(scene.players),
        "viewers": list(scene.viewers),
        "turn": scene.turn,
        "asked": None if asked is None else {"who": list(asked.who), "what": list(asked.what), "point": asked.point},
        "winners": None if scene.winners is None else list(scene.winners),
        "boards": [_board(one) for one in scene.boards],
        "zones": [_zone(one) for one in scene.zones],
        "values": [_value(one) for one in scene.values],
    }


def _board(plan: BoardPlan) -> dict[str, Any]:
    cells = [{"name": one.name, "column": one.column, "row": one.row, "room": one.room, "walls": list(one.walls),
              "doors": list(one.doors)} for one in plan.cells]  # fmt: skip
    return {"name": plan.name, "shape": plan.shape.value, "columns": list(plan.columns), "rows": list(plan.rows),
            "cells": cells}  # fmt: skip


def _zone(one: SceneZone) -> dict[str, Any]:
    return {
        "name": one.name, "title": one.title, "form": one.form.value, "owner": one.owner, "board": one.board,
        "cell": one.cell, "number": one.number, "seen": one.seen, "spots": list(one.spots),
        "group": one.group, "picture": one.picture,
        "pieces": [_piece(piece) for piece in one.pieces],
    }  # fmt: skip


def _piece(one: ScenePiece) -> dict[str, Any]:
    return {"name": one.name, "kind": one.kind, "number": one.number, "owner": one.owner, "spot": one.spot,
            "layer": one.layer, "picture": one.picture}  # fmt: skip


def _value(one: SceneValue) -> dict[str, Any]:
    return {
        "name": one.name, "title": one.title, "form": one.form.value, "owner": one.owner, "board": one.board,
        "cell": one.cell, "value": one.value, "text": one.text, "low": one.low, "high": one.high, "open": one.open,
        "setting": one.setting, "default": one.default, "group": one.group, "picture": one.picture,
    }  # fmt: skip
