"""Entries of a position as local variables of a function: read once, written back where the function is left.

It changes the syntax tree of a generated function, and knows of no rules. Where an exception leaves the function
nothing is written back: the entries are good for nothing then.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from itertools import chain

ENTRIES = "s"


def in_locals(tree: ast.Module, plain: Collection[int]) -> ast.Module:
    """The same function with its plain entries in local variables; as it is if that cannot be. `plain`: the entries
    that are only read and written by a constant index."""
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    if _used_whole(function):
        return tree
    naming, flow = PlainNames(plain), _Exits()
    body = [naming.visit(one) for one in function.body]
    made = flow.block(body, frozenset(), frozenset())[0]
    function.body = [*(_assigned(_local(entry), _entry(entry, ast.Load())) for entry in sorted(flow.needed)), *made]
    return ast.fix_missing_locations(tree)


def _used_whole(function: ast.FunctionDef) -> bool:
    """Whether the entries are used otherwise than one by one, or in a row; or put back, whatever happens."""
    if any(isinstance(one, ast.Try) and one.finalbody for one in ast.walk(function)):
        return True
    names = sum(isinstance(one, ast.Name) and one.id == ENTRIES for one in ast.walk(function))
    return names != sum(isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name) and one.value.id == ENTRIES
                        for one in ast.walk(function))


def entry_name(entry: int) -> str:
    """What the local variable of an entry is called."""
    return f"r{entry}_"


def _local(entry: int) -> ast.Name:
    return ast.Name(entry_name(entry), ast.Store())


def _entry(entry: int, context: ast.expr_context) -> ast.Subscript:
    return ast.Subscript(ast.Name(ENTRIES, ast.Load()), ast.Constant(entry), context)


def _assigned(target: ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign([target], value)


def _number(name: str) -> int | None:
    return int(name[1:-1]) if name.startswith("r") and name.endswith("_") and name[1:-1].isdigit() else None


class PlainNames(ast.NodeTransformer):
    """Puts names in the place of plain entries."""

    def __init__(self, plain: Collection[int]) -> None:
        self._plain = plain

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == ENTRIES:
            index = node.slice
            if isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value in self._plain:
                return ast.Name(entry_name(index.value), node.ctx)
            node.slice = self.visit(index)
            return node
        return self.generic_visit(node)


_Entries = frozenset[int]


class _Exits:
    """Writes back before each return what may have been written by then. `needed`: entries of which the value from
    before is used, or may be written back."""

    def __init__(self) -> None:
        self.needed: set[int] = set()

    def block(self, body: list[ast.stmt], may: _Entries, sure: _Entries) -> tuple[
            list[ast.stmt], tuple[_Entries, _Entries] | None]:
        """The statements anew; and what may and what must have been written behind them, None if nothing goes on there.
        """
        made: list[ast.stmt] = []
        for one in body:
            after: tuple[_Entries, _Entries] | None = (may, sure)
            match one:
                case ast.Return():
                    self._reads(one, sure)
                    self.needed |= may - sure
                    if may and not isinstance(one.value, ast.Constant | ast.Name | None):
                        made.append(_assigned(ast.Name("result_", ast.Store()), one.value))
                        one.value = ast.Name("result_", ast.Load())
                    made += [_assigned(_entry(entry, ast.Store()), ast.Name(entry_name(entry), ast.Load()))
                             for entry in sorted(may)]
                    after = None
                case ast.Raise() | ast.Break() | ast.Continue():
                    after = None
                case ast.If():
                    self._reads(one.test, sure)
                    one.body, yes = self.block(one.body, may, sure)
                    one.orelse, no = self.block(one.orelse, may, sure)
                    after = no if yes is None else yes if no is None else (yes[0] | no[0], yes[1] & no[1])
                case ast.For():
                    self._reads(one.iter, sure)
                    may |= _written(one)
                    one.body, _ = self.block(one.body, may, sure)
                    after = may, sure
                case ast.Try() if not one.finalbody:
                    may |= _written(one)
                    one.body, _ = self.block(one.body, may, sure)
                    for handler in one.handlers:
                        handler.body, _ = self.block(handler.body, may, sure)
                    after = may, sure
                case ast.Assign():
                    self._reads(one.value, sure)
                    stored = frozenset(chain.from_iterable(map(_stores, one.targets)))
                    for target in one.targets:
                        self._reads(target, sure)
                    after = may | stored, sure | stored
                case ast.Expr() | ast.AugAssign() | ast.Pass():
                    if isinstance(one, ast.AugAssign) and _stores(one.target):
                        raise TypeError("an entry is never changed in place")
                    self._reads(one, sure)
                case _:
                    raise TypeError(f"no generated function has a {type(one).__name__}")
            made.append(one)
            if after is None:
                return made, None
            may, sure = after
        return made, (may, sure)

    def _reads(self, node: ast.AST, sure: _Entries) -> None:
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                entry = _number(one.id)
                if entry is not None and entry not in sure:
                    self.needed.add(entry)


def _stores(node: ast.AST) -> set[int]:
    return {entry for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            and (entry := _number(one.id)) is not None}


def _written(node: ast.AST) -> _Entries:
    return frozenset(_stores(node))
