"""How large the samples of tests are: small ones in the usual run, all of it with `REFEREE_FULL_SAMPLES=1`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Protocol, TypeVar
from zlib import crc32

SLOW = {"battleship": 2, "bridge": 3, "checkers": 3, "chess": 10, "cribbage": 3, "gin_rummy": 3, "go": 10,
        "go_goal": 2, "hanabi": 3, "hearts": 3, "holdem": 4, "liars_dice": 4, "nine_mens_morris": 2, "spades": 3,
        "wreckers": 4}
"""Games of which an event or a view takes long, each with how many times smaller its usual samples are."""
LARGE = {"battleship": ("sea", "ten"), "go": ("size", "nineteen"), "liars_dice": ("at_first", "five")}
"""A choice of an option that makes a game so slow that it is only looked at if full samples are asked for."""
SEATS = {"holdem": (2, 3, 6)}
"""Numbers of players of a slow game; with others it is only looked at if full samples are asked for."""
FULL = os.environ.get("REFEREE_FULL_SAMPLES", "") not in ("", "0")
_ROOT = Path(__file__).parents[1]
CLASSICS = frozenset(path.stem for path in (_ROOT / "rulesets" / "classics").glob("*.rules"))
CONSTRUCTS = frozenset(path.stem for path in (_ROOT / "tests" / "language" / "constructs").glob("*.rules"))


class _OfRules(Protocol):
    """What is looked at of a ruleset, which lies at `where`."""

    @property
    def where(self) -> Path: ...


Looked = TypeVar("Looked", bound=str | Path | _OfRules)
One = TypeVar("One")


def in_turn(found: Iterable[Looked], test: str, of: int = 3, among: frozenset[str] = CLASSICS) -> list[Looked]:
    """Those that a test looks at in the usual run: of some (the classics) one of so many, others for each test; of the
    rest, and if full samples are asked for, all. Which ones hangs on their names and the test's alone."""
    return [one for one in found
            if FULL or _name(one) not in among or crc32(f"{test} {_name(one)}".encode()) % of == 0]


def by_lot(found: Iterable[One], test: str, of: int) -> list[One]:
    """Those that a test looks at in the usual run: one of so many, whatever they are; if full samples are asked
    for, all. Which ones hangs on what is said of them (of a path its name) and on the test's name alone."""
    return [one for one in found if FULL or _lot(f"{test} {one.stem if isinstance(one, Path) else one}") % of == 0]


def _lot(of: str) -> int:
    return int.from_bytes(sha256(of.encode()).digest()[:4])


def _name(one: str | Path | _OfRules) -> str:
    return Path(one).stem if isinstance(one, str) else (one if isinstance(one, Path) else one.where).stem


def drawn(usual: int, of: int) -> int:
    """How many of a sample are drawn: `usual`, or all `of` them if full samples are asked for."""
    return of if FULL else usual


def fewer(game: str, usual: int) -> int:
    """How many events of a game are drawn: `usual`, or the beginning of these if the game is slow."""
    return usual if FULL else -(-usual // SLOW.get(game, 1))
