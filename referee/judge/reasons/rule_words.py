"""Parts of rules in the words of the rules, with what the names in them stand for put in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.flow import Flow
from referee.core.ruleset import Key, Role, Zone
from referee.core.stmt import Origin
from referee.core.traverse import walk
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Source, Span
from referee.game.state import Open, Slot
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.trace import KnownName, KnownValue
from referee.judge.display_names import Names

_CITES = re.compile(r"\[([^\[\]]+)\]\s*$")
_HAS = re.compile(r"^(.+) has (?:(?:no|(?:at least |at most |exactly |fewer than |more than )?\d+) )?((?!\d)\S+)$")
"""`PLACE has NUMBER NOUN` and `PLACE has NOUN`, of which the value is how many there are."""
_HEAD = re.compile(r"^\S")
_ELSE = re.compile(r"^\s+else (?=as soon as )")
_PLAYER = re.compile(r"\bplayer (\w+)")
_ME = re.compile(r"\b(me|my)\b")
MOST_TEXT = 160
"""Letters of the rules that are quoted: what is longer is cut off."""


class RuleWords:
    """The words of one ruleset, for one game."""

    def __init__(self, flow: Flow, names: Names) -> None:
        self.names = names
        self._flow = flow
        self._core = flow.core

    @cached_property
    def _sources(self) -> dict[str, Source]:
        return {path: Source(path, text) for path, text in self._core.texts.items()}

    def line(self, span: Span) -> str:
        """The line of the rules in which a span begins; empty if the rules are not at hand."""
        source = self._sources.get(span.path)
        return "" if source is None else source.line(span.line)

    def head(self, span: Span) -> str:
        """The line in which a span begins, without what it cites."""
        return _CITES.sub("", self.line(span)).strip().rstrip(" :")[:MOST_TEXT]

    def text(self, span: Span | None, names: Iterable[KnownName] = ()) -> str:
        """The words of a span, as far as they stand in one line, with the values of the names in it."""
        if span is None:
            return ""
        place = span.use or span
        line = self.line(place)
        end = place.end_column - 1 if place.end_line == place.line else len(line)
        known = list(names)
        for start, stop, value in sorted(self._inside(place, end, known), reverse=True):
            line = line[:start] + value + line[stop:]
            end += len(value) - (stop - start)
        said = " ".join(line[place.column - 1:end].split())
        said = _CITES.sub("", said).rstrip(" :")
        for one in known:  # what a definition was given is named as where it is used
            base, of, _ = one.name.partition(" of ")
            if (of or span.use is not None) and base and is_member(one.type) and not _in_line(one.span, place):
                value = self.names.value(one.value, one.type)
                said = re.sub(rf"\b{re.escape(base)}\b", lambda _, value=value: value, said)  # type: ignore[misc]
        said = self._player_named(said, place, known)
        me = next((one for one in known if one.name == "me" or one.name.endswith(".me")), None)
        if me is not None:
            who = self.names.value(me.value, me.type)
            said = _ME.sub(lambda found: who if found[1] == "me" else f"{who}'s", said)
        return said[:MOST_TEXT]

    def _player_named(self, said: str, place: Span, names: Sequence[KnownName]) -> str:
        """A text from a definition of one player, with the player that it is about, if only one can be meant."""
        head = self._head(place) or ""
        params = _PLAYER.findall(head.split("=")[0]) if head.startswith("define ") else []
        players = {self.names.value(one.value, one.type) for one in names if is_player(one.type)}
        if len(params) != 1 or len(players) != 1:
            return said
        return re.sub(rf"\b{re.escape(params[0])}\b", lambda _: next(iter(players)), said)

    def _inside(self, place: Span, end: int, names: Sequence[KnownName]) -> set[tuple[int, int, str]]:
        """Where names stand in a line, with what they stand for."""
        found: dict[tuple[int, int], str] = {}
        for one in names:
            at = one.span
            if at is None or (at.path, at.line, at.end_line) != (place.path, place.line, place.line):
                continue
            if is_member(one.type) and place.column <= at.column and at.end_column - 1 <= end:
                found.setdefault((at.column - 1, at.end_column - 1), self.names.value(one.value, one.type))
        return {(start, stop, value) for (start, stop), value in found.items()
                if not any(other != (start, stop) and other[0] <= start and stop <= other[1] for other in found)}

    def value(self, known: KnownValue, whole: str = "") -> tuple[str, str] | None:
        """A value with the words for it; None if the words say no more than the value. `whole`: what is told of."""
        text = known.label or self.text(known.expr.span, known.names)
        value = self.names.value(known.value, known.expr.type)
        has = _HAS.match(text)
        if has is not None and known.expr.type != Bool():
            text = f"number of {has[2]} in {has[1]}"
        if text == whole and text:
            text = "" if known.expr.type == Bool() else self._counted(known) or self._counter(known.expr) or "there"
        return None if text in ("", value) else (text, value)

    def _counted(self, known: KnownValue) -> str:
        """The words for how many lie in a place, which the rules ask for in other words."""
        places = [self.text(one.place.span, known.names) for one in walk(known.expr, Within)]
        return f"number of {places[0]}" if len(places) == 1 and places[0] else ""

    def _counter(self, expr: Expr) -> str:
        """The name of what a loop counts, which the rules write in the head of the loop."""
        match expr:
            case Get(name, ()):
                return name.rpartition(".")[2].split()[0] if self._flow.vars[name].role is Role.REGISTER else ""
            case (Get() | Const() | Local() | Look() | And() | Or() | Op() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return ""
            case _:
                assert_never(expr)

    def entry(self, name: str, key: Key) -> str:
        """A variable or zone of a key in the words of the rules."""
        zone, var = self._core.zones.get(name), self._flow.vars.get(name)
        keys = zone.keys if zone is not None else var.keys if var is not None else ()
        said = name if zone is not None or var is None else var.title or name
        return self.names.place(said.replace("_", " ") if said != name else name, keys, key)

    def change(self, name: str, old: Slot, new: Slot) -> str:
        """What became of an entry: `2 -> 3`, or what came and went."""
        zone = self._core.zones.get(name)
        if zone is not None:
            return self._moved(zone, old, new)
        kind = self._flow.vars[name].type
        if isinstance(old, Open) or isinstance(new, Open):
            return "what nobody stated"
        return f"{self.names.value(old, kind)} -> {self.names.value(new, kind)}"  # type: ignore[arg-type]

    def amount(self, name: str, held: Slot) -> str:
        """What an entry held: the value, or of a zone how many components."""
        zone = self._core.zones.get(name)
        if zone is not None:
            return str(len(list(components(zone, held)))) if isinstance(held, tuple) else "what nobody stated"
        if isinstance(held, Open):
            return "what nobody stated"
        return self.names.value(held, self._flow.vars[name].type)  # type: ignore[arg-type]

    def _moved(self, zone: Zone, old: Slot, new: Slot) -> str:
        if zone.spots is not None:
            holder, spots = Maybe(self._core.domains[COMPONENT].whole), zone.spots
            pairs = zip(_spots(old), _spots(new), strict=True)
            return ", ".join(f"{self.names.value(spots.lo + at, spots)}: {self.names.value(one, holder)}"
                             for at, (before, one) in enumerate(pairs) if before != one)
        was, now = components(zone, old), components(zone, new)
        came, went = list(now), list(was)
        for one in was:
            if one in came:
                came.remove(one)
        for one in now:
            if one in went:
                went.remove(one)
        kind = self._core.domains[COMPONENT].whole
        parts = [f"{sign} {self._several(found, kind)}" for sign, found in (("+", came), ("-", went)) if found]
        return ", ".join(parts) or "in another order"

    def _several(self, found: list[int], kind: Elem) -> str:
        return self.names.value(tuple(sorted(found)), Many(kind, len(found)))

    def cites(self, *spans: Span | None) -> tuple[str, ...]:
        """The statements that the lines of some places cite."""
        found: list[str] = []
        for span in spans:
            cited = _CITES.search(self.line(span)) if span is not None else None
            words = cited[1].replace(",", " ").split() if cited is not None else []
            found.extend(word for word in words if self._is_cite(word))
        return tuple(dict.fromkeys(found))

    def declaration(self, span: Span) -> str:
        """The name of the declaration in which a place stands: an action, a procedure, `setup`, the head of a rule."""
        head = self._head(span)
        if head is None:
            return ""
        words = head.split("[")[0].split(":")[0].split("(")[0].split()
        return words[1].rstrip(",") if len(words) > 1 and words[0] in ("action", "procedure", "define") else (
            " ".join(words))

    def head_cites(self, span: Span) -> tuple[str, ...]:
        """The statements that the head of the declaration cites in which a place stands."""
        head = self._head(span)
        cited = _CITES.search(head) if head is not None else None
        words = cited[1].replace(",", " ").split() if cited is not None else []
        return tuple(word for word in words if self._is_cite(word))

    def _is_cite(self, word: str) -> bool:
        """Whether a word is a statement of the rulebook or an assumption."""
        return word in self._core.statements or word in self._core.assumptions

    def _head(self, span: Span) -> str | None:
        source = self._sources.get(span.path)
        if source is None:
            return None
        for number in range(span.line, 0, -1):
            line = source.line(number)
            if _HEAD.match(line) and not line.startswith("#"):
                return line
            case = _ELSE.match(line)
            if case is not None:  # the condition of an end that stands behind another one
                return f"end {line[case.end():]}"
        return None

    def all_cites(self, origin: Origin, *spans: Span | None) -> tuple[str, ...]:
        """What is cited for something: by itself, by the lines it was decided in, and where no statement is among it by
        the declaration around it."""
        own = (*origin.cites, *self.cites(*spans))
        around = () if self._core.statements_in(own) else self.head_cites(origin.span)
        return tuple(dict.fromkeys((*own, *around)))


def is_member(kind: Type) -> bool:
    """Whether a value is put in the place of its name: a number says less than its name."""
    match kind:
        case Elem():
            return True
        case Bool() | Int() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def is_player(kind: Type) -> bool:
    """Whether values of a type are players."""
    match kind:
        case Elem(domain):
            return domain == PLAYER
        case Bool() | Int() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def _in_line(span: Span | None, place: Span) -> bool:
    return span is not None and (span.path, span.line) == (place.path, place.line) and (
        place.column <= span.column and span.end_column <= place.end_column)


def _spots(content: Slot) -> list[int | None]:
    """What lies on each spot of a zone with spots."""
    return [one if isinstance(one, int) else None for one in content] if isinstance(content, tuple) else []
