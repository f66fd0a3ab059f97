"""The lines of a log after its header: their kinds, and how a JSON object becomes one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import NoReturn

from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.strict_json import Json, JsonFault, Object, brief
from referee.system.lazy_dataclasses import dataclass

REMARKS = frozenset({"note", "at"})
"""Keys that any line may have; they are kept in the log and mean nothing to the rules."""


MAX_WORD = 200
"""Characters of a name or label, at most."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """Somebody did something. `holes`: names of the arguments whose value is not stated.

    `text`: the line as it stands in the log but for a remark, if that is known; equal texts say the same.
    """

    number: int
    by: str
    do: str
    args: dict[str, Json]
    holes: tuple[str, ...] = ()
    text: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AssertLine:
    """Claims about the state at this line: expressions of the language with the values claimed."""

    number: int
    claims: Object


@dataclass(frozen=True, slots=True)
class EndLine:
    """The game is claimed to be over. `winners`: the names claimed, empty for none, None if nothing is claimed."""

    number: int
    winners: tuple[str, ...] | None
    scores: Object | None
    ranking: tuple[tuple[str, ...], ...] | None


@dataclass(frozen=True, slots=True)
class UndoLine:
    """The last `count` events are taken back."""

    number: int
    count: int


Line = EventLine | AssertLine | EndLine | UndoLine


class LineFault(Exception):
    """What is wrong with an object as a line: a code, a sentence, the key to point at, what would do, a hint.

    `offset`: the character of the key that is pointed at, from 1; 0 for the key as a whole.
    """

    def __init__(self, code: str, message: str, key: str | None = None, expected: tuple[str, ...] = (),
                 hint: str | None = None, offset: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.key = key
        self.expected = expected
        self.hint = hint
        self.offset = offset


Warn = Callable[[str, str, str, str | None], None]
"""Told of something odd that does not stop the reading: code, message, key, hint."""


def line_of(value: Json, number: int, warn: Warn) -> Line:
    """The line that a JSON value is; `LineFault` (LG10, LG23, LG24) or `JsonFault` if it is none."""
    if not isinstance(value, dict):
        raise JsonFault("LG10", f"a line is a JSON object, not {kind_of(value)}")
    forms = [key for key in _FORMS if key in value]
    if len(forms) != 1:
        _no_form(value, forms)
    make, keys = _FORMS[forms[0]]
    unknown_keys(value, keys, warn)
    if isinstance(end := value.get("end"), dict):
        unknown_keys(end, _END_KEYS, warn)
    return make(value, number)


def unknown_keys(value: Object, known: frozenset[str], warn: Warn) -> None:
    """Warns (LG40) of each key that is not among `known`."""
    if not value.keys() <= known:
        for key in value:
            if key not in known:
                warn("LG40", f"unknown key {brief(key)}", key, did_you_mean(key, known))


def kind_of(value: Json) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case dict():
            return "an object"


def is_hole(value: Json) -> bool:
    """Whether a value of an argument is unknown, wholly or in part: "?" or {"in": [...]}, also inside a list."""
    match value:
        case "?":
            return True
        case {"in": list(), **rest} if not rest:
            return True
        case list():
            return any(is_hole(part) for part in value)
        case _:
            return False


def _no_form(value: Object, forms: list[str]) -> NoReturn:
    known = ("an event: by, do, with", "assert", "end", "undo")
    if forms:
        raise LineFault("LG23", "a line has one of " + ", ".join(forms) + ", not several", forms[-1], known)
    if "schema" in value:
        raise LineFault("LG23", "a second header; a log holds one game", "schema")
    if "by" in value:
        raise LineFault("LG23", "an event says what was done: `do` is missing", "by")
    raise LineFault("LG23", "the line is no event, assert, end or undo", next(iter(value), None), known)


def _event(value: Object, number: int) -> EventLine:
    by, do, args = value.get("by"), value["do"], value.get("with", {})
    if by is None:
        raise LineFault("LG23", "an event says who acted: `by` is missing", "do")
    if not isinstance(by, str) or not by:
        raise LineFault("LG24", f"`by` is a name, not {kind_of(by)}", "by", ("the name of a player", "fate", "table"))
    if not isinstance(do, str) or not do:
        raise LineFault("LG24", f"`do` is a text, not {kind_of(do)}", "do")
    if not isinstance(args, dict):
        raise LineFault("LG24", f"`with` is an object, not {kind_of(args)}", "with", ("arguments by name",))
    if max(len(by), len(do)) > MAX_WORD:
        raise LineFault("LG24", f"`by` and `do` have at most {MAX_WORD} characters", "do")
    holes = tuple(name for name, arg in args.items() if is_hole(arg)) if args else ()
    return EventLine(number, by, do, args, holes)


def _assert(value: Object, number: int) -> AssertLine:
    claims = value["assert"]
    if not isinstance(claims, dict):
        raise LineFault("LG24", f"`assert` is an object, not {kind_of(claims)}", "assert",
                        ("an object of expressions with the values claimed",))
    return AssertLine(number, claims)


def _end(value: Object, number: int) -> EndLine:
    end = value["end"]
    if not isinstance(end, dict):
        raise LineFault("LG24", f"`end` is an object, not {kind_of(end)}", "end", ("winner", "scores", "ranking"))
    return EndLine(number, _winners(end), _scores(end), _ranking(end))


def _winners(end: Object) -> tuple[str, ...] | None:
    if "winner" not in end:
        return None
    match end["winner"]:
        case None:
            return ()
        case str(name):
            return (name,)
        case list(names) if (found := names_in(names)) is not None:
            return found
        case other:
            raise LineFault("LG24", f"`winner` is a name, a list of names or null, not {brief(other)}", "winner")


def _scores(end: Object) -> Object | None:
    scores = end.get("scores")
    if scores is None:
        return None
    if not isinstance(scores, dict) or not all(isinstance(v, int) and not isinstance(v, bool) for v in scores.values()):
        raise LineFault("LG24", "`scores` is an object: a whole number for each name", "scores")
    return scores


def _ranking(end: Object) -> tuple[tuple[str, ...], ...] | None:
    ranking = end.get("ranking")
    if ranking is None:
        return None
    if isinstance(ranking, list):
        places = [names_in(place if isinstance(place, list) else [place]) for place in ranking]
        if all(places):
            return tuple(place for place in places if place)
    raise LineFault("LG24", "`ranking` is a list, best first: of names, and of lists of names that share a place",
                    "ranking")


def names_in(values: list[Json]) -> tuple[str, ...] | None:
    """The values if all are texts."""
    found = tuple(value for value in values if isinstance(value, str))
    return found if len(found) == len(values) else None


def _undo(value: Object, number: int) -> UndoLine:
    count = value["undo"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise LineFault("LG24", f"`undo` is a number of events from 1, not {brief(count)}", "undo")
    return UndoLine(number, count)


_END_KEYS = frozenset({"winner", "scores", "ranking"}) | REMARKS
_FORMS: dict[str, tuple[Callable[[Object, int], Line], frozenset[str]]] = {
    "do": (_event, frozenset({"by", "do", "with"}) | REMARKS),
    "assert": (_assert, frozenset({"assert"}) | REMARKS),
    "end": (_end, frozenset({"end"}) | REMARKS),
    "undo": (_undo, frozenset({"undo"}) | REMARKS),
}
