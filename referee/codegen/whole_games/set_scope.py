"""What writes expressions where sets are numbers, and what ends that: for those who write parts of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from referee.codegen.code_scope import Coding
from referee.core.expr import Expr


class NotWhole(Exception):
    """No function of whole games is made of a flow."""


class AsItLies(Exception):
    """What lies in a zone has to be at hand as positions have it."""

    def __init__(self, zone: str) -> None:
        super().__init__(zone)
        self.zone = zone


class SetCoding(Coding, Protocol):
    """Writes one function. `spots`: the zones of which the spots are sets, with the names of these; `classes`: so many
    classes of components there are; `counted`: the bags of which it is kept how many of each class lie there; `found`:
    variables of which it is known which expression has their value."""

    spots: Mapping[str, str]
    classes: int
    counted: Collection[str]
    found: Mapping[str, Expr]

    def rows(self, name: str) -> list[int]:
        """The sets of a table. Raises `NotWhole` if there is anything else in it."""


def empty(sets: str) -> str:
    """The name of the set of empty spots of a zone, by the name of its sets."""
    return f"e{sets[1:]}"
