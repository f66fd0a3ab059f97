"""Where a step is followed: the position, the locals, under which condition, and what has failed so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from referee.core.stmt import Block
from referee.diagnostics.source import Span
from referee.smt import term
from referee.smt.semantics.knowledge import Knowledge, OnlyTerms
from referee.smt.semantics.term_position import TermPosition
from referee.smt.term import Cond
from referee.smt.value import Sym

RANGE, NOT_THERE, NO_ROOM, NOT_ONE, ROUNDS, BROKEN = "RT01", "RT02", "RT03", "RT05", "RT06", "RT07"
P_co = TypeVar("P_co", bound=TermPosition, covariant=True)
"""How positions are represented."""
ONLY_TERMS = OnlyTerms()


@dataclass(frozen=True, slots=True)
class ErrorCondition:
    """An error that the rules make under a condition."""

    when: Cond
    code: str
    span: Span | None


Carry = Callable[["Context[Any]", Block], None]


@dataclass
class Context(Generic[P_co]):
    """Where a step is followed. `known`: what is decided here; without it nothing but what terms say themselves."""

    store: P_co
    env: dict[str, Sym] = field(default_factory=dict)
    path: Cond = True
    failures: list[ErrorCondition] = field(default_factory=list)
    failed: Cond = False
    """True where some error was made."""
    lost: Cond = False
    """True where something was not followed faithfully."""
    known: Knowledge = ONLY_TERMS
    carry: Carry | None = None
    """What carries statements out in a context, for what is asked of the position after them; None if nothing does."""

    def sure(self, cond: Cond) -> Cond:
        """A condition as far as it is decided here."""
        return self.known.cond(cond)

    @contextmanager
    def under(self, cond: Cond) -> Iterator[None]:
        """Follows something only where a condition holds."""
        before = self.path
        self.path = term.both(before, self.sure(cond))
        try:
            yield
        finally:
            self.path = before

    def lose(self, when: Cond) -> None:
        """Notes that what happens here is not followed faithfully where `when` holds."""
        self.lost = term.disj((self.lost, term.both(self.path, when)))

    @contextmanager
    def bound(self, names: Mapping[str, Sym]) -> Iterator[None]:
        """Gives names to values for a while."""
        before = self.env
        self.env = {**before, **names}
        try:
            yield
        finally:
            self.env = before

    def fail(self, when: Cond, code: str, span: Span | None) -> None:
        """Notes an error where `when` holds here; from then on nothing else happens there."""
        cond = self.sure(term.both(self.path, when))
        if cond is not False:
            self.failures.append(ErrorCondition(cond, code, span))
            self.failed = term.disj((self.failed, cond))
