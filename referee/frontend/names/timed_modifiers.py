"""Modifiers that last for a while: a counter reads as its base plus what lasts now, within its declared range.

Nothing is set back. What lasts is kept in variables of its own, one for each duration; a duration that ends empties
them. A modifier of a component dies when the component comes to another zone, in whatever way: moved alone, with others
or with all of its kind, swapped, drawn, dealt, or shuffled into a pile. The same zone of another key (the hand of
somebody else) is another zone; another spot or end of the same zone is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.core.expr import All, Const, Expr, Fold, FoldKind, Get, Local, Members, Op, Operator, Place
from referee.core.ruleset import Role, Var
from referee.core.stmt import Bind, Block, Branch, Each, Origin, Put, Stmt
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.bindings import Meaning, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import word
from referee.syntax.syntax_tree import Node, Word
from referee.syntax.tree_contents import contents

LEAST_ROOM = 100
"""A change for a while may be so much up or down at least, however narrow the range of the counter is."""
MOST_DURATIONS = 12
"""Durations for which one counter is changed: rules with more are refused."""
OWNER = "whose"


@dataclass(frozen=True, slots=True)
class Duration:
    """How long: until the end of `what` (a turn, a round, a procedure), or for the `next` one that the player does."""

    what: str
    next: bool

    def __str__(self) -> str:
        return f"for the next {self.what}" if self.next else f"until the end of the {self.what}"


def duration_of(said: Word) -> Duration:
    """The duration that a clause names."""
    words = said.text.lstrip(", ").split()
    return Duration(words[-1], words[0] == "for")


def known_duration(symbols: Symbols, said: Word) -> Duration:
    """The duration that a clause names, of something that the rules know. Raises Wrong."""
    duration = duration_of(said)
    things = {*symbols.procedure_nodes, *(symbols.action_nodes if duration.next else ("turn", "round"))}
    if duration.what not in things:
        end = said.span
        last = Span(end.path, end.end_line, end.end_column - len(duration.what), end.end_line, end.end_column)
        what = "an action or a procedure" if duration.next else "turn, round or a procedure"
        raise symbols.unknown(Word(said.type, duration.what, last), what, things)
    return duration


def collect(symbols: Symbols, decls: list[Node]) -> None:
    """Notes which counters are modified for which durations, anywhere in the rules, and makes their variables."""
    for decl in decls:
        for target, said in contents(decl).lasting:
            _note(symbols, target, duration_of(said))


def _note(symbols: Symbols, target: Node, duration: Duration) -> None:
    while target.kind == "group" and isinstance(target.parts[0], Node):
        target = target.parts[0]
    head = target.parts[0] if target.parts else None
    name = word(head).text if head is not None and target.kind in ("name", "attr_of", "call", "my") else ""
    var = symbols.vars.get(name)
    if var is None or var.role is not Role.STATE or not isinstance(var.type, Int):
        return
    known = symbols.lasting.setdefault(name, [])
    if str(duration) in known:
        return
    if len(known) >= MOST_DURATIONS:
        return
    known.append(str(duration))
    room = max(LEAST_ROOM, 4 * (var.type.hi - var.type.lo))
    keys = (*var.keys, symbols.player) if duration.next else var.keys
    kept = Var(_name(name, duration), keys, Int(-room, room), 0, Role.STATE, var.origin, "", False, var.seen_by)
    symbols.vars[kept.name] = kept
    if duration.next:
        later = replace(kept, name=_later(kept.name))
        symbols.vars[later.name] = later


def _name(var: str, duration: Duration | str) -> str:
    """The name of the counter of what lasts so long of another one."""
    return f"{var} {duration}"


def _later(name: str) -> str:
    return f"{name}, given during one"


def effective(symbols: Symbols, base: Get) -> Expr:
    """What a counter reads as: its base plus what lasts, within its range."""
    durations = symbols.lasting.get(base.var, [])
    kind = base.type
    if not durations or not isinstance(kind, Int):
        return base
    total: Expr = base
    for duration in durations:
        total = typed_operators.arithmetic(Operator.ADD, total, _lasting(symbols, base, _name(base.var, duration)))
    lifted = typed_operators.arithmetic(Operator.HIGHER, total, typed_operators.number(kind.lo))
    return Op(Operator.LOWER, (lifted, typed_operators.number(kind.hi)), kind, base.span)


def _lasting(symbols: Symbols, base: Get, name: str) -> Expr:
    var = symbols.vars[name]
    if len(var.keys) == len(base.keys):
        return Get(name, base.keys, var.type)
    assert isinstance(var.type, Int)
    one = Get(name, (*base.keys, Local(OWNER, symbols.player)), var.type)
    seats = symbols.seats.number
    whole = Int(var.type.lo * seats, var.type.hi * seats)
    return Fold(FoldKind.SUM, OWNER, All(symbols.player), None, one, whole)


def base_of(found: Meaning) -> Meaning:
    """The counter behind what it reads as, for what changes it."""
    if isinstance(found, Op) and found.op is Operator.LOWER:
        part: Expr = found.args[0]
        while isinstance(part, Op) and part.op in (Operator.HIGHER, Operator.ADD):
            part = part.args[0]
        if isinstance(part, Get):
            return part
    return found


def modified(
    symbols: Symbols,
    duration: Duration,
    var: Get,
    op: Operator,
    amount: Expr,
    scope: Scope,
    where: Origin,
    whose: Expr | None = None,
) -> Stmt:
    """Adds a modifier. One given inside the very thing that it is to last for counts for the following one.

    `whose` next one it lasts for is said, or it is that of the counter's player, or of who acts.
    """
    name = _name(var.var, duration)
    kept = symbols.vars.get(name)
    if kept is None:
        raise symbols.wrong("DU02", f"{var.var} is changed for more than {MOST_DURATIONS} durations", where.span)
    keys = var.keys
    if duration.next:
        keyed = next((k for k in var.keys if isinstance(k.type, Elem) and k.type.domain == "player"), scope.me)
        owner = whose or keyed
        if owner is None:
            raise symbols.wrong("DU01", f"{duration} of whom? Nobody acts here", where.span)
        keys = (*var.keys, owner)
        name = _later(name) if scope.owner == duration.what else name
    now = Get(name, keys, kept.type, where.span)
    return Put(name, keys, typed_operators.arithmetic(op, now, amount, where.span), where)


def expired(symbols: Symbols, what: str, where: Origin) -> list[Stmt]:
    """What happens when a turn, a round or a procedure ends: whatever lasted until then is gone."""
    ended = str(Duration(what, False))
    return [_emptied(symbols, _name(var, ended), where) for var, known in symbols.lasting.items() if ended in known]


def used(symbols: Symbols, what: str, player: Expr, where: Origin) -> list[Stmt]:
    """What happens when a player has done something: what lasted for it is gone, what was given in it begins."""
    duration = str(Duration(what, True))
    done: list[Stmt] = []
    for var, known in symbols.lasting.items():
        if duration in known:
            name = _name(var, duration)
            done.append(_handed_on(symbols, name, player, where))
    return done


def _handed_on(symbols: Symbols, name: str, player: Expr, where: Origin) -> Stmt:
    var, later = symbols.vars[name], symbols.vars[_later(name)]
    keys: tuple[Expr, ...] = (*(Local(f"key {i}", k) for i, k in enumerate(var.keys[:-1])), player)
    body: tuple[Stmt, ...] = (
        Put(name, keys, Get(later.name, keys, later.type), where),
        Put(later.name, keys, typed_operators.number(0), where),
    )
    for i, kind in reversed(list(enumerate(var.keys[:-1]))):
        body = (Each(f"key {i}", All(kind), body, where),)
    return body[0] if len(body) == 1 else Each("once", All(Int(1, 1)), body, where)


def _emptied(symbols: Symbols, name: str, where: Origin) -> Stmt:
    keys = symbols.vars[name].keys
    stmt: Stmt = Put(name, tuple(Local(f"key {i}", k) for i, k in enumerate(keys)), typed_operators.number(0), where)
    for i, kind in reversed(list(enumerate(keys))):
        stmt = Each(f"key {i}", All(kind), (stmt,), where)
    return stmt


def leaving(symbols: Symbols, what: Expr, source: Place, to: Place, fresh: str, where: Origin) -> tuple[Block, Block]:
    """What is done before and after `what` (a component, or each of several) moves: in another zone what lasts for it
    is gone. Whether it is another zone is found out before the move under the name `fresh`, where only the keys tell.
    """
    changed = _elsewhere(source, to, where)
    gone = () if changed == typed_operators.FALSE else tuple(_gone(symbols, what, where))
    if not gone or changed == typed_operators.TRUE:
        return (), gone
    return (Bind(fresh, changed, where),), (Branch(Local(fresh, Bool()), gone, (), where),)


def _elsewhere(source: Place, to: Place, where: Origin) -> Expr:
    """Whether two places lie in different zones: of other names, or of the same name with other keys."""
    if source.zone != to.zone:
        return typed_operators.TRUE
    differing = [(a, b) for a, b in zip(source.keys, to.keys, strict=True) if a != b]
    if any(isinstance(a, Const) and isinstance(b, Const) for a, b in differing):
        return typed_operators.TRUE
    same = typed_operators.both((typed_operators.equal(a, b, where.span) for a, b in differing), where.span)
    return typed_operators.negate(same, where.span) if differing else typed_operators.FALSE


def _gone(symbols: Symbols, what: Expr, where: Origin) -> list[Stmt]:
    """The modifiers of what moved (a component, or each of several) are gone."""
    kind = what.type
    if isinstance(kind, SetOf | Many):
        one = Local("what moved", kind.of)
        body = _gone(symbols, one, where)
        return [Each(one.name, Members(what), tuple(body), where)] if body else []
    return [stmt for name, at in _kept_of(symbols, kind) for stmt in _dropped(symbols, name, at, what, where)]


def modified_kinds(symbols: Symbols, kind: Type) -> bool:
    """Whether something may last for components of this type."""
    return any(True for _ in _kept_of(symbols, kind))


def _kept_of(symbols: Symbols, kind: Type) -> Iterator[tuple[str, int]]:
    """The variables that keep what lasts for components of a type, each with the key that the component is."""
    if not isinstance(kind, Elem) or kind.domain != COMPONENT:
        return
    for var, known in symbols.lasting.items():
        for duration in known:
            for name in (_name(var, duration), _later(_name(var, duration))):
                for at, key in enumerate(symbols.vars[name].keys if name in symbols.vars else ()):
                    if isinstance(key, Elem) and key.domain == COMPONENT and key.lo <= kind.hi and kind.lo <= key.hi:
                        yield name, at


def _dropped(symbols: Symbols, name: str, at: int, what: Expr, where: Origin) -> list[Stmt]:
    """Empties what a variable keeps of one component, if it is of the kind that has such a counter."""
    keys = symbols.vars[name].keys
    key, kind = keys[at], what.type
    assert isinstance(key, Elem)
    assert isinstance(kind, Elem)
    named = tuple(what if i == at else Local(f"key {i}", k) for i, k in enumerate(keys))
    stmt: Stmt = Put(name, named, typed_operators.number(0), where)
    for i, other in enumerate(keys):
        if i != at:
            stmt = Each(f"key {i}", All(other), (stmt,), where)
    if key.lo <= kind.lo and kind.hi <= key.hi:
        return [stmt]
    members = Const(frozenset(range(key.lo, key.hi + 1)), SetOf(key), where.span)
    return [Branch(Op(Operator.IN, (what, members), Bool(), where.span), (stmt,), (), where)]
