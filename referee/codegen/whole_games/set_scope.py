"""What writes expressions where sets are numbers, and what ends that: for those who write parts of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.codegen.code_scope import Coding


class NotWhole(Exception):
    """No function of whole games is made of a flow."""


class SpotBySpot(Exception):
    """What lies in a zone has to be at hand spot by spot."""

    def __init__(self, zone: str) -> None:
        super().__init__(zone)
        self.zone = zone


class SetCoding(Coding, Protocol):
    """Writes one function. `spots`: the zones of which the spots are sets, with the names of these; `classes`: so many
    classes of components there are."""

    spots: Mapping[str, str]
    classes: int

    def rows(self, name: str) -> list[int]:
        """The sets of a table. Raises `NotWhole` if there is anything else in it."""


def empty(sets: str) -> str:
    """The name of the set of empty spots of a zone, by the name of its sets."""
    return f"e{sets[1:]}"
