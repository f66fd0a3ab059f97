"""Source for a claim that asks the same of each of a few, and is asked again only of those with changes.

Changes are those of the entries that it looks at.
"""

from __future__ import annotations

from typing import Any, assert_never

from referee.codegen.array_code import name_of
from referee.codegen.code_scope import Coding, Name, Scope, known
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
    Only,
    Op,
    Or,
    Place,
    Split,
    Where,
)
from referee.core.traverse import walk
from referee.core.types import size

MOST_MEMBERS, MOST_ENTRIES = 8, 12
"""Of so many members it is remembered at most, and so many entries."""
LEAST_NODES = 25
"""A smaller condition is tested sooner than it is looked whether anything has changed."""


class KeptEntries(dict[int, tuple[Any, ...]]):
    """For whom a claim held last, with the entries that it had looked at."""

    def __missing__(self, who: int) -> tuple[Any, ...]:
        return ()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return KeptEntries, ()


def every(code: Coding, claim: Expr, number: int) -> str | None:
    """Whether a claim holds; None if it does not ask the same of each of a few, or looks at what is not known before.
    `number`: of the claim."""
    match claim:
        case Fold(FoldKind.ALL, var, All(of, None, False) as source, None, body) if (
                body is not None and size(of) <= MOST_MEMBERS):
            pass
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() |
              Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(claim)
    if sum(1 for _ in walk(body)) < LEAST_NODES:
        return None
    one, entries, found = code.out.fresh(), code.out.fresh(), code.out.fresh()
    scope: Scope = {var: Name(one, code.prover.members(source, known({})))}
    looked = _looked_at(code, body, var, scope)
    if looked is None:
        return None
    memory = code.objects.name("k", ("kept claim", number), KeptEntries())
    code.out.line(f"{found} = True")
    with code.out.block(f"for {one} in {tuple(range(of.lo, of.hi + 1))}:"):
        code.out.line(f"{entries} = ({''.join(f'{text}, ' for text in looked)})")
        code.out.line(f"if {entries} == {memory}[{one}]: continue")
        with code.out.block(f"if not {code.value(body, scope)}:"):
            code.out.line(f"{found} = False")
            code.out.line("break")
        code.out.line(f"{memory}[{one}] = {entries}")
    return found


def _looked_at(code: Coding, body: Expr, var: str, scope: Scope) -> list[str] | None:
    """All entries that a condition looks at, if they are known before it is asked."""
    names = _names(body, var)
    scope = dict.fromkeys(names, scope[var])
    with code.out.apart() as piece:
        layout = code.layout
        asked = [*(one.keys for one in walk(body, Get)), *(one.keys for one in walk(body, Place))]
        if any(not _known(key, names) for keys in asked for key in keys):
            return None
        texts = dict.fromkeys((
            *(code.slot(layout.vars[one.var], one.keys, scope) for one in walk(body, Get)),
            *(code.slot(layout.zones[one.zone], one.keys, scope) for one in walk(body, Place))))
    if piece.lines or piece.raises or piece.leaves or not 0 < len(texts) <= MOST_ENTRIES:
        return None
    return list(texts)


def _names(body: Expr, var: str) -> frozenset[str]:
    """All names that the member that is asked about has in a condition, and nothing else has there."""
    names = {var}
    for one in walk(body, Let):
        if name_of(one.value) in names:
            names.add(one.var)
    others = {one.var for one in walk(body, Let) if name_of(one.value) not in names}
    others |= {name for one in walk(body, Fold, Where) for name in (one.var,)}
    others |= {name for one in walk(body, Connected) for name in (one.here, one.var)}
    return frozenset(names - others - {one.rest for one in walk(body, Split)})


def _known(key: Expr, names: frozenset[str]) -> bool:
    """Whether a key is a constant, or the member that is asked about."""
    match key:
        case Const():
            return True
        case Local(name):
            return name in names
        case (Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split() | Let() |
              Only() | After()):
            return False
        case _:
            assert_never(key)
