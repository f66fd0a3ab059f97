"""Source for what can be gone through: loops over its members, their list, and whether something is one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

from referee.codegen.array_code import lying
from referee.codegen.code_scope import Coding, Name, Scope, known, offset
from referee.core.expr import All, Const, Domainlike, End, Expr, Look, Members, Numbers, Where, Within
from referee.core.ruleset import Form
from referee.interpreter.closures.membership import cannot_fail

SMALL = 64
"""So many numbers are a constant; more are a range."""


@contextmanager
def loop(code: Coding, source: Domainlike, var: str, scope: Scope, once: bool = False,
         text: str | None = None) -> Iterator[Scope]:
    """A loop over the members of a source, with the scope inside it. `once`: alike ones count once; `text`: those of
    them that have to be looked at."""
    bounds = code.prover.members(source, known(scope))
    name = code.out.fresh()
    inner = {**scope, var: Name(name, bounds)}
    if isinstance(source, Members) and isinstance(source.of, Where) and source.first is None:
        filtered = source.of
        if _fuses(code, filtered, Name(name, bounds), scope):
            with _filtered(code, filtered, _turned(filtered.source, source.down), var, scope) as inside:
                yield inside
            return
    text = text or listed(code, source, scope)
    if once and not code.distinct(source):
        text = f"dict.fromkeys({text})"
    with code.out.block(f"for {name} in {text}:"):
        yield inner


def _fuses(code: Coding, filtered: Where, member: Name, scope: Scope) -> bool:
    """True if a filter can be tested member by member, instead of making the set first."""
    if not _ascending(filtered.source) or not code.distinct(filtered.source):
        return False
    with code.out.apart() as piece:
        if filtered.where is not None:
            code.value(filtered.where, {**scope, filtered.var: member})
    return not piece.raises


@contextmanager
def _filtered(code: Coding, filtered: Where, source: Domainlike, var: str, scope: Scope) -> Iterator[Scope]:
    """A loop over the members of a source that pass."""
    some = None if filtered.where is None else lying(code, source, filtered.var, filtered.where, scope)
    with loop(code, source, filtered.var, scope, text=some) as within:
        inner = {**scope, var: within[filtered.var]}
        if filtered.where is None:
            yield inner
        else:
            with code.out.block(f"if {code.value(filtered.where, within)}:"):
                yield inner


def _ascending(source: Domainlike) -> bool:
    """True if the members come in order, lowest first."""
    match source:
        case Numbers():
            return not source.down
        case All() | Members():
            return source.first is None and not source.down
        case Within():
            return False
        case _:
            assert_never(source)


def _turned(source: Domainlike, down: bool) -> Domainlike:
    """An ascending source, downwards if need be."""
    if not down:
        return source
    match source:
        case Numbers(lo, hi):
            return Numbers(lo, hi, True)
        case All(of):
            return All(of, None, True)
        case Members(of):
            return Members(of, None, True)
        case Within():
            return source
        case _:
            assert_never(source)


def listed(code: Coding, source: Domainlike, scope: Scope) -> str:
    """The members of a source in their order, alike ones as often as they are there."""
    match source:
        case Numbers(lo, hi, down):
            low, high = code.value(lo, scope), code.value(hi, scope)
            return f"range({high}, {low} - 1, -1)" if down else f"range({low}, {high} + 1)"
        case All(of, first, down):
            if first is not None and first != Const(of.hi if down else of.lo, first.type):  # else they are in order
                return _from_first(code, f"range({of.lo}, {of.hi} + 1)", first, down, scope)
            numbers = range(of.hi, of.lo - 1, -1) if down else range(of.lo, of.hi + 1)
            if len(numbers) > SMALL:
                return f"range({numbers.start}, {numbers.stop}, {numbers.step})"
            return "(" + "".join(f"{number}, " for number in numbers) + ")"
        case Members(of, first, down):
            text = ascending(code, of, scope)
            if first is not None:
                return _from_first(code, text, first, down, scope)
            return f"{text}[::-1]" if down else text
        case Within():
            return within(code, source, scope)
        case _:
            assert_never(source)


def ascending_for_nothing(code: Coding, source: Domainlike) -> bool:
    """True if the members do not lie in their order, and have to be sorted to be gone through in it."""
    match source:
        case Members(of, first):
            return first is None and not isinstance(of, Where | Const | Look)
        case Within(place):
            return place.spot is None and _is_sorted(code.layout.core.zones[place.zone].form)
        case Numbers() | All():
            return False
        case _:
            assert_never(source)


def _is_sorted(form: Form) -> bool:
    """Whether what lies in a zone has to be sorted to be gone through."""
    match form:
        case Form.SLOTS | Form.PILE:
            return True
        case Form.BAG | Form.LINE:
            return False
        case _:
            assert_never(form)


def unsorted(code: Coding, source: Domainlike, scope: Scope, *, ordered: bool) -> str:
    """The members of a source that has to be sorted; it is, if `ordered`."""
    text = listed(code, source, scope)
    if ordered or not (text.startswith("sorted(") and text.endswith(")")):
        return text
    return text.removeprefix("sorted(")[:-1]


def _from_first(code: Coding, text: str, first: Expr, down: bool, scope: Scope) -> str:
    values = code.out.keep(text)
    return f"turned({values}{'[::-1]' if down else ''}, {code.value(first, scope)}, {down})"


def ascending(code: Coding, of: Expr, scope: Scope) -> str:
    """The members of a set or Many, ascending; those of constants and constant tables are sorted once."""
    if isinstance(of, Const) and isinstance(of.value, (frozenset, tuple)):
        return code.objects.name("k", ("sorted", type(of.value), of.value), tuple(sorted(of.value)))
    if isinstance(of, Look):
        entries, table = code.layout.tables[of.table]
        rows = [tuple(sorted(value)) if isinstance(value, (frozenset, tuple)) else () for value in table.values]
        return f"{code.objects.name('m', of.table, rows)}[{code.place(entries, of.keys, scope)}]"
    return code.ordered(of, scope)


def within(code: Coding, source: Within, scope: Scope) -> str:
    """The classes in a place, each as often as it is there: ascending, by position in a line."""
    place, zone = source.place, code.layout.core.zones[source.place.zone]
    there = code.content(place, scope)
    if place.spot is not None:
        low = zone.spots.lo if zone.spots is not None else 0
        there, index = code.out.keep(there), code.out.keep(offset(code.value(place.spot, scope), low))
        one = code.out.keep(f"{there}[{index}] if 0 <= {index} < len({there}) else None")
        return f"(() if {one} is None else ({one},))"
    end = place.end
    match zone.form:
        case Form.BAG:
            return there
        case Form.LINE:
            return there if end is None else f"{there}[-1:]" if end is End.TOP else f"{there}[:1]"
        case Form.SLOTS:
            return f"sorted([c for c in {there} if c is not None])"
        case Form.PILE:
            part = there if end is None else f"{there}[:1]" if end is End.TOP else f"{there}[-1:]"
            return f"sorted([c for b in {part} for c in b])"
        case _:
            assert_never(zone.form)


def member_test(code: Coding, source: Domainlike, text: str, scope: Scope) -> str:
    """Whether the value of a name, a number, is a member of a source."""
    match source:
        case Numbers(lo, hi):
            return f"({code.value(lo, scope)} <= {text} <= {code.value(hi, scope)})"
        case All(of):
            return f"({of.lo} <= {text} <= {of.hi})"
        case Members(Where() as filtered) if filtered.where is not None and cannot_fail(filtered.where, code.layout):
            inner = {**scope, filtered.var: Name(text, code.prover.members(filtered.source, known(scope)))}
            with code.out.apart() as piece:
                inside = member_test(code, filtered.source, text, scope)
            return code.chained([(piece, inside), code.piece(filtered.where, inner)], "and")
        case Members(of, None):
            return code.has(of, text, scope)
        case Members() | Within():
            return f"({text} in {listed(code, source, scope)})"
        case _:
            assert_never(source)
