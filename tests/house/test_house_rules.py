"""Rules of the house that no linter knows: sizes, first lines, and no game in the package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.imports import PACKAGE, ROOT, imported

FILES = sorted(PACKAGE.rglob("*.py")) + sorted((ROOT / "tests").rglob("*.py"))
SOURCES = sorted(path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix in {".py", ".json", ".lark"})
SOURCES += sorted((ROOT / "grammar").glob("*.lark"))
COLLECTIONS = {"rulesets", "classics"}
GAMES = sorted(
    path.stem if path.parent.name in COLLECTIONS else path.parent.name for path in (ROOT / "rulesets").rglob("*.rules")
)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_a_file_has_at_most_600_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 600


@pytest.mark.parametrize("path", FILES, ids=shown)
def test_a_file_says_its_job_in_its_first_line(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith('"""')
    assert ast.get_docstring(ast.parse(text))


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_the_package_names_no_game(path: Path) -> None:
    words = re.sub(r"[\W_]+", " ", path.read_text("utf-8").lower())
    assert [game for game in GAMES if re.search(rf"\b{game.replace('_', ' ')}\b", words)] == []


TOUCHES = {
    "open", "read_text", "read_bytes", "stat", "lstat", "exists", "is_file", "is_dir", "is_symlink", "iterdir", "glob",
    "rglob", "walk", "listdir", "scandir", "resolve", "readlink",
}
TOUCHING = {
    "referee/frontend/loading/ruleset_files.py": {
        "_inside",
        "_beside",
    },  # what may have been meant where there is nothing
    "referee/frontend/loading/loader.py": {"_program"},  # this program itself
    "referee/syntax/lr_parser.py": {"machine"},  # the grammar, a part of it
}
"""Functions in which reading rules files touches a file without the record that the cache of rulesets keeps."""


LOADS = sorted({*PACKAGE.glob("frontend/**/*.py"), *PACKAGE.glob("syntax/**/*.py")})


@pytest.mark.parametrize("path", LOADS, ids=shown)
def test_whatever_loading_looks_at_is_recorded(path: Path) -> None:
    touching = {
        function.name for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef) for call in ast.walk(function) if isinstance(call, ast.Call)
        if (isinstance(call.func, ast.Name) and call.func.id in {"open", "read_regular"})
        or (isinstance(call.func, ast.Attribute) and call.func.attr in TOUCHES)
    }
    assert touching == TOUCHING.get(shown(path), set())


WRITES = PACKAGE / "cli" / "terminal_writer.py"
"""The one module that writes to the standard output and the standard error."""
WRITING = {
    "print", "input", "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__", "click.echo", "click.secho",
    "click.echo_via_pager", "click.prompt", "click.confirm", "click.progressbar", "click.pause", "traceback.print_exc",
    "traceback.print_exception", "os.write", "os.system", "warnings.warn", "logging.getLogger", "error.show",
}


@pytest.mark.parametrize("path", sorted({*PACKAGE.rglob("*.py")} - {WRITES}), ids=shown)
def test_one_module_writes_to_the_terminal(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    used = {
        f"{node.value.id}.{node.attr}" for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    assert (called | used) & WRITING == set()
    assert not {name for name in imported(tree, frozenset()) if name.partition(".")[0] in {"rich", "logging", "pprint"}}
    gotten = {f"{node.module}.{one.name}" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
              for one in node.names}
    assert gotten & WRITING == set()


COMPILES = PACKAGE / "codegen" / "compiled_program.py"
"""The one module that makes code of text: of text that the generator beside it has written itself."""


@pytest.mark.parametrize("path", [path for path in FILES if path != COMPILES], ids=shown)
def test_nothing_evaluates_text_as_code(path: Path) -> None:
    calls = (node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    assert [call.id for call in calls if isinstance(call, ast.Name) and call.id in {"eval", "exec"}] == []


MOST_FILES = 18
ROOMS = sorted({path.parent for path in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize("folder", ROOMS, ids=shown)
def test_a_room_can_be_taken_in_at_a_glance(folder: Path) -> None:
    assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= MOST_FILES
    assert ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))


def test_no_name_of_a_class_stands_twice() -> None:
    classes = [
        node.name for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)
    ]
    assert {name for name in classes if classes.count(name) > 1} == set()
