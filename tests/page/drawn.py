"""Pages as tests make them: a log judged, its document, and the file taken apart again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from referee.api.pages.log_files import log_page
from referee.api.runs.log_engines import Rules
from referee.report.data.page_schema import PAGE_SCHEMA

ROOT = Path(__file__).resolve().parents[2]
FITS = Draft202012Validator(PAGE_SCHEMA)
BIRDS = Path(__file__).parent / "secret_birds.rules"
_PARTS = re.compile(r'<script type="application/json" id="document">(.*?)</script>\n<script>(.*?)</script>', re.S)


def document(folder: Path, lines: Iterable[str | Mapping[str, Any]], rules: Path | str | None = None,
             viewer: str | None = None, load: Rules | None = None) -> dict[str, Any]:
    """The document of a log of these lines; it fits the schema."""
    path = folder / "game.jsonl"
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in lines), encoding="utf-8")
    made, _ = log_page(str(path), load or Rules(None if rules is None else str(rules)), viewer, None)
    FITS.validate(made)
    return made


def parts(html: str) -> tuple[str, str, str]:
    """The document as it stands in a file, the script, and the style."""
    found = _PARTS.search(html)
    style = re.search(r"<style>(.*?)</style>", html, re.S)
    assert found is not None
    assert style is not None
    return found[1], found[2], style[1]


class Replay:
    """Puts a page's positions together from its changes, in another way than the page does: as plain texts."""

    def __init__(self, page: Mapping[str, Any]) -> None:
        self.page = page
        self._places: list[Any] = [{} if place["spots"] else [] for place in page["places"]]
        self.values: list[str] = [""] * len(page["values"])
        self.numbers = [0] * len(page["places"])

    def take(self, change: Mapping[str, Any]) -> None:
        """Applies what is different in one step."""
        for at, one in change.get("zones", {}).items():
            place = self._places[int(at)]
            self.numbers[int(at)] = one["number"]
            for spot, piece in one.get("at", {}).items():
                place[spot] = piece
            if "pieces" in one:
                start, gone, come = one["pieces"]
                self._places[int(at)] = place[:start] + come + place[start + gone:]
        for at, one in change.get("values", {}).items():
            self.values[int(at)] = one["text"]

    def lying(self, place: int) -> list[tuple[str | None, int, str | None]]:
        """Name, number and spot of what lies in a place."""
        held, names = self._places[place], self.page["pieces"]
        if isinstance(held, dict):
            spots = [spot for spot in self.page["places"][place]["spots"] if held.get(spot) is not None]
            return [(names[held[spot]]["name"], 1, spot) for spot in spots]
        return [(names[piece]["name"], number, None) for piece, number, _ in held]
