"""Weaving: what happens by itself is put where it can happen, behind the statements that write what it depends on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.base.source import Span
from referee.core.blocks import nested, statements
from referee.core.expr import Get, Local
from referee.core.ruleset import Role, Var
from referee.core.stmt import Action, Block, Branch, Call, Chance, Commit, Decide, Each, Procedure, Put, Repeat, Stmt
from referee.core.types import Bool
from referee.meaning import make
from referee.meaning.effects import reads, writes
from referee.meaning.entity import Bound, Scope
from referee.meaning.flow_size import MOST_DEEP, deepest
from referee.meaning.lasting import expired, used
from referee.meaning.nodes import Wrong, all_tried, head, node, nodes, origin, tried, words
from referee.meaning.statements import Statements
from referee.meaning.symbols import Symbols
from referee.meaning.values import Values
from referee.syntax.tree import Node

MOST_TRIGGERS = 40
MOST_WOVEN = 200_000


def behind(symbols: Symbols, check: Block, read: frozenset[str], where: Span) -> None:
    """Puts a check behind every statement of the ruleset that writes something of what it reads. Raises Wrong."""
    bodies = [symbols.setup, symbols.main]
    bodies += [action.body for action in symbols.actions.values()]
    bodies += [procedure.body for procedure in symbols.procedures.values()]
    every = [found for body in bodies for found in nested(body)]
    places = [around for stmt, around in every if writes(stmt) & read]
    if len(every) + len(places) * sum(1 for _ in statements(check)) > MOST_WOVEN:
        raise symbols.wrong("TR02", f"this is tested behind {len(places):,} statements: that is too much", where)
    if max(places, default=0) + deepest(check) > MOST_DEEP:
        said = f"with all that sets it off, more than {MOST_DEEP} blocks stand within each other"
        raise symbols.wrong("TR02", said, where)

    def woven(block: Block) -> Block:
        done: list[Stmt] = []
        written: frozenset[str] = frozenset()
        for stmt in block:
            done.append(inside(stmt))
            written |= writes(stmt)
            if isinstance(stmt, Put) and stmt.more:
                continue
            if written & read:
                done.extend(check)
            written = frozenset()
        return tuple(done)

    def inside(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Branch):
            return replace(stmt, yes=woven(stmt.yes), no=woven(stmt.no))
        if isinstance(stmt, Each | Repeat):
            return replace(stmt, body=woven(stmt.body))
        return stmt

    symbols.setup, symbols.main = woven(symbols.setup), woven(symbols.main)
    symbols.actions = {n: replace(a, body=woven(a.body)) for n, a in symbols.actions.items()}
    symbols.procedures = {n: replace(p, body=woven(p.body)) for n, p in symbols.procedures.items()}


class Triggers:
    """Lowering of `when C: ...` and of what is done before and after an action or procedure."""

    def __init__(self, symbols: Symbols, values: Values, statements: Statements) -> None:
        self._symbols = symbols
        self._values = values
        self._statements = statements

    # ------------------------------------------------------------------ when
    def weave(self, decls: list[Node]) -> None:
        """Weaves the triggers, those first whose bodies set off others. Raises Wrong on a cycle."""
        if len(decls) > MOST_TRIGGERS:
            more = head(decls[MOST_TRIGGERS])
            raise self._symbols.wrong("TR02", f"there are at most {MOST_TRIGGERS} triggers", more)
        made = all_tried(partial(self._trigger, d) for d in decls)
        for index in self._order(made, decls):
            check, read, start = made[index]
            behind(self._symbols, check, read, head(decls[index]))
            self._symbols.setup = (start, *self._symbols.setup)

    def _trigger(self, decl: Node) -> tuple[Block, frozenset[str], Stmt]:
        """The check behind a statement: it fires when the condition turns true."""
        cond_node = node(decl.parts[0])
        where = origin(decl)
        found = tried(lambda: self._values.condition(cond_node, Scope(owner="when")))
        if found is None:
            self._statements.body(decl.parts[1], Scope(owner="when"))
            raise Wrong
        cond = found
        name = self._symbols.point(f"when {self._symbols.text(cond_node.span)}"[:80])
        was = Var(name, (), Bool(), False, Role.REGISTER, where)
        self._symbols.vars[name] = was
        self._symbols.watched[name] = cond
        body = self._statements.body(decl.parts[1], Scope(owner="when"))
        again = (Put(name, (), cond, where),) if self._written(body) & reads(cond) else ()
        fresh = Branch(Get(name, (), Bool()), (), (Put(name, (), make.TRUE, where), *body, *again), where)
        check = Branch(cond, (fresh,), (Put(name, (), make.FALSE, where),), where)
        return (check,), reads(cond), Put(name, (), cond, where)

    def _order(self, made: list[tuple[Block, frozenset[str], Stmt]], decls: list[Node]) -> list[int]:
        written = [self._written(check) for check, _, _ in made]
        carried = [self._written(self._carried(check)) for check, _, _ in made]
        sets_off = {
            i: [j for j in range(len(made)) if (carried[i] if i == j else written[i]) & made[j][1]]
            for i in range(len(made))
        }
        order: list[int] = []
        open_: list[int] = []

        def visit(index: int) -> None:
            if index in open_:
                raise self._symbols.wrong(
                    "TR01",
                    "this trigger sets itself off, maybe through others",
                    head(decls[index]),
                    hint="what undoes its condition stands in the trigger itself, not in a procedure or an action",
                )
            if index not in order:
                open_.append(index)
                for other in sets_off[index]:
                    visit(other)
                open_.pop()
                order.append(index)

        for index in range(len(made)):
            visit(index)
        return order[::-1]

    def _carried(self, block: Block) -> Block:
        """What leads elsewhere: a trigger is tested there too, but not between its own statements."""
        return tuple(stmt for stmt in statements(block) if _led_to(stmt))

    def _written(self, block: Block) -> frozenset[str]:
        """What a block changes, also by the procedures and actions that it leads to."""
        found: set[str] = set()
        open_, known = [block], set[str]()
        while open_:
            for stmt in statements(open_.pop()):
                found |= writes(stmt)
                for name in sorted(_led_to(stmt) - known):
                    known.add(name)
                    carried = self._symbols.procedures.get(name) or self._symbols.actions.get(name)
                    open_.extend([carried.body] if carried is not None else [])
        return frozenset(found)

    # ------------------------------------------------------------------ before and after
    def hook(self, decl: Node) -> None:
        """Adds what is done before or after every call of a procedure or action."""
        name = next(words(decl, "NAME"))
        rest = [n for n in nodes(decl) if n.kind != "cite"]
        cond_node = rest[0] if len(rest) > 1 else None
        action, procedure = self._symbols.actions.get(name.text), self._symbols.procedures.get(name.text)
        known = action or procedure
        if known is None:
            raise self._symbols.unknown(
                name, "an action or a procedure", {*self._symbols.actions, *self._symbols.procedures}
            )
        scope = self._scope(known)
        where = origin(decl)
        body = self._statements.body(rest[-1], scope)
        if cond_node is not None:
            body = (Branch(self._values.condition(cond_node, scope), body, (), where),)
        whole = (*body, *known.body) if decl.kind == "before" else (*known.body, *body)
        if action is not None:
            self._symbols.actions[name.text] = replace(action, body=whole)
        elif procedure is not None:
            self._symbols.procedures[name.text] = replace(procedure, body=whole)

    def _scope(self, known: Action | Procedure) -> Scope:
        player = self._symbols.player
        if isinstance(known, Action):
            names = {p.name: Bound(Local(p.name, p.type)) for p in known.params}
            return Scope(names, Local("me", player), None, None, known.name)
        return Scope({n: Bound(Local(n, kind)) for n, kind in known.params}, None, None, None, known.name)

    # ------------------------------------------------------------------ durations
    def durations(self) -> None:
        """Ends what lasts until the end of a procedure, or for the next time that a player does something."""
        symbols = self._symbols
        me = Local("me", symbols.player)
        for name, procedure in symbols.procedures.items():
            ended = expired(symbols, name, procedure.origin)
            player = next((Local(n, k) for n, k in procedure.params if k == symbols.player), None)
            ended += used(symbols, name, player, procedure.origin) if player is not None else []
            symbols.procedures[name] = replace(procedure, body=(*procedure.body, *ended))
        for name, action in symbols.actions.items():
            done = used(symbols, name, me, action.origin)
            symbols.actions[name] = replace(action, body=(*action.body, *done)) if done else action


def _led_to(stmt: Stmt) -> set[str]:
    """The procedures and actions that a statement carries out or offers."""
    match stmt:
        case Call():
            return {stmt.procedure}
        case Chance():
            return {stmt.action}
        case Decide():
            return {option.action for option in stmt.options}
        case Commit():
            return {part.action for part in stmt.parts}
        case _:
            return set()
