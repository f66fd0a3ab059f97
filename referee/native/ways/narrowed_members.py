"""Machine code that narrows the members to be tried for a parameter.

Those of which a table or a set says that a guard cannot hold are left out, all at once.

What is found is an upper bound: whoever is in it is tested. So an error on the way here is none of the rules: all
members are tried then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import assert_never

from llvmlite import ir

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.read_write_sets import locals_of
from referee.core.traverse import walk
from referee.core.types import Elem, Int, is_at_most_one, size
from referee.native.ir_writer import word
from referee.native.native_scope import NativeCoding, NativeName, Scope, known
from referee.native.operator_ir import outside
from referee.native.value_forms import SetForm, Ssa, members_of

MOST_MEMBERS = 256
"""Of so many members at most."""
MOST_ROWS = 4_096
"""So many sets are kept for a table at most."""


class Narrowing:
    """Upper bounds for one parameter, in a scope in which all before it are bound."""

    def __init__(self, code: NativeCoding, name: str, of: Elem | Int, scope: Scope) -> None:
        self._code = code
        self._of = of
        self._scope = scope
        self._alike = frozenset((name,))
        self._kind = ir.IntType(size(of))

    def mask(self, conds: Sequence[Expr]) -> Ssa | None:
        """A bit for each member that may pass all of some conditions; None if nothing is known of any."""
        out = self._code.out
        if size(self._of) > MOST_MEMBERS or not any(self._says(cond, self._alike) for cond in conds):
            return None
        failed, behind = out.block(), out.block()
        with out.failing_to(failed):
            found = self._bits(And(tuple(conds)), self._alike, self._scope)
        end = out.at.block
        out.at.branch(behind)
        out.begin(failed)
        out.at.branch(behind)
        out.begin(behind)
        merged = out.at.phi(self._kind)
        merged.add_incoming(found, end)
        merged.add_incoming(self._all(), failed)
        return merged

    def _all(self) -> Ssa:
        return ir.Constant(self._kind, -1)

    def _says(self, cond: Expr, alike: frozenset[str]) -> bool:
        """Whether a condition leaves out members, as far as that is seen."""
        match cond:
            case And(parts):
                return any(self._says(part, alike) for part in parts)
            case Or(parts):
                return all(self._says(part, alike) for part in parts)
            case If(test, yes, no):
                both = self._says(yes, alike), self._says(no, alike)
                return any(both) if self._cheap(test, alike) else all(both)
            case Let(var, Local(name), body):
                return self._says(body, alike | {var} if name in alike else alike - {var})
            case Let(var, value, body):
                return self._cheap(value, alike) and self._says(body, alike - {var})
            case Look():
                return self._row(cond, alike) is not None
            case Op(Operator.EQ, (one, other)):
                return any(self._told_by(left, right, alike) for left, right in ((one, other), (other, one)))
            case Op(Operator.IN, (Local(name), group)):
                return name in alike and members_of(group.type) is not None and self._cheap(group, alike)
            case Const(value):
                return value is False
            case Local() | Get() | Op() | At() | Fold() | Where() | Connected() | Split() | Only() | After():
                return False
            case _:
                assert_never(cond)

    def _bits(self, cond: Expr, alike: frozenset[str], scope: Scope) -> Ssa:
        """The members that may pass."""
        out = self._code.out
        if not self._says(cond, alike):
            return self._all()
        match cond:
            case And(parts):
                bits = self._all()
                for part in parts:
                    if self._says(part, alike):
                        bits = out.at.and_(bits, self._bits(part, alike, scope))
                return bits
            case Or(parts):
                bits = ir.Constant(self._kind, 0)
                for part in parts:
                    bits = out.at.or_(bits, self._bits(part, alike, scope))
                return bits
            case If(test, yes, no):
                if not self._cheap(test, alike):
                    return out.at.or_(self._bits(yes, alike, scope), self._bits(no, alike, scope))
                found = out.either(self._code.truth(test, scope), lambda: self._set(self._bits(yes, alike, scope)),
                                   lambda: self._set(self._bits(no, alike, scope)))
                assert isinstance(found, SetForm)
                return found.ssa
            case Let(var, Local(name), body) if name in alike:
                return self._bits(body, alike | {var}, scope)
            case Let(var, value, body):
                bounds = self._code.prover.value(value, known(scope))
                inner = {**scope, var: NativeName(self._code.value(value, scope), bounds)}
                return self._bits(body, alike - {var}, inner)
            case Look():
                return self._looked(cond, alike, scope)
            case Op(Operator.EQ, (one, other)):
                return self._equal(one, other, alike, scope) if self._told_by(one, other, alike) else (
                    self._equal(other, one, alike, scope))
            case Op(Operator.IN, (Local(), group)):
                form = self._code.value(group, scope)
                assert isinstance(form, SetForm)
                return self._shifted(form)
            case Const():
                return ir.Constant(self._kind, 0)
            case Local() | Get() | Op() | At() | Fold() | Where() | Connected() | Split() | Only() | After():
                raise TypeError(f"{type(cond).__name__} says nothing of members")
            case _:
                assert_never(cond)

    def _set(self, bits: Ssa) -> SetForm:
        return SetForm(bits, self._of.lo, size(self._of))

    def _shifted(self, form: SetForm) -> Ssa:
        """The bits of a set in the universe of the parameter; what is none of it is left out."""
        out, lo, width = self._code.out, self._of.lo, size(self._of)
        first = min(lo, form.lo)
        whole = max(lo + width, form.lo + form.width) - first
        kind = ir.IntType(whole)
        bits = out.widened(form, first, whole)
        return out.resized(out.at.lshr(bits, ir.Constant(kind, lo - first)), self._kind)

    def _cheap(self, expr: Expr, alike: frozenset[str]) -> bool:
        """Whether a value has nothing to do with the parameter, and is soon computed."""
        return not alike & locals_of(expr) and not any(
            True for kind in (Fold, Where, Connected, Split, After) for _ in walk(expr, kind))

    # --- tables

    def _row(self, look: Look, alike: frozenset[str]) -> int | None:
        """Which key of a table is the parameter, if one is, and the others are soon computed."""
        at = [index for index, key in enumerate(look.keys) if _is_one_of(key, alike)]
        others = [key for index, key in enumerate(look.keys) if index not in at]
        if len(at) != 1 or not all(self._cheap(key, alike) for key in others):
            return None
        return at[0] if self._code.layout.tables[look.table][0].count <= MOST_ROWS * size(self._of) else None

    def _looked(self, look: Look, alike: frozenset[str], scope: Scope) -> Ssa:
        """The members for which a table says yes."""
        which = self._row(look, alike)
        assert which is not None
        return self._of_rows(look, which, (1, 1), word(0), scope)

    def _told_by(self, one: Expr, other: Expr, alike: frozenset[str]) -> bool:
        """Whether it is a member, or a number that a table has of it, that is compared with a value that is there."""
        if not self._cheap(other, alike) or not is_at_most_one(other.type):
            return False
        match one:
            case Local(name):
                return name in alike
            case Look():
                return is_at_most_one(one.type) and self._row(one, alike) is not None and (
                    self._values(one)[1] * size(self._of) <= MOST_ROWS)
            case (Const() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                return False
            case _:
                assert_never(one)

    def _values(self, look: Look) -> tuple[int, int]:
        """The least number in a table, and how many there may be from it on."""
        real = [value for value in self._code.layout.tables[look.table][1].values if value is not None]
        numbers = [int(value) for value in real if isinstance(value, int)] or [0]
        return min(numbers), max(numbers) - min(numbers) + 1

    def _equal(self, one: Expr, other: Expr, alike: frozenset[str], scope: Scope) -> Ssa:
        out, value = self._code.out, self._code.number(other, scope)
        match one:
            case Local():
                inside = out.at.not_(outside(out, value, self._of.lo, size(self._of)))
                sure = out.at.select(inside, value, word(self._of.lo))
                bit = out.bit_of(sure, self._of.lo, size(self._of))
                return out.at.select(inside, bit, ir.Constant(self._kind, 0))
            case Look():
                return self._told_of(one, value, alike, scope)
            case (Const() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                raise TypeError(f"{type(one).__name__} is no member and nothing that is told of one")
            case _:
                assert_never(one)

    def _told_of(self, one: Look, value: Ssa, alike: frozenset[str], scope: Scope) -> Ssa:
        """The members of which a table has a value."""
        out, which = self._code.out, self._row(one, alike)
        assert which is not None
        lo, many = self._values(one)
        inside = out.at.not_(outside(out, value, lo, many))
        at = out.at.select(inside, out.at.sub(value, word(lo)), word(0))
        bits = self._of_rows(one, which, (lo, many), at, scope)
        return out.at.select(inside, bits, ir.Constant(self._kind, 0))

    def _of_rows(self, look: Look, which: int, wanted: tuple[int, int], at: Ssa, scope: Scope) -> Ssa:
        """The members of which a table has a value, out of sets that are kept: for the other keys, and for each of so
        many values from the first that is wanted; `at`: which of these it is."""
        code, out = self._code, self._code.out
        entries = code.layout.tables[look.table][0]
        others = [index for index in range(len(look.keys)) if index != which]
        ranges = [range(entries.lows[index], entries.lows[index] + entries.sizes[index]) for index in others]
        index = word(0)
        for key_at, span in zip(others, ranges, strict=True):
            key = code.number(look.keys[key_at], scope)
            out.refuse_if(outside(out, key, span.start, len(span)))
            index = out.at.add(out.at.mul(index, word(len(span))), out.at.sub(key, word(span.start)))
        index = out.at.add(out.at.mul(index, word(wanted[1])), at)
        kind = ir.IntType(-(-size(self._of) // 64) * 64)
        name = ("members by", look.table, which, self._of.lo, size(self._of), wanted)
        held = code.constant(name, lambda: self._sets(look.table, which, ranges, wanted), kind.width)
        bits = out.at.load(out.at.gep(held, [index], source_etype=kind), typ=kind, align=8)
        return out.resized(bits, self._kind)

    def _sets(self, name: str, which: int, ranges: Sequence[range], wanted: tuple[int, int]) -> list[int]:
        (entries, table), (lo, many) = self._code.layout.tables[name], wanted
        sets = list[int]()
        for keys in product(*ranges):
            row = [0] * many
            for member in range(size(self._of)):
                place = entries.find((*keys[:which], member + self._of.lo, *keys[which:]))
                value = table.values[place] if place >= 0 else None
                if isinstance(value, int) and 0 <= value - lo < many:
                    row[value - lo] |= 1 << member
            sets += row
        return sets


def _is_one_of(expr: Expr, names: frozenset[str]) -> bool:
    """Whether an expression is one of some locals."""
    match expr:
        case Local(name):
            return name in names
        case (Const() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split()
              | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)
