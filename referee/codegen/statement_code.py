"""Source for the statements of a run: one case for each kind, in the order of `core/stmt.py`."""

from __future__ import annotations

from typing import assert_never

from referee.codegen.array_code import is_list
from referee.codegen.code_scope import Coding, Name, Scope, known, offset
from referee.codegen.member_code import listed
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    End,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
)
from referee.core.intervals import Bounds
from referee.core.operators import comparison
from referee.core.ruleset import WINNERS, Form, Invariant, Zone
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    is_whole,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, size
from referee.interpreter.closures.source_closures import counts_once


class Effects:
    """Writes the statements of one run, which stands at a node. `watched`: invariants tested after each of them."""

    def __init__(self, code: Coding, at: int, watched: tuple[Invariant, ...]) -> None:
        self.code = code
        self.out = code.out
        self._at = at
        self._watched = watched

    def block(self, statements: Block, scope: Scope) -> None:
        """Statements one after the other."""
        for stmt in statements:
            scope = self._step(stmt, scope)
            if is_whole(stmt):
                self._watch()

    def _watch(self) -> None:
        for one in self._watched:
            self.out.refuse(f"not {self.code.value(one.guard.cond, {})}")

    def _step(self, stmt: Stmt, scope: Scope) -> Scope:
        """One statement; the scope behind it."""
        match stmt:
            case Put():
                self._put(stmt, scope)
            case Move():
                self._move(stmt, scope)
            case Merge():
                self._merge(stmt, scope)
            case Swap():
                self._swap(stmt, scope)
            case Branch():
                self._branch(stmt, scope)
            case Each():
                self._each(stmt, scope)
            case Finish():
                self._finish(stmt, scope)
            case Bind():
                text = self.out.keep(self.code.value(stmt.value, scope))
                return {**scope, stmt.name: Name(text, self.code.prover.value(stmt.value, known(scope)))}
            case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise TypeError(f"{type(stmt).__name__} is no statement of a run")
            case _:
                assert_never(stmt)
        return scope

    def _branch(self, stmt: Branch, scope: Scope) -> None:
        cond = self.code.value(stmt.cond, scope)
        if not stmt.yes:
            cond = f"not {cond}"
        with self.out.block(f"if {cond}:"):
            self.block(stmt.yes or stmt.no, scope)
        if stmt.yes and stmt.no:
            with self.out.block("else:"):
                self.block(stmt.no, scope)

    def _each(self, stmt: Each, scope: Scope) -> None:
        """The members are read before the body writes: what is gone through is never changed in place."""
        code, source = self.code, stmt.source
        bounds = code.prover.members(source, known(scope))
        text = listed(code, source, scope)
        if counts_once(source, code.layout):
            text = f"dict.fromkeys({text})"
        name = self.out.fresh()
        with self.out.block(f"for {name} in {text}:"):
            self.block(stmt.body, {**scope, stmt.var: Name(name, bounds)})

    def _finish(self, stmt: Finish, scope: Scope) -> None:
        won = self.out.keep(self.code.value(stmt.winners, scope))
        result = self.code.layout.vars.get(WINNERS)
        if result is not None:
            self.out.line(f"s[{result.base}] = {won}")
        self._watch()
        self.out.line(f"return ({self._at}, {won})")

    def _put(self, stmt: Put, scope: Scope) -> None:
        kind = self.code.layout.defs[stmt.var].type
        text = self.code.value(stmt.value, scope)
        if not self._fits(stmt.value, kind, scope):
            text = self.out.keep(text)
            self.out.refuse(self._misfit(text, kind))
        elif stmt.keys:
            text = self.out.keep(text)
        entries = self.code.layout.vars[stmt.var]
        if is_list(self.code.layout.defs[stmt.var]) and entries.base < self.code.layout.fixed:
            self.out.line(f"note(s, {entries.base}, {self.code.place(entries, stmt.keys, scope)}, {text})")
        else:
            self.out.line(f"{self.code.slot(entries, stmt.keys, scope)} = {text}")

    def _fits(self, value: Expr, kind: Type, scope: Scope) -> bool:
        """True if it is proved that a value is one of a type."""
        bounds = self.code.prover.value(value, known(scope))
        match kind:
            case Bool():
                return is_truth(value, self.code)
            case Many(_, most):
                return isinstance(value, Const) and isinstance(value.value, tuple) and len(value.value) <= most and (
                    fits_type(bounds, kind))
            case Int() | Elem() | Maybe() | SetOf():
                return fits_type(bounds, kind)
            case _:
                assert_never(kind)

    def _misfit(self, text: str, kind: Type) -> str:
        """The condition under which a value is none of a type."""
        match kind:
            case Bool():
                return f"{text}.__class__ is not bool"
            case Int(lo, hi) | Elem(_, lo, hi):
                return f"{text} is None or not {lo} <= {text} <= {hi}"
            case Maybe(of):
                return f"{text} is not None and not {of.lo} <= {text} <= {of.hi}"
            case SetOf(of):
                return self.code.set_misfit(text, of)
            case Many(of, most):
                return f"{text} and not (len({text}) <= {most} and {of.lo} <= min({text}) and max({text}) <= {of.hi})"
            case _:
                assert_never(kind)

    # --- components

    def _move(self, stmt: Move, scope: Scope) -> None:
        what = self.code.value(stmt.what, scope)
        bounds = self.code.prover.value(stmt.what, known(scope))
        one = stmt.number is None or (isinstance(stmt.number, Const) and stmt.number.value == 1)
        if one and isinstance(stmt.what.type, (Elem, Int, Maybe)):
            what = self.out.keep(what)
            if bounds.none:
                self.out.refuse(f"{what} is None")
            self._take_one(stmt.source, what, scope)
            self._lay_one(stmt.to, what, scope)
            return
        number = "None" if stmt.number is None else self.code.value(stmt.number, scope)
        what = self.out.keep(self.code.several(stmt.what, what, number))
        with self.out.block(f"if {what}:"):
            self._take(stmt.source, what, scope)
            self._lay(stmt.to, what, scope)

    def _zone(self, place: Place, scope: Scope) -> tuple[Zone, str, str]:
        """A zone, where its content lies, and the content."""
        zone = self.code.layout.core.zones[place.zone]
        index = self.out.keep(self.code.place(self.code.layout.zones[zone.name], place.keys, scope))
        return zone, index, self.out.keep(f"s[{index}]")

    def _spot(self, place: Place, zone: Zone, scope: Scope) -> str:
        if place.spot is None:
            return "None"
        low = zone.spots.lo if zone.spots is not None else 0
        return self.out.keep(offset(self.code.value(place.spot, scope), low))

    def _take_one(self, place: Place, what: str, scope: Scope) -> None:
        zone, index, there = self._zone(place, scope)
        match zone.form:
            case Form.BAG:
                self.out.raises = True
                first = f"{there} and {there}[0] == {what}"  # mostly all of them are alike
                self.out.line(f"s[{index}] = {there}[1:] if {first} else bag_without({there}, {what})")
            case Form.SLOTS if place.spot is not None and zone.spots is not None:
                spot = self._spot(place, zone, scope)
                self.out.refuse(f"not 0 <= {spot} < {size(zone.spots)} or {there}[{spot}] != {what}")
                self.out.line(f"s[{index}] = {there}[:{spot}] + (None,) + {there}[{spot} + 1:]")
            case Form.SLOTS | Form.LINE | Form.PILE:
                self._taken(place, zone, index, there, f"({what},)", scope)
            case _:
                assert_never(zone.form)

    def _lay_one(self, place: Place, what: str, scope: Scope) -> None:
        zone, index, there = self._zone(place, scope)
        match zone.form:
            case Form.BAG:
                self.out.refuse(f"len({there}) >= {zone.capacity}")
                last = f"not {there} or {there}[-1] <= {what}"
                self.out.line(f"s[{index}] = (*{there}, {what}) if {last} else bag_with({there}, {what})")
            case Form.SLOTS if place.spot is not None and zone.spots is not None and (
                    zone.capacity >= size(zone.spots)):
                spot = self._spot(place, zone, scope)
                self.out.refuse(f"not 0 <= {spot} < {size(zone.spots)} or {there}[{spot}] is not None")
                self.out.line(f"s[{index}] = {there}[:{spot}] + ({what},) + {there}[{spot} + 1:]")
            case Form.SLOTS | Form.LINE | Form.PILE:
                self._laid(place, zone, index, there, f"({what},)", scope)
            case _:
                assert_never(zone.form)

    def _take(self, place: Place, what: str, scope: Scope) -> None:
        self._taken(place, *self._zone(place, scope), what, scope)

    def _lay(self, place: Place, what: str, scope: Scope) -> None:
        self._laid(place, *self._zone(place, scope), what, scope)

    def _taken(self, place: Place, zone: Zone, index: str, there: str, what: str, scope: Scope) -> None:
        self.out.raises = True
        match zone.form:
            case Form.BAG:
                self.out.line(f"s[{index}] = bag_less({there}, {what})")
            case Form.PILE:
                self.out.line(f"s[{index}] = pile_less({self._named(zone)}, {there}, {what}, {self._end(place.end)})")
            case Form.LINE | Form.SLOTS:
                spot, end = self._spot(place, zone, scope), self._end(place.end)
                self.out.line(f"s[{index}] = take({self._named(zone)}, {there}, {what}, {end}, {spot})")
            case _:
                assert_never(zone.form)

    def _laid(self, place: Place, zone: Zone, index: str, there: str, what: str, scope: Scope) -> None:
        match zone.form:
            case Form.BAG:
                what = self.out.keep(what)
                self.out.refuse(f"len({there}) + len({what}) > {zone.capacity}")
                self.out.line(f"s[{index}] = tuple(sorted({there} + {what}))")
            case Form.PILE:
                what = self.out.keep(what)
                self.out.refuse(f"sum(map(len, {there})) + len({what}) > {zone.capacity}")
                content = f"(*{there}, {what})" if place.end is End.BOTTOM else f"({what}, *{there})"
                self.out.line(f"s[{index}] = {content}")
            case Form.LINE | Form.SLOTS:
                spot, end = self._spot(place, zone, scope), self._end(place.end)
                self.out.raises = True
                self.out.line(f"s[{index}] = lay({self._named(zone)}, {there}, {what}, {end}, {spot})")
            case _:
                assert_never(zone.form)

    def _named(self, zone: Zone) -> str:
        return self.code.objects.name("z", zone.name, zone)

    def _end(self, end: End | None) -> str:
        return "None" if end is None else self.code.objects.name("e", end, end)

    def _merge(self, stmt: Merge, scope: Scope) -> None:
        """Everything is taken up before the one block is put down."""
        found = self.out.keep("[]")
        for place in (stmt.to, *stmt.sources):
            zone, index, there = self._zone(place, scope)
            self.out.line(f"{found} += gathered({self._named(zone)}, {there})")
            self.out.line(f"s[{index}] = nothing_in({self._named(zone)})")
        with self.out.block(f"if {found}:"):
            self._lay(stmt.to, f"tuple(sorted({found}))", scope)

    def _swap(self, stmt: Swap, scope: Scope) -> None:
        (_, here, one), (_, there, other) = (self._zone(place, scope) for place in (stmt.one, stmt.other))
        self.out.line(f"s[{here}], s[{there}] = {other}, {one}")


def fits_type(bounds: Bounds, kind: Type) -> bool:
    """True if every value of such bounds is one of a type, as far as numbers and members go."""
    match kind:
        case Bool():
            return bounds.inside(0, 1)
        case Int(lo, hi) | Elem(_, lo, hi):
            return bounds.inside(lo, hi)
        case Maybe(of) | SetOf(of) | Many(of):
            return bounds.members_inside(of.lo, of.hi)
        case _:
            assert_never(kind)


def is_truth(value: Expr, code: Coding) -> bool:
    """True if the value of an expression is surely yes or no."""
    match value:
        case Const(known_value):
            return isinstance(known_value, bool)
        case Op():
            return value.op is Operator.NOT or comparison(value.op) is not None
        case And() | Or():
            return True
        case Fold(kind):
            return kind in (FoldKind.ANY, FoldKind.ALL)
        case Get(name):
            return code.layout.defs[name].type == Bool() and name not in code.prover.doubtful
        case Local() | Look() | If() | At() | Where() | Connected() | Split() | Let() | Only() | After():
            return False  # of its type if all is well, and that is not proved here
        case _:
            assert_never(value)
