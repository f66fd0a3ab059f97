"""What a position of terms can be asked and told: abstract, so that each representation answers for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self

from referee.core.ruleset import Var, Zone
from referee.game.state import Layout
from referee.smt.encoding.content import Content
from referee.smt.term import Cond, Num
from referee.smt.value import Sym


class TermPosition(ABC):
    """A position, changed in place while a step is followed. Nothing is said of how it keeps what lies in zones."""

    layout: Layout

    @abstractmethod
    def copy(self) -> Self:
        """A position that can be changed without changing this one."""

    @abstractmethod
    def read(self, var: Var, keys: Sequence[Num]) -> tuple[Sym, Cond]:
        """The value of a variable, and whether the key is one that it has."""

    @abstractmethod
    def write(self, var: Var, keys: Sequence[Num], new: Sym, when: Cond) -> Cond:
        """Stores a value where `when` holds; whether the key is one that the variable has."""


class Contents(TermPosition):
    """A position that keeps of every zone what lies in it, component by component."""

    @abstractmethod
    def zone(self, zone: Zone, keys: Sequence[Num]) -> tuple[Content, Cond]:
        """What lies in an instance of a zone, and whether the key is one that it has."""

    @abstractmethod
    def put_zone(self, zone: Zone, keys: Sequence[Num], new: Content, when: Cond) -> None:
        """Stores what lies in an instance of a zone where `when` holds."""


__all__ = ["Contents", "TermPosition"]
