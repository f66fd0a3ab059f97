"""Values of components that break what holds of nearly all: another answer is the value that would be regular."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, If, Look
from referee.core.ruleset import Core, Table
from referee.core.stmt import Origin, origin_of
from referee.core.traverse import bodies, in_all_play, rewrite_each, statements, walk
from referee.core.types import COMPONENT, Elem, Int, Value
from referee.frontend.names.other_answers import OtherAnswers

DATA, REGULAR, OTHER_WAY_ROUND = "data", "regular_value", "exchanged_values"
LEAST, MOST_ODD = 8, 2
"""So many rows hold to a rule at least, and so many do not at most."""
LEAST_RISING, MOST_RISING = 6, 200
"""Of so many rows it is looked whether a value rises with another, and whether two exchanged would make it do so."""
A = TypeVar("A")


def with_regular_values(core: Core, others: OtherAnswers) -> Core:
    """The rules with each table of what is printed in which a value hangs on that of another table but for a few rows;
    for another answer these few have the regular value. And with each that would rise or fall with another if two rows
    had each other's value; for another answer they do."""
    regular = {name: (REGULAR, column, odd) for name, column, odd in _irregular(core)}
    regular |= {name: (OTHER_WAY_ROUND, column, odd) for name, column, odd in _exchanged(core) if name not in regular}
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
        (answer, column, odd), table = regular[look.table], core.tables[look.table]
        (rows,) = walk(table.keys[0], Elem)
        named = " and ".join(str(core.components[rows.lo + row].name) for row in sorted(odd))
        test = others.test(DATA, answer, where[look.table], alone=True, table=_short(look.table),
                           column=_short(column), odd=named)  # fmt: skip
        if test is None:
            return None
        name = f"regular {look.table}"
        made[name] = replace(table, name=name, values=tuple(odd.get(n, v) for n, v in enumerate(table.values)))
        return If(test, replace(look, table=name), look, look.type, look.span)

    def inside(node: A) -> A:
        return rewrite_each(node, Look, looked, lambda _: False)

    changed = replace(in_all_play(core, inside), score=None if core.score is None else inside(core.score))
    return replace(changed, tables={**core.tables, **made}) if made else core


def _short(table: str) -> str:
    return table.partition(" of ")[0]


def _printed(core: Core) -> Mapping[str, Table]:
    """The tables of what is printed on components."""
    return {name: one for name, one in core.tables.items() if len(one.keys) == 1
            and any(key.domain == COMPONENT for key in walk(one.keys[0], Elem))}  # fmt: skip


def _exchanged(core: Core) -> Iterator[tuple[str, str, Mapping[int, Value]]]:
    """Tables of numbers with the one with which they would rise or fall if two rows had each other's value, and these.
    """
    own = {name: one for name, one in _printed(core).items() if LEAST_RISING <= len(one.values) <= MOST_RISING
           and any(kind is one.type for kind in walk(one.type, Int))}  # fmt: skip
    for name, table in own.items():
        for other, known in own.items():
            if other == name or len(known.values) != len(table.values):
                continue
            for sign in (1, -1):
                rows = [(one, sign * two) for one, two in zip(known.values, table.values, strict=True)
                        if isinstance(one, int) and isinstance(two, int)]  # fmt: skip
                pair = _to_be_exchanged(rows) if len(rows) == len(table.values) else None
                if pair is not None:
                    yield name, other, {pair[0]: table.values[pair[1]], pair[1]: table.values[pair[0]]}


def _to_be_exchanged(rows: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The two rows that would have to have each other's second value so that it never falls where the first rises; None
    if there is not exactly one such pair, or none is needed."""
    wrong = [len(_against(rows, one)) for one in range(len(rows))]
    most = sorted(range(len(rows)), key=lambda one: -wrong[one])[:2]
    if not wrong[most[0]] or wrong[most[1]] < 2:
        return None
    one, other = most
    tried = list(rows)
    tried[one], tried[other] = (rows[one][0], rows[other][1]), (rows[other][0], rows[one][1])
    return None if any(_against(tried, row) for row in range(len(tried))) else (one, other)


def _against(rows: list[tuple[int, int]], at: int) -> list[int]:
    """The rows that have less of one and more of the other than this one."""
    first, second = rows[at]
    return [row for row, (one, two) in enumerate(rows) if (one - first) * (two - second) < 0]


def _irregular(core: Core) -> Iterator[tuple[str, str, Mapping[int, Value]]]:
    """Tables of all components with the table on which their values hang, and the rows that do not hold to it with the
    value that they would have."""
    own = _printed(core)
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
