"""A position to start from, as a header or a scenario tells it: what lies where, which value each counter has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from referee.core.ruleset import Key
from referee.core.types import Value
from referee.game.log.strict_json import Json
from referee.system.lazy_dataclasses import dataclass

Block = tuple[int, ...]
HIDDEN_ONE = -1
"""Stands in a block for a component of which it is only known that it lies there."""
VACANT = -2
"""Stands in a block for a spot of a board on which nothing lies."""


@dataclass(frozen=True, slots=True)
class MissingEntry:
    """What a position has to tell, and does not: the name of the entry, and in words what it says; of components that
    lie nowhere their kind, and the `number` of them."""

    name: str
    what: str
    number: int | None = None

    @property
    def as_entry(self) -> str:
        """How a header tells it."""
        said = self.what if self.number is None else f'{{"any {self.what}": {self.number}}}'
        return f'"{self.name}": {said}'


WHOSE_TURN = MissingEntry("turn", "PLAYER")


class BadPosition(Exception):
    """A position that the rules do not allow: a code, a sentence, the entry that is wrong, what would do, a hint.

    `offset`: the character of the entry that is pointed at, from 1; 0 for the entry as a whole. `missing`: what would
    do, where that is to tell more.
    """

    def __init__(self, code: str, message: str, key: str, expected: tuple[str, ...] = (),
                 hint: str | None = None, offset: int = 0, *, missing: tuple[MissingEntry, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.key = key
        self.expected = expected or tuple(one.as_entry for one in missing)
        self.hint = hint
        self.offset = offset
        self.missing = missing


@dataclass(frozen=True, slots=True)
class ClassSpread:
    """So many components, each of another class of lo..hi: the first of them that lie nowhere else."""

    lo: int
    hi: int
    number: int


@dataclass(frozen=True, slots=True)
class Placed:
    """What lies in a zone instance, or on one of its spots: blocks of components, and some of a kind.

    `text` is how it was said. Only in a pile the blocks mean something.
    """

    zone: str
    key: Key
    spot: int | None
    blocks: tuple[Block, ...]
    some: tuple[ClassSpread, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ToldRegister:
    """A value by a name that is no counter of the rules: it may be that of a register of the point.

    `fault`: what is wrong if it is none.
    """

    name: str
    raw: Json
    fault: BadPosition


@dataclass(frozen=True, slots=True)
class Position:
    """`at` is the published name of a point (None: the first decision after set-up), `turn` whose turn it is.
    `registers`: what is told of the way to the point; `texts`: how the counters of `values` were said.

    `rest_known`: what is not placed is at home; false if it is not known where it lies, or what lies in some place.
    `hidden`: of every place it is known how many components lie there, and of some of them nothing else.
    """

    at: str | None = None
    turn: int | None = None
    placed: tuple[Placed, ...] = ()
    values: Mapping[tuple[str, Key], Value] = field(default_factory=dict)
    rest_known: bool = True
    hidden: bool = False
    registers: tuple[ToldRegister, ...] = ()
    texts: Mapping[tuple[str, Key], str] = field(default_factory=dict)
