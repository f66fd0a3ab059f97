"""Which parts of a condition decide it, with the values that they compare.

Of what is joined by `and` the first part that fails, of what is joined by `or` the part that holds; of a quantifier the
member that decides; of a definition what stands in it. `DecidingParts.of` is for forks, guards and claims alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
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
    Split,
    Where,
    Within,
)
from referee.core.member_types import member_type
from referee.core.ruleset import Role
from referee.core.stmt import Block
from referee.core.traverse import conjuncts, walk
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.statement_closures import block
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import NOTHING_READ, DecidingPart, KnownName, KnownValue

MOST_PARTS = 6
"""So many parts that decide a condition are told."""
MOST_MEMBERS = 4
"""Of no more members each is told what it comes to; of more, which one comes closest."""
MOST_COMPARED = 200
"""So many members are looked at for the one that comes closest."""
MOST_DEPTH = 24
"""Parts within parts that are looked into; a deeper one is told as a whole, or not at all."""
MOST_MADE = 12
"""So many values are known that one was worked out from."""
GIVEN = " of "
"""Stands in the names of what definitions are given, and in no other."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The uses of definitions on the way to a part, outermost first, and what these were given."""

    uses: tuple[KnownValue, ...] = ()
    given: tuple[KnownValue, ...] = ()


_DIRECT = _Way()
_OPTION = "option "
"""Stands before the name of the kind that the values of an option are."""
_WORKED_OUT = (
    Operator.ADD, Operator.SUB, Operator.MUL, Operator.NEG, Operator.LOWER, Operator.HIGHER, Operator.BETWEEN)


