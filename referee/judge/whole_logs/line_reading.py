"""Lines of events that are not known by their bytes: read by the quickest reader there is, and known by what they say.

Whatever readers of JSON could see in different ways (a key twice, long numbers, escapes) is not read here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json.decoder import JSONDecoder
from math import isfinite
from typing import Any

from referee.game.event import Spoken
from referee.game.event_table import EventTable
from referee.game.log.log_lines import Line, LineFault, line_of
from referee.game.log.strict_json import MAX_DIGITS, JsonFault

MOST_KNOWN = 16_384
"""Lines of which the number is kept by what they say, then all are forgotten."""
MANY_LINES = 2_000
"""Behind so many lines it pays to import the quickest reader."""
_BEYOND = 10**MAX_DIGITS
"""A number as large, up or down, is left to the readers of single lines."""
_REMARKS = frozenset({"at", "note"})
_EVENT = frozenset({"by", "do", "with"})
_ATOMS = frozenset({int, str})
_NOTHING: dict[str, Any] = {}
_SCAN = JSONDecoder().raw_decode
_ODD = (ValueError, TypeError, AttributeError, KeyError, StopIteration, RecursionError)
"""What reading a line may raise that is no plain event."""


def _by_json(raw: bytes) -> Any:
    text = raw.decode()
    value, end = _SCAN(text)
    if end != len(text):
        raise ValueError
    return value


def fast_decoder() -> Callable[[bytes], Any]:
    """The quickest reader of JSON that is installed (`referee[fast]`); what it raises is among `_ODD`."""
    try:
        from msgspec import json
    except ModuleNotFoundError:
        return _by_json
    return json.Decoder().decode


class LineReading:
    """Reads the lines that certain players' logs have. `of`: the event that a line says, None if it says none by
    itself."""

    def __init__(self, table: EventTable, of: Callable[[Line], Spoken | None],
                 decode: Callable[[bytes], Any] | None = None) -> None:
        self.table = table
        self._of = of
        self._known: dict[tuple[Any, ...], int] = {}
        self._decode = _by_json if decode is None else decode
        self._left = MANY_LINES if decode is None else 0

    def numbers(self, lines: Sequence[bytes]) -> list[int] | None:
        """The numbers of what lines say; None if there is anything about one of them that has to be looked at."""
        if self._left > 0:
            self._left -= len(lines)
            if self._left <= 0:
                self._decode = fast_decoder()
        found, known, decode = [], self._known, self._decode
        try:
            for raw in lines:
                value = decode(raw)
                args = value.get("with", _NOTHING)
                colons, given = len(value) + len(args), args.values()
                if len(value) != 3 or not args:
                    colons += _colons_of_remarks(value)
                if raw.count(b":") != colons or b"\\" in raw:
                    return None  # a key may stand there twice
                for one in given:
                    if one.__class__ not in _ATOMS:
                        given = list(map(_hashable, given))
                        break
                key = value["by"], value["do"], *args, *given
                number = known.get(key)
                if number is None:
                    number = self._learnt(value, key)
                    if number is None:
                        return None
                found.append(number)
        except _ODD:
            return None
        return found

    def _learnt(self, value: dict[str, Any], key: tuple[Any, ...]) -> int | None:
        """The number of an event that was not said before."""
        if any(one.__class__ is int and abs(one) >= _BEYOND for one in key):
            return None
        told: list[str] = []
        try:
            said = self._of(line_of(value, 0, lambda code, *_: told.append(code)))
        except (LineFault, JsonFault):
            return None
        if said is None or told:
            return None
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        number = self._known[key] = self.table.number(said)
        return number


def _hashable(value: Any) -> Any:
    """A value of an argument, as different from others as it is in JSON. Raises `ValueError` for what has to be looked
    at."""
    if value.__class__ in _ATOMS:
        return value
    if value.__class__ is list:
        if any(one.__class__ not in _ATOMS or (one.__class__ is int and abs(one) >= _BEYOND) for one in value):
            raise ValueError
        return tuple(value)
    if value is None or value.__class__ is bool:
        return (str(value),), value
    raise ValueError


def _colons_of_remarks(value: dict[str, Any]) -> int:
    """How many colons are in what is beside an event. Raises `ValueError` if that is more than a remark."""
    found = 0
    for key, one in value.items():
        if key in _REMARKS:
            found += _colons(one)
        elif key not in _EVENT:
            raise ValueError
    return found


def _colons(remark: Any) -> int:
    if remark.__class__ is str:
        return int(remark.count(":"))
    if remark.__class__ is list:
        if any(one.__class__ is list for one in remark):
            raise ValueError
        return sum(map(_colons, remark))
    if remark is None or remark.__class__ is bool:
        return 0
    if remark.__class__ not in (int, float) or not isfinite(remark) or abs(remark) >= _BEYOND:
        raise ValueError
    return 0
