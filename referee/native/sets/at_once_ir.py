"""Machine code that asks the same of many members at once: a set of those that pass, from sets that are kept.

What a condition asks of each member is read into a form of its own first: what lies on it, whether it is in a set, what
constants say of it. Nothing in such a condition can fail, so nobody can tell that members are not asked in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from llvmlite import ir

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.traverse import conjuncts
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, is_at_most_one, size
from referee.native.ir_writer import word
from referee.native.native_scope import NativeCoding, Scope, known
from referee.native.operator_ir import missing
from referee.native.sets.tabled_conditions import Tabled, is_truth, tabled
from referee.native.value_forms import NotNative, SetForm, Ssa, members_of, stored_bits
from referee.native.zones.zone_layout import AsBits, AsCounts, AsList, InBlocks, OnSpots

MOST_MEMBERS = 512
"""So many members are asked at once."""
FEWEST_ENTRIES, MOST_ENTRY_BITS = 8, 16
"""So many entries are compared side by side, at least; each has so many bits, at most."""


@dataclass(frozen=True, slots=True)
class _Lying:
    """Asks of each spot whether what lies on it in a zone is a value, or is not."""

    place: Place
    spots: Elem | Int
    wanted: Expr
    same: bool


@dataclass(frozen=True, slots=True)
class _EntryIs:
    """Asks of each member whether its entry of a variable is a value, or is not: entries lie side by side, the member
    is the last key, and these are the keys before it."""

    var: str
    keys: tuple[Expr, ...]
    wanted: Expr
    same: bool


@dataclass(frozen=True, slots=True)
class _Inside:
    """Asks of each member whether it is in a set."""

    group: Expr


@dataclass(frozen=True, slots=True)
class _ByTable:
    """Asks of each member what constants say of it, and a few other values."""

    table: Tabled


@dataclass(frozen=True, slots=True)
class _Several:
    """Asks of each member whether all of some conditions hold, or one of them."""

    parts: tuple[Asked, ...]
    every: bool


@dataclass(frozen=True, slots=True)
class _Opposite:
    """Asks of each member whether a condition does not hold."""

    of: Asked


Asked = _Lying | _EntryIs | _Inside | _ByTable | _Several | _Opposite
"""What a condition asks of each member, if nothing of it can fail."""


@dataclass(frozen=True, slots=True)
class Universe:
    """The numbers that members are: lo..lo+width-1."""

    lo: int
    width: int


def universe_of(code: NativeCoding, source: Domainlike) -> Universe | None:
    """Among which numbers the members of a source are, each of which comes once, in whatever order; None if that cannot
    be said, or there are too many."""
    match source:
        case Members(of):
            kind = members_of(of.type)
        case All(kind):
            pass
        case Within(place):
            form = code.memory.forms[place.zone]
            whole = place.spot is None and place.end is None
            return Universe(form.lo, form.width) if whole and isinstance(form, AsBits) else None
        case Numbers():
            return None
        case _:
            assert_never(source)
    return None if kind is None or not 0 < size(kind) <= MOST_MEMBERS else Universe(kind.lo, size(kind))


def all_of(code: NativeCoding, source: Domainlike, among: Universe, scope: Scope) -> Ssa:
    """The members of a source of which `universe_of` told the universe."""
    match source:
        case Members(of):
            form = code.value(of, scope)
        case All():
            return ir.Constant(ir.IntType(among.width), (1 << among.width) - 1)
        case Within(place):
            held = code.lying(place, scope).members()
            assert held is not None
            return held.ssa
        case Numbers():
            raise TypeError("no set")
        case _:
            assert_never(source)
    if not isinstance(form, SetForm):
        raise NotNative("the members of what is no set")
    return code.out.narrowed(form, among.lo, among.width)


def passing_at_once(code: NativeCoding, source: Domainlike, var: str, conds: Sequence[Expr],
                    scope: Scope) -> SetForm | None:
    """The members of a source for which all of some conditions hold, if all can be asked at once; else None."""
    return first_at_once(code, source, var, conds, scope, whole=True)[0]


def first_at_once(code: NativeCoding, source: Domainlike, var: str, conds: Sequence[Expr], scope: Scope, *,
                  whole: bool = False) -> tuple[SetForm | None, list[Expr]]:
    """The members for which the first conditions hold, as far as they can be asked at once; with the others. Nothing is
    written, and the set is None, if that is none of them (`whole`: if it is not all of them)."""
    among = universe_of(code, source)
    asked, rest = list[Asked](), [part for cond in conds for part in conjuncts(cond)]
    while among is not None and rest:
        found = asked_of_each(code, rest[0], var, among, scope)
        if found is None:
            break
        asked.append(found)
        del rest[0]
    if among is None or not asked or (whole and rest):
        return None, rest
    bits = all_of(code, source, among, scope)
    for one in asked:
        bits = code.out.at.and_(bits, passing(code, one, among, scope))
    return SetForm(bits, among.lo, among.width), rest


# --- what is asked


def asked_of_each(code: NativeCoding, cond: Expr, var: str, among: Universe, scope: Scope) -> Asked | None:
    """What a condition asks of the member that is `var`; None if it asks something else, or may fail."""
    found = _asked(code, cond, var, among, scope)
    if found is None and var in locals_of(cond):
        table = tabled(code, cond, var, among.lo, among.width, scope)
        if table is not None and all(steady(code, key, var, scope) for key in table.keys):
            return _ByTable(table)
    return found


def _asked(code: NativeCoding, cond: Expr, var: str, among: Universe, scope: Scope) -> Asked | None:
    match cond:
        case And(parts) | Or(parts):
            asked = [asked_of_each(code, part, var, among, scope) for part in parts]
            sure = tuple(one for one in asked if one is not None)
            return _Several(sure, isinstance(cond, And)) if len(sure) == len(asked) else None
        case Op(Operator.NOT, (of,)):
            opposite = asked_of_each(code, of, var, among, scope)
            return None if opposite is None else _Opposite(opposite)
        case Op(Operator.EQ | Operator.NE, (At(place, Local(name)), wanted)) if name == var:
            return _lying(code, place, wanted, var, among, scope, same=cond.op is Operator.EQ)
        case Op(Operator.EQ | Operator.NE, (wanted, At(place, Local(name)))) if name == var:
            return _lying(code, place, wanted, var, among, scope, same=cond.op is Operator.EQ)
        case Op(Operator.EQ | Operator.NE, (Get(name, (*keys, Local(last))), wanted)) if last == var:
            return _entries(code, name, tuple(keys), wanted, var, among, scope, same=cond.op is Operator.EQ)
        case Op(Operator.EQ | Operator.NE, (wanted, Get(name, (*keys, Local(last))))) if last == var:
            return _entries(code, name, tuple(keys), wanted, var, among, scope, same=cond.op is Operator.EQ)
        case Get(name, (*keys, Local(last))) if last == var:
            return _entries(code, name, tuple(keys), Const(True, Bool()), var, among, scope, same=True)
        case Op(Operator.IN, (Local(name), group)) if name == var:
            return _Inside(group) if members_of(group.type) is not None and steady(code, group, var, scope) else None
        case (Const() | Local() | Get() | Look() | Op() | If() | At() | Fold() | Where() | Connected() | Split() | Let()
              | Only() | After()):
            return None
        case _:
            assert_never(cond)


def _lying(code: NativeCoding, place: Place, wanted: Expr, var: str, among: Universe, scope: Scope, *,
           same: bool) -> _Lying | None:
    zone, spots = code.layout.core.zones[place.zone], spots_in_sets(code, place.zone)
    if spots is None or among.lo < spots.lo or among.lo + among.width - 1 > spots.hi:
        return None
    lows, sizes = code.layout.zones[zone.name].lows, code.layout.zones[zone.name].sizes
    if not _one_word(wanted.type) or not steady(code, wanted, var, scope) or not _in_range(
            code, place.keys, lows, sizes, var, scope):
        return None
    return _Lying(place, spots, wanted, same)


def _entries(code: NativeCoding, name: str, keys: tuple[Expr, ...], wanted: Expr, var: str, among: Universe,
             scope: Scope, *, same: bool) -> _EntryIs | None:
    entries, bits = code.layout.vars[name], entry_bits(code.layout.defs[name].type)
    low, number = entries.lows[-1], entries.sizes[-1]
    if bits is None or number < FEWEST_ENTRIES or among.lo < low or among.lo + among.width > low + number:
        return None
    before = entries.lows[:-1], entries.sizes[:-1]
    if not steady(code, wanted, var, scope) or not _in_range(code, keys, *before, var, scope):
        return None
    if not is_truth(wanted.type):
        if not is_at_most_one(wanted.type) or not code.prover.value(wanted, known(scope)).members_inside(
                1 - (1 << bits - 1), (1 << bits - 1) - 1):
            return None
    elif not is_truth(code.layout.defs[name].type):
        return None
    return _EntryIs(name, keys, wanted, same)


def entry_bits(kind: Type) -> int | None:
    """How many bits an entry takes of those that can be compared side by side; None of others."""
    match kind:
        case Bool():
            return 8
        case Int() | Elem() | Maybe():
            bits = stored_bits(kind)
            return bits if bits <= MOST_ENTRY_BITS else None
        case SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def spots_in_sets(code: NativeCoding, name: str) -> Elem | Int | None:
    """The spots of a zone of which it is kept as sets what lies there."""
    form = code.memory.forms[name]
    match form:
        case OnSpots(width=width):
            return code.layout.core.zones[name].spots if width else None
        case AsList() | AsCounts() | AsBits() | InBlocks():
            return None
        case _:
            assert_never(form)


def _one_word(kind: Type) -> bool:
    """Whether a value is a member, or perhaps none: as what lies on a spot is written down."""
    match kind:
        case Elem() | Maybe():
            return True
        case Bool() | Int() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def steady(code: NativeCoding, expr: Expr, var: str, scope: Scope) -> bool:
    """Whether a value has nothing to do with `var`, and surely comes to be, without much ado."""
    match expr:
        case Const():
            return True
        case Local(name):
            return name != var
        case Get(name, keys):
            entries = code.layout.vars[name]
            return _in_range(code, keys, entries.lows, entries.sizes, var, scope)
        case Look(name, keys):
            entries = code.layout.tables[name][0]
            return _in_range(code, keys, entries.lows, entries.sizes, var, scope)
        case Op(_, args):
            return all(steady(code, arg, var, scope) for arg in args)
        case And(parts) | Or(parts):
            return all(steady(code, part, var, scope) for part in parts)
        case If(cond, yes, no):
            return all(steady(code, part, var, scope) for part in (cond, yes, no))
        case At() | Fold() | Where() | Connected() | Split() | Let() | Only() | After():
            return False
        case _:
            assert_never(expr)


def _in_range(code: NativeCoding, keys: Sequence[Expr], lows: Sequence[int], sizes: Sequence[int], var: str,
              scope: Scope) -> bool:
    return all(steady(code, key, var, scope) and code.prover.value(key, known(scope)).inside(low, low + number_ - 1)
               for key, low, number_ in zip(keys, lows, sizes, strict=True))


# --- the answers


def passing(code: NativeCoding, asked: Asked, among: Universe, scope: Scope) -> Ssa:
    """A bit for each member for which a condition holds."""
    out, kind = code.out, ir.IntType(among.width)
    match asked:
        case _Several(parts, every):
            found: Ssa = ir.Constant(kind, -1 if every else 0)
            for part in parts:
                further = passing(code, part, among, scope)
                found = out.at.and_(found, further) if every else out.at.or_(found, further)
            return found
        case _Opposite(of):
            return out.at.not_(passing(code, of, among, scope))
        case _Lying(place, _, sought, same):
            wanted = code.number(sought, scope)
            there = code.lying(place, scope).with_class(wanted, code.prover.value(sought, known(scope)))
            bits = there.ssa
            if among.lo > there.lo:
                bits = out.at.lshr(bits, ir.Constant(bits.type, among.lo - there.lo))
            bits = out.resized(bits, kind)
            return bits if same else out.at.not_(bits)
        case _EntryIs(name, keys, sought, same):
            bits = _entries_with(code, name, keys, sought, among, scope)
            return bits if same else out.at.not_(bits)
        case _Inside(group):
            form = code.value(group, scope)
            if not isinstance(form, SetForm):
                raise NotNative("a member of what is no set")
            return out.cut(form, among.lo, among.width)
        case _ByTable(table):
            return _from_table(code, table, among, scope)
        case _:
            assert_never(asked)


def _entries_with(code: NativeCoding, name: str, keys: tuple[Expr, ...], sought: Expr, among: Universe,
                  scope: Scope) -> Ssa:
    """A bit for each member whose entry is a value."""
    out, entries, width = code.out, code.layout.vars[name], entry_bits(code.layout.defs[name].type)
    assert width is not None
    low, number = entries.lows[-1], entries.sizes[-1]
    first = code.entry(name, (*keys, Const(low, Int(low, low))), scope)
    if is_truth(sought.type):
        wanted = out.resized(code.truth(sought, scope), ir.IntType(width))
    else:
        value = code.number(sought, scope)
        none = ir.Constant(ir.IntType(width), -(1 << width - 1))
        wanted = out.at.select(missing(out, value), none, out.at.trunc(value, ir.IntType(width)))
    bits = out.side_by_side(first, number, wanted, f"variable {name}")
    if among.lo > low:
        bits = out.at.lshr(bits, ir.Constant(bits.type, among.lo - low))
    return out.resized(bits, ir.IntType(among.width))


def _from_table(code: NativeCoding, table: Tabled, among: Universe, scope: Scope) -> Ssa:
    out, kind = code.out, ir.IntType(among.width)
    if len(set(table.sets)) == 1:
        return ir.Constant(kind, table.sets[0])
    index: Ssa = word(0)
    for key, low, number in zip(table.keys, table.lows, table.sizes, strict=True):
        value = out.resized(code.truth(key, scope), index.type) if is_truth(key.type) else code.number(key, scope)
        index = out.at.add(out.at.mul(index, word(number)), out.at.sub(value, word(low)))
    bits = -(-among.width // 64) * 64
    held = code.constant(("sets", bits, table.sets), list(table.sets), bits)
    at = out.at.gep(held, [index], source_etype=ir.IntType(bits))
    return out.resized(out.at.load(at, typ=ir.IntType(bits), align=8), kind)


def table_sets(asked: Asked) -> frozenset[int] | None:
    """The sets of which one are the members that pass, where constants say that; else None."""
    match asked:
        case _ByTable(table):
            return frozenset(table.sets)
        case _Lying() | _EntryIs() | _Inside() | _Several() | _Opposite():
            return None
        case _:
            assert_never(asked)


def some(code: NativeCoding, bits: Ssa) -> Ssa:
    """Whether there is any member in a set."""
    return code.out.at.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))
