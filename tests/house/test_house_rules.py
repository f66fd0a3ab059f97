"""Rules of the house that no linter knows: sizes, first lines, and no game in the package.

Each rule is one test, which names all files that break it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.imports import PACKAGE, ROOT, imported

FILES = sorted(PACKAGE.rglob("*.py")) + sorted((ROOT / "tests").rglob("*.py"))
SOURCES = sorted(path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix in {".py", ".json", ".lark"})
SOURCES += sorted((ROOT / "grammar").glob("*.lark"))
COLLECTIONS = {"rulesets", "classics"}
ORDINARY = {"go"}
"""Games of which the name is a word that stands in any text."""
SUITS = {"packs.py": {"hearts", "spades"}}
"""Suits of a pack of cards, after which games are called."""
GAMES = sorted(
    path.stem if path.parent.name in COLLECTIONS else path.parent.name for path in (ROOT / "rulesets").rglob("*.rules")
)


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def text_of(path: Path) -> str:
    """A file, read once."""
    return path.read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """A file, parsed once."""
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, listed once."""
    return tuple(ast.walk(tree_of(path)))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """The trees of all files are large, and nobody else asks for them."""
    yield
    for one in (text_of, tree_of, nodes_of):
        one.cache_clear()


def no_file(found: Iterable[tuple[Path, object]]) -> None:
    """Each of these files breaks a rule, by what stands beside it."""
    assert {shown(path): what for path, what in found} == {}


def test_a_file_has_at_most_600_lines() -> None:
    no_file((path, lines) for path in FILES if (lines := len(text_of(path).splitlines())) > 600)


def first_lines(path: Path) -> list[str]:
    """What a module says of itself, without the quotes: its first line, and the one that comes behind that."""
    return (ast.get_docstring(tree_of(path)) or "").splitlines()[:2]


def test_a_file_says_its_job_in_its_first_line() -> None:
    """In one sentence that ends there; whatever else there is to say stands behind an empty line."""
    unsaid = {path: said for path in FILES
              if not text_of(path).startswith('"""') or not (said := first_lines(path))
              or not said[0].endswith((".", "?")) or any(said[1:])}
    assert [shown(path) for path in unsaid] == []


def test_no_two_files_say_the_same_job() -> None:
    by_job: dict[str, list[str]] = {}
    for path in FILES:
        by_job.setdefault(" ".join(first_lines(path)[:1]), []).append(shown(path))
    assert [names for names in by_job.values() if len(names) > 1] == []


def test_the_package_names_no_game() -> None:
    """But where a format names it."""
    names = re.compile(rf"\b({'|'.join(game.replace('_', ' ') for game in GAMES if game not in ORDINARY)})\b")
    assert GAMES
    no_file((path, named) for path in SOURCES if "convert" not in path.parts
            and (named := set(names.findall(re.sub(r"[\W_]+", " ", text_of(path).lower())))
                 - SUITS.get(path.name, set())))


TOUCHES = {
    "open", "read_text", "read_bytes", "stat", "lstat", "exists", "is_file", "is_dir", "is_symlink", "iterdir", "glob",
    "rglob", "walk", "listdir", "scandir", "resolve", "readlink",
}
TOUCHING = {
    "referee/frontend/loading/ruleset_files.py": {
        "_inside",
        "_beside",
    },  # what may have been meant where there is nothing
    "referee/frontend/loading/loader.py": {"_digest_of_all"},  # this program itself
    "referee/syntax/lr_parser.py": {"machine"},  # the grammar, a part of it
}
"""Functions in which reading rules files touches a file without the record that the cache of rulesets keeps."""


LOADS = sorted({*PACKAGE.glob("frontend/**/*.py"), *PACKAGE.glob("syntax/**/*.py")})


def touching(path: Path) -> set[str]:
    return {
        function.name for function in nodes_of(path)
        if isinstance(function, ast.FunctionDef) for call in ast.walk(function) if isinstance(call, ast.Call)
        if (isinstance(call.func, ast.Name) and call.func.id in {"open", "read_regular"})
        or (isinstance(call.func, ast.Attribute) and call.func.attr in TOUCHES)
    }


