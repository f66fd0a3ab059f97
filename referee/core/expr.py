"""The expressions of the core: total, typed, without side effects. `spec/core.md` holds the table of kinds.

`and`, `or`, `if` and the folds `any`/`all` evaluate no more than they need: that is meaning, not optimisation.
"""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, assert_never

from referee.core.types import Bool, Elem, Maybe, Scalar, SetOf, Type, Value
from referee.diagnostics.source import Span
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from referee.core.stmt import Block  # statements hold expressions, and this one holds statements


class Operator(Enum):
    """Operators on evaluated operands; operand types are those that `spec/core.md` lists."""

    NOT = "not"
    ADD = "+"
    SUB = "-"
    MUL = "*"
    NEG = "neg"
    LOWER = "lower"  # the lesser of two numbers
    HIGHER = "higher"  # the greater of two numbers
    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IN = "in"  # member, set
    SET = "set"  # members -> set
    UNION = "union"
    MINUS = "minus"  # set difference
    SIZE = "size"  # of a set or of a Many
    BETWEEN = "distance"  # |a - b|


class FoldKind(Enum):
    """What a fold computes over the members of its source."""

    ANY = "any"
    ALL = "all"
    COUNT = "count"  # members (with multiplicity in a zone) for which `where` holds
    SUM = "sum"  # of `body` (with multiplicity in a zone)
    MIN = "min"  # of `body`; `empty` if there is no member
    MAX = "max"


@dataclass(frozen=True, slots=True)
class Const:
    """A literal."""

    value: Value
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A name bound by an enclosing fold, filter, let, each, action, procedure or bind."""

    name: str
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Get:
    """The value of a variable of the state; readings, parameters, givens and registers are such too."""

    var: str
    keys: tuple[Expr, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Look:
    """An entry of a constant table."""

    table: str
    keys: tuple[Expr, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Op:
    """An operator applied to values."""

    op: Operator
    args: tuple[Expr, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    """True if every part is; stops at the first that is not."""

    parts: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Bool = field(default=Bool(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    """True if some part is; stops at the first that is."""

    parts: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False, repr=False)
    type: Bool = field(default=Bool(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    """One of two values; the other is not evaluated."""

    cond: Expr
    yes: Expr
    no: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class At:
    """The component on a spot of a `slots` zone, or at a position (0 = first) of a `line`; nothing if there is none."""

    place: Place
    spot: Expr
    type: Maybe
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fold:
    """A value computed over the members of a source, in its order, `var` bound to each."""

    kind: FoldKind
    var: str
    source: Domainlike
    where: Expr | None
    body: Expr | None
    type: Type
    empty: Expr | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Where:
    """The set of the members of a source for which a condition holds."""

    var: str
    source: Domainlike
    where: Expr | None
    type: SetOf
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Connected:
    """What steps lead to from a member: itself, and of each of these the next ones for which a condition holds.

    `step` is the set of those next to `here`; `where` is tested of each `var` when it is met first, not of the start.
    """

    start: Expr
    here: str
    step: Expr
    var: str
    where: Expr | None
    type: SetOf
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Split:
    """The least (`MIN`) or greatest (`MAX`) value of an expression over what may be left of a set, bound to `rest`.

    Left is what remains when members of a table of sets are taken out that all lie in the set, no two of which share
    anything; nothing may be taken, too.
    """

    kind: FoldKind
    of: Expr
    table: str
    rest: str
    body: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    """A value with a name for another value."""

    var: str
    value: Expr
    body: Expr
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Only:
    """The single member of a set, or what a Maybe holds; error RT05 if there is none or several."""

    of: Expr
    type: Scalar
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class After:
    """The value that an expression has once a block was carried out: on a copy of the position, so nothing changes.

    The block holds statements of runs but for `Finish`; names end with it. An error in the block or in the value gives
    `failing`; without it, it is an error here. An empty block leaves the value, with what stands for an error in it.
    """

    body: Block
    value: Expr
    type: Type
    failing: Expr | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


Expr = Const | Local | Get | Look | Op | And | Or | If | At | Fold | Where | Connected | Split | Let | Only | After


def spelled_at(expr: Expr, span: Span) -> Expr:
    """What a name stands for, as it is spelled at a place: a local, a member or what was drawn stands there, whatever
    else where it is written."""
    match expr:
        case Local() | Const(_, Elem()) | Only(Get(_, ())):
            return replace(expr, span=span)
        case (Const() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return expr
        case _:
            assert_never(expr)


class End(Enum):
    """Which end of a pile or line something goes to or comes from."""

    TOP = "top"  # of a pile; the last position of a line
    BOTTOM = "bottom"  # of a pile; the first position of a line


@dataclass(frozen=True, slots=True)
class Place:
    """An instance of a zone, maybe a spot of it (`slots`) or an end of it (`pile`, `line`)."""

    zone: str
    keys: tuple[Expr, ...] = ()
    spot: Expr | None = None
    end: End | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Numbers:
    """lo..hi, both evaluated once, ascending; `down`: descending."""

    lo: Expr
    hi: Expr
    down: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Every value of a scalar type, ascending; players may start `first` and go round by seats (down: to the right)."""

    of: Scalar
    first: Expr | None = None
    down: bool = False


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a set or of a Many (with multiplicity), ascending; players may start at `first`."""

    of: Expr
    first: Expr | None = None
    down: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """The component classes in a place, ascending; by position in a line.

    Each class once, with its number there as multiplicity (count and sum use it); in a line each position counts as
    one. Of a pile, a place with `end=TOP` means its top block, what a draw may take; without, the whole pile.
    """

    place: Place


Domainlike = Numbers | All | Members | Within
"""What can be gone through: bounded, in a fixed order, read before anything is written."""
