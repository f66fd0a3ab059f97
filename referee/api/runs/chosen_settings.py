"""The settings of a game that are not the defaults, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from referee.core.flow import Flow
from referee.core.ruleset import Key, Var
from referee.core.types import Value
from referee.game.setting import Setting
from referee.judge.display_names import Names

MOST_KEYS = 6
"""Of a parameter with more values of its own than these the others are counted."""


def chosen(flow: Flow, setting: Setting, usual: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Each option, reading, parameter and given that is another than its default, or has none. `usual`: the default
    options."""
    core, names = flow.core, Names(flow, setting.players)
    yield from (f"option {name} {value}" for name, value in core.options if (name, value) not in usual)
    for name, index in setting.readings.items():
        reading = core.readings.get(name)
        if reading is not None and index != reading.default:
            yield f"reading {name} {reading.choices[index].name}"
    for stated in (setting.parameters, setting.givens):
        for name, values in stated.items():
            if name in core.vars:
                yield from _values(names, core.vars[name], values)


def _values(names: Names, var: Var, values: Mapping[Key, Value]) -> Iterator[str]:
    usual = _defaults(var)
    other = [key for key, value in values.items() if key not in usual or usual[key] != value]
    if len(other) > 1 and len(other) == len(values) and len(set(values.values())) == 1:
        yield f"{var.name} = {names.value(values[other[0]], var.type)} for all"
        return
    for key in other[:MOST_KEYS]:
        yield f"{names.variable(var.name, key)} = {names.value(values[key], var.type)}"
    if len(other) > MOST_KEYS:
        yield f"{var.name} of {len(other) - MOST_KEYS} others"


def _defaults(var: Var) -> Mapping[Key, Value]:
    """The default of each key; none where it is open."""
    if var.start is None:
        return {}
    keys = list(product(*(range(key.lo, key.hi + 1) for key in var.keys)))
    if isinstance(var.start, tuple):
        return dict(zip(keys, var.start, strict=True))
    return dict.fromkeys(keys, var.start)
