"""The position that a scenario starts from: `given ZONE: ...`, `given COUNTER is V`, `turn of WHO`, `at POINT`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from referee.core.expr import Get, Place
from referee.core.ruleset import Key, Role
from referee.core.stmt import IN
from referee.core.types import COMPONENT, Value
from referee.diagnostics.suggestions import did_you_mean
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Scope
from referee.frontend.names.timed_modifiers import base_of
from referee.frontend.names.tree_access import ErrorReported, called, node, nodes, word
from referee.syntax.syntax_tree import Node, Part, Word

Json = str | int | bool | None | list["Json"] | dict[str, "Json"]
"""What a scenario says of a value or of what lies somewhere; the same as in a log."""

MOST_SAID = 5_000
"""Components of one entry in braces: more are refused."""
MOST_LISTED = 12
"""So many points are told where a scenario names one that is not there."""


@dataclass(frozen=True, slots=True)
class Start:
    """What is said of the position. `places`: how each was said, the place, what lies there as a log would say it.

    `counters`: how the counter of each value was said; `registers`: what is said of the way to the point, by name.
    """

    at: str | None
    turn: str | None
    places: tuple[tuple[str, Place, Json], ...]
    values: tuple[tuple[tuple[str, Key], Value], ...]
    counters: tuple[str, ...]
    registers: tuple[tuple[str, Json], ...] = ()


def read_start(values: ExpressionLowering, scope: Scope, decl: Node, points: tuple[str, ...]) -> Start | None:
    """The position of a scenario, None if it starts with set-up. Errors are reported.

    `points`: the names of those that the rules have; how many ways lead to one is seen when the scenario is run.
    """
    if not any(True for _ in nodes(decl, "s_given", "s_holds", "s_at")):
        return None
    places: list[tuple[str, Place, Json]] = []
    held: list[tuple[tuple[str, Key], Value]] = []
    counters: list[str] = []
    registers: list[tuple[str, Json]] = []
    items = [item for part in nodes(decl, "s_given") for item in nodes(part)]
    for item in items:
        with suppress(ErrorReported):
            if item.kind == "given_place":
                places.append(_place(values, scope, item))
            elif (name := _of_the_way(values, item)) is not None:
                registers.append((name, _told(values, node(item.parts[1]))))
            elif item.kind == "given_value":
                held.append(_value(values, scope, item))
                counters.append(values.symbols.text(node(item.parts[0]).span))
    at = _last(values, decl, "s_at")
    if at is not None and at.split(IN)[0] not in points:
        _no_point(values, decl, at, points)
    return Start(at, _last(values, decl, "s_holds"), tuple(places), tuple(held), tuple(counters), tuple(registers))


def _no_point(values: ExpressionLowering, decl: Node, at: str, points: tuple[str, ...]) -> None:
    span = word(next(nodes(decl, "s_at")).parts[0]).span
    listed = points[:MOST_LISTED] + (("...",) if len(points) > MOST_LISTED else ())
    hint = did_you_mean(at, points) or "`referee show --points` lists the points of the rules with what each needs"
    values.symbols.reporter.error("SN06", f"`{at}` is no point at which a game rests", span, expected=listed, hint=hint)


def _last(values: ExpressionLowering, decl: Node, kind: str) -> str | None:
    """The one word of the one line of a kind."""
    said = [word(part.parts[0]) for part in nodes(decl, kind)]
    for twice in said[1:]:
        values.symbols.reporter.error("SN03", "a scenario starts from one position: this is said twice", twice.span)
    return called(said[0]) if said else None


def _place(values: ExpressionLowering, scope: Scope, item: Node) -> tuple[str, Place, Json]:
    said, *what = (node(part) for part in item.parts)
    place = values.terms.place(said, scope).place
    entries = [entry for part in what for entry in _entry(values, part)]
    return values.symbols.text(said.span), place, entries


def _entry(values: ExpressionLowering, part: Node) -> list[Json]:
    """An entry of what lies in a place: a component, how many, a block of a pile; nothing for `none`."""
    match part.kind:
        case "none":
            return []
        case "any_of":
            return [{f"any {_kinds(values, node(part.parts[2]))}": int(word(part.parts[1]).text[:9])}]
        case "some_of":
            number = _number(values, part.parts[0])
            return [{str(one): number} for one in _entry(values, node(part.parts[1]))]
        case "set_of":
            return [[one for inner in nodes(node(part.parts[0])) for one in _members(values, inner)]]
        case "int":
            return [int(word(part.parts[0]).text[:9])]
        case "component":
            return [word(part.parts[0]).text]
        case "string":
            return [called(word(part.parts[0]))]
        case "noun" if part.parts[1] is not None and is_combined(values, word(part.parts[0])):
            return list(combined(values, part))
        case "noun":
            return [_label(values, part)]
        case "combination":
            return list(combined(values, part))
        case _:
            raise values.symbols.wrong("SN04", "this is no component", part.span, expected=("a component", "none"))


def _members(values: ExpressionLowering, part: Node) -> list[Json]:
    """The components that stand in braces, one by one."""
    if part.kind != "some_of":
        return _entry(values, part)
    number = _number(values, part.parts[0])
    if number > MOST_SAID:
        raise values.symbols.wrong("SN04", f"at most {MOST_SAID} components stand in braces", part.span)
    return [one for one in _entry(values, node(part.parts[1])) for _ in range(number)]


def is_combined(values: ExpressionLowering, name: Word) -> bool:
    """Whether a kind has a class for each combination of members of types."""
    kind = values.symbols.kinds.get(name.text)
    return kind is not None and bool(kind.columns)


def combined(values: ExpressionLowering, said: Node) -> list[str]:
    """The classes that `Card(queen, clubs)` or `Card of clubs` names, as logs call them. Raises Wrong."""
    found = values.sources.noun(said, Scope())
    among = found.among if found.one is None else found.one
    if among is None:
        indices = range(found.classes.lo, found.classes.hi + 1)
        return [_called(values, index) for index in indices]
    value = values.constants.fixed(among, among.type, said.span)
    return [_called(values, index) for index in (sorted(value) if isinstance(value, frozenset) else [value])]


def _called(values: ExpressionLowering, index: Value) -> str:
    assert isinstance(index, int)
    return str(values.symbols.domains[COMPONENT].labels[index])


def _number(values: ExpressionLowering, part: Part) -> int:
    return int(part.text[:9]) if isinstance(part, Word) else values.constants.fixed_number(node(part))


def _kinds(values: ExpressionLowering, noun: Node) -> str:
    """A kind as a log calls it; of several kinds under one name each of them."""
    group = values.symbols.groups.get(word(noun.parts[0]).text) if noun.parts[1] is None else None
    return _label(values, noun) if group is None else " or ".join(kind.name for kind in group.kinds)


def _label(values: ExpressionLowering, noun: Node) -> str:
    """A component as a log calls it; `K of ana` has her name."""
    owner = noun.parts[1]
    name = word(noun.parts[0]).text
    if owner is None:
        return name
    said = node(owner)
    return f"{name} of {called(word(said.parts[0])) if said.kind == 'string' else values.symbols.text(said.span)}"


def _of_the_way(values: ExpressionLowering, item: Node) -> str | None:
    """The name of something that the rules keep on the way to a point, as `referee show --points` lists it: in quotes
    if it has blanks. None if a counter, a place or anything else that is declared is meant."""
    said = item.parts[0]
    if isinstance(said, Word):
        return said.text
    if item.kind != "given_value" or node(said).kind not in ("string", "name"):
        return None
    name = word(node(said).parts[0])
    known = values.symbols.declared(name.text) or name.text in values.symbols.vars
    return called(name) if name.type == "STRING" or not known else None


def _told(values: ExpressionLowering, what: Node) -> Json:
    """A value as a log has it. Raises Wrong."""
    match what.kind:
        case "none":
            return None
        case "yes" | "no":
            return what.kind == "yes"
        case "int":
            return int(word(what.parts[0]).text[:18])
        case "neg" if node(what.parts[0]).kind == "int":
            return -int(word(node(what.parts[0]).parts[0]).text[:18])
        case "name":
            return word(what.parts[0]).text
        case "set_of":
            return [_told(values, part) for part in nodes(node(what.parts[0]))]
        case _:
            return _entry(values, what)[0]


def _value(values: ExpressionLowering, scope: Scope, item: Node) -> tuple[tuple[str, Key], Value]:
    said, what = (node(part) for part in item.parts)
    found = base_of(values.terms.meaning(said, scope))
    if not isinstance(found, Get) or values.symbols.vars[found.var].role is not Role.STATE or " " in found.var:
        text = values.symbols.text(said.span)
        raise values.symbols.wrong("VR01", f"`{text}` cannot be set: it is no counter", said.span)
    kind = values.symbols.vars[found.var].type
    value = values.constants.fixed(values.terms.value(what, scope, kind), kind, what.span)
    return (found.var, tuple(values.constants.fixed_index(key) for key in found.keys)), value
