"""The statements of the core: what changes the state, and who owns what happens next.

A block is executed in order. Statements that ask somebody (`Decide`, `Commit`, `Chance`, `Unspecified`) are *points*;
the rest are deterministic. `spec/core.md` holds the table of kinds.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import assert_never

from referee.core.expr import Domainlike, Expr, Place
from referee.core.types import Many, Scalar
from referee.diagnostics.source import Span
from referee.system.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a node comes from: its place in the rules, and what it cites.

    Cited are the statements of the rulebook that it encodes and, by their names, the assumptions that it rests on:
    `Core.statements_in` and `Core.assumptions_in` tell them apart.
    """

    span: Span
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guard:
    """A named condition. `shows` are the values to print when it fails: (their text in the rules, the value).

    `forbids`: the text names what must not be (`cond` is its opposite).
    """

    text: str
    cond: Expr
    origin: Origin
    shows: tuple[tuple[str, Expr], ...] = ()
    forbids: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """An argument of an action, a draw or a commit: bound as local `name`, logged under `arg` (None: not logged).

    `source` may read earlier parameters and `me`. With `count` (least, most) the value is a Many taken from the source.
    `seen` is the set of players who learn the value when the event happens; None: all of them.
    `among`: of several, each is a member of this set. `repeated`: each of several is taken from the whole source again,
    as dice are.
    """

    name: str
    arg: str | None
    type: Scalar | Many
    source: Domainlike
    origin: Origin
    count: tuple[Expr, Expr] | None = None
    seen: Expr | None = None
    repeated: bool = False
    among: Expr | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """A thing that somebody may do. `me` is bound as a local to the actor; `label` is what a log calls it."""

    name: str
    label: str
    params: tuple[Param, ...]
    guards: tuple[Guard, ...]
    body: Block
    origin: Origin


IN = " in "
"""Between the name of a point and the calls that lead to it, where it is said which of several ways is meant."""


@dataclass(frozen=True, slots=True)
class Point:
    """The identity of a point. `name` is unique and published; `rest`: invariants and limits hold here."""

    name: str
    rest: bool
    origin: Origin
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An action offered at a point. `bound` fixes parameters (not logged). `silent`: a log may leave it out."""

    action: str
    bound: tuple[tuple[str, Expr], ...] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """Stores a value in a variable; error RT01 if it leaves the declared range.

    `more`: the next statement belongs to this one, so that nothing is tested between the two.
    """

    var: str
    keys: tuple[Expr, ...]
    value: Expr
    origin: Origin
    more: bool = False


@dataclass(frozen=True, slots=True)
class Move:
    """Moves `number` components of a class (or each of a Many) between places.

    Errors: RT02 not there, RT03 the spot is taken or the zone is over its capacity.
    """

    what: Expr
    number: Expr | None
    source: Place
    to: Place
    origin: Origin


@dataclass(frozen=True, slots=True)
class Merge:
    """Makes all of a pile and all components of `sources` one block of the pile: shuffling."""

    to: Place
    sources: tuple[Place, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchanges all that lies in two zone instances of one form and capacity, as it lies; with itself: nothing.

    `more`: the next statement belongs to this one, so that nothing is tested between the two.
    """

    one: Place
    other: Place
    origin: Origin
    more: bool = False


@dataclass(frozen=True, slots=True)
class Bind:
    """Gives a value a name until the end of the block."""

    name: str
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Branch:
    """One of two blocks."""

    cond: Expr
    yes: Block
    no: Block
    origin: Origin


@dataclass(frozen=True, slots=True)
class Each:
    """The block once for each member of a source, in its order; the source is read before the first."""

    var: str
    source: Domainlike
    body: Block
    origin: Origin


@dataclass(frozen=True, slots=True)
class Repeat:
    """The block until a condition, tested before each round; it consumes a decision or chance, or has a `limit`.

    Past the limit: error RT06.
    """

    until: Expr
    body: Block
    limit: int | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Decide:
    """A player takes one of the options; none legal: `otherwise`, or the game stops here.

    `taken` names the local that holds the index of the option taken, in the domain `taken_domain`.
    """

    point: Point
    actor: Expr
    options: tuple[Option, ...]
    otherwise: Block | None
    taken: str | None = None
    taken_domain: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One side of a commit group: the actors (a set of players), what they do, and the variables (keyed by player)
    that keep the values of the action's parameters, in their order."""

    actors: Expr
    action: str
    into: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """Several players choose without seeing each other's choice; accepted in any order, read from the state before.

    `hidden`: a choice is seen by its actor alone until `revealed` (then by all, once the group is complete). `once`: a
    condition on the position in which the group is asked; a group in which it fails is revealed with the next of the
    same point in which it holds.
    """

    point: Point
    parts: tuple[Part, ...]
    hidden: bool
    revealed: bool
    once: Expr | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """Fate chooses the parameters of an action (drawn uniformly, with multiplicity). None possible: the game stops."""

    point: Point
    action: str
    bound: tuple[tuple[str, Expr], ...] = ()


class Gap(Enum):
    """What it is that nobody owns at an unspecified point."""

    SAID = "said"  # what the rules themselves call unspecified
    CASE = "case"  # a case that is not among those told apart
    TIE = "tie"  # which of several that are the best
    ORDER = "order"  # who or what comes first
    WAY = "way"  # which way round turns go
    WHOSE = "whose"  # for whom of several the game ends
    ENDS = "ends"  # which of several ends counts
    OVER = "over"  # the rules are through and nobody has won


@dataclass(frozen=True, slots=True)
class Unspecified:
    """Nobody owns what happens next: the table rules. Closed with `candidates` (bound to `name`), else open: a stop."""

    point: Point
    question: str
    name: str | None
    type: Scalar | None
    candidates: Domainlike | None
    gap: Gap = Gap.SAID


@dataclass(frozen=True, slots=True)
class Finish:
    """The game is over; `winners` is a set of players, empty for none."""

    winners: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Call:
    """Carries out a procedure; `results` name its results here."""

    procedure: str
    args: tuple[Expr, ...]
    results: tuple[str, ...]
    origin: Origin


Stmt = (
    Put | Move | Merge | Swap | Bind | Branch | Each | Repeat | Decide | Commit | Chance | Unspecified | Finish | Call
)
Block = tuple[Stmt, ...]


def point_of(stmt: Stmt) -> Point | None:
    """The point that a statement is; None for one that asks nobody."""
    match stmt:
        case Decide() | Commit() | Chance() | Unspecified():
            return stmt.point
        case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Finish() | Call():
            return None
        case _:
            assert_never(stmt)


def origin_of(stmt: Stmt) -> Origin:
    """Where a statement comes from."""
    match stmt:
        case Decide() | Commit() | Chance() | Unspecified():
            return stmt.point.origin
        case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Finish() | Call():
            return stmt.origin
        case _:
            assert_never(stmt)


@dataclass(frozen=True, slots=True)
class Procedure:
    """A named block with parameters and results (locals bound in its body)."""

    name: str
    params: tuple[tuple[str, Scalar], ...]
    results: tuple[tuple[str, Scalar], ...]
    body: Block
    origin: Origin = field(compare=False)


def is_whole(stmt: Stmt) -> bool:
    """False if the next statement belongs to this one, so that nothing is tested between the two."""
    match stmt:
        case Put() | Swap():
            return not stmt.more
        case (Move() | Merge() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
              | Finish() | Call()):
            return True
        case _:
            assert_never(stmt)
