"""Secrets that everybody can tell: a choice or roll that all see, and that fixes what lies where only some may look."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.read_write_sets import locals_of, variables_of
from referee.core.ruleset import Core, Role
from referee.core.secrecy import Secrecy, secrecy_of
from referee.core.stmt import Action, Block, Branch, Commit, Each, Move, Param, Put
from referee.core.traverse import statements
from referee.diagnostics.diagnostic import Diagnostic, Severity

HINT = "say who sees it: `, seen by me` behind an action or argument, `, seen by p` behind a roll; or declare it open"


def told_secrets(core: Core) -> Iterator[Diagnostic]:
    """A warning for each argument that all see, and that tells what a hidden counter or spot holds."""
    yield from dict.fromkeys(_Telling(core).found())


class _Telling:
    def __init__(self, core: Core) -> None:
        hidden = {part.action for block in _blocks(core) for stmt in statements(block, Commit) if stmt.hidden
                  for part in stmt.parts}
        self._core = core
        self._secrecy: Secrecy = secrecy_of(core)
        self._open = {action.name: {param.name: param for param in action.params
                                    if param.arg is not None and param.seen is None and action.name not in hidden}
                      for action in core.actions.values()}
        self._kept: dict[str, Param] = {}
        for action in core.actions.values():
            for put in statements(action.body, Put):
                told = self._read(put.value, action)
                if told is not None and core.vars[put.var].role is Role.REGISTER:
                    self._kept.setdefault(put.var, told)

    def found(self) -> Iterator[Diagnostic]:
        for block, action in self._bodies():
            for put in statements(block, Put):
                told = self._read((*put.keys, put.value), action)
                if self._core.vars[put.var].seen_by is not None and told is not None and self._worked_out(put.var):
                    yield _warning(told, put.var)
            for move in statements(block, Move):
                told = None if move.to.spot is None else self._read(move.to.spot, action)
                known = self._sight(move.source.zone) and not self._is_secret(move.what, action)
                if told is not None and known and not self._sight(move.to.zone):
                    yield _warning(told, move.to.zone)

    def _bodies(self) -> Iterator[tuple[Block, Action | None]]:
        yield self._core.main, None
        for action in self._core.actions.values():
            yield action.body, action

    def _sight(self, zone: str) -> bool:
        return self._core.zones[zone].sight.everybody

    def _read(self, node: object, action: Action | None) -> Param | None:
        """An argument that all see, of those that a value is made of."""
        own = self._open[action.name] if action is not None else {}
        found = [own[name] for name in sorted(locals_of(node)) if name in own]
        found += [self._kept[name] for name in sorted(variables_of(node)) if name in self._kept]
        return found[0] if found else None

    def _is_secret(self, node: object, action: Action | None) -> bool:
        params = () if action is None else action.params
        return self._secrecy.is_secret(node, {param.name for param in params if param.seen is not None})

    def _worked_out(self, var: str) -> bool:
        """Whether all that is ever stored in a counter follows from what everybody sees."""
        self._secrecy.variables.discard(var)
        try:
            return not any(self._hides(block, action, var) for block, action in self._bodies())
        finally:
            self._secrecy.variables.add(var)

    def _hides(self, block: Block, action: Action | None, var: str) -> bool:
        """Whether something that not everybody knows is stored in a counter, or decides that something is."""
        puts = [put for put in statements(block, Put) if put.var == var]
        if any(self._is_secret((*put.keys, put.value), action) for put in puts):
            return True
        inside = [(stmt.cond, (*stmt.yes, *stmt.no)) for stmt in statements(block, Branch)]
        loops = [(stmt.source, stmt.body) for stmt in statements(block, Each)]
        return any(self._is_secret(decides, action) and any(put.var == var for put in statements(body, Put))
                   for decides, body in (*inside, *loops))


def _blocks(core: Core) -> Iterator[Block]:
    yield core.main
    yield from (action.body for action in core.actions.values())
    yield from (procedure.body for procedure in core.procedures.values())


def _warning(param: Param, name: str) -> Diagnostic:
    said = f"everybody sees `{param.name}`, and with it what `{name}` holds, which not everybody may see"
    return Diagnostic("VS05", said, param.origin.span, Severity.WARNING, (), HINT)
