"""Types as declarations write them: words, ranges, lists of names, the columns and rows of a board."""

from __future__ import annotations

from math import prod

from referee.core.types import COMPONENT, Bool, DomainKind, Elem, Int, Maybe, Scalar, SetOf, Type, size
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.grid_tables import direction
from referee.frontend.names.grids import DIRECTION
from referee.frontend.names.symbol_table import MOST_ENTRIES, Symbols
from referee.frontend.names.tree_access import word, words
from referee.syntax.syntax_tree import Node, Word


def keys_of(symbols: Symbols, keys: Node | None) -> tuple[Scalar, ...]:
    """The types of the keys of a zone, counter, parameter or table."""
    if keys is None:
        return ()
    found: list[Scalar] = []
    for part in keys.parts:
        if isinstance(part, Node) and part.kind == "range":
            kind: Type = ExpressionLowering(symbols).constants.range_type(part)
        else:
            kind = named_type(symbols, word(part))
        if not isinstance(kind, Elem | Int):
            raise symbols.wrong("TY06", f"{symbols.describe(kind)} cannot be a key", keys.span)
        found.append(kind)
    if prod(size(kind) for kind in found) > MOST_ENTRIES:
        said = symbols.text(keys.span)
        raise symbols.wrong("KY01", f"`{said}` are more than {MOST_ENTRIES:,} combinations", keys.span)
    return tuple(found)


def known_type(symbols: Symbols, name: str) -> bool:
    """Whether a single word stands for a type that was declared by now."""
    return name == "player" or any(name in known for known in (symbols.kinds, symbols.groups, symbols.domains))


def named_type(symbols: Symbols, name: Word) -> Type:
    """The type that a single word stands for."""
    if name.text == "player":
        return symbols.player
    if name.text in symbols.boards:
        return symbols.domains[name.text].whole
    if name.text in symbols.kinds:
        return symbols.kinds[name.text].type
    if name.text in symbols.groups:
        return symbols.groups[name.text].type
    if name.text == DIRECTION and symbols.grids:
        return direction(symbols)
    if name.text in symbols.domains:
        return symbols.domains[name.text].whole
    known = {"player", *symbols.boards, *symbols.kinds, *(d for d in symbols.domains if d.isidentifier())}
    raise symbols.unknown(name, "a type", known - {COMPONENT})


def read_type(symbols: Symbols, part: Node, named: str) -> Type:
    """A type as a declaration writes it; `named` names the domain of a type listed here."""
    if part.kind == "type" and len(part.parts) == 1 and isinstance(part.parts[0], Node):
        return read_type(symbols, part.parts[0], named)
    if part.kind == "range":
        return ExpressionLowering(symbols).constants.range_type(part)
    if part.kind == "yes_or_no":
        return Bool()
    if part.kind == "lane_of":
        return _lane_type(symbols, word(part.parts[0]), word(part.parts[1]))
    if part.kind == "type_or_none":
        inner = named_type(symbols, word(part.parts[0]))
        assert isinstance(inner, Elem | Int)
        return Maybe(inner)
    if part.kind == "several":
        of = named_type(symbols, word(part.parts[0]))
        assert isinstance(of, Elem)
        return SetOf(of)
    if part.kind == "enum":
        labels = tuple(w.text for w in words(part) if w.type != "OR")
        return symbols.domain(named, DomainKind.ENUM, labels).whole
    return named_type(symbols, word(part.parts[0]))


def _lane_type(symbols: Symbols, lane: Word, board: Word) -> Type:
    if board.text not in symbols.boards:
        raise symbols.unknown(board, "a board", set(symbols.boards))
    if lane.text not in ("column", "row"):
        raise symbols.unknown(lane, "column or row", {"column", "row"})
    return symbols.domains[f"{lane.text} of {board.text}"].whole
