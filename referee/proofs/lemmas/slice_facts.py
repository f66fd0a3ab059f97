"""Claims of slices: whether they hold, and the numbers that they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from referee.core.expr import Expr, Fold, FoldKind, Get, If, Op, Operator
from referee.core.read_write_sets import locals_bound_in, locals_of, reads
from referee.core.traverse import walk
from referee.core.types import Int
from referee.proofs.proof_claims import Claim, Instance
from referee.smt import term
from referee.smt.abstraction.known_slices import part_of
from referee.smt.abstraction.sliced_reading import SlicedEvaluator
from referee.smt.abstraction.slices import Sliced
from referee.smt.semantics.context import Context
from referee.smt.term import Cond, Num
from referee.smt.value import Sym

_COMPARED = (Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE)
Holds: TypeAlias = Callable[[Sliced], Cond]


REMEMBERED = 20_000
"""How many answers are remembered of one thing that is read off slices."""
_Found = TypeVar("_Found", Cond, Num)


@dataclass(frozen=True)
class Number:
    """A number that can be read off a slice. `reads`: the variables and zones that it is of; `player`: the one of whom
    it is, in a family of that name."""

    name: str
    read: Callable[[Sliced], Num] = field(compare=False)
    reads: frozenset[str] = field(compare=False)
    family: str | None = None
    player: int = 0


# ---------------------------------------------------------------------- claims
def holds_of(instance: Instance) -> Holds:
    """Whether an instance holds of a slice. What cannot be evaluated does not hold."""

    def holds(store: Sliced) -> Cond:
        context = Context(store, dict(bound(instance, store)))
        evaluate = SlicedEvaluator(context)
        inside: Cond = True
        for premise in instance.premises:
            with context.under(inside):
                inside = term.both(inside, evaluate.condition(premise))
        with context.under(inside):
            body = evaluate.condition(instance.body)
        wrong = term.disj((context.failed, evaluate.unseen((instance.premises, instance.body))))
        return term.both(term.disj((term.no(inside), body)), term.no(wrong))

    return remembering(holds, reads((instance.premises, instance.body)))


def remembering(read: Callable[[Sliced], _Found], names: frozenset[str]) -> Callable[[Sliced], _Found]:
    """The same, worked out once for slices that are alike in some variables and zones: those of a game often are."""
    known: dict[object, _Found] = {}

    def reading(store: Sliced) -> _Found:
        key = part_of(store, names)
        found = known.get(key)
        if found is None:
            found = read(store)
            if isinstance(found, bool | int):
                if len(known) >= REMEMBERED:
                    known.clear()
                known[key] = found
        return found

    return reading


def bound(instance: Instance, store: Sliced) -> Iterator[tuple[str, Sym]]:
    """The name of an instance that is not known, with its value."""
    if instance.focus is not None:
        assert store.slice.groups.focus is not None
        yield instance.focus, store.slice.groups.focus


def numbers_of(claim: Claim) -> list[Number]:
    """The numbers that a claim compares, and the counts they are made of."""
    found: dict[str, Number] = {}
    for instance in claim.instances:
        known: list[Expr] = []
        for label, expr in _numeric(instance):
            if expr in known:
                continue
            known.append(expr)
            player = next((v for _, v in instance.env), 0)
            name = f"{claim.name} {label} {dict(instance.env)}"
            family = f"{claim.name} {label}" if len(instance.env) == 1 else None
            names = reads(expr)
            found.setdefault(name, Number(name, remembering(_reader(instance, expr), names), names, family, player))
    return list(found.values())


def _numeric(instance: Instance) -> Iterator[tuple[str, Expr]]:
    names = {instance.focus}
    for number, one in enumerate(walk((*instance.premises, instance.body))):
        if isinstance(one, Op) and one.op in _COMPARED:
            for side in one.args:
                if isinstance(side.type, Int) and isinstance(side, Op | Fold | Get | If) and _free(side) <= names:
                    yield f"{number} {one.args.index(side)}", side
        elif isinstance(one, Fold) and one.kind is FoldKind.COUNT and _free(one) <= names:
            yield f"{number}", one


def _free(expr: Expr) -> frozenset[str]:
    """The names that an expression takes from outside."""
    return locals_of(expr) - locals_bound_in(expr)


def _reader(instance: Instance, expr: Expr) -> Callable[[Sliced], Num]:
    return lambda store: SlicedEvaluator(Context(store, dict(bound(instance, store)))).number(expr)