def test_whatever_loading_looks_at_is_recorded() -> None:
    no_file((path, found) for path in LOADS if (found := touching(path)) != TOUCHING.get(shown(path), set()))


WRITES = PACKAGE / "cli" / "terminal_writer.py"
"""The one module that writes to the standard output and the standard error."""
WRITING = {
    "print", "input", "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__", "click.echo", "click.secho",
    "click.echo_via_pager", "click.prompt", "click.confirm", "click.progressbar", "click.pause", "traceback.print_exc",
    "traceback.print_exception", "os.write", "os.system", "warnings.warn", "logging.getLogger", "error.show",
}


def writing(path: Path) -> set[str]:
    nodes = nodes_of(path)
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    used = {
        f"{node.value.id}.{node.attr}" for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    gotten = {f"{node.module}.{one.name}" for node in nodes if isinstance(node, ast.ImportFrom) for one in node.names}
    libraries = {name for name in imported(tree_of(path), frozenset())
                 if name.partition(".")[0] in {"rich", "logging", "pprint"}}
    return (called | used | gotten) & WRITING | libraries


def test_one_module_writes_to_the_terminal() -> None:
    assert writing(WRITES)
    no_file((path, found) for path in PACKAGE.rglob("*.py") if path != WRITES and (found := writing(path)))


COMPILES = {PACKAGE / "codegen" / "compiled_program.py", PACKAGE / "system" / "lazy_dataclasses.py"}
"""The modules that make code of text: of text that the generator beside it has written itself, and of names of fields.
"""


def evaluating(path: Path) -> list[str]:
    calls = (node.func for node in nodes_of(path) if isinstance(node, ast.Call))
    return [call.id for call in calls if isinstance(call, ast.Name) and call.id in {"eval", "exec"}]


def test_nothing_evaluates_text_as_code() -> None:
    assert all(map(evaluating, COMPILES))
    no_file((path, found) for path in FILES if path not in COMPILES and (found := evaluating(path)))


MOST_FILES = 18
ROOMS = sorted({path.parent for path in PACKAGE.rglob("*.py")})


def test_a_room_can_be_taken_in_at_a_glance() -> None:
    files = {folder: len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) for folder in ROOMS}
    no_file((folder, number) for folder, number in files.items() if number > MOST_FILES)
    no_file((folder, "does not say what it is") for folder in ROOMS
            if not ast.get_docstring(tree_of(folder / "__init__.py")))


def test_no_name_of_a_class_stands_twice() -> None:
    classes = [
        node.name for path in sorted(PACKAGE.rglob("*.py"))
        for node in nodes_of(path) if isinstance(node, ast.ClassDef)
    ]
    assert {name for name in classes if classes.count(name) > 1} == set()


MADE = {"Local": (0,), "Fold": (1,), "Where": (0,), "Let": (0,), "Each": (0,), "Bind": (0,), "Connected": (1, 3)}
"""Where a node that binds or reads a local has its name."""
ALSO_OF_RULES = {"me", "it"}
"""Names of locals that mean the same wherever they stand: rules cannot give them to anything else."""


def made_names(path: Path) -> set[str]:
    """The names that a module itself gives to locals, by constants or directly."""
    constants: dict[str, object] = {}
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Tuple):
            names = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
            constants |= {name.id: value.value for name, value in zip(names, values, strict=False)
                          if isinstance(name, ast.Name) and isinstance(value, ast.Constant)}
    given = (node.args[at] for node in nodes_of(path)
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE
             for at in MADE[node.func.id] if at < len(node.args))
    said = (one.value if isinstance(one, ast.Constant) else constants.get(one.id) if isinstance(one, ast.Name) else None
            for one in given)
    return {one for one in said if isinstance(one, str)}


def test_other_answers_give_locals_no_name_that_rules_could_have_given() -> None:
    """Or they would catch what the rules say of a local of theirs: names of rules have no space."""
    modules = sorted((PACKAGE / "other_rules").rglob("*.py"))
    assert any(map(made_names, modules))
    no_file((path, found) for path in modules
            if (found := {name for name in made_names(path) if " " not in name} - ALSO_OF_RULES))
