"""Reads which module of the package imports which, wherever in the file the import stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "referee"


def module_name(path: Path) -> str:
    """`referee/diagnostics/source.py` -> `referee.diagnostics.source`; a package is named by its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package, parsed once."""
    return {module_name(path): ast.parse(path.read_text("utf-8"), str(path)) for path in sorted(PACKAGE.rglob("*.py"))}


def imported(tree: ast.Module, known: frozenset[str]) -> Iterator[str]:
    """The full names of what a module imports; `from a import b` is `a.b` if that is a module, else `a`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


@cache
def graph() -> dict[str, frozenset[str]]:
    """module -> what it imports."""
    parsed = modules()
    known = frozenset(parsed)
    return {name: frozenset(imported(tree, known)) for name, tree in parsed.items()}
