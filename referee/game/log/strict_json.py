"""One line of a log as JSON, read strictly: no duplicate keys, no NaN, no huge numbers, no deep nesting."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from json import JSONDecodeError, JSONDecoder
from math import isfinite

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
"""A JSON value."""
Object = Mapping[str, Json]
"""A JSON object."""

MAX_DEPTH = 32
"""Levels to which a line may be nested: deeper ones are refused."""
MAX_DIGITS = 18
"""So many digits a number of a log has at most; a longer one, where there is any, is written as a text."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{\]}]')
"""A bracket, or a string (whole, or cut off at the end): possessive, so that no text takes more than linear time."""
_SIGN = re.compile(r"\\u[dD][89abAB]..\\u[dD]...|\\u....|\\.|.", re.DOTALL)
"""A character in a string, as JSON writes it."""
_LONE = re.compile("[\ud800-\udfff]")


class JsonFault(Exception):
    """What is wrong with the text of a line: a code, a sentence and the column (from 1)."""

    def __init__(self, code: str, message: str, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.column = column


def parse(text: str) -> Json:
    """The JSON value of one line; `JsonFault` (LG02, LG05 to LG09) if it is none or a refused one."""
    _check_depth(text)
    try:
        value: Json = _DECODER.decode(text)
    except JSONDecodeError as error:
        what = error.msg.removesuffix(" at").removesuffix(" starting")  # the place is told by itself
        raise JsonFault("LG05", f"not JSON: {what}", error.colno) from None
    except RecursionError:
        raise _too_deep(1) from None
    if _SURROGATE.search(text) and _LONE.search(json.dumps(value, ensure_ascii=False)):
        raise JsonFault("LG02", "half of a surrogate pair is no character")
    return value


def column_in(text: str, string: str, offset: int) -> int:
    """Where a character (from 1) of a string stands in the JSON text of a line, however it is written there; 1 if the
    string stands nowhere."""
    for found in _BRACKETS.finditer(text):
        raw = found.group()
        if raw[0] != '"' or len(raw) < 2 or _DECODER.decode(raw) != string:
            continue
        left = offset - 1
        for sign in _SIGN.finditer(raw[1:-1]):
            if left <= 0:
                return found.start() + 2 + sign.start()
            left -= 1
        return found.end()
    return 1


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for place in _BRACKETS.finditer(text):
        mark = place.group()
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep(place.start() + 1)
        elif mark in "]}":
            depth -= 1


def _too_deep(column: int) -> JsonFault:
    return JsonFault("LG06", f"nested more than {MAX_DEPTH} levels deep", column)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise JsonFault("LG07", f"the key {brief(twice)} stands twice in one object")
    return made


def _whole(digits: str) -> int:
    length = len(digits.removeprefix("-"))
    if length > MAX_DIGITS:
        raise JsonFault("LG09", f"a number of {length} digits")
    return int(digits)


def _real(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise JsonFault("LG08", f"{brief(digits)} is beyond the range of numbers")
    return number


def _constant(word: str) -> Json:
    raise JsonFault("LG08", f"{word} is not a JSON number")


_DECODER = JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_float=_real, parse_constant=_constant)


def brief(value: object, most: int = 60) -> str:
    """A JSON value (or anything else) as one short printable text, for messages."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= most else text[: most - 3] + "..."
