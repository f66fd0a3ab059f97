"""The pages that say where things are: what they name is there, and every record of a decision is listed."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
RECORDS = sorted((SPEC / "decisions").glob("[0-9]*.md"))
PAGES = [SPEC / "README.md", SPEC / "architecture.md", SPEC / "contributing.md", SPEC / "decisions" / "README.md"]
NAMED = {page: re.findall(r"`([^`\n]+)`", page.read_text("utf-8")) for page in PAGES}
MODULE_FILES = [path.relative_to(ROOT) for room in ("referee", "tests") for path in (ROOT / room).rglob("*.py")]
FOLDERS = "referee|tests|rulesets|grammar|spec|decisions"
PLACES = re.compile(rf"(?!.*(?:NAME|CLASS|ROOM|CODE))(?:{FOLDERS})/[\w./-]*(?::[\w.]+)?")
"""A file, a folder, or `file:function`; words in capitals stand for whatever it is called."""
MODULES = re.compile(r"-m (tests(?:\.\w+)+)|python (tests/[\w/]+\.py)")


@cache
def within(path: Path) -> frozenset[str]:
    """The functions, classes, methods and variables of a module, methods after their class."""
    tree, found = ast.parse(path.read_text("utf-8")), set[str]()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name):
                found.add(name)
            case ast.ClassDef(name, body=body):
                found |= {name, *(f"{name}.{one.name}" for one in body if isinstance(one, ast.FunctionDef))}
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                found.add(name)
            case _:
                pass
    return frozenset(found)


def lacking(place: str) -> bool:
    """Whether a file, or what is said to be in it, is not there."""
    name, _, inside = place.partition(":")
    path = (SPEC if name.startswith("decisions/") else ROOT) / name
    return not path.exists() or (inside != "" and inside not in within(path))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_a_page_names_is_there(page: Path) -> None:
    places = [name for name in NAMED[page] if PLACES.fullmatch(name)]
    assert [place for place in places if lacking(place)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_a_page_links_or_has_carried_out_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    linked = [page.parent / link for link in re.findall(r"\]\(([^)#]+)\)", text)]
    modules = [ROOT / (path or name.replace(".", "/")) for name, path in MODULES.findall(text)]
    named = [path if path.exists() else path.with_suffix(".py") for path in modules]
    assert [path for path in (*linked, *named) if not path.exists()] == []


@pytest.mark.parametrize("page", sorted(SPEC.rglob("*.md")), ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_a_module_that_is_called_by_its_file_is_there(page: Path) -> None:
    called = re.findall(r"`([a-z_0-9/]+\.py)\b[^`\n]*`", page.read_text("utf-8"))
    assert [name for name in called if not any(f"/{path}".endswith(f"/{name}") for path in MODULE_FILES)] == []


def test_a_place_that_is_not_there_is_found() -> None:
    assert not lacking("referee/core/stmt.py:Stmt")
    assert not lacking("tests/spec/test_map.py:within")
    assert lacking("referee/core/stmt.py:Nothing")
    assert lacking("referee/core/nothing.py")


def test_every_page_is_in_the_index() -> None:
    index = PAGES[0].read_text("utf-8")
    pages = [path.name for path in sorted(SPEC.glob("*.*")) if path != PAGES[0]]
    assert [name for name in pages if f"({name})" not in index] == []


def test_every_room_is_in_the_table() -> None:
    rooms = re.findall(r"^\| \d+ \| `referee/(\w+)` \|", (SPEC / "architecture.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(rooms) == sorted(path.parent.name for path in (ROOT / "referee").glob("*/__init__.py"))


def test_every_room_inside_a_room_is_in_its_row() -> None:
    rows = dict(re.findall(r"^\| \d+ \| `referee/(\w+)` \| (.+) \|$", (SPEC / "architecture.md").read_text("utf-8"),
                           re.MULTILINE))
    inside = [path.parent.relative_to(ROOT / "referee").parts for path in (ROOT / "referee").glob("*/*/**/__init__.py")]
    assert len(inside) > 50
    assert ["/".join(parts) for parts in inside if f"`{parts[-1]}`" not in rows[parts[0]]] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_its_number_and_is_in_the_index(path: Path) -> None:
    number = int(path.stem[:3])
    assert re.match(rf"# {number}\. \S", path.read_text("utf-8"))
    index = (SPEC / "decisions" / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| \[(\d+)\]\((\S+)\) \| .+ \| .+ \|$", index, re.MULTILINE)
    assert listed.count((str(number), path.name)) == 1


def test_a_number_is_given_once() -> None:
    numbers = [path.stem[:3] for path in RECORDS]
    assert sorted(set(numbers)) == numbers
