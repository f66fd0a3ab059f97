"""Finds every place of the package that tells kinds apart, alternative by alternative, and takes one out of its text.

Places are found in the syntax trees, kinds are those of `tests.house.dispatches`: nothing here names a module.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.house.dispatches import ModuleNames, enums, kinds
from tests.house.imports import PACKAGE, ROOT, modules


@dataclass(frozen=True)
class Alternative:
    """One alternative: where it is, what it is of, and the text of its module without it.

    `how`: a whole case of a `match`, one of several patterns of a case, a row of a table, an `isinstance` of one kind,
    one kind of several in an `isinstance`, a method of a class that is named after a kind.
    """

    module: str
    path: str
    function: str
    how: str
    kind: str
    number: int
    digest: str
    text: str

    @property
    def name(self) -> str:
        """By what it is told from all others: also where other modules change."""
        return f"{self.module}: {self.function}: {self.how} {self.kind} #{self.number}"


class _Text:
    """The text of a module, cut by positions of a syntax tree."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def start(self, node: ast.expr | ast.pattern) -> int:
        return self.at(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.pattern) -> int:
        return self.at(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def without(self, start: int, end: int, put: str = "") -> str:
        return (self._bytes[:start] + put.encode() + self._bytes[end:]).decode()

    def lines_out(self, first: int, last: int, put: str = "") -> str:
        return self.without(self._starts[first - 1], self._starts[last], put)

    def of(self, node: ast.expr | ast.pattern) -> str:
        return self._bytes[self.start(node):self.end(node)].decode()


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str, text: str) -> None:
        self._names = ModuleNames(module)
        self._text = _Text(text)
        self._path: list[str] = []
        self._asserted: set[ast.AST] = set()
        self.found: list[tuple[str, str, str, str]] = []
        """Function, how, kind, text without it."""

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._within(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._within(node)

    def _within(self, node: ast.ClassDef | ast.FunctionDef) -> None:
        self._path.append(node.name)
        if isinstance(node, ast.ClassDef) and node.bases and len(node.body) > 1:
            for one in node.body:
                if isinstance(one, ast.FunctionDef) and (named := _named_after(one.name)):
                    first = min([one.lineno, *(made.lineno for made in one.decorator_list)])
                    self._add("method", named, self._text.lines_out(first, one.end_lineno or one.lineno))
        self.generic_visit(node)
        self._path.pop()

    def visit_Match(self, node: ast.Match) -> None:
        for case in node.cases:
            parts = case.pattern.patterns if isinstance(case.pattern, ast.MatchOr) else [case.pattern]
            named = [(part, some) for part in parts if (some := self._in_pattern(part))]
            if len(parts) > 1:
                for part, some in named:
                    others = " | ".join(self._text.of(one) for one in parts if one is not part)
                    start, end = self._text.start(case.pattern), self._text.end(case.pattern)
                    self._add("pattern", some, self._text.without(start, end, others))
            elif named:
                last = case.body[-1].end_lineno or case.body[-1].lineno
                only = len(node.cases) == 1
                indent = " " * (case.pattern.col_offset - len("case "))
                put = f"{indent}case _ if False:\n{indent}    pass\n" if only else ""
                self._add("case", named[0][1], self._text.lines_out(case.pattern.lineno, last, put))
        self.generic_visit(node)

    def _in_pattern(self, pattern: ast.pattern) -> str:
        """The kinds that a pattern names, outer one first."""
        named: list[str] = []
        for one in ast.walk(pattern):
            if isinstance(one, ast.MatchClass):
                named += [name for _, name in self._names.classes(one.cls)]
            elif isinstance(one, ast.MatchValue) and (member := self._names.member(one.value)) is not None:
                named.append(f"{member[0][1]}.{member[1]}")
        return ", ".join(named)

    def visit_Assert(self, node: ast.Assert) -> None:
        """What an assertion lets through is no alternative."""

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
            self._instance(node)
        self.generic_visit(node)

    def _instance(self, node: ast.Call) -> None:
        parts = _members(node.args[1])
        start, end = self._text.start(node), self._text.end(node)
        if len(parts) == 1:
            named = ", ".join(sorted(name for _, name in self._names.classes(node.args[1])))
            if named:
                self._add("isinstance", named, self._text.without(start, end, "False"))
            return
        for part in parts:
            named = ", ".join(sorted(name for _, name in self._names.classes(part)))
            if named:
                others = " | ".join(self._text.of(one) for one in parts if one is not part)
                put = f"isinstance({self._text.of(node.args[0])}, {others})"
                self._add("member", named, self._text.without(start, end, put))

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                continue
            member = self._names.member(key)
            named = f"{member[0][1]}.{member[1]}" if member is not None else ", ".join(
                name for _, name in self._names.classes(key))
            if named:
                self._add("row", named, self._without_row(node, key, value))
        self.generic_visit(node)

    def _without_row(self, node: ast.Dict, key: ast.expr, value: ast.expr) -> str:
        """The table without a row: the others are written anew."""
        rows = [f"**{self._text.of(other)}" if one is None else f"{self._text.of(one)}: {self._text.of(other)}"
                for one, other in zip(node.keys, node.values, strict=True) if one is not key or other is not value]
        return self._text.without(self._text.start(node), self._text.end(node), "{" + ", ".join(rows) + "}")

    def _add(self, how: str, kind: str, text: str) -> None:
        self.found.append((".".join(self._path) or "module", how, kind, text))


def _members(node: ast.expr) -> list[ast.expr]:
    """The classes of a union or a tuple, one by one."""
    if isinstance(node, ast.BinOp):
        return [*_members(node.left), *_members(node.right)]
    if isinstance(node, ast.Tuple):
        return [one for part in node.elts for one in _members(part)]
    return [node]


def _named_after(name: str) -> str:
    """The kind that a method is named after, as `put`, `visit_put` or `_fold_count`; empty if there is none."""
    words = [] if name.startswith("__") else [word for word in name.lower().split("_") if word]
    return next((said for said in map("_".join, (words[-1:], words[-2:])) if said in _spoken()), "") if words else ""


def _spoken() -> frozenset[str]:
    """The names of kinds as methods have them."""
    return frozenset(name.lower() for _, name in kinds()) | frozenset(
        member.lower() for members in enums().values() for member in members)


def alternatives_in(module: str, path: Path) -> Iterator[Alternative]:
    """The alternatives of one module, in the order of its text. Each leaves a text that can be read."""
    text = path.read_text("utf-8")
    finder = _Finder(module, text)
    finder.visit(ast.parse(text))
    digest = sha256(text.encode()).hexdigest()[:16]
    numbers: dict[tuple[str, str, str], int] = {}
    for function, how, kind, without in finder.found:
        ast.parse(without)
        number = numbers[function, how, kind] = numbers.get((function, how, kind), 0) + 1
        yield Alternative(module, str(path.relative_to(ROOT)), function, how, kind, number, digest, without)


def alternatives() -> Iterator[Alternative]:
    """Every alternative of the package, module by module."""
    for module in modules():
        path = PACKAGE.parent.joinpath(*module.split("."))
        yield from alternatives_in(module, path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))


__all__ = ["Alternative", "alternatives", "alternatives_in"]
