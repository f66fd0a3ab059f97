"""Logs of the first of two rulesets in the words of the second, line by line."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from referee.comparison.correspondence import Correspondence, Dictionary
from referee.game.log.log_reader import MAX_LINE
from referee.game.log.strict_json import Json, JsonFault, parse

MOST_UNDONE = 1_000_000


class TranslatedLog:
    """The lines of a log as logs of the second rules, each put into other words as it is read.

    Events that only the first rules have are left out, and so are claims that say nothing to the second. What is no
    event stays as it is, and so does what cannot be read: the judge says so.
    """

    def __init__(self, lines: Iterable[str], correspondence: Correspondence,
                 dictionaries: tuple[Dictionary, Dictionary], ruleset: str, readable: Callable[[str], bool],
                 usual: Callable[[str, str], bool]) -> None:
        """`readable`: whether the second rules read a claim; `usual`: whether a choice is what the first rules have for
        a reading, if a log says nothing of it."""
        self._lines, self._correspondence = lines, correspondence
        self._mine, self._its = dictionaries
        self._ruleset, self._readable, self._usual = ruleset, readable, usual
        self._left_out: list[int] = []
        """Of each line that is left out the number of the one before it, here."""
        self._told: list[bool] = []

    def __iter__(self) -> Iterator[str]:
        number, begun = 0, False
        for text in self._lines:
            said = self._line(text) if begun else self._header(text)
            begun = begun or bool(text.strip())
            if said is None:
                self._left_out.append(number)
            else:
                number += 1
                yield said

    def number(self, line: int) -> int:
        """The number that a line has in the log of the first rules."""
        return line + bisect_right(self._left_out, line - 1)

    def _header(self, text: str) -> str:
        raw = _object(text)
        if raw is None:
            return text
        same, (_, held) = self._correspondence.settings, self._correspondence.held
        said: dict[str, Json] = {key: one for key, one in raw.items() if key != "version"}
        for key in ("readings", "parameters", "given"):
            entries, fixed = said.get(key, {}), held.get(key, {})
            assert isinstance(fixed, dict)
            if isinstance(entries, dict) and (entries or fixed):
                kept = {same.get(name, name): self._choice(name, one) if key == "readings" else one
                        for name, one in entries.items()
                        if key != "readings" or name in same or not self._usual(name, str(one))}
                said[key] = {**kept, **fixed}
        return json.dumps({**said, "ruleset": self._ruleset})

    def _choice(self, reading: str, choice: Json) -> Json:
        return self._correspondence.choices.get(reading, {}).get(str(choice), choice)

    def _line(self, text: str) -> str | None:
        raw = _object(text)
        if raw is None:
            return text
        if isinstance(raw.get("do"), str) and isinstance(raw.get("with", {}), dict):
            told = raw["do"] not in self._correspondence.silent[0]
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