class DecidingParts:
    """Looks into conditions at one position. `slots` are its entries: what was read of them is in the answers."""

    def __init__(self, code: ExpressionClosures, slots: RecordingSlots) -> None:
        self._code = code
        self._slots = slots

    def of(self, cond: Expr, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a condition where the locals have the values in `env`; none if it has no value.

        What has an error or hangs on what nobody stated is left out.
        """
        try:
            held = bool(self._value(cond, env))
            found: list[DecidingPart] = []
            for part in self._parts(cond, held, dict(env), _DIRECT, 0):
                if sum(one.chose is part.chose for one in found) < MOST_PARTS:
                    found.append(part)
                if not part.chose and sum(not one.chose for one in found) == MOST_PARTS:
                    break
            return tuple(found)
        except (Fault, Unsettled):
            return ()

    def of_value(self, expr: Expr, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a value, as `of` has those of a condition: the value itself with what it was worked out
        from, and what chose among cases."""
        if expr.type == Bool():
            return self.of(expr, env)
        try:
            return (self._leaf(expr, True, (expr,), env, _DIRECT), *self._chosen(expr, env, 0))[:MOST_PARTS]
        except (Fault, Unsettled):
            return ()

    def known(self, expr: Expr, env: Env, label: str = "") -> KnownValue | None:
        """A value with what it read; None if it has none."""
        self._slots.taken()
        try:
            value, keys = self._value(expr, env), self._keys(expr, env)
        except (Fault, Unsettled):
            return None
        reads = self._slots.taken()
        return KnownValue(expr, value, self.names(expr, env), reads, label, keys)

    def _keys(self, expr: Expr, env: Env) -> tuple[Value, ...]:
        """Of what an entry of a table is."""
        match expr:
            case Look(_, keys):
                return tuple(self._value(key, env) for key in keys)
            case Only(of):
                return self._keys(of, env)
            case (Const() | Local() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
                  | Split() | Let() | After()):
                return ()
            case _:
                assert_never(expr)

    def worked_out(self, expr: Expr, env: Env) -> KnownValue | None:
        """A value with what it was worked out from."""
        known = self.known(expr, env)
        if known is None:
            return None
        try:
            found = dict.fromkeys(one for one in self._made(expr, env, False, 0) if one.expr is not expr)
        except (Fault, Unsettled):
            return known
        return replace(known, made=tuple(found)[:MOST_MADE])

    def _made(self, expr: Expr, env: Env, inside: bool, depth: int) -> Iterator[KnownValue]:
        """What a value was worked out from: what definitions on the way were given and compute, and keys. `inside`: a
        definition, so that the value itself belongs to it."""
        if depth > MOST_DEPTH:
            return
        inside |= expr.span is not None and expr.span.use is not None
        match expr:
            case Let(var, value, body):
                yield from self._given_to(var, value, env, depth)
                yield from self._made(body, {**env, var: self._value(value, env)}, inside, depth + 1)
            case If(cond, yes, no):
                yield from self._made(yes if self._value(cond, env) else no, env, inside, depth + 1)
            case Only(of):
                yield from self._made(of, env, inside, depth + 1)
            case Op(op, args):
                if op in _WORKED_OUT:
                    for arg in args:
                        if inside or (arg.span is not None and arg.span.use is not None):
                            yield from () if _is_worked_out(arg) else self._told(arg, env)
                            yield from self._made(arg, env, inside, depth + 1)
            case Look(_, keys) | Get(_, keys):
                if inside:
                    yield from self._told(expr, env)
                for key in keys:
                    yield from self._told(key, env)
            case At() | Fold() | Where() | Connected() | Split() | And() | Or() | After():
                if inside:
                    yield from self._told(expr, env)
            case Const() | Local():
                return
            case _:
                assert_never(expr)

    def _given_to(self, var: str, value: Expr, env: Env, depth: int) -> Iterator[KnownValue]:
        """What a definition was given, as far as it had to be worked out."""
        if GIVEN in var:
            yield from self._told(value, env)
            yield from self._made(value, env, False, depth + 1)

    def _told(self, expr: Expr, env: Env) -> Iterator[KnownValue]:
        """A value that is more than a name or a constant."""
        if _is_name(expr):
            return
        known = self.known(_taken(expr), env)
        if known is not None and _hangs(known):
            yield known

    def names(self, expr: Expr, env: Env) -> tuple[KnownName, ...]:
        """What the names in an expression stand for, as far as they come from around it."""
        found: dict[tuple[str, object], KnownName] = {}
        for local in walk(expr, Local):
            if local.name in env:
                name = KnownName(local.name, local.span, env[local.name], local.type)
                found.setdefault((local.name, local.span), name)
        for one in walk(expr, Get):
            if not one.keys and self._code.layout.defs[one.var].role is Role.REGISTER:
                value: Value = list.__getitem__(self._slots, self._code.layout.vars[one.var].base)
                found.setdefault((one.var, one.span), KnownName(one.var, one.span, value, one.type))
        for drawn in walk(expr, Only):
            register = self._register(drawn.of)
            if register is not None:
                found[(register, drawn.span)] = KnownName(register, drawn.span, self._value(drawn, env), drawn.type)
        for const in walk(expr, Const):
            # What a definition was given stands for a name in it.
            if const.span is not None and _is_member(const):
                found.setdefault(("", const.span), KnownName("", const.span, const.value, const.type))
        return (*found.values(), *self._wanted(expr, env))

    def _register(self, expr: Expr) -> str | None:
        """The register that an expression is, if it is one."""
        match expr:
            case Get(var, ()):
                return var if self._code.layout.defs[var].role is Role.REGISTER else None
            case (Get() | Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return None
            case _:
                assert_never(expr)

    def _wanted(self, expr: Expr, env: Env) -> Iterator[KnownName]:
        """Of a number of components which ones are counted, where that had to be worked out."""
        wanted = _counted(expr)
        if wanted is None or wanted.span is None:
            return
        try:
            yield KnownName("", wanted.span.use or wanted.span, self._value(wanted, env), wanted.type)
        except (Fault, Unsettled):
            return

    def _value(self, expr: Expr, env: Env) -> Any:
        return self._code.expr(expr)(self._slots, env)

    def _parts(self, expr: Expr, held: bool, env: Env, way: _Way, depth: int) -> Iterator[DecidingPart]:
        """The parts that make `expr` be `held`."""
        if depth > MOST_DEPTH:
            yield self._leaf(expr, held, (), env, way)
            return
        if expr.span is not None and expr.span.use is not None:
            used = KnownValue(expr, held, self.names(expr, env), NOTHING_READ)
            way = _Way((*way.uses, used), way.given)
        match expr:
            case And(parts):
                yield from self._joined(parts, held, env, way, depth, every=held)
            case Or(parts):
                yield from self._joined(parts, held, env, way, depth, every=not held)
            case Op(op, args):
                yield from self._operator(expr, op, args, held, env, way, depth)
            case If(cond, yes, no):
                first = bool(self._value(cond, env))
                taken = yes if first else no
                if self._says_itself(taken, env) and self._looks(cond):  # `when C: yes`: that C is so decides
                    yield from self._parts(cond, first, env, way, depth + 1)
                    yield from self._parts(taken, held, env, way, depth + 1)
                    return
                yield from self._parts(taken, held, env, way, depth + 1)
                for part in self._parts(cond, first, env, way, depth + 1):
                    yield replace(part, chose=True)
            case Let(var, value, body):
                inner = {**env, var: self._value(value, env)}
                given = self.worked_out(value, env) if GIVEN in var else None
                if given is not None and _hangs(given):
                    way = _Way(way.uses, (*way.given, given))
                yield from self._parts(body, held, inner, way, depth + 1)
            case Fold():
                yield from self._fold(expr, held, env, way, depth)
            case Const():
                return
            case After(body, value):
                there = self._after(body, env)
                if there is None:
                    yield from self._parts(value, held, env, way, depth + 1)
                else:
                    inside = there[0]._parts(value, held, there[1], way, depth + 1)
                    yield from (replace(part, later=True) for part in inside)
            case Local() | Get() | Look() | At() | Where() | Connected() | Split() | Only():
                yield self._leaf(expr, held, (expr,), env, way)
            case _:
                assert_never(expr)

    def _after(self, body: Block, env: Env) -> tuple[DecidingParts, Env] | None:
        """Who looks at the position that a block leads to, and the locals there; None if it does nothing."""
        if not body:
            return None
        slots, names = self._slots.apart(), dict(env)
        block(body, self._code)(slots, names)
        return DecidingParts(self._code, slots), names

    def _says_itself(self, expr: Expr, env: Env) -> bool:
        """Whether a case is a plain yes or no, maybe behind other cases."""
        match expr:
            case Const():
                return True
            case If(cond, yes, no):
                return self._says_itself(yes if self._value(cond, env) else no, env)
            case (Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected() | Split()
                  | Let() | Only() | After()):
                return False
            case _:
                assert_never(expr)

    def _looks(self, cond: Expr) -> bool:
        """Whether a condition looks at what rules write, and not only at what they print or at settings."""
        return any(True for _ in walk(cond, Within)) or any(
            self._code.layout.defs[var.var].role is Role.STATE for var in walk(cond, Get))

    def _joined(self, parts: tuple[Expr, ...], held: bool, env: Env, way: _Way, depth: int, *,
                every: bool) -> Iterator[DecidingPart]:
        """Of `and` that fails the first part that does, of `or` that holds the first that does; else all of them."""
        if every:
            for part in parts:
                yield from self._parts(part, held, env, way, depth + 1)
            return
        for part in parts:
            if bool(self._value(part, env)) is held:
                yield from self._parts(part, held, env, way, depth + 1)
                return

    def _operator(self, expr: Op, op: Operator, args: tuple[Expr, ...], held: bool, env: Env, way: _Way,
                  depth: int) -> Iterator[DecidingPart]:
        match op:
            case Operator.NOT:
                inner = list(self._parts(args[0], not held, env, way, depth + 1))
                deciding = [part for part in inner if not part.chose]
                if len(deciding) == 1 and deciding[0].through == way.uses:
                    yield self._told_of(expr, held, deciding[0], env)
                    yield from (part for part in inner if part.chose)
                else:
                    yield from inner
            case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN
                  | Operator.SET | Operator.UNION | Operator.MINUS | Operator.SIZE | Operator.ADD | Operator.SUB
                  | Operator.MUL | Operator.NEG | Operator.LOWER | Operator.HIGHER | Operator.BETWEEN):
                whole = whole_set(expr)
                if whole is not None:
                    yield self._every_member(expr, whole, held, env, way, depth)
                    return
                yield self._leaf(expr, held, args, env, way)
                for arg in args:
                    yield from self._chosen(arg, env, depth)
            case _:
                assert_never(op)

    def _every_member(self, expr: Expr, whole: Where, held: bool, env: Env, way: _Way, depth: int) -> DecidingPart:
        """Whether all members of a domain are such: who is, and what decides it of those who are not, or of all."""
        found: list[DecidingPart] = []
        for member in dict.fromkeys(self._code.source(whole.source)(self._slots, env)):
            inner = {**env, whole.var: member}
            if whole.where is not None and len(found) < MOST_PARTS and bool(self._value(whole.where, inner)) is held:
                found.extend(self._parts(whole.where, held, inner, _DIRECT, depth + 1))
        such = self.known(whole, env)
        few = () if such is None else (such,)
        return DecidingPart(expr, held, few, self.names(expr, env), way.uses, way.given, tuple(found[:MOST_PARTS]))

    def _chosen(self, expr: Expr, env: Env, depth: int) -> Iterator[DecidingPart]:
        """The parts that chose what a value was worked out from, where there were other cases."""
        if depth > MOST_DEPTH:
            return
        match expr:
            case Let(var, value, body):
                yield from self._chosen(body, {**env, var: self._value(value, env)}, depth + 1)
            case If(cond, yes, no):
                first = bool(self._value(cond, env))
                yield from self._chosen(yes if first else no, env, depth + 1)
                for part in self._parts(cond, first, env, _DIRECT, depth + 1):
                    yield replace(part, chose=True)
            case Only(of):
                yield from self._chosen(of, env, depth + 1)
            case (Const() | Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected()
                  | Split() | After()):
                return
            case _:
                assert_never(expr)

    def _told_of(self, expr: Expr, held: bool, part: DecidingPart, env: Env) -> DecidingPart:
        """What denies something is said as the rules say it, with the values of what it denies."""
        return DecidingPart(expr, held, part.values, self.names(expr, env), part.through, part.given, part.below)

    def _fold(self, fold: Fold, held: bool, env: Env, way: _Way, depth: int) -> Iterator[DecidingPart]:
        match fold.kind:
            case FoldKind.ANY:
                wanted = True
            case FoldKind.ALL:
                wanted = False
            case FoldKind.COUNT | FoldKind.SUM | FoldKind.MIN | FoldKind.MAX:
                yield self._leaf(fold, held, (fold,), env, way)
                return
            case _:
                assert_never(fold.kind)
        members = tuple(dict.fromkeys(self._code.source(fold.source)(self._slots, env)))
        kind = member_type(self._code.layout.core, fold.source)
        said = fold.body or fold.where
        if held is wanted:
            for member in members:
                inner = {**env, fold.var: member}
                if self._decides(fold, wanted, inner):
                    one = KnownValue(Local(fold.var, kind), member, (), NOTHING_READ, fold.var)
                    below = () if said is None else tuple(self._parts(said, wanted, inner, _DIRECT, depth + 1))
                    values = tuple(value for part in below[:1] for value in part.values)
                    yield DecidingPart(fold, held, (one, *values), self.names(fold, env), way.uses, way.given, below)
                    return
        few: list[KnownValue] = []
        for member in members[:MOST_MEMBERS] if len(members) <= MOST_MEMBERS else ():
            inner = {**env, fold.var: member}
            if said is not None:
                for part in self._parts(said, bool(self._value(said, inner)), inner, _DIRECT, depth + 1):
                    few.extend(() if part.chose else part.values)
        if not members:
            few.extend(self._nothing_there(fold, env))
        closest = () if held or len(members) <= MOST_MEMBERS else tuple(self._closest(fold, members, kind, env, depth))
        yield DecidingPart(fold, held, tuple(few[:2 * MOST_MEMBERS]), self.names(fold, env), way.uses, way.given,
                           closest=closest)

    def _nothing_there(self, fold: Fold, env: Env) -> Iterator[KnownValue]:
        """Of a place without members how many there are."""
        match fold.source:
            case Within(place):
                none = Fold(FoldKind.COUNT, fold.var, fold.source, None, None, Int(0, 0), None, place.span)
                yield KnownValue(none, 0, self.names(none, env), NOTHING_READ)
            case Numbers() | All() | Members():
                return
            case _:
                assert_never(fold.source)

    def _closest(self, fold: Fold, members: Sequence[Value], kind: Type, env: Env,
                 depth: int) -> Iterator[DecidingPart]:
        """Of members that all fail the one that fails last, by a number, and there by the least. Few are all told."""
        tests = [test for one in (fold.where, fold.body) if one is not None for test in conjuncts(one)]
        found: tuple[int, int, Value] | None = None
        for member in members[:MOST_COMPARED]:
            inner = {**env, fold.var: member}
            at = next((at for at, test in enumerate(tests) if not self._value(test, inner)), None)
            short = None if at is None else self._short(tests[at], inner)
            if at is not None and short is not None and (found is None or (-at, short) < found[:2]):
                found = (-at, short, member)
        if found is None or len(members) > MOST_COMPARED:
            return
        at, _, member = found
        inner = {**env, fold.var: member}
        one = KnownValue(Local(fold.var, kind), member, (), NOTHING_READ, f"closest {fold.var}")
        below = tuple(self._parts(tests[-at], False, inner, _DIRECT, depth + 1))
        yield DecidingPart(fold, False, (one,), self.names(fold, env), below=below)

    def _short(self, test: Expr, env: Env) -> int | None:
        """By how much a comparison of numbers fails; None if a test is none."""
        match test:
            case Op(Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.EQ, (left, right)):
                one, other = self._value(left, env), self._value(right, env)
                return abs(one - other) if is_number(left) and is_number(right) else None
            case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return None
            case _:
                assert_never(test)

    def _decides(self, fold: Fold, wanted: bool, env: Env) -> bool:
        where, body = fold.where, fold.body
        if not wanted and body is None:
            where, body = None, fold.where
        if where is not None and not self._value(where, env):
            return False
        return body is None or bool(self._value(body, env)) is wanted

    def _leaf(self, expr: Expr, held: bool, told: tuple[Expr, ...], env: Env, way: _Way) -> DecidingPart:
        found = [self.worked_out(one, env) for one in told]
        values = tuple(one for one in found if one is not None and _hangs(one))
        return DecidingPart(expr, held, values, self.names(expr, env), way.uses, way.given)


def is_number(expr: Expr) -> bool:
    """Whether a value is a number."""
    match expr.type:
        case Int():
            return True
        case Bool() | Elem() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(expr.type)


def whole_set(expr: Expr) -> Where | None:
    """Of a comparison that asks whether a set has all members of a domain, the set; else None."""
    match expr:
        case Op(Operator.EQ, (Op(Operator.SIZE, (Where(source=All(of=Elem(lo=lo, hi=hi))) as found,)), Const(value))):
            return found if value == hi - lo + 1 else None
        case (Const() | Local() | Get() | Op() | Look() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _taken(expr: Expr) -> Expr:
    """What a member is taken from, which stands where it is used."""
    match expr:
        case Only(of):
            return of if expr.span is None or expr.span.use is None else expr
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | After()):
            return expr
        case _:
            assert_never(expr)


def _counted(expr: Expr) -> Expr | None:
    """Of a number of components the value that they are to be, if it is more than a name."""
    match expr:
        case Fold(FoldKind.COUNT, where=Op(Operator.EQ, (Local(), wanted))):
            return None if _is_name(wanted) else wanted
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)


def _is_name(expr: Expr) -> bool:
    """Whether a value is a constant or a name for one."""
    match expr:
        case Const() | Local():
            return True
        case (Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split() | Let()
              | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _is_member(const: Const) -> bool:
    """Whether a constant is a member, and not what an option is."""
    match const.type:
        case Elem(domain):
            return not domain.startswith(_OPTION)
        case Bool() | Int() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(const.type)


def _hangs(known: KnownValue) -> bool:
    """Whether a value hangs on anything: on the position, or on names."""
    return bool(known.reads) or any(one.name for one in known.names)


def _is_worked_out(expr: Expr) -> bool:
    """Whether a number is worked out from others right where it stands."""
    match expr:
        case Op(op):
            return op in _WORKED_OUT and (expr.span is None or expr.span.use is None)
        case (Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)
