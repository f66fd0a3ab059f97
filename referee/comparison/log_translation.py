"""Logs of the first of two rulesets in the words of the second, line by line."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

from referee.comparison.correspondence import Correspondence, Dictionary
from referee.comparison.translated_settings import NotComparable, TranslatedSettings
from referee.game.log.line_blocks import MAX_LINE
from referee.game.log.strict_json import Json, JsonFault, parse
from referee.game.value_codec import RULE

MOST_UNDONE = 1_000_000
"""Of so many first events it is known whether they are told, for when some are taken back."""


class TranslatedLog:
    """The lines of a log as logs of the second rules, each put into other words as it is read.

    Events that only the first rules have are left out, and so are claims that say nothing to the second. What is no
    event stays as it is, and so does what cannot be read: the judge says so. It ends where the second cannot be told.
    """

    def __init__(self, lines: Iterable[str], correspondence: Correspondence,
                 dictionaries: tuple[Dictionary, Dictionary], entries: Mapping[str, Json],
                 settings: TranslatedSettings, readable: Callable[[str], bool]) -> None:
        """`entries`: of the header, that are not translated otherwise; `readable`: whether the second rules read a
        claim."""
        self._lines, self._correspondence = lines, correspondence
        self._mine, self._its = dictionaries
        self._entries, self._settings, self._readable = entries, settings, readable
        self.why_not = ""
        """Why the rest of the log cannot be compared; empty if all of it can."""
        self._left_out: list[int] = []
        """Of each line that is left out the number of the one before it, here."""
        self._untold = set[int]()
        self._told: list[bool] = []

    def __iter__(self) -> Iterator[str]:
        number, begun = 0, False
        for read, text in enumerate(self._lines, 1):
            try:
                said = self._line(text) if begun else self._header(text)
            except NotComparable as why:
                self.why_not = str(why)
                return
            begun = begun or bool(text.strip())
            if said is None:
                self._left_out.append(number)
                self._untold.add(read)
            else:
                number += 1
                yield said

    def number(self, line: int) -> int:
        """The number that a line has in the log of the first rules."""
        return line + bisect_right(self._left_out, line - 1)

    def tells(self, line: int) -> bool:
        """Whether a line of the log of the first rules, that was read, is told to the second."""
        return line not in self._untold

    def _header(self, text: str) -> str:
        raw = _object(text)
        if raw is None:
            return text
        kept = {key: one for key, one in raw.items() if key in ("schema", "players", "viewpoint", "state", "pool")}
        return json.dumps({**kept, **self._settings.header(raw), **self._entries})

    def _line(self, text: str) -> str | None:
        raw = _object(text)
        if raw is None:
            return text
        args = raw.get("with", {})
        if isinstance(raw.get("do"), str) and isinstance(args, dict):
            told = raw["do"] not in self._correspondence.silent[0]
            if raw["do"] == RULE and isinstance(point := args.get("point"), str):
                told = told and self._settings.rules(point, args.get("choice"))
            if len(self._told) < MOST_UNDONE:
                self._told.append(told)
            own = self._its.own(self._mine.shared({"by": "", **raw}))
            return json.dumps({**raw, **own, "by": raw.get("by")}) if told else None
        if isinstance(raw.get("assert"), dict):
            return self._claims(raw)
        if isinstance(raw.get("undo"), int):
            return self._undone(raw)
        return text

    def _claims(self, raw: dict[str, Json]) -> str | None:
        same, claims = dict(self._correspondence.claims), raw["assert"]
        assert isinstance(claims, dict)
        said = {same.get(text, text): value for text, value in claims.items()}
        kept = {text: self._its.foreign(value) for text, value in said.items() if self._readable(text)}
        return json.dumps({**raw, "assert": kept}) if kept or not said else None

    def _undone(self, raw: dict[str, Json]) -> str | None:
        """Of the events that are taken back only those count that the second rules were told."""
        count = raw["undo"]
        assert isinstance(count, int)
        if not 0 < count <= len(self._told):
            return json.dumps(raw)
        gone, self._told = self._told[-count:], self._told[:-count]
        return json.dumps({**raw, "undo": sum(gone)}) if any(gone) else None


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a file, one that is too long for a log in parts."""
    while line := stream.readline(MAX_LINE + 1):
        yield line.decode("utf-8", "replace")


def _object(text: str) -> dict[str, Json] | None:
    try:
        found = parse(text.removeprefix("\ufeff")) if len(text) <= MAX_LINE else None
    except JsonFault:
        return None
    return found if isinstance(found, dict) else None
