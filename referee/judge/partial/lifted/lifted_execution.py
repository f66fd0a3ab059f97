"""Carries out the statements that ask nobody, at a position in which something is hidden: one case for each kind."""

from __future__ import annotations

from typing import Any, assert_never

from referee.core.expr import End, Fold, FoldKind, Local, Place, Within
from referee.core.ruleset import WINNERS, Form, Invariant, Role, Zone
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
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.game.state import ErrorCause, empty
from referee.interpreter.closures.source_closures import counts_once
from referee.interpreter.closures.statement_closures import fitting
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.interruptions import BROKEN, NO_ROOM, NOT_THERE, RANGE, TOO_LONG, Fault
from referee.judge.partial.constraints.hidden_values import Bag, Case, HiddenValueAsked, Sum, Token, Unknown, Untold
from referee.judge.partial.lifted.dependent.case_diagrams import case_of, is_nested, leaves
from referee.judge.partial.lifted.dependent.class_by_class import carried
from referee.judge.partial.lifted.dependent.hidden_numbers import number_of
from referee.judge.partial.lifted.dependent.loop_shapes import one_by_one
from referee.judge.partial.lifted.hidden_pools import HiddenPool, Kinds, bag_of, is_hidden
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_operators import as_sum, known
from referee.judge.partial.lifted.lifted_zones import laid, taken

Winners = frozenset[int] | None
MOST_ORDERED = 12
"""So many components are laid down in an order that is not known."""


def perform(view: HiddenView, statements: Block, watched: tuple[Invariant, ...]) -> Winners:
    """Statements one after the other. `watched`: invariants that are tested after each."""
    for stmt in statements:
        winners = _one(view, stmt, watched)
        if is_whole(stmt):
            for invariant in watched:
                if not view.truth(invariant.guard.cond):
                    span = invariant.guard.origin.span
                    raise Fault(BROKEN, f"{invariant.name} does not hold: {invariant.guard.text}", span)
        if winners is not None:
            return winners
    return None


def unwatched(view: HiddenView, statements: Block) -> None:
    """Statements one after the other, for what is asked of the position after them: no invariant is tested."""
    perform(view, statements, ())


def _one(view: HiddenView, stmt: Stmt, watched: tuple[Invariant, ...]) -> Winners:
    match stmt:
        case Branch(cond, yes, no):
            if not watched and carried(view, (stmt,), lambda: view.whole(stmt)):
                return None
            return perform(view, yes if view.truth(cond) else no, watched)
        case Each():
            if not watched and carried(view, (stmt,), lambda: view.whole(stmt)):
                return None
            return _each(view, stmt, watched)
        case Put() | Move() | Merge() | Swap() | Finish():
            return _tried(view, stmt)
        case Bind(name, value):
            view.env[name] = view.value(value)
            return None
        case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
            raise TypeError(f"{type(stmt).__name__} is no statement of a run")
        case _:
            assert_never(stmt)


def _tried(view: HiddenView, stmt: Put | Move | Merge | Swap | Finish) -> Winners:
    """As the reference engine does it, if nothing hidden is touched."""
    if id(stmt) not in view.asking:
        slots = list(view.slots)
        try:
            return view.act(stmt)(view.slots, view.env)
        except HiddenValueAsked:
            view.slots[:] = slots
    match stmt:
        case Put():
            view.asking.add(id(stmt))  # a value may be long to work out; where something moves it is soon seen
            _put(view, stmt)
        case Move():
            _move(view, stmt)
        case Merge():
            _merge(view, stmt)
        case Swap():
            _swap(view, stmt)
        case Finish():
            return _finish(view, stmt)
        case _:
            assert_never(stmt)
    return None


def _put(view: HiddenView, stmt: Put) -> None:
    var, entries = view.layout.defs[stmt.var], view.layout.vars[stmt.var]
    of = _number(var.type)
    value = view.value(stmt.value) if of is None else number_of(view, stmt.value, of.lo, of.hi)
    if isinstance(value, Kinds):
        value = value.plain(view.trial)
    if isinstance(value, Case):
        value = known(value, view.trial) if any(isinstance(one, Fault) for one in leaves(value)) else value
    if not _fits(view, var.type, value):
        raise Fault(TOO_LONG if var.role is Role.COUNTER else RANGE,
                    f"{var.title or var.name} leaves its range", stmt.origin.span, ErrorCause.MISFIT)
    key = [view.plain(one) for one in stmt.keys]
    index = entries.find(key)
    if index < 0:
        raise Fault(RANGE, f"{var.name} has no entry {', '.join(map(str, key))}", stmt.origin.span)
    view.slots[index] = value


