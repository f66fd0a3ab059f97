"""Moves as people type and read them, to and from lines of a log.

A move is typed as `label value value`, as `label name=value`, or as moves are listed.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.api.code_help import did_you_mean
from referee.api.results.game_events import GameEvent

_WORD = re.compile(r"""(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\}|\S)+""")
_REPEATED = re.compile(r"(.*\S) x(\d{1,3})")
_LONGEST = 1000
"""Of what is typed so many letters are read, and so many members of a set."""
_MOST_MEMBERS = 12
"""So many members of a set are told; of more it is said how many."""


class TypingFault(Exception):
    """What was typed is no move; the message says why."""


def typed_move(text: str, signatures: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The `do` and `with` of a typed move. `signatures`: label -> its argument names in order.

    Raises `TypingFault` for an unknown label, an unknown argument name, or too many values. What is left out is
    left out of `with`: whether that matters is for the rules to say.
    """
    words = _WORD.findall(text[:_LONGEST])
    if not words:
        raise TypingFault("type a number or a move")
    label, values = words[0], words[1:]
    if label not in signatures:
        hint = did_you_mean(label, signatures)
        raise TypingFault(f"{label} is no move here" + (f": {hint}" if hint else ""))
    return {"do": label, "with": _arguments(values, list(signatures[label]), label)}


def _arguments(values: Sequence[str], names: list[str], label: str) -> dict[str, Any]:
    if values and values[0] in names and (listed := _listed(values, names)) is not None:
        return listed
    given: dict[str, Any] = {}
    for word in values:
        name, equals, value = word.partition("=")
        if not equals:
            free = [known for known in names if known not in given]
            if not free:
                raise TypingFault(f"{label} takes {len(names)} value{'' if len(names) == 1 else 's'}")
            name, value = free[0], word
        elif name not in names:
            raise TypingFault(f"{label} has no argument {name}; it has {', '.join(names) or 'none'}")
        given[name] = value_of(value)
    return given


def _listed(words: Sequence[str], names: Sequence[str]) -> dict[str, Any] | None:
    """Arguments in the form in which moves are listed: each name, and behind it all words of its value; None if a name
    has nothing behind it."""
    said: dict[str, list[str]] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in names and name not in said:
            said[name] = [value] if value else []
        else:
            said[next(reversed(said))].append(word)
    if not all(said.values()):
        return None
    return {name: _value_of_words(" ".join(value)) for name, value in said.items()}


def _value_of_words(text: str) -> Any:
    """One value, or a set in the words of a listed move: `CLUB x2, HEART`."""
    repeated = [_REPEATED.fullmatch(part.strip()) for part in text.split(",")]
    if text[:1] in {"[", "{", '"'} or (len(repeated) == 1 and repeated[0] is None):
        return value_of(text)
    found = [value_of(part.strip()) if many is None else value_of(many[1]) for part, many in
             zip(text.split(","), repeated, strict=True) for _ in range(1 if many is None else int(many[2]))]
    return found[:_LONGEST]


def value_of(text: str) -> Any:
    """Numbers, lists and objects as JSON has them; everything else is a name."""
    if re.fullmatch(r"-?\d{1,18}", text) or text[:1] in {"[", "{", '"'}:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def told_move(event: GameEvent, most: Mapping[str, int] | None = None) -> str:
    """`move from a2 to a3`; of a ruling its choice; `raise to 200 to 1,950` where it may be `most`."""
    if event.by == "table":
        return _told(event.with_["choice"])
    ends = {name: f"{event.with_[name]:,} to {greatest:,}" for name, greatest in (most or {}).items()
            if greatest > event.with_[name]}
    return " ".join([event.do, *(f"{name} {ends.get(name) or _told(value)}" for name, value in event.with_.items())])


def _told(value: object) -> str:
    """A value as text; several alike once, with their number."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case tuple():
            counted = Counter(map(_told, value))
            texts = [f"{text} x{number}" if number > 1 else text for text, number in counted.items()]
            more = len(texts) - _MOST_MEMBERS
            return (", ".join(texts[:_MOST_MEMBERS]) + (f" and {more} more" if more > 0 else "")) or "none"
        case _:
            return str(value)
