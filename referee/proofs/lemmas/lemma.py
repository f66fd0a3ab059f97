"""Lemmas: what holds of slices at a place, as sides of which at least one is true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.core.expr import Op, Operator, Or
from referee.core.read_write_sets import reads
from referee.core.types import Bool
from referee.proofs.lemmas.lemma_templates import Feature
from referee.proofs.lemmas.slice_facts import Holds, holds_of
from referee.proofs.proof_claims import Claim, Instance
from referee.smt import term
from referee.smt.abstraction.slices import Sliced
from referee.smt.term import Cond


@dataclass(frozen=True)
class Literal:
    """A feature is within bounds, or one of some values."""

    feature: Feature
    lo: int | None = None
    hi: int | None = None
    among: frozenset[int] | None = None

    @property
    def name(self) -> str:
        """What it says, by which it is told from others."""
        if self.among is not None:
            return f"{self.feature.name} in {sorted(self.among)}"
        if self.lo == self.hi:
            return f"{self.feature.name} = {self.lo}"
        return f"{self.feature.name} >= {self.lo}" if self.hi is None else f"{self.feature.name} <= {self.hi}"

    def of(self, value: int | None) -> bool:
        """Whether it holds of a value; of one that is not known, it may."""
        if value is None:
            return True
        if self.among is not None:
            return value in self.among
        return (self.lo is None or self.lo <= value) and (self.hi is None or value <= self.hi)

    def holds(self, store: Sliced) -> Cond:
        """Whether it holds of a slice."""
        found = self.feature.read(store)
        if self.among is not None:
            return term.disj(term.equal(found, value) for value in sorted(self.among))
        if self.lo == self.hi and self.lo is not None:
            return term.equal(found, self.lo)
        low = True if self.lo is None else term.at_most(self.lo, found)
        return term.both(low, True if self.hi is None else term.at_most(found, self.hi))


@dataclass(frozen=True)
class Clause:
    """Where all of `when` hold, `then` does; without it, they never do together."""

    when: tuple[Literal, ...]
    then: Literal | None

    @property
    def name(self) -> str:
        """What it says, by which it is told from others."""
        then = "never" if self.then is None else self.then.name
        return f"{' and '.join(sorted(one.name for one in self.when))}: {then}" if self.when else then

    @property
    def literals(self) -> tuple[Literal, ...]:
        """Everything that it speaks of."""
        return self.when if self.then is None else (*self.when, self.then)

    def holds(self, store: Sliced) -> Cond:
        """Whether it holds of a slice."""
        last = False if self.then is None else self.then.holds(store)
        return term.disj([*(term.no(one.holds(store)) for one in self.when), last])

    def side(self) -> Side:
        """The same as a side of a lemma."""
        names: frozenset[str] = frozenset().union(*(one.feature.reads for one in self.literals))
        return Side(self.name, self.holds, names, self)


NEVER = Clause((), None)
"""Nothing ever leads here."""


@dataclass(frozen=True)
class Side:
    """One of the ways in which a lemma may be true. `reads`: the variables and zones that it looks at."""

    name: str
    holds: Holds = field(compare=False)
    reads: frozenset[str] = field(compare=False)
    clause: Clause | None = field(compare=False, default=None)


@dataclass(frozen=True)
class Lemma:
    """What holds on some side. `claim`: the claim that it is part of, if it is; `whole`: that part, which may ask more
    than its sides do: that all of it can be evaluated; `pulled`: through how many steps it was pulled back."""

    name: str
    sides: tuple[Side, ...] = field(compare=False)
    claim: str | None = field(compare=False, default=None)
    whole: Holds | None = field(compare=False, default=None)
    pulled: int = field(compare=False, default=0)

    @property
    def reads(self) -> frozenset[str]:
        """The variables and zones that it looks at."""
        return frozenset().union(*(side.reads for side in self.sides))

    def holds(self, store: Sliced) -> Cond:
        """Whether it holds of a slice."""
        if self.whole is not None:
            return self.whole(store)
        return term.disj([side.holds(store) for side in self.sides])


def lemma(sides: Sequence[Side]) -> Lemma:
    """What holds on some side; each is taken once."""
    parts = {side.name: side for side in sides}
    return Lemma(" or ".join(sorted(parts)), tuple(parts.values()))


def portable(one: Lemma) -> bool:
    """Whether a lemma can be said of any slice that keeps what it reads: it is part of a claim that is not of any one
    component, or each side is of numbers that are the same there."""
    clauses = [side.clause for side in one.sides]
    return one.claim is not None or all(
        clause is not None and not any(literal.feature.own for literal in clause.literals) for clause in clauses
    )


def lemmas_of(claim: Claim) -> list[Lemma]:
    """The parts of a claim: one side for each part of an `or`, and one for each premise that may not hold.

    Lemmas are told apart by their names, so that each part has one of its own.
    """
    found = []
    for number, instance in enumerate(claim.instances, 1):
        said = [claim.name, *(f"{name}={value}" for name, value in instance.env)]
        whole = " ".join([*said, f"part {number}"] if len(claim.instances) > 1 else said)
        found.append(Lemma(whole, tuple(_sides(whole, instance)), claim.name, holds_of(instance)))
    return found


def _sides(whole: str, instance: Instance) -> Iterator[Side]:
    bodies = instance.body.parts if isinstance(instance.body, Or) else (instance.body,)
    for number, body in enumerate(bodies, 1):
        one = replace(instance, premises=(), body=body)
        yield Side(f"{whole} ({number})", holds_of(one), reads(body))
    for number, premise in enumerate(instance.premises, 1):
        one = replace(instance, premises=(), body=Op(Operator.NOT, (premise,), Bool()))
        yield Side(f"{whole} (premise {number})", holds_of(one), reads(premise))