def _fits(view: HiddenView, kind: Type, value: Any) -> bool:
    if not is_hidden(value):
        return fitting(kind)(value)
    match value:
        case Token() | Bag() | Unknown() | Kinds():
            return True
        case Case():
            if is_nested(value) or not all(type(one) is int for one in value.values.values()):
                within = case_of(value, fitting(kind))
                return bool(known(within, view.trial))
        case Sum():
            pass
        case _:
            assert_never(value)
    of = _number(kind)
    if of is None:
        return True
    trial, total = view.trial, as_sum(value, view.trial)
    before, trial.briefly = trial.left_out, True
    fits = trial.decide(total.plus(-of.lo)) and trial.decide(total.times(-1).plus(of.hi))
    trial.briefly = False
    if fits:  # a way in which the rules fail, that nobody found, makes no line legal
        trial.left_out = before
    return fits


def _number(kind: Type) -> Scalar | None:
    """The type of a number that a value of a type may be."""
    match kind:
        case Int() | Elem():
            return kind
        case Maybe(of):
            return of
        case Bool() | SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def _move(view: HiddenView, stmt: Move) -> None:
    what = view.value(stmt.what)
    if isinstance(what, Kinds):
        whole = not view.trial.classes(what.bag) & ~what.mask and what.single(view.layout.core)
        what = what.bag if whole else what.plain(view.trial)
    if isinstance(what, Case):
        what = known(what, view.trial)
    if what is None:
        raise Fault(NOT_THERE, f"there is nothing to move in {stmt.source.zone}", stmt.origin.span)
    number = 1 if stmt.number is None else view.plain(stmt.number)
    moved = _moved(view, what, number)
    if not moved:
        return
    if isinstance(moved, Bag):
        moved = view.trial.plain(moved)
    _take(view, stmt, moved)
    _add(view, stmt.to, moved)


def _moved(view: HiddenView, what: Any, number: int) -> Any:
    """What is moved: known classes, sorted, or a bag."""
    if isinstance(what, Token):
        return Bag({}, {what.id: 1}) if number == 1 else (view.trial.class_of(what),) * number
    if isinstance(what, Bag):
        return what
    return tuple(sorted(what)) if isinstance(what, tuple | frozenset) else (what,) * number


def _spot(view: HiddenView, place: Place, zone: Zone) -> int | None:
    if place.spot is None:
        return None
    return int(view.plain(place.spot)) - (zone.spots.lo if zone.spots is not None else 0)


def _take(view: HiddenView, stmt: Move, moved: Any) -> None:
    place = stmt.source
    zone, index = view.layout.core.zones[place.zone], view.where(place.zone, place.keys)
    left = taken(view.trial, zone, view.slots[index], moved, place.end, _spot(view, place, zone))
    if left is None:
        raise Fault(NOT_THERE, f"what is to be moved is not in {zone.name}", stmt.origin.span)
    view.slots[index] = left


def _add(view: HiddenView, place: Place, moved: Any) -> None:
    """Lays something down; where nothing is known of what lies there, nothing is known after it either."""
    try:
        zone, index = view.layout.core.zones[place.zone], view.where(place.zone, place.keys)
    except Untold:
        return
    content = view.slots[index]
    if amount(zone, content) + len(moved) > zone.capacity:
        raise Fault(NO_ROOM, f"{zone.name} cannot hold more than {zone.capacity}", place.span)
    made = laid(view.trial, zone, content, moved, place.end, _spot(view, place, zone))
    if made is None:
        raise Fault(NO_ROOM, f"there is no room for it in {zone.name}", place.span)
    view.slots[index] = made


def _merge(view: HiddenView, stmt: Merge) -> None:
    gathered = Bag({}, {})
    for place in (stmt.to, *stmt.sources):
        zone, index = view.layout.core.zones[place.zone], view.where(place.zone, place.keys)
        content = view.slots[index]
        for part in content if zone.form.in_blocks else (content,):
            gathered = gathered.plus(bag_of(part), view.trial.line)
        view.slots[index] = empty(zone)
    if gathered:
        to = Place(stmt.to.zone, stmt.to.keys, stmt.to.spot, stmt.to.end or End.TOP, stmt.to.span)
        _add(view, to, view.trial.plain(view.trial.store.settled(gathered, view.trial.line)))


