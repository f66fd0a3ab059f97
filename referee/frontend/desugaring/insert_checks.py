"""Weaving: what happens by itself is put where it can happen, behind the statements that write what it depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from referee.core.read_write_sets import writes
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    is_whole,
)
from referee.core.traverse import nested, statements, with_blocks
from referee.diagnostics.source import Span
from referee.flow.expansion_size import MOST_DEEP, deepest
from referee.frontend.names.symbol_table import Symbols

MOST_WOVEN = 200_000
"""Statements of all rules with the tests put in: if there were more, the test is refused."""


def bodies(symbols: Symbols) -> list[Block]:
    """Every block of a ruleset."""
    found = [symbols.setup, symbols.main, *(action.body for action in symbols.actions.values())]
    return found + [procedure.body for procedure in symbols.procedures.values()]


def everywhere(symbols: Symbols, made: Callable[[Block], Block]) -> None:
    """Puts in the place of every block what is made of it."""
    symbols.setup, symbols.main = made(symbols.setup), made(symbols.main)
    symbols.actions = {n: replace(a, body=made(a.body)) for n, a in symbols.actions.items()}
    symbols.procedures = {n: replace(p, body=made(p.body)) for n, p in symbols.procedures.items()}


def behind(symbols: Symbols, check: Block, read: frozenset[str], where: Span) -> None:
    """Puts a check behind every statement of the ruleset that writes something of what it reads. Raises Wrong."""
    every = [found for body in bodies(symbols) for found in nested(body)]
    places = [around for stmt, around in every if writes(stmt) & read]
    size = len(every) + len(places) * sum(1 for _ in statements(check))
    bounded(symbols, size, len(places), max(places, default=0) + deepest(check), where)
    everywhere(symbols, lambda block: interlaced(block, lambda written: check if written & read else ()))


def bounded(symbols: Symbols, size: int, places: int, deep: int, where: Span) -> None:
    """Complains of a test that makes the rules too long, or too deep. Raises Wrong."""
    if size > MOST_WOVEN:
        raise symbols.wrong("TR02", f"this is tested behind {places:,} statements: that is too much", where)
    if deep > MOST_DEEP:
        said = f"with all that sets it off, more than {MOST_DEEP} blocks stand within each other"
        raise symbols.wrong("TR02", said, where)


def interlaced(block: Block, test: Callable[[frozenset[str]], Block]) -> Block:
    """A block with the test that belongs behind each statement, by what the statement writes."""
    done: list[Stmt] = []
    written: frozenset[str] = frozenset()
    for stmt in block:
        done.append(with_blocks(stmt, lambda inner: interlaced(inner, test)))
        written |= writes(stmt)
        if not is_whole(stmt):
            continue
        if written:
            done.extend(test(written))
        written = frozenset()
    return tuple(done)


def led_to(stmt: Stmt) -> set[str]:
    """The procedures and actions that a statement carries out or offers."""
    match stmt:
        case Call():
            return {stmt.procedure}
        case Chance():
            return {stmt.action}
        case Decide():
            return {option.action for option in stmt.options}
        case Commit():
            return {part.action for part in stmt.parts}
        case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Unspecified() | Finish():
            return set()
        case _:
            assert_never(stmt)


def written_by(symbols: Symbols, block: Block) -> frozenset[str]:
    """What a block changes, also by the procedures and actions that it leads to."""
    found: set[str] = set()
    open_, known = [block], set[str]()
    while open_:
        for stmt in statements(open_.pop()):
            found |= writes(stmt)
            for name in sorted(led_to(stmt) - known):
                known.add(name)
                carried = symbols.procedures.get(name) or symbols.actions.get(name)
                open_.extend([carried.body] if carried is not None else [])
    return frozenset(found)
