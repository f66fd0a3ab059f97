"""What hangs on one token alone, worked out by the reference engine for each class that the token may have."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol

from referee.core.expr import Expr
from referee.core.read_write_sets import block_writes, locals_of, variables_of
from referee.core.ruleset import WINNERS
from referee.core.stmt import Block
from referee.game.state import Layout
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.statement_closures import Act
from referee.interpreter.interruptions import Fault
from referee.judge.partial.constraints.hidden_values import Case, Hidden, HiddenValueAsked, members
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.dependent.case_diagrams import reduced, token_of

MOST_CLASSES = 1_024
"""Classes that are looked at one by one, at most."""
MOST_ENTRIES = 64
"""Variables with more entries are not looked through for what is hidden in them."""


class ClassByClass(Protocol):
    """A position at which something is worked out."""

    code: ExpressionClosures
    layout: Layout
    slots: list[Any]
    env: dict[Any, Any]
    trial: Trial


class _Node:
    """A node of the core, told from others by being another one."""

    __slots__ = ("node",)

    def __init__(self, node: object) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Node) and other.node is self.node

    def __hash__(self) -> int:
        return id(self.node)


@lru_cache(maxsize=20_000)
def _read(node: _Node) -> tuple[frozenset[str], frozenset[str]]:
    """The locals and the variables that are read in an expression or block."""
    return locals_of(node.node), variables_of(node.node)


@lru_cache(maxsize=20_000)
def _written(node: _Node) -> frozenset[str]:
    """The variables and zones that a block changes."""
    body: Any = node.node
    return block_writes(body)


def _hidden(view: ClassByClass, node: object) -> tuple[int, list[str], list[int]] | None:
    """The latest token that something read by its name hangs on; the locals and the entries that hang on it."""
    names, variables = _read(_Node(node))
    found: dict[int, tuple[list[str], list[int]]] = {}
    for name in names:
        token = token_of(view.env.get(name))
        if token is not None:
            found.setdefault(token, ([], []))[0].append(name)
    for variable in variables:
        spread = view.layout.vars[variable]
        if spread.count <= MOST_ENTRIES:
            for at in range(spread.base, spread.base + spread.count):
                token = token_of(view.slots[at])
                if token is not None:
                    found.setdefault(token, ([], []))[1].append(at)
    if not found:
        return None
    latest = max(found)
    few = view.trial.store.domains[latest].bit_count() <= MOST_CLASSES
    return (latest, *found[latest]) if few else None


def _of_class(value: Any, one: int) -> Any:
    return value.values[one] if isinstance(value, Case) else one


def by_class(view: ClassByClass, expr: Expr) -> Any:
    """The value of an expression as a case of the only token that it hangs on; None if there is none such."""
    found = _hidden(view, expr)
    if found is None:
        return None
    token, names, entries = found
    run = view.code.expr(expr)
    values: dict[int, Any] = {}
    for one in members(view.trial.store.domains[token]):
        slots, env = _there(view, names, entries, one)
        try:
            values[one] = run(slots, env)
        except HiddenValueAsked:
            return None
        except Fault as fault:
            values[one] = fault
    if any(isinstance(one, Hidden) for one in values.values()):
        return None
    return reduced(token, values)


def _there(view: ClassByClass, names: Iterable[str], entries: Iterable[int],
           one: int) -> tuple[list[Any], dict[Any, Any]]:
    """The position, if a token is of a class."""
    slots, env = list(view.slots), dict(view.env)
    for name in names:
        env[name] = _of_class(env[name], one)
    for at in entries:
        slots[at] = _of_class(slots[at], one)
    return slots, env


def carried(view: ClassByClass, body: Block, made: Callable[[], Act]) -> bool:
    """Carries out statements that move nothing, for each class of the only token that they hang on: what they write
    hangs on it then. False if they hang on something else, or end in error for some class: then nothing is done.

    `made`: gives what the reference engine carries them out by.
    """
    written = _written(_Node(body))
    if WINNERS in written or not written <= view.layout.defs.keys():
        return False
    found = _hidden(view, body)
    if found is None:
        return False
    token, names, entries = found
    act, classes = made(), list(members(view.trial.store.domains[token]))
    after: list[tuple[list[Any], dict[Any, Any]]] = []
    changed: dict[int, None] = {}
    for one in classes:
        slots, env = _there(view, names, entries, one)
        before = list(slots)
        try:
            act(slots, env)
        except (HiddenValueAsked, Fault):
            return False
        changed.update((at, None) for at, value in enumerate(slots) if value is not before[at])
        after.append((slots, env))
    if len(after[0][0]) != len(view.slots):
        return False
    for at in changed:
        view.slots[at] = reduced(token, dict(zip(classes, (slots[at] for slots, _ in after), strict=True)))
    for name in {name for _, env in after for name in env if name not in names}:
        values = [env.get(name, view.env.get(name)) for _, env in after]
        if any(value is not view.env.get(name) for value in values):
            view.env[name] = reduced(token, dict(zip(classes, values, strict=True)))
    return True
