"""Finds where the package tells kinds of the core apart without being held to name all of them.

The kinds are the members of the unions of the core (`Stmt`, `Expr`, `Domainlike`, `Node`, `Type`), `Place`, the
contents of a solver's zones, and the members of the enums of the core. What tells them apart is

- a `match` whose patterns name kinds and whose last case takes whatever is left, unless that is `assert_never`,
- an `isinstance` of kinds, unless `assert_never` of the same value stands in the same function, or nothing but an
  `assert` is made of it: that refuses all others aloud,
- a `dict` keyed by kinds that leaves out some of their union or enum.

A `match` without a last case for the rest is held to be complete by mypy (`exhaustive-match`). What asks for some kinds
of node in a whole tree asks `walk(node, Get, Place)`, and needs no test.

`python -m tests.house.dispatches` writes the lists in `tests/house/dispatch/` anew: what is gone is left out, what is
new comes under `NOT_YET_READ`. With `lower` after it, the ceilings are lowered to what is left. Where two changes met
in a list, either of its versions will do as a beginning.
"""

from __future__ import annotations

import ast
import importlib
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from types import ModuleType, UnionType

from tests.house.imports import modules

LISTS = Path(__file__).parent / "dispatch"
NOT_YET_READ = "not yet read"
CORE = ("expr", "stmt", "flow", "types", "ruleset")
BESIDES = (("referee.smt.encoding.content", "Content"),)
ALONE = (("referee.core.expr", "Place"),)

Kind = tuple[str, str]
"""(module, name) of a class, or (module, name of the enum) of a member of an enum."""


@dataclass(frozen=True, order=True)
class Dispatch:
    """A place that tells kinds apart: the module, the function in it, how, and which kinds it names."""

    module: str
    function: str
    how: str
    kinds: tuple[str, ...]

    @property
    def room(self) -> str:
        return self.module.split(".")[1]

    def __str__(self) -> str:
        return f"{self.module}: {self.function}: {self.how} {', '.join(self.kinds)}"


def _of(module: ModuleType, names: object) -> frozenset[Kind]:
    return frozenset((one.__module__, one.__qualname__) for one in getattr(names, "__args__", ()))


@cache
def unions() -> tuple[frozenset[Kind], ...]:
    """The kinds of each union."""
    found = []
    for name in CORE:
        module = importlib.import_module(f"referee.core.{name}")
        found += [_of(module, one) for one in vars(module).values() if isinstance(one, UnionType)]
    for path, name in BESIDES:
        module = importlib.import_module(path)
        found.append(_of(module, getattr(module, name)))
    own = [frozenset(kind for kind in one if kind[0].startswith("referee.")) for one in found]
    return tuple(one for one in own if len(one) > 1)


@cache
def enums() -> Mapping[Kind, frozenset[str]]:
    """The members of each enum of the core."""
    found: dict[Kind, frozenset[str]] = {}
    for name in CORE:
        for one in vars(importlib.import_module(f"referee.core.{name}")).values():
            if isinstance(one, type) and issubclass(one, Enum) and one.__module__.startswith("referee."):
                found[one.__module__, one.__qualname__] = frozenset(one.__members__)
    return found


@cache
def kinds() -> frozenset[Kind]:
    """Every class that is a kind."""
    return frozenset().union(*unions()).union(ALONE)


