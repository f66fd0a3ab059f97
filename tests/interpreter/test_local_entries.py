"""A function with its plain entries in local variables does what it did before."""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.codegen.often.local_entries import in_locals

PLAIN = frozenset((0, 1, 2))


def functions(text: str, folder: Path) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A function as it is written, and with local variables: modules, as text is never carried out."""
    made = []
    for name, tree in (("one", ast.parse(text)), ("other", in_locals(ast.parse(text), PLAIN))):
        (folder / f"{name}.py").write_text(ast.unparse(tree), encoding="utf-8")
        spec = spec_from_file_location(name, folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        made.append(module.f)
    return made[0], made[1]


def written(random: Random, depth: int = 1, loop: bool = False) -> list[str]:
    """Some statements on five entries, of which the last two are found by a key, too."""
    indent, found = "    " * depth, []
    for _ in range(random.randrange(1, 5)):
        one = f"s[{random.randrange(5)}]"
        value = random.choice((f"s[{random.randrange(5)}] + 1", "a", f"s[3 + a] * {random.randrange(3)}",
                               "sum(s[3:5]) + s[1]", f"max([s[{random.randrange(3)}] + x for x in (1, 2)])"))
        kind = random.randrange(9 if depth < 4 else 3)
        if kind < 3:
            found.append(f"{indent}{one if kind else 's[3 + a]'} = ({value}) % 7")
        elif kind < 5:
            found += [f"{indent}if {value} > {random.randrange(6)}:", *written(random, depth + 1, loop)]
            if random.random() < 0.5:
                found += [f"{indent}else:", *written(random, depth + 1, loop)]
        elif kind == 5:
            found += [f"{indent}for v in range({random.randrange(3)}):", *written(random, depth + 1, True)]
        elif kind == 6:
            found += [f"{indent}try:", f"{indent}    v = 1 // ({value})", f"{indent}except ZeroDivisionError:",
                      *written(random, depth + 1, loop)]
        elif kind == 7:
            return [*found, indent + ("break" if loop and random.random() < 0.5 else f"return {value}, {one}")]
        else:
            found.append(f"{indent}if {value} == 3: raise KeyError")
    return found


def outcome(function: Callable[..., Any], entries: list[int], a: int) -> tuple[Any, list[int]] | None:
    """What a function returns and leaves behind; None if it raises."""
    try:
        return function(entries, a), entries
    except KeyError:
        return None


@pytest.mark.parametrize("seed", range(100))
def test_random_functions_do_the_same(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    text = "\n".join(["def f(s, a):", *written(random), "    return s[2]"])
    one, other = functions(text, tmp_path)
    for _ in range(10):
        entries, a = [random.randrange(7) for _ in range(5)], random.randrange(2)
        assert outcome(one, entries.copy(), a) == outcome(other, entries.copy(), a), text


def test_a_refusal_writes_nothing_back() -> None:
    tree = in_locals(ast.parse("def f(s, a):\n    if s[0] == a: return None\n    s[1] = a\n    return 3\n"), PLAIN)
    assert ast.unparse(tree).count("s[1] = ") == 1
    assert "return None" in ast.unparse(tree)


def test_entries_that_are_used_as_a_whole_stay_where_they_are() -> None:
    text = "def f(s, a):\n    s = list(s)\n    s[0] = a\n    return len(s)"
    assert ast.unparse(in_locals(ast.parse(text), PLAIN)) == text
