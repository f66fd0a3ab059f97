"""A number that has a name says what it bounds or stands for, in a line below it or a comment."""

from __future__ import annotations

import ast

import pytest

from tests.house.imports import PACKAGE, module_name

ARITHMETIC = (
    ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.Name, ast.Attribute, ast.operator, ast.unaryop,
    ast.expr_context,
)


def is_number(value: ast.expr) -> bool:
    """Whether a value is a number that is written there, or is reckoned from one; or several."""
    parts = list(ast.walk(value))
    numbers = [one.value for one in parts if isinstance(one, ast.Constant)]
    return (bool(numbers) and all(isinstance(one, ARITHMETIC) for one in parts)
            and all(isinstance(one, int | float) and not isinstance(one, bool) for one in numbers))


def unsaid(text: str) -> list[str]:
    """The names of numbers of a module with neither a text below them nor a comment beside or above them."""
    lines, body = text.splitlines(), ast.parse(text).body
    found = []
    for at, stmt in enumerate(body):
        if not isinstance(stmt, ast.Assign | ast.AnnAssign) or stmt.value is None or not is_number(stmt.value):
            continue
        below = body[at + 1] if at + 1 < len(body) else None
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            continue
        above = lines[stmt.lineno - 2].strip() if stmt.lineno > 1 else ""
        if "#" not in lines[(stmt.end_lineno or stmt.lineno) - 1] and not above.startswith("#"):
            targets = stmt.targets if isinstance(stmt, ast.Assign) else [stmt.target]
            found.append(", ".join(map(ast.unparse, targets)))
    return found


def test_a_number_says_what_it_is() -> None:
    found = [f"{module_name(path)}: {name}" for path in sorted(PACKAGE.rglob("*.py"))
             for name in unsaid(path.read_text("utf-8"))]
    assert found == []


def test_no_number_is_called_most() -> None:
    """But the most of what."""
    modules = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    assert [module_name(path) for path, tree in modules.items() for stmt in tree.body
            if isinstance(stmt, ast.Assign) for target in stmt.targets
            for name in ast.walk(target) if isinstance(name, ast.Name) and name.id == "MOST"] == []


@pytest.mark.parametrize("text", ["A = 3", "A = 1 << 20", "A, B = 1, -2", "A: int = 2 * B", "A = (1, (2, 3.0))"])
def test_a_number_without_a_word_is_found(text: str) -> None:
    assert len(unsaid(text)) == 1
    assert len(unsaid(f'{text}\nC = ""\n"""Of another."""')) == 1
    assert unsaid(f'{text}\n"""So many."""') == unsaid(f"{text}  # so many") == unsaid(f"# so many\n{text}") == []


@pytest.mark.parametrize("text", ['A = "x"', "A = B", "A = True", "A = ()", "A = range(3)", "A: int", "A += 1"])
def test_what_is_no_number_needs_no_word(text: str) -> None:
    assert unsaid(text) == []
