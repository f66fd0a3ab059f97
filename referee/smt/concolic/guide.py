"""Unknowns that have values in one position: Z3 says what a condition is there, and proves in the end that it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import z3

from referee.smt import term
from referee.smt.encoding.content import Content, LineContent, Slots
from referee.smt.encoding.term_leaves import changed
from referee.smt.incremental_solver import Asker
from referee.smt.semantics.knowledge import Knowledge
from referee.smt.term import Cond, Num
from referee.smt.undecided import Pieces, Undecided, Unstated
from referee.smt.value import Counts
from referee.system.deadline import Deadline

MOST_DECIDED = 200_000
"""Conditions that are decided for one question, at most."""
LISTED = 2_000
"""A range of so many values is looked at value by value."""


class Valuation:
    """Unknowns that have values together, and the equations that say so."""

    __slots__ = ("_places", "equation", "values")

    def __init__(self, leaves: Sequence[tuple[Any, bool | int]]) -> None:
        self.values: dict[int, bool | int] = {term.name_of(unknown): value for unknown, value in leaves}
        self.equation = term.conj(
            term.same(unknown, value) if term.is_condition(value) else term.equal(unknown, value)
            for unknown, value in leaves
        )
        self._places = [(z3.Z3_get_app_decl(unknown.ctx_ref(), unknown.as_ast()), term.raw(value))
                        for unknown, value in leaves]

    def tell(self, model: z3.ModelRef) -> None:
        """Tells a model the values."""
        context = model.ctx.ref()
        for unknown, value in self._places:
            z3.Z3_add_const_interp(context, model.model, unknown, value)


class Guide(Knowledge):
    """What unknowns are in one position, and what has been concluded from that.

    `until`: when to give up. Methods raise `Undecided`, and `Unstated` where the answer
    hangs on an unknown without a value.
    """

    def __init__(self, until: Deadline, asker: Asker) -> None:
        self._until = until
        self._asker = asker
        self._model: Any = z3.Model()
        self._equations: list[Valuation] = []
        self._decided: list[Cond] = []
        self._known: dict[int, bool | int] = {}
        self._ranges: dict[int, tuple[int, int, int, Any]] = {}

    # ------------------------------------------------------------------ what is known
    def know(self, known: Valuation) -> None:
        """Gives unknowns their values."""
        known.tell(self._model)
        self._known.update(known.values)
        self._equations.append(known)

    def leave(self, unknown: Any, entry: int, lo: int, hi: int) -> None:
        """Notes an unknown without a value: one of lo..hi (a condition: of 0..1)."""
        self._ranges[unknown.get_id()] = (entry, lo, hi, unknown)

    # ------------------------------------------------------------------ what follows
    def cond(self, cond: Cond) -> bool:
        """Whether a condition holds here."""
        if cond is True or cond is False:
            return cond is True
        name = cond.get_id()
        known = self._known.get(name)
        if known is None:
            known = self._seen(cond)
            if known is None:
                known = self._open(self._model.eval(cond))
            self._decided.append(cond if known else term.no(cond))
            self._known[name] = known  # its name remains its own: what was decided is kept
        return known is True

    def number(self, number: Num) -> int:
        """What a number is here."""
        if isinstance(number, int):
            return number
        name = number.get_id()
        known = self._known.get(name)
        if known is None:
            known = self._seen(number)
            if known is None:
                self._split(self._model.eval(number))
            self._decided.append(term.equal(number, known))
            self._known[name] = known
        return known

    def _split(self, found: Any) -> NoReturn:
        entry, lo, hi, _ = self._of(found)
        middle = (lo + hi) // 2
        if lo == hi:
            raise Undecided(f"{found} has no value")
        raise Unstated(entry, ((lo, middle), (middle + 1, hi)))

    def check(self) -> None:
        """Raises `Undecided` once it is time to give up."""
        if self._until.passed:
            raise Undecided("out of time")

    def content(self, there: Content) -> Content:
        """What lies in a line or in slots, each leaf as it is here; or each class would be looked for on each spot."""
        return changed(there, self.leaf) if isinstance(there, LineContent | Slots) else there

    def held(self, held: Counts) -> Iterable[tuple[int, Num]]:
        """The members of a multiset that are there, each with its number."""
        return [(i, n) for i, n in held.members() if self.number(n) > 0]

    def leaf(self, leaf: Any) -> Any:
        """What a condition or a number is here."""
        return self.cond(leaf) if term.is_condition(leaf) else self.number(leaf)

    def _seen(self, asked: Cond | Num) -> bool | int | None:
        """What something is in the model; None if it hangs on an unknown without a value."""
        if len(self._decided) >= MOST_DECIDED:
            raise Undecided(f"more than {MOST_DECIDED} conditions for one step")
        if len(self._decided) % 256 == 0:
            self.check()
        try:
            return term.seen(self._model, asked)
        except z3.Z3Exception as error:
            raise Undecided(str(error)) from None

    # ------------------------------------------------------------------ what nobody stated
    def _of(self, found: Any) -> tuple[int, int, int, Any]:
        """The first unknown without a value in a term."""
        waiting, seen, best = [found], set(), None
        while waiting:
            one = waiting.pop()
            if one.get_id() in seen:
                continue
            seen.add(one.get_id())
            known = self._ranges.get(one.get_id())
            if known is not None and (best is None or known[0] < best[0]):
                best = known
            waiting.extend(one.children())
        if best is None:
            raise Undecided(f"nothing is known of {found}")
        return best

    def _open(self, found: Any) -> bool:
        """Whether a condition on what nobody stated holds for every value, or for none; else it is to be split."""
        possible = [self._ask([wanted]) for wanted in (found, z3.Not(found))]
        if possible[0] != possible[1]:
            return possible[0]
        entry, lo, hi, unknown = self._of(found)
        raise Unstated(entry, self._runs(found, lo, hi, unknown))

    def _runs(self, found: Any, lo: int, hi: int, unknown: Any) -> Pieces:
        """Where a condition changes along a range, if it hangs on nothing else; else two halves."""
        middle = (lo + hi) // 2
        halves = ((lo, middle), (middle + 1, hi))
        if hi - lo > LISTED or z3.is_bool(unknown):
            return halves
        made: list[tuple[int, int, bool]] = []
        for value in range(lo, hi + 1):
            here = z3.simplify(z3.substitute(found, (unknown, z3.IntVal(value))))
            if not (z3.is_true(here) or z3.is_false(here)):
                return halves
            holds = z3.is_true(here)
            if made and made[-1][2] == holds:
                made[-1] = (made[-1][0], value, holds)
            else:
                made.append((value, value, holds))
        return tuple((first, last) for first, last, _ in made) if len(made) > 1 else halves

    # ------------------------------------------------------------------ what the solver says
    def possible(self, *conds: Cond) -> bool:
        """Whether conditions can hold together with the values of the unknowns; what was decided must stand."""
        known = [*(one.equation for one in self._equations), *self._decided]
        if self._ask([*known, *conds]):
            return True
        if not self._ask(known):
            raise Undecided("the solver contradicts its own evaluation")
        return False

    def _ask(self, conds: Sequence[Cond]) -> bool:
        return self._asker.possible([*conds, *self._within()], self._until)

    def _within(self) -> list[z3.BoolRef]:
        found = []
        for _, lo, hi, unknown in self._ranges.values():
            if not z3.is_bool(unknown):
                found.append(z3.And(lo <= unknown, unknown <= hi))
            elif lo == hi:
                found.append(unknown == bool(lo))
        return found

    @property
    def size(self) -> tuple[int, int]:
        """How many unknowns have values, and how many conditions were decided."""
        return sum(len(one.values) for one in self._equations), len(self._decided)
