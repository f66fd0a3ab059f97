"""Prices: so many of each of a few things, in one phrase. `(1 red and 2 blue)`, `price of card`."""

from __future__ import annotations

from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import Price
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import node, nodes, word
from referee.syntax.syntax_tree import Node, Part, Word

PRICE = "price"


def declared_price(symbols: Symbols, where: Node) -> Price:
    """What prices are made of in this ruleset. Raises Wrong."""
    if symbols.price is None:
        hint = "write `price is NAME, NAME, can be paid if DEFINITION, paid by PROCEDURE`"
        raise symbols.wrong("PR01", "nothing is said of what a price is", where.span, hint=hint)
    return symbols.price


def dues_of(symbols: Symbols, said: Node) -> dict[str, int]:
    """How many of each a phrase names, in the order of the price; none of those left out. Raises Wrong."""
    price = declared_price(symbols, said)
    found = dict.fromkeys(price.columns, 0)
    for due in nodes(said, "due"):
        name = word(due.parts[1])
        if name.text not in found:
            raise symbols.unknown(name, "a part of the price", set(price.columns))
        found[name.text] += int(word(due.parts[0]).text[:9])
    return found


def price_args(symbols: Symbols, said: Part) -> list[Node]:
    """The price as values, one for each of its parts. Raises Wrong."""
    where = node(said)
    price = declared_price(symbols, where)
    match where:
        case Node("cost"):
            return [build.number(due, where.span) for due in dues_of(symbols, where).values()]
        case Node("attr_of", (Word(text="price"), Node() as of)):
            return [build.entry(column, of, where.span) for column in price.columns]
        case _:
            raise symbols.wrong("PR01", f"`{symbols.text(where.span)}` is no price", where.span,
                                hint=f"say `{PRICE} of CARD`, or `(1 {price.columns[0]})`")
