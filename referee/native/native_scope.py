"""What is in scope where machine code is written: locals, and what writes expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.codegen.value_bounds import BoundProver
from referee.core.expr import Expr, Look, Place
from referee.core.intervals import Bounds
from referee.core.ruleset import Zone
from referee.game.state import Layout
from referee.native.ir_writer import IrWriter
from referee.native.memory_layout import MemoryLayout
from referee.native.value_forms import Form, Ssa
from referee.native.zones.zone_ir import LyingIr


@dataclass(frozen=True, slots=True)
class NativeName:
    """A local: its value, and what is known of it."""

    form: Form
    bounds: Bounds


Scope = Mapping[str, NativeName]


def known(scope: Scope) -> dict[str, Bounds]:
    """What is known of the locals of a scope."""
    return {name: one.bounds for name, one in scope.items()}


class NativeCoding(Protocol):
    """Writes one function."""

    layout: Layout
    memory: MemoryLayout
    prover: BoundProver
    out: IrWriter

    def value(self, expr: Expr, scope: Scope) -> Form:
        """An expression."""

    def number(self, expr: Expr, scope: Scope) -> Ssa:
        """An expression that is a number, a member or nothing."""

    def truth(self, expr: Expr, scope: Scope) -> Ssa:
        """A condition."""

    def constant(self, key: object, words: list[int] | Callable[[], list[int]], bits: int) -> Ssa:
        """Constant numbers side by side in memory."""

    def entry(self, var: str, keys: Sequence[Expr], scope: Scope) -> Ssa:
        """Where an entry of a variable lies."""

    def entry_of(self, look: Look, scope: Scope) -> Ssa:
        """Which entry of a table is meant, from 0."""

    def lying(self, place: Place, scope: Scope) -> LyingIr:
        """What writes what is asked of the instance of a zone that is meant."""

    def spot(self, place: Place, zone: Zone, scope: Scope) -> Ssa:
        """The spot of a place, from 0."""
