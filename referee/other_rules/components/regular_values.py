"""Values of components that break what holds of nearly all: another answer is the value that would be regular."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, If, Look
from referee.core.ruleset import Core, Table
from referee.core.stmt import Origin, origin_of
from referee.core.traverse import bodies, rewrite_each, statements, walk
from referee.core.types import COMPONENT, Elem, Value
from referee.frontend.names.other_answers import OtherAnswers

DATA, REGULAR = "data", "regular_value"
LEAST, MOST_ODD = 8, 2
"""So many rows hold to a rule at least, and so many do not at most."""
A = TypeVar("A")


def with_regular_values(core: Core, others: OtherAnswers) -> Core:
    """The rules with each table of what is printed in which a value hangs on that of another table but for a few rows;
    for another answer these few have the regular value."""
    regular = {name: (column, odd) for name, column, odd in _irregular(core)}
    made: dict[str, Table] = {}

    where: dict[str, Origin] = {}  # of the first statement that looks it up: it is asked once of each table
    for body in (core.main[core.setup :], *bodies(core)[1:]):
        for stmt in statements(body):
            for look in walk(stmt, Look):
                where.setdefault(look.table, origin_of(stmt))
    for guard in (guard for one in core.actions.values() for guard in one.guards):
        for look in walk(guard.cond, Look):
            where.setdefault(look.table, guard.origin)

    def looked(look: Look) -> Expr | None:
        if look.table not in regular or look.table not in where:
            return None
        (column, odd), table = regular[look.table], core.tables[look.table]
        (rows,) = walk(table.keys[0], Elem)
        named = " and ".join(str(core.components[rows.lo + row].name) for row in sorted(odd))
        test = others.test(DATA, REGULAR, where[look.table], alone=True, table=_short(look.table),
                           column=_short(column), odd=named)  # fmt: skip
        if test is None:
            return None
        name = f"regular {look.table}"
        made[name] = replace(table, name=name, values=tuple(odd.get(n, v) for n, v in enumerate(table.values)))
        return If(test, replace(look, table=name), look, look.type, look.span)

    def inside(node: A) -> A:
        return rewrite_each(node, Look, looked, lambda _: False)

    changed = replace(
        core, main=(*core.main[: core.setup], *inside(core.main[core.setup :])),
        actions={name: inside(one) for name, one in core.actions.items()},
        procedures={name: inside(one) for name, one in core.procedures.items()},
        score=None if core.score is None else inside(core.score),
    )  # fmt: skip
    return replace(changed, tables={**core.tables, **made}) if made else core


def _short(table: str) -> str:
    return table.partition(" of ")[0]


def _irregular(core: Core) -> Iterator[tuple[str, str, Mapping[int, Value]]]:
    """Tables of all components with the table on which their values hang, and the rows that do not hold to it with the
    value that they would have."""
    own = {name: one for name, one in core.tables.items() if len(one.keys) == 1
           and any(key.domain == COMPONENT for key in walk(one.keys[0], Elem))}  # fmt: skip
    for name, table in own.items():
        if len(set(table.values)) < 2:
            continue
        found = [(other, odd) for other, known in own.items() if other != name
                 and len(known.values) == len(table.values) and (odd := _odd(known, table)) is not None]  # fmt: skip
        if found:
            yield name, *min(found, key=lambda one: len(one[1]))


def _odd(known: Table, table: Table) -> Mapping[int, Value] | None:
    """The few rows of a table whose value is not the one that all others have with the same value of another."""
    groups: dict[Value, Counter[Value]] = {}
    for key, value in zip(known.values, table.values, strict=True):
        groups.setdefault(key, Counter())[value] += 1
    usual = {key: values.most_common(1)[0] for key, values in groups.items()}
    odd = {n: usual[key][0] for n, (key, value) in enumerate(zip(known.values, table.values, strict=True))
           if value != usual[key][0] and usual[key][1] > 1}  # fmt: skip
    held = sum(number for _, number in usual.values() if number > 1)
    return odd if 0 < len(odd) <= MOST_ODD and held >= LEAST and len(groups) > 1 else None