class ModuleNames:
    """What the names of one module stand for."""

    def __init__(self, name: str) -> None:
        self._module = importlib.import_module(name)

    def classes(self, node: ast.expr) -> Iterator[Kind]:
        """The kinds that an expression over classes names: a class, a union, a tuple of them, or a name for these."""
        match node:
            case ast.Name() | ast.Attribute():
                yield from self._kinds(self._value(node))
            case ast.BinOp():
                yield from self.classes(node.left)
                yield from self.classes(node.right)
            case ast.Tuple():
                for one in node.elts:
                    yield from self.classes(one)
            case _:
                return

    def member(self, node: ast.expr) -> tuple[Kind, str] | None:
        """The enum of the core and its member that an expression names."""
        value = self._value(node) if isinstance(node, ast.Attribute) else None
        if not isinstance(value, Enum):
            return None
        kind = (type(value).__module__, type(value).__qualname__)
        return (kind, value.name) if kind in enums() else None

    def _value(self, node: ast.expr) -> object:
        match node:
            case ast.Name():
                return getattr(self._module, node.id, None)
            case ast.Attribute():
                return getattr(self._value(node.value), node.attr, None)
            case _:
                return None

    def _kinds(self, value: object) -> Iterator[Kind]:
        if isinstance(value, type):
            kind = (value.__module__, value.__qualname__)
            if kind in kinds():
                yield kind
        elif isinstance(value, tuple):
            for one in value:
                yield from self._kinds(one)
        else:
            for one in getattr(value, "__args__", ()):
                yield from self._kinds(one)


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str) -> None:
        self._names = ModuleNames(module)
        self._path: list[str] = []
        self._never: list[frozenset[str]] = []
        self.found: dict[tuple[str, str], set[str]] = defaultdict(set)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._within(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._never.append(frozenset(
            ast.unparse(one.args[0]) for one in ast.walk(node)
            if isinstance(one, ast.Call) and _is_called(one, "assert_never")
        ))
        self._within(node)
        self._never.pop()

    def _within(self, node: ast.ClassDef | ast.FunctionDef) -> None:
        self._path.append(node.name)
        self.generic_visit(node)
        self._path.pop()

    def visit_Match(self, node: ast.Match) -> None:
        last = node.cases[-1]
        if _is_open(last.pattern) and last.guard is None and not _gives_never(last.body):
            named = {name for case in node.cases for name in self._in_pattern(case.pattern)}
            if named:
                self._add("match", named)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion, if it is of nothing but `isinstance`, is no place of its own."""
        if not (isinstance(node.test, ast.Call) and _is_called(node.test, "isinstance")):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _is_called(node, "isinstance"):
            closed = self._never and ast.unparse(node.args[0]) in self._never[-1]
            if not closed:
                self._add("isinstance", {name for _, name in self._names.classes(node.args[1])})
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        members: dict[Kind, set[str]] = defaultdict(set)
        classes: set[Kind] = set()
        for key in node.keys:
            named = None if key is None else self._names.member(key)
            if named is not None:
                members[named[0]].add(named[1])
            elif key is not None:
                classes.update(self._names.classes(key))
        for enum, some in members.items():
            if some != enums()[enum]:
                self._add("table", {f"{enum[1]}.{name}" for name in some})
        if classes and not any(classes >= union for union in unions() if union & classes):
            self._add("table", {name for _, name in classes})
        self.generic_visit(node)

    def _in_pattern(self, pattern: ast.pattern) -> Iterator[str]:
        for one in ast.walk(pattern):
            if isinstance(one, ast.MatchClass):
                yield from (name for _, name in self._names.classes(one.cls))
            elif isinstance(one, ast.MatchValue):
                named = self._names.member(one.value)
                if named is not None:
                    yield f"{named[0][1]}.{named[1]}"

    def _add(self, how: str, named: set[str]) -> None:
        if named:
            self.found[".".join(self._path) or "module", how] |= named


def _is_open(pattern: ast.pattern) -> bool:
    """Whether a pattern takes everything: `_`, or a name alone."""
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _is_open(pattern.pattern))


def _gives_never(body: list[ast.stmt]) -> bool:
    last = body[-1]
    call = last.value if isinstance(last, ast.Expr | ast.Return) else None
    return isinstance(call, ast.Call) and _is_called(call, "assert_never")


def _is_called(call: ast.Call, name: str) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == name


def found_in(name: str, tree: ast.Module) -> list[Dispatch]:
    """The places of one module."""
    finder = _Finder(name)
    finder.visit(tree)
    return [Dispatch(name, where, how, tuple(sorted(some))) for (where, how), some in finder.found.items()]


@cache
def found() -> frozenset[Dispatch]:
    """Every place of the package."""
    return frozenset(one for name, tree in modules().items() for one in found_in(name, tree))


@dataclass(frozen=True)
class Listed:
    """What the list of one room says: at most how many places, and the reason for each."""

    ceiling: int
    reasons: Mapping[str, str]


def listed() -> dict[str, Listed]:
    """The lists, by room."""
    read = {}
    for path in sorted(LISTS.glob("*.toml")):
        told = tomllib.loads(path.read_text("utf-8"))
        reasons = {place: group["reason"] for group in told.get("because", []) for place in group["of"]}
        read[path.stem] = Listed(told["ceiling"], reasons)
    return read


def _write(lower: bool) -> None:
    before = listed()
    known = {place: reason for one in before.values() for place, reason in one.reasons.items()}
    rooms: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(found()):
        rooms[one.room][known.get(str(one), NOT_YET_READ)].append(str(one))
    for path in LISTS.glob("*.toml"):
        path.unlink()
    for room, groups in rooms.items():
        count = sum(map(len, groups.values()))
        ceiling = before[room].ceiling if room in before and not lower else count
        lines = [f"ceiling = {ceiling}", ""]
        for reason, places in sorted(groups.items(), key=lambda item: (item[0] == NOT_YET_READ, item[0])):
            lines += ["[[because]]", f'reason = "{reason}"', "of = [", *(f'  "{place}",' for place in places), "]", ""]
        (LISTS / f"{room}.toml").write_text("\n".join(lines).rstrip("\n") + "\n", "utf-8")


if __name__ == "__main__":
    _write(sys.argv[1:] == ["lower"])
