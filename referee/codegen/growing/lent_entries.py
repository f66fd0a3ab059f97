"""Which entries of a position a block writes: what has to be put back where it is only looked what it leads to."""

from __future__ import annotations

from referee.codegen.array_code import is_list
from referee.codegen.code_scope import Coding, Scope
from referee.core.read_write_sets import writes
from referee.core.stmt import Block, Put
from referee.core.traverse import statements

LONG = 1_000
"""So many entries of a list make a position that is not copied for every look ahead."""


def lent_entries(code: Coding, body: Block, scope: Scope) -> list[tuple[str, str]] | None:
    """Where what a block writes lies, each with a name for what was there; None if the position is to be copied.

    A list is written at one place, which is known before the block: behind all that it holds.
    """
    layout, found = code.layout, list[tuple[str, str]]()
    lists = [name for name, var in layout.defs.items() if is_list(var) and layout.vars[name].count > LONG]
    if not lists:
        return None
    written = {name for stmt in statements(body) for name in writes(stmt)}
    for name in sorted(written):
        entries = layout.zones[name] if name in layout.zones else layout.vars[name]
        if entries.base + entries.count > layout.fixed:
            return None
        if name not in lists:
            end = entries.base + entries.count
            found.append((str(entries.base) if entries.count == 1 else f"{entries.base}:{end}", code.out.fresh()))
            continue
        keys = {put.keys for put in statements(body, Put) if put.var == name}
        if len(keys) != 1:
            return None
        with code.out.apart() as piece:
            where = code.place(entries, keys.pop(), scope)
        if not piece.plain or piece.raises:
            return None
        kept = code.out.fresh()
        code.out.line(f"{kept} = {where}")
        found.append((kept, code.out.fresh()))
    return found
