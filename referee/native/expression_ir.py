"""Machine code for expressions: one case for each kind, in the order of `core/expr.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from llvmlite import ir

from referee.codegen.value_bounds import BoundProver
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
    Or,
    Place,
    Split,
    Where,
)
from referee.core.read_write_sets import block_writes
from referee.core.ruleset import Zone
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.state import Layout, Spread
from referee.native.fold_ir import connected, filtered, fold
from referee.native.ir_writer import I1, I16, I64, NO, YES, IrWriter, word
from referee.native.member_ir import lying_at
from referee.native.memory_layout import USED_AT, Cells, MemoryLayout, encoded
from referee.native.native_scope import NativeName, Scope, known
from referee.native.operator_ir import NativeOperators, missing, number, outside, plain, truth
from referee.native.statement_ir import NativeEffects
from referee.native.value_forms import (
    NONE,
    Form,
    NotNative,
    NumberForm,
    SetForm,
    Several,
    Ssa,
    Truth,
    stored_bits,
    universe,
    word_bits,
)
from referee.native.zones.zone_ir import LyingIr

MOST_KEPT = 1 << 18
"""So many bytes that a block changes are kept to be put back."""


class NativeCoder:
    """Writes one function: what a method returns is the value, computed by code that stands where it was asked for."""

    def __init__(self, layout: Layout, memory: MemoryLayout, prover: BoundProver, out: IrWriter) -> None:
        self.layout = layout
        self.memory = memory
        self.prover = prover
        self.out = out
        self._operators = NativeOperators(out)

    def number(self, expr: Expr, scope: Scope) -> Ssa:
        """An expression that is a number of at most 64 bits, a member or nothing."""
        return plain(self.out, self.value(expr, scope))

    def truth(self, expr: Expr, scope: Scope) -> Ssa:
        """A condition."""
        return truth(self.value(expr, scope))

    def value(self, expr: Expr, scope: Scope) -> Form:
        """An expression."""
        match expr:
            case Const(value, kind):
                return self._constant(value, kind)
            case Local(name):
                return scope[name].form
            case Get(var, keys):
                cells, entries = self.memory.vars[var], self.layout.vars[var]
                return self.load(var, self._entry(cells, entries, keys, scope))
            case Look():
                return self._look(expr, scope)
            case Op():
                return self._operator(expr, scope)
            case And(parts):
                return self._chain(parts, scope, stops=NO)
            case Or(parts):
                return self._chain(parts, scope, stops=YES)
            case If(cond, yes, no):
                return self.out.either(self.truth(cond, scope), lambda: self.value(yes, scope),
                                       lambda: self.value(no, scope))
            case At():
                return self._at(expr, scope)
            case Fold():
                return fold(self, expr, scope)
            case Where():
                return filtered(self, expr, scope)
            case Connected():
                return connected(self, expr, scope)
            case Split():
                raise NotNative("the best split of a set")
            case Let(var, value, body):
                bounds = self.prover.value(value, known(scope))
                return self.value(body, {**scope, var: NativeName(self.value(value, scope), bounds)})
            case Only():
                return self._only(expr, scope)
            case After():
                return self._after(expr, scope)
            case _:
                assert_never(expr)

    # --- constants and tables

    def _constant(self, value: Value, kind: Type) -> Form:
        if value is None:
            return NumberForm(word(NONE))
        if isinstance(value, bool):
            return Truth(YES if value else NO)
        if isinstance(value, int):
            return NumberForm(ir.Constant(ir.IntType(word_bits(value, value)), value))
        if isinstance(value, frozenset):
            of = kind.of if isinstance(kind, SetOf) else Int(min(value, default=0), max(value, default=0))
            lo, width = universe(of)
            if any(not lo <= one < lo + width for one in value):
                lo, width = universe(Int(min(value), max(value)))
            return SetForm(ir.Constant(ir.IntType(width), sum(1 << one - lo for one in value)), lo, width)
        items = self.constant(("items", value), list(value), 16)
        return Several(items, word(len(value)), max(len(value), 1))

    def constant(self, key: object, words: list[int] | Callable[[], list[int]], bits: int) -> Ssa:
        """Constant numbers side by side in memory, once for each key; `words` may say how they are found."""
        module = self.out.function.module
        if (bits, key) not in module.constants:
            found = words() if callable(words) else words
            kind = ir.ArrayType(ir.IntType(bits), max(len(found), 1))
            made = ir.GlobalVariable(module, kind, f"constant {len(module.constants)}")
            made.global_constant, made.linkage = True, "internal"
            made.initializer = ir.Constant(kind, found or [0])
            module.constants[bits, key] = made
        return module.constants[bits, key]

    def entry_of(self, look: Look, scope: Scope) -> Ssa:
        """Which entry of a table is meant, from 0."""
        return self._index(self.layout.tables[look.table][0], look.keys, scope)

    def _look(self, expr: Look, scope: Scope) -> Form:
        entries, table = self.layout.tables[expr.table]
        kind, values = table.type, table.values
        index = self._index(entries, expr.keys, scope)
        match kind:
            case Bool():
                held = self.constant(expr.table, [int(bool(value)) for value in values], 8)
                return Truth(self.out.at.trunc(self._nth(held, index, 8), I1))
            case Int() | Elem() | Maybe():
                numbers = [NONE if value is None else _whole(value) for value in values]
                real = [one for one in numbers if one != NONE]
                bits = stored_bits(Maybe(Int(min(real, default=0), max(real, default=0)))) if NONE in numbers else (
                    stored_bits(Int(min(real, default=0), max(real, default=0))))
                nothing = -(1 << bits - 1)
                held = self.constant(expr.table, [nothing if one == NONE else one for one in numbers], bits)
                found = self._nth(held, index, bits)
                found = self.out.signed(found, 64)
                if NONE not in numbers:
                    return NumberForm(found)
                none = self.out.at.icmp_signed("==", found, word(nothing))
                return NumberForm(self.out.at.select(none, word(NONE), found))
            case SetOf(of):
                lo, width = universe(of)
                stored = -(-width // 64) * 64 if width > 32 else 32
                sets = [int.from_bytes(encoded(value, kind, stored // 8), "little") for value in values]
                held = self.constant(expr.table, sets, stored)
                return SetForm(self.out.resized(self._nth(held, index, stored), ir.IntType(width)), lo, width)
            case Many(_, most):
                rows = [part for value in values for part in _row(value, most)]
                held = self.constant(expr.table, rows, 16)
                at = self.out.at.mul(index, word(1 + most))
                begin = self.out.item(held, self.out.at.add(at, word(1)))
                return Several(begin, self.out.load_word(held, at), most)
            case _:
                assert_never(kind)

    def _nth(self, held: Ssa, index: Ssa, bits: int) -> Ssa:
        kind = ir.IntType(bits)
        return self.out.at.load(self.out.at.gep(held, [index], source_etype=kind), typ=kind, align=min(bits // 8, 8))

    # --- entries of the position

    def _index(self, entries: Spread, keys: Sequence[Expr], scope: Scope) -> Ssa:
        """Which entry is meant, from 0; what is not proved to be in range is tested."""
        out, found = self.out, word(0)
        for key, low, number_ in zip(keys, entries.lows, entries.sizes, strict=True):
            at = self.number(key, scope)
            if not self.prover.value(key, known(scope)).inside(low, low + number_ - 1):
                out.refuse_if(outside(out, at, low, number_))
            at = at if low == 0 else out.at.sub(at, word(low))
            found = at if entries.sizes[0] == entries.count and len(entries.sizes) == 1 else (
                out.at.add(out.at.mul(found, word(number_)), at))
        return found

    def _entry(self, cells: Cells, entries: Spread, keys: Sequence[Expr], scope: Scope) -> Ssa:
        block = self.out.fixed if cells.fixed else self.out.state
        if not keys:
            return self.out.address(block, cells.base)
        index = self._index(entries, keys, scope)
        return self.out.address(block, cells.base, self.out.at.mul(index, word(cells.stride)))

    def entry(self, var: str, keys: Sequence[Expr], scope: Scope) -> Ssa:
        """Where an entry of a variable lies."""
        return self._entry(self.memory.vars[var], self.layout.vars[var], keys, scope)

    def load(self, var: str, at: Ssa) -> Form:
        """The value of an entry of a variable that lies somewhere."""
        out, kind, whose = self.out, self.layout.defs[var].type, f"variable {var}"
        bits = stored_bits(kind)
        match kind:
            case Bool():
                return Truth(out.at.trunc(out.read(at, ir.IntType(8), 1, whose), I1))
            case Int() | Elem():
                held = out.read(at, ir.IntType(bits), min(bits // 8, 8), whose)
                return NumberForm(out.signed(held, 64))
            case Maybe():
                held = out.read(at, ir.IntType(bits), bits // 8, whose)
                none = out.at.icmp_signed("==", held, ir.Constant(ir.IntType(bits), -(1 << bits - 1)))
                whole = held if bits == 64 else out.at.sext(held, I64)
                return NumberForm(out.at.select(none, word(NONE), whole))
            case SetOf(of):
                lo, width = universe(of)
                held = out.read(at, ir.IntType(bits), min(bits // 8, 8), whose)
                return SetForm(out.resized(held, ir.IntType(width)), lo, width)
            case Many(_, most):
                # a copy: whoever has the value keeps it when the entry changes
                copy = out.local(I16, number=most + 1)
                out.call("copy_items", copy, at, word(most + 1))
                return Several(out.item(copy, word(1)), out.load_word(copy, word(0)), most)
            case _:
                assert_never(kind)

    def _in_use(self, var: str, at: Ssa) -> None:
        """Memory is in use up to the end of an entry."""
        out, used = self.out, self.out.address(self.out.state, USED_AT)
        begin = out.at.sub(out.at.ptrtoint(at, I64), out.at.ptrtoint(out.state, I64))
        behind, before = out.at.add(begin, word(self.memory.vars[var].stride)), out.at.load(used, typ=I64, align=8)
        out.at.store(out.at.select(out.at.icmp_unsigned(">", behind, before), behind, before), used, align=8)

    def store(self, form: Form, var: str, at: Ssa, *, sure: bool) -> None:
        """Puts a value into an entry of a variable; `sure`: it is proved to be of its type."""
        if var == self.memory.tail:
            self._in_use(var, at)
        out, kind, whose = self.out, self.layout.defs[var].type, f"variable {var}"
        bits = stored_bits(kind)
        match kind:
            case Bool():
                out.write(out.at.zext(truth(form), ir.IntType(8)), at, 1, whose)
            case Int(lo, hi) | Elem(_, lo, hi):
                held = number(out, form)
                if not sure:
                    out.refuse_if(outside(out, held, lo, hi - lo + 1))
                held = out.signed(held, bits)
                narrow = held if held.type.width == bits else out.at.trunc(held, ir.IntType(bits))
                out.write(narrow, at, min(bits // 8, 8), whose)
            case Maybe(of):
                held = plain(out, form)
                none = missing(out, held)
                if not sure:
                    out.refuse_if(out.at.and_(out.at.not_(none), outside(out, held, of.lo, of.hi - of.lo + 1)))
                narrow = held if bits == 64 else out.at.trunc(held, ir.IntType(bits))
                nothing = ir.Constant(ir.IntType(bits), -(1 << bits - 1))
                out.write(out.at.select(none, nothing, narrow), at, bits // 8, whose)
            case SetOf(of):
                if not isinstance(form, SetForm):
                    raise NotNative("a set made of something else")
                lo, width = universe(of)
                held = out.resized(out.narrowed(form, lo, width), ir.IntType(bits))
                out.write(held, at, min(bits // 8, 8), whose)
            case Many(of, most):
                if not isinstance(form, Several):
                    raise NotNative("a multiset made of something else")
                out.refuse_if(out.at.icmp_signed(">", form.count, word(most)))
                if not sure:
                    with out.counting(form.count) as (index, _):
                        out.refuse_if(outside(out, out.load_word(form.items, index), of.lo, of.hi - of.lo + 1))
                out.call("copy_items", out.item(at, word(1)), form.items, form.count)
                out.store_word(form.count, at, word(0))
                out.call("clear_items", out.item(at, out.at.add(form.count, word(1))),
                         out.at.sub(word(most), form.count))
            case _:
                assert_never(kind)

    # --- the kinds of expressions

    def _operator(self, expr: Op, scope: Scope) -> Form:
        args = [self.value(arg, scope) for arg in expr.args]
        bounds = self.prover.value(expr, known(scope))
        self._operators.bits = word_bits(bounds.lo, bounds.hi)
        return self._operators.operate(expr, args)

    def _chain(self, parts: tuple[Expr, ...], scope: Scope, stops: Ssa) -> Form:
        """Parts of which the later are reached only if the earlier do not decide."""
        out = self.out
        if not parts:
            return Truth(NO if stops is YES else YES)
        behind, ways = out.block(), list[tuple[Ssa, Ssa]]()
        for part in parts[:-1]:
            found, on = self.truth(part, scope), out.block()
            ways.append((stops, out.at.block))
            if stops is YES:
                out.at.cbranch(found, behind, on)
            else:
                out.at.cbranch(found, on, behind)
            out.begin(on)
        last = self.truth(parts[-1], scope)
        ways.append((last, out.at.block))
        out.at.branch(behind)
        out.begin(behind)
        merged = out.at.phi(I1)
        for ssa, end in ways:
            merged.add_incoming(ssa, end)
        return Truth(merged)

    def lying(self, place: Place, scope: Scope) -> LyingIr:
        """What writes what is asked of the instance of a zone that is meant."""
        name = place.zone
        words = self._entry(self.memory.zones[name], self.layout.zones[name], place.keys, scope)
        return LyingIr(self.out, self.layout.core.zones[name], self.memory.forms[name], words)

    def spot(self, place: Place, zone: Zone, scope: Scope) -> Ssa:
        """The spot of a place, from 0."""
        assert place.spot is not None
        low = zone.spots.lo if zone.spots is not None else 0
        found = self.number(place.spot, scope)
        return found if low == 0 else self.out.at.sub(found, word(low))

    def _at(self, expr: At, scope: Scope) -> Form:
        out = self.out
        zone, there = self.layout.core.zones[expr.place.zone], self.lying(expr.place, scope)
        spot = self.number(expr.spot, scope)
        if zone.form.on_spots and zone.spots is not None:
            low, high = zone.spots.lo, zone.spots.hi
            if not self.prover.value(expr.spot, known(scope)).inside(low, high):
                out.refuse_if(outside(out, spot, low, high - low + 1))
            found = there.at_spot(spot if low == 0 else out.at.sub(spot, word(low)))
        else:
            found = lying_at(there, spot)
        return NumberForm(out.at.select(out.at.icmp_signed("<", found, word(0)), word(NONE), found))

    def _only(self, expr: Only, scope: Scope) -> Form:
        out, form = self.out, self.value(expr.of, scope)
        match form:
            case SetForm(bits, lo, _):
                out.refuse_if(out.at.icmp_signed("!=", out.size_of(bits), word(1)))
                return NumberForm(out.at.add(out.resized(out.at.cttz(bits, YES), I64), word(lo)))
            case Several(items, count):
                out.refuse_if(out.at.icmp_signed("!=", count, word(1)))
                return NumberForm(out.load_word(items, word(0)))
            case NumberForm(ssa):
                if self.prover.value(expr.of, known(scope)).none:
                    out.refuse_if(missing(out, ssa))
                return form
            case Truth():
                return form
            case _:
                assert_never(form)

    def _after(self, expr: After, scope: Scope) -> Form:
        """What the block changes is put back behind the value, whatever happened."""
        out, kept = self.out, self._kept(expr)

        def put_back() -> None:
            for copy, cells, size in kept:
                out.call("copy_items", out.address(out.state, cells.base), copy, word(size // 2))

        failed = out.block()
        with out.failing_to(failed):
            if expr.body:
                NativeEffects(self, -1, ()).block(expr.body, scope)
            found = self.value(expr.value, scope)
        put_back()
        end, before = out.at.block, out.failing
        out.begin(failed)
        put_back()
        if expr.failing is None:
            out.at.branch(before)
            out.begin(end)
            return found
        other, behind = self.value(expr.failing, scope), out.block()
        return out.joined([(found, end), (other, out.at.block)], behind)

    def _kept(self, expr: After) -> list[tuple[Ssa, Cells, int]]:
        """Copies of all that the block may change, taken here: where each is, and its bytes."""
        out, found = self.out, list[tuple[Ssa, Cells, int]]()
        for name in sorted(block_writes(expr.body)):
            cells = self.memory.zones.get(name) or self.memory.vars[name]
            entries = self.layout.zones.get(name) or self.layout.vars[name]
            size = -(-entries.count * cells.stride // 2) * 2
            copy = out.local(I16, number=max(size // 2, 1))
            out.call("copy_items", copy, out.address(out.state, cells.base), word(size // 2))
            found.append((copy, cells, size))
        if sum(size for _, _, size in found) > MOST_KEPT:
            raise NotNative("what is tried out changes too much")
        return found


def _whole(value: Any) -> int:
    return int(value)


def _row(value: Any, most: int) -> list[int]:
    return [len(value), *value, *[0] * (most - len(value))]
