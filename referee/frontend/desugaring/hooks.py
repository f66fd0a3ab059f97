"""What is done before and after an action or procedure, and what ends with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from referee.core.expr import Local
from referee.core.stmt import Action, Block, Procedure
from referee.frontend.desugaring.rest_points import restless
from referee.frontend.desugaring.simultaneous_effects import AtOnce, Item, groups, in_turn
from referee.frontend.desugaring.triggers import Triggers
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.timed_modifiers import expired, used
from referee.frontend.names.tree_access import all_tried, nodes, origin, words
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node


class Hooks:
    """Lowering of `before NAME: ...` and `after NAME: ...`."""

    def __init__(
        self, symbols: Symbols, values: ExpressionLowering, statements: Statements, triggers: Triggers
    ) -> None:
        self._symbols = symbols
        self._values = values
        self._statements = statements
        self._triggers = triggers

    def add(self, decls: Iterable[Node]) -> None:
        """Adds what is done before or after every call of a procedure or action. Raises Wrong."""
        made = all_tried(partial(self._hook, d) for d in decls)
        for kind, name in dict.fromkeys((kind, name) for kind, name, _ in made):
            self._around(kind, name, [item for k, n, item in made if (k, n) == (kind, name)])

    def _hook(self, decl: Node) -> tuple[str, str, Item]:
        name = next(words(decl, "NAME"))
        rest = [n for n in nodes(decl) if n.kind != "cite"]
        known = self._symbols.actions.get(name.text) or self._symbols.procedures.get(name.text)
        if known is None:
            among = {*self._symbols.actions, *self._symbols.procedures}
            raise self._symbols.unknown(name, "an action or a procedure", among)
        scope = self._scope(known)
        where = origin(decl)
        body = restless(self._statements.body(rest[-1], scope))
        self._symbols.aside.append(body)
        due = self._values.terms.condition(rest[0], scope) if len(rest) > 1 else typed_operators.TRUE
        label = f"{decl.kind} {name.text}" + (f", when {self._symbols.text(rest[0].span)}" if len(rest) > 1 else "")
        after_above = any(True for _ in words(decl, "AFTER_ABOVE"))
        return decl.kind, name.text, Item(label, due, body, where, after_above)

    def _around(self, kind: str, name: str, items: list[Item]) -> None:
        whole: Block = ()
        for group in groups(len(items), lambda i, j: self._triggers.alike(items[i].body, items[j].body)):
            several = [items[i] for i in group]
            whole += in_turn(several) if len(several) == 1 else self._ordered(several, f"{name}.{kind}")
        action, procedure = self._symbols.actions.get(name), self._symbols.procedures.get(name)
        if action is not None:
            body = (*whole, *action.body) if kind == "before" else (*action.body, *whole)
            self._symbols.actions[name] = replace(action, body=body)
        elif procedure is not None:
            body = (*whole, *procedure.body) if kind == "before" else (*procedure.body, *whole)
            self._symbols.procedures[name] = replace(procedure, body=body)

    def _ordered(self, items: list[Item], point: str) -> Block:
        return AtOnce(self._symbols).block(items, self._symbols.point(point))

    def _scope(self, known: Action | Procedure) -> Scope:
        player = self._symbols.player
        if isinstance(known, Action):
            names = {p.name: Bound(Local(p.name, p.type)) for p in known.params}
            return Scope(names, Local("me", player), None, None, known.name)
        return Scope({n: Bound(Local(n, kind)) for n, kind in known.params}, None, None, None, known.name)

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


