"""Imports go one way through the rooms of the house, and each outside library has its rooms."""

from __future__ import annotations

import sys

import pytest

from tests.house.imports import graph

FLOORS = [
    {"diagnostics"}, {"system"}, {"syntax", "core"}, {"flow"}, {"frontend"}, {"game"}, {"interpreter", "smt"},
    {"codegen", "analysis"}, {"judge", "simulation"}, {"views", "inference", "rule_tests", "proofs"}, {"review"},
    {"report"}, {"api"}, {"cli"}, {"__main__"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
LIBRARIES = {"lark": {"syntax"}, "click": {"cli"}, "rich": {"report", "cli"}, "z3": {"smt"}}

IMPORTS = {module: others for module, others in graph().items() if module != "referee"}
"""Without the package itself: it is the door, and imports the library when somebody asks for it."""


def room(module: str) -> str:
    """`referee.diagnostics.source` -> `diagnostics`; the package itself is at the very bottom and has no room."""
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_a_module_imports_from_its_own_room_or_from_below(module: str) -> None:
    above = {
        other for other in IMPORTS[module]
        if other.startswith("referee.") and room(other) != room(module)
        and FLOOR[room(other)] >= FLOOR.get(room(module), -1)
    }
    assert not above


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_a_library_is_imported_only_in_its_rooms(module: str) -> None:
    outside = {name.split(".")[0] for name in IMPORTS[module]} - sys.stdlib_module_names - {"referee"}
    assert {library for library in outside if room(module) not in LIBRARIES.get(library, set())} == set()


def test_one_module_looks_at_clocks() -> None:
    """So a time limit holds everywhere in the same way, and can be found."""
    assert [module for module in sorted(IMPORTS) if "time" in IMPORTS[module]] == ["referee.system.deadline"]


FOR_COMMANDS = ("referee.api", "referee.report", "referee.cli")
OF_EACH_OTHER = {"referee.core.expr": "referee.core.stmt"}
"""Statements hold expressions, and one expression holds statements: the import is there for its type alone."""
HELPERS = {"referee", "referee.diagnostics.exit_codes", "referee.system.deadline"}
"""What commands use besides: the version, how they end, and the one clock."""


@pytest.mark.parametrize("module", sorted(name for name in IMPORTS if room(name) == "cli"))
def test_a_command_is_written_on_the_library(module: str) -> None:
    inside = {other for other in IMPORTS[module] if other.startswith("referee") and other not in HELPERS
              and not other.startswith(FOR_COMMANDS)}
    assert inside == set()


def test_every_room_is_on_a_floor() -> None:
    assert {room(module) for module in IMPORTS} - {""} <= set(FLOOR)


def test_no_module_imports_itself_through_others() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module):], module))
        if module not in done:
            for other in sorted(IMPORTS.get(module, frozenset()) - {OF_EACH_OTHER.get(module)}):
                visit(other, (*path, module))
            done.add(module)

    for module in sorted(IMPORTS):
        visit(module, ())
