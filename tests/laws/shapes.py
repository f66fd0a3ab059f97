"""Every ruleset there is, in every shape: for each number of players and each choice of its options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path

from referee.core.flow import Flow
from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.assembly import Loaded, parsed
from referee.frontend.loading.loader import load_flow, program_digest
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.interpreter.walker import Walker
from tests.sample_sizes import FULL, LARGE, SEATS

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_CHOICES = 8
"""So many combinations of options are tried for each number of players."""


@dataclass(frozen=True, slots=True)
class Case:
    """A ruleset in one shape."""

    where: Path
    shape: Shape

    def __str__(self) -> str:
        options = "".join(f",{name}={value}" for name, value in self.shape.options)
        return f"{self.where.stem}-{self.shape.players}{options}"


def places() -> list[Path]:
    """The rules of every game that comes along, and those that the tests of the language are about."""
    folders = [folder for folder in sorted((ROOT / "rulesets").iterdir()) if folder.is_dir()]
    games = [folder for folder in folders if folder.name != "classics" and any(folder.glob("*.rules"))]
    single = [ROOT / "rulesets" / "classics", ROOT / "tests" / "language" / "constructs"]
    return [*games, *(path for folder in single for path in sorted(folder.glob("*.rules")))]


@cache
def cases() -> tuple[Case, ...]:
    """Every ruleset in its usual shapes, of those that load."""
    return tuple(case for where in readable(places()) for case in usual(where))


@cache
def firsts() -> tuple[Case, ...]:
    """Every ruleset in its first shape."""
    return tuple({case.where: case for case in reversed(cases())}.values())


def shapes(of: Loaded) -> Iterator[Shape]:
    """The numbers of players that a ruleset is for, each with combinations of its options."""
    for players in of.range.players:
        known = sorted(of.range.options_for(players).items())
        options = [[(name, value) for value in values] for name, values in known]
        for chosen in islice(product(*options), MOST_CHOICES):
            yield Shape(players, tuple(chosen))


def usual(where: Path) -> list[Case]:
    """A ruleset in every shape; in very slow ones only if full samples are asked for."""
    return [Case(where, shape) for shape in shapes(loaded(where))
            if FULL or (LARGE.get(where.stem) not in shape.options
                        and shape.players in SEATS.get(where.stem, (shape.players,)))]


def readable(among: Iterable[Path]) -> list[Path]:
    """The rulesets that can be read. Processes that share the tests all have to know which; each reads a share of its
    own first, and finds the trees of the others' where they are kept."""
    every = list(among)
    name, number = os.environ.get("PYTEST_XDIST_WORKER", "gw0"), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    mine = int(name.removeprefix("gw")) % number
    can_be: set[Path] = set()
    for _, where in sorted(enumerate(every), key=lambda one: one[0] % number != mine):
        with suppress(Problems):
            loaded(where)
            can_be.add(where)
    return [where for where in every if where in can_be]


@cache
def loaded(where: Path) -> Loaded:
    """The text of a ruleset, read once, by whichever process comes to it first."""
    return parsed(find(where), kept=program_digest())


@cache
def flow_of(case: Case) -> Flow:
    """The flow of a case, as it is kept for whoever loads it next: processes that share the tests make it once."""
    return load_flow(case.where, case.shape.players, dict(case.shape.options))


def core_of(case: Case) -> Core:
    """The core of a case."""
    return flow_of(case).core


@cache
def walker_of(case: Case) -> Walker:
    """The walker of a case, made once."""
    return Walker(flow_of(case))