def _swap(view: HiddenView, stmt: Swap) -> None:
    """What is hidden goes with the content; only which two places are meant is decided."""
    here, there = (view.where(place.zone, place.keys) for place in (stmt.one, stmt.other))
    view.slots[here], view.slots[there] = view.slots[there], view.slots[here]


def _each(view: HiddenView, stmt: Each, watched: tuple[Invariant, ...]) -> Winners:
    if _moves_all(view, stmt) or (not watched and _moves_each(view, stmt)):
        return None
    gone = view.gone(stmt.source)
    if isinstance(gone, HiddenPool):
        gone = list(gone.plain(view.trial))
    once = counts_once(stmt.source, view.layout)
    known_ones = [one if isinstance(one, Token) and not once else known(one, view.trial) for one in gone]
    for member in sorted(set(known_ones)) if once else known_ones:  # spots hold them in any order
        view.env[stmt.var] = member
        winners = perform(view, stmt.body, watched)
        if winners is not None:
            return winners
    return None


def _moves_each(view: HiddenView, stmt: Each) -> bool:
    """Whether a loop moves components one by one, those of some classes, from a bag in which not all are known; then
    that is done. Where they lie in an order afterwards, what lies first is the least of them, whatever that is."""
    loop = one_by_one(stmt, view.layout)
    if loop is None:
        return False
    value = view.value(loop.kinds)
    if not isinstance(value, Kinds) or not value.single(view.layout.core):
        return False
    source = loop.move.source
    if view.content(source.zone, source.keys) is not value.bag:
        return False
    trial, mask = view.trial, value.mask
    if loop.cond is not None:
        cond = loop.cond
        mask &= HiddenPool(value.bag, mask).passing(
            trial, lambda one: bool(known(view.bound(stmt.var, one, cond), trial)))
    moved = _part(view, HiddenPool(value.bag, mask))
    if not moved.tokens or any(sign < 0 for sign in moved.tokens.values()) or len(moved) > MOST_ORDERED:
        return False
    _take(view, loop.move, moved)
    if view.layout.core.zones[loop.move.to.zone].form is Form.BAG:
        _add(view, loop.move.to, moved)
    else:
        for one in trial.in_order(moved):
            _add(view, loop.move.to, one)
    return True


def _moves_all(view: HiddenView, stmt: Each) -> bool:
    """Whether a loop moves whatever there is from one zone to another, class by class; then that is done."""
    if len(stmt.body) != 1 or not isinstance(move := stmt.body[0], Move) or move.to.spot is not None:
        return False
    zones, what, count = view.layout.core.zones, move.what, move.number
    if not isinstance(what, Local) or what.name != stmt.var or not isinstance(count, Fold):
        return False
    if zones[move.source.zone].form is not Form.BAG or zones[move.to.zone].form is not Form.BAG:
        return False
    if not isinstance(count.source, Within) or count.source.place != move.source or count.kind is not FoldKind.COUNT:
        return False
    pool = view.options(stmt.source)
    if not isinstance(pool, HiddenPool) or view.content(move.source.zone, move.source.keys) is not pool.bag:
        return False
    moved = _part(view, pool)
    if len(moved):
        plain = view.trial.plain(moved)
        _take(view, move, plain)
        _add(view, move.to, plain)
    return True


def _part(view: HiddenView, pool: HiddenPool) -> Bag:
    """The components of some classes in a bag: of each token it is decided whether it is one."""
    trial, bag, mask = view.trial, pool.bag, pool.mask
    tokens = {token: sign for token, sign in bag.tokens.items() if mask == -1 or trial.is_in(token, mask)}
    return Bag({one: number for one, number in bag.known.items() if mask >> one & 1}, tokens, bag.source, bag.why)


def _finish(view: HiddenView, stmt: Finish) -> Winners:
    won = frozenset(view.plain(stmt.winners))
    result = view.layout.vars.get(WINNERS)
    if result is not None:
        view.slots[result.base] = won
    return won
