"""How much of terms is decided while a step is followed: abstract, so that no step asks what cannot be answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from referee.smt.encoding.content import Content
from referee.smt.term import Cond, Num
from referee.smt.value import Counts


class Knowledge(ABC):
    """What is known of terms."""

    @abstractmethod
    def check(self) -> None:
        """Raises `Undecided` once it is time to give up."""

    @abstractmethod
    def cond(self, cond: Cond) -> Cond:
        """A condition as far as it is decided."""

    @abstractmethod
    def number(self, number: Num) -> Num:
        """A number as far as it is known."""

    @abstractmethod
    def content(self, there: Content) -> Content:
        """What lies in a zone, as far as it is known on which spot."""

    @abstractmethod
    def held(self, held: Counts) -> Iterable[tuple[int, Num]]:
        """The members of a multiset, less those of which it is known that there are none; each with its number."""


class OnlyTerms(Knowledge):
    """Nothing is known but what the terms themselves say, and time is no matter."""

    def check(self) -> None:
        pass

    def cond(self, cond: Cond) -> Cond:
        return cond

    def number(self, number: Num) -> Num:
        return number

    def content(self, there: Content) -> Content:
        return there

    def held(self, held: Counts) -> Iterable[tuple[int, Num]]:
        return held.members()
