"""Slips of the pen in one file of rules: a line left out, another number, name, comparison, a part of a condition.

There are many more of them than faults. What no scenario and no log notices is for people to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from referee.core.expr import And, Const, Fold, Local, Op, Operator, Or, Where
from referee.core.ruleset import Core
from referee.core.stmt import Branch, Commit, Decide, Stmt
from referee.core.types import Bool, Elem, Int
from referee.diagnostics.source import Span
from tests.faults.faults import Fault
from tests.faults.rewrite import Change, in_core, told
from tests.faults.text import Text

STATEMENTS = tuple(get_args(Stmt))
OTHER = {Operator.EQ: Operator.NE, Operator.NE: Operator.EQ, Operator.LT: Operator.LE, Operator.LE: Operator.LT,
         Operator.GT: Operator.GE, Operator.GE: Operator.GT}
NO = Const(False, Bool())


def slips(core: Core, text: Text, file: str) -> Iterator[Fault]:
    """Every slip in a file, in the order of the rules."""
    seen: set[tuple[str, Span]] = set()
    names = _names(core)
    for owner, origin, node in told(core):
        where = _where(node)
        if where is None or not where.path.endswith(file):
            continue
        for words, change in _slips(core, node, names.get(owner, {})):
            if (words, where) not in seen:
                seen.add((words, where))
                said = f"line {where.line}, `{text.at(where)}`: {words}"
                cites = text.cites(where, origin)
                yield Fault("slip", f"{owner}: {said}", where, cites, partial(in_core, change=change))


def _where(node: Any) -> Span | None:
    if isinstance(node, Decide | Commit):
        return node.point.origin.span
    if isinstance(node, STATEMENTS):
        return getattr(node, "origin", None) and node.origin.span
    span = getattr(node, "span", None)
    return span if isinstance(span, Span) else None


def _names(core: Core) -> dict[str, dict[object, list[str]]]:
    """Of each action and procedure the names in it that are told, by their type."""
    found: dict[str, dict[object, list[str]]] = {}
    for owner, _, node in told(core):
        if isinstance(node, Local) and node.span is not None and " " not in node.name:
            known = found.setdefault(owner, {}).setdefault(node.type, [])
            if node.name not in known:
                known.append(node.name)
    return found


def _slips(core: Core, node: Any, names: dict[object, list[str]]) -> Iterator[tuple[str, Change]]:
    match node:
        case Branch(yes=yes):
            yield "never", _instead(node, replace(node, cond=NO))
            yield "always", _instead(node, replace(node, cond=Const(True, Bool())))
            if yes and node.no:
                yield "never and else never", _instead(node, ())
        case Commit(revealed=True):
            yield "left out", _instead(node, ())
            yield "not revealed", _instead(node, replace(node, revealed=False))
            yield "no secret", _instead(node, replace(node, hidden=False, revealed=False))
        case Decide() | Commit():
            yield "left out", _instead(node, ())
        case _ if isinstance(node, STATEMENTS):
            yield "left out", _instead(node, ())
        case Const(bool() as value):
            yield f"{not value}", _instead(node, replace(node, value=not value))
        case Const(int() as value, Int()):
            for other in (value - 1, value + 1):
                yield str(other), _instead(node, replace(node, value=other, type=Int(other, other)))
        case Const(int() as value, Elem(domain)) if domain in core.domains:
            size = core.domains[domain].size
            if size > 1:
                other = (value + 1) % size
                changed = replace(node, value=other, type=Elem(domain, other, other))
                yield str(core.domains[domain].labels[other]), _instead(node, changed)
        case Local(name, kind) if " " not in name:
            for other_name in [one for one in names.get(kind, []) if one != name][:3]:
                yield other_name, _instead(node, replace(node, name=other_name))
        case Op(op) if op in OTHER:
            yield OTHER[op].value, _instead(node, replace(node, op=OTHER[op]))
        case And(parts) | Or(parts):
            for n in range(len(parts)):
                yield f"without part {n + 1}", _instead(node, replace(node, parts=(*parts[:n], *parts[n + 1:])))
        case Where(where=where) | Fold(where=where) if where is not None:
            yield "all", _instead(node, replace(node, where=None))
        case _:
            pass


def _instead(node: Any, other: object) -> Change:
    """Puts something in the place of what is equal to a node and stands where it stands; statements stand alone there,
    with names inside that are not the same for all shapes."""
    span, alone = _where(node), other == () or isinstance(node, Branch | Commit)

    def change(one: object) -> object:
        if type(one) is not type(node) or _where(one) != span or not (alone or one == node):
            return one
        match node, other:
            case (Branch(), Branch(cond)):
                return replace(one, cond=cond) if isinstance(one, Branch) else one
            case (Commit(), Commit(hidden=hidden, revealed=revealed)):
                return replace(one, hidden=hidden, revealed=revealed) if isinstance(one, Commit) else one
            case _:
                return other

    return change
