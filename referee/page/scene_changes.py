"""Scenes one after the other, each told by what is different in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.report.data.scene_data import scene_data
from referee.scene.scene import Scene, ScenePiece, SceneValue, SceneZone

Piece = tuple[str | None, str | None, str | None, str | None]
"""Name, kind, owner and picture."""


class SceneChanges:
    """Tells the scenes of one game to one viewer. `pieces`: all that was told of, in the order in which it came up."""

    def __init__(self) -> None:
        self.pieces: dict[Piece, int] = {}
        self._last: Scene | None = None

    @staticmethod
    def layout(scene: Scene) -> dict[str, Any]:
        """What stays as it is in every scene of a game: boards, places, and what the values are."""
        return {
            "boards": scene_data(replace(scene, zones=(), values=()))["boards"],
            "places": [{"name": one.name, "title": one.title, "form": one.form.value, "owner": one.owner,
                        "board": one.board, "cell": one.cell, "spots": list(one.spots), "group": one.group,
                        "picture": one.picture} for one in scene.zones],
            "values": [{"name": one.name, "title": one.title, "form": one.form.value, "owner": one.owner,
                        "board": one.board, "cell": one.cell, "low": one.low, "high": one.high,
                        "setting": one.setting, "group": one.group, "picture": one.picture} for one in scene.values],
        }  # fmt: skip

    def change(self, scene: Scene) -> dict[str, Any]:
        """What is different from the scene before; at first from one in which there is nothing."""
        last, self._last = self._last, scene
        told: dict[str, Any] = {}
        if scene.turn != (None if last is None else last.turn):
            told["turn"] = scene.turn
        if last is None or scene.asked != last.asked:
            asked = scene.asked
            told["asked"] = None if asked is None else {
                "who": list(asked.who), "what": list(asked.what), "point": asked.point}
        if scene.winners != (None if last is None else last.winners):
            told["winners"] = None if scene.winners is None else list(scene.winners)
        zones = {str(at): self._zone(zone, None if last is None else last.zones[at])
                 for at, zone in enumerate(scene.zones) if last is None or zone != last.zones[at]}
        values = {str(at): _value(value) for at, value in enumerate(scene.values)
                  if last is None or value != last.values[at]}
        return told | ({"zones": zones} if zones else {}) | ({"values": values} if values else {})

    def _zone(self, zone: SceneZone, last: SceneZone | None) -> dict[str, Any]:
        told: dict[str, Any] = {"number": zone.number, "seen": zone.seen}
        if zone.spots:
            now, before = self._at(zone), {} if last is None else self._at(last)
            at = {spot: now.get(spot) for spot in {**before, **now} if now.get(spot) != before.get(spot)}
            return told | ({"at": at} if at else {})
        pieces, old = self._entries(zone), [] if last is None else self._entries(last)
        start = next((at for at, (one, other) in enumerate(zip(pieces, old, strict=False)) if one != other),
                     min(len(pieces), len(old)))
        same = 0
        while same < min(len(pieces), len(old)) - start and pieces[-1 - same] == old[-1 - same]:
            same += 1
        taken, put = len(old) - start - same, pieces[start : len(pieces) - same]
        return told | ({"pieces": [start, taken, put]} if taken or put else {})

    def _at(self, zone: SceneZone) -> dict[str, int]:
        return {str(one.spot): self._piece(one) for one in zone.pieces}

    def _entries(self, zone: SceneZone) -> list[list[int]]:
        """Piece, number, and whether it lies with the one before in an order that nobody knows."""
        layers = [None, *(one.layer for one in zone.pieces)]
        return [[self._piece(one), one.number, int(one.layer is not None and one.layer == before)]
                for one, before in zip(zone.pieces, layers, strict=False)]

    def _piece(self, one: ScenePiece) -> int:
        return self.pieces.setdefault((one.name, one.kind, one.owner, one.picture), len(self.pieces))


def _value(one: SceneValue) -> dict[str, Any]:
    return {"value": one.value, "text": one.text, "open": one.open, "default": one.default}
