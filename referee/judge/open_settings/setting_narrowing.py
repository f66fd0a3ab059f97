"""Settings with open values: opening readings, and narrowing what set-up already needs to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from referee.core.flow import Flow
from referee.core.ruleset import Role
from referee.core.types import Bool, Value
from referee.game.setting import Setting, Stated
from referee.game.state import Open
from referee.interpreter.interruptions import Unsettled


def opened(flow: Flow, setting: Setting) -> Setting:
    """The setting with every reading open that it does not choose."""
    ranges = {name: Open(0, len(reading.choices) - 1) for name, reading in flow.core.readings.items()}
    # An engine starts from what a setting holds: an open entry is split when it is first read, like a parameter.
    return replace(setting, readings=cast("Mapping[str, int]", {**ranges, **setting.readings}))


def narrowed(flow: Flow, setting: Setting, open_: Unsettled, piece: tuple[int, int]) -> Setting:
    """The setting in which a value that set-up needs lies in a piece of its range."""
    lo, hi = piece
    var = flow.vars[open_.var]
    found: Any = Open(lo, hi) if lo < hi else bool(lo) if isinstance(var.type, Bool) else lo
    if var.role is Role.READING:
        return replace(setting, readings={**setting.readings, open_.var: found})
    if var.role is Role.GIVEN:
        return replace(setting, givens=_with(setting.givens, open_, found))
    return replace(setting, parameters=_with(setting.parameters, open_, found))


def _with(stated: Stated, open_: Unsettled, found: Value) -> Stated:
    return {**stated, open_.var: {**stated.get(open_.var, {}), open_.key: found}}
