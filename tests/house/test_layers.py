"""Imports go one way through the rooms of the house, and each outside library has its rooms."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from tests.house.imports import graph

FLOORS = [
    {"diagnostics"}, {"system"}, {"syntax", "core"}, {"flow"}, {"frontend"}, {"game", "other_rules"},
    {"interpreter", "smt", "archives"}, {"codegen", "analysis"}, {"native"}, {"judge", "simulation"},
    {"views", "scene", "inference", "rule_tests", "proofs", "convert"},
    {"review", "comparison"}, {"report"}, {"page"}, {"api"}, {"editors"}, {"cli"},
    {"__main__", "pytest_plugin", "strategies", "envs"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
LIBRARIES = {"lark": {"syntax"}, "llvmlite": {"native"}, "distributed": {"system"}, "ray": {"system"},
             "mpi4py": {"system"}, "msgspec": {"judge"}, "pyarrow": {"report"}, "click": {"cli"},
             "rich": {"report", "cli"}, "z3": {"smt"}, "chess": {"convert"}, "pytest": {"pytest_plugin"},
             "hypothesis": {"strategies"}, "pettingzoo": {"envs"}, "gymnasium": {"envs"}, "numpy": {"envs"},
             "pygls": {"editors"}, "lsprotocol": {"editors"}, "fsspec": {"archives"}, "zstandard": {"archives"}}


def imports() -> Mapping[str, frozenset[str]]:
    """Without the package itself: it is the door, and imports the library when somebody asks for it."""
    return {module: others for module, others in graph().items() if module != "referee"}


def room(module: str) -> str:
    """`referee.diagnostics.source` -> `diagnostics`; the package itself is at the very bottom and has no room."""
    return module.split(".")[1] if "." in module else ""


def test_a_module_imports_from_its_own_room_or_from_below() -> None:
    above = {
        (module, other) for module, others in imports().items() for other in others
        if other.startswith("referee.") and room(other) != room(module)
        and FLOOR[room(other)] >= FLOOR.get(room(module), -1)
    }
    assert above == set()


def test_a_library_is_imported_only_in_its_rooms() -> None:
    outside = {(module, name.split(".")[0]) for module, others in imports().items() for name in others}
    assert {(module, library) for module, library in outside
            if library not in sys.stdlib_module_names and library != "referee"
            and room(module) not in LIBRARIES.get(library, set())} == set()


def test_one_module_looks_at_clocks() -> None:
    """So a time limit holds everywhere in the same way, and can be found."""
    assert [module for module, others in sorted(imports().items()) if "time" in others] == ["referee.system.deadline"]


ROOMS_INSIDE = [("referee.judge.partial.constraints", "referee.judge.partial.lifted")]
"""Rooms inside a room, of which the first imports nothing from the second."""


def test_a_room_inside_a_room_imports_from_those_before_it() -> None:
    modules = imports()
    for below, above in ROOMS_INSIDE:
        assert any(module.startswith(f"{below}.") for module in modules)
        assert {(module, other) for module, others in modules.items() if module.startswith(f"{below}.")
                for other in others if other.startswith(f"{above}.")} == set()


FOR_COMMANDS = ("referee.api", "referee.report", "referee.editors", "referee.cli")
OF_EACH_OTHER = {"referee.core.expr": "referee.core.stmt"}
"""Statements hold expressions, and one expression holds statements: the import is there for its type alone."""
HELPERS = {"referee", "referee.diagnostics.exit_codes", "referee.system.deadline"}
"""What commands use besides: the version, how they end, and the one clock."""


def test_a_command_is_written_on_the_library() -> None:
    commands = {module: others for module, others in imports().items() if room(module) == "cli"}
    assert commands
    assert {(module, other) for module, others in commands.items() for other in others
            if other.startswith("referee") and other not in HELPERS and not other.startswith(FOR_COMMANDS)} == set()


def test_every_room_is_on_a_floor() -> None:
    assert {room(module) for module in imports()} - {""} <= set(FLOOR)


def test_no_module_imports_itself_through_others() -> None:
    done: set[str] = set()
    others_of = imports()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module):], module))
        if module not in done:
            for other in sorted(others_of.get(module, frozenset()) - {OF_EACH_OTHER.get(module)}):
                visit(other, (*path, module))
            done.add(module)

    for module in sorted(others_of):
        visit(module, ())
