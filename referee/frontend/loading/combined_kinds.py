"""Kinds with a class for each combination of members of types, as cards have a suit and a rank; types with steps."""

from __future__ import annotations

import re
from itertools import product
from math import prod

from referee.core.types import DomainKind, Elem, SetOf, size
from referee.frontend.names.bindings import ComponentKind
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, head, node, nodes, word, words
from referee.syntax.syntax_tree import Node, Word

MOST_STEPS = 1_000
"""Names that one range `lo..hi` stands for: more are refused."""
BETWEEN = "-"
"""Stands between the members in the name of a class."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def declare_combined(symbols: Symbols, decl: Node, name: str, labels: list[str | int], most: int) -> None:
    """Reads `kind Card is each of Suit and Rank`; appends the labels of its classes, in all at most `most`.

    The classes lie in the order of the first type, then of the second; each is called by its members, those of the last
    type first: `queen-clubs`. Each type is a column, called as the type is.
    """
    unfit = None if any(True for _ in words(decl, "STRING")) else next(nodes(decl, "attribute"), None)
    owner = decl.parts[1]
    if unfit is not None or owner is not None:
        span = unfit.span if unfit is not None else word(owner).span
        hint = None if unfit is None else f'other columns stand in a file: `kind {name} is each of ... from "FILE"`'
        raise symbols.wrong("KD02", f"the members of its types are all that is said of {name}", span, hint=hint)
    columns = _columns(symbols, node(first(decl, "each_of")))
    lo, number = len(labels), prod(size(of) for _, of in columns)
    if lo + number > most:
        raise symbols.wrong("CP04", f"with these there are more than {most} different components", head(decl))
    combined = tuple(product(*(range(of.lo, of.hi + 1) for _, of in columns)))
    labels.extend(
        BETWEEN.join(str(symbols.domains[of.domain].labels[value]) for value, (_, of) in reversed(list(pairs)))
        for pairs in (tuple(zip(values, columns, strict=True)) for values in combined)
    )
    kind = ComponentKind(name, lo, lo + number - 1, False, False, True, columns)
    symbols.kinds[name] = kind
    symbols.table(kind.by_columns, tuple(of for _, of in columns), kind.type, tuple(range(lo, lo + number)))
    for place, (column, of) in enumerate(columns):
        values = tuple(one[place] for one in combined)
        table = symbols.table(f"{column} of {name}", (kind.type,), of, values)
        symbols.attributes.setdefault(column, []).append((kind, table))
        sets = tuple(
            frozenset(lo + index for index, one in enumerate(values) if one == value)
            for value in range(of.lo, of.hi + 1)
        )
        symbols.table(kind.by_column(column), (of,), SetOf(kind.type), sets)


def _columns(symbols: Symbols, said: Node) -> tuple[tuple[str, Elem], ...]:
    """The columns of a kind with their types, as it names them."""
    found: dict[str, Elem] = {}
    for name in words(said, "PROPER"):
        domain = symbols.domains.get(name.text)
        if domain is None or domain.kind is not DomainKind.ENUM:
            known = {d.name for d in symbols.domains.values() if d.kind is DomainKind.ENUM and d.name.isidentifier()}
            raise symbols.unknown(name, "a type", known)
        column = _HUMP.sub("_", name.text).lower()
        if column in found:
            raise symbols.wrong("KD02", f"{name.text} stands twice", name.span)
        found[column] = domain.whole
    return tuple(found.items())


def ladder_labels(symbols: Symbols, members: Node) -> list[str | int]:
    """The labels of `a < b < c`, in which a step may be `2..10`. Raises Wrong."""
    found: list[str | int] = []
    steps = (members,) if members.kind == "rung" else members.parts
    for step in steps:
        more = _step(symbols, step) if isinstance(step, Node) else [_label(symbols, word(step))]
        twice = next((label for label in more if label in found), None)
        if twice is not None and isinstance(step, Node | Word):
            raise symbols.wrong("NM02", f"the name {twice} is used twice", step.span)
        found += more
    return found


def _label(symbols: Symbols, said: Word) -> str | int:
    return int(said.text) if said.type == "INT" and len(said.text) < 10 else said.text


def _step(symbols: Symbols, step: Node) -> list[str | int]:
    lo, hi = (int(word(part).text[:9]) for part in step.parts)
    if lo > hi:
        raise symbols.wrong("TY08", f"{lo}..{hi} is empty: the lower number comes first", step.span)
    if hi - lo >= MOST_STEPS:
        raise symbols.wrong("CP04", f"{lo}..{hi} are more than {MOST_STEPS} names", step.span)
    return list(range(lo, hi + 1))
