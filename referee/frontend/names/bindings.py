"""What a name or phrase of the rules may stand for, besides a value: places, nouns, domains; and scopes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.core.expr import Const, Expr, Place
from referee.core.stmt import Option, Origin, Stmt
from referee.core.types import Bool, Elem, Int, Scalar, Type
from referee.diagnostics.source import Span
from referee.syntax.syntax_tree import Node


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """A place in a zone, as a phrase names it."""

    place: Place
    span: Span


@dataclass(frozen=True, slots=True)
class Noun:
    """A set of component classes: a kind, a kind of one owner, those of a kind with one member of a type, or one class.

    `classes` are all it may be; `one` is the class itself where an expression gives it (the owner is computed);
    `among` is the set that they are where only an expression gives that.
    """

    classes: Elem
    one: Expr | None
    span: Span
    among: Expr | None = None


@dataclass(frozen=True, slots=True)
class DomainOf:
    """Every member of a domain: the players, the cells of a board, its columns or rows, the values of a kind."""

    type: Elem
    span: Span


Meaning = Expr | PlaceOf | Noun | DomainOf


@dataclass(frozen=True, slots=True)
class Bound:
    """A local name: its value, and for a component where it lies (known while nothing has moved it)."""

    expr: Expr
    at: Place | None = None


LOST = Bound(Const(False, Bool()))
"""A name whose declaration has an error that was reported: who uses it gives up without a word."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The local names in force at some place in the rules.

    `hoist` takes statements that a value needs carried out before it (None where that is impossible: in a filter, a
    guard); `owner` is the declaration around, which names the points made here; `cites` are the statements of the
    rulebook that the line encodes; `seats` are those of the players by what stands for them in quotes.
    """

    names: Mapping[str, Bound] = field(default_factory=dict)
    me: Expr | None = None
    it: Expr | None = None
    hoist: list[Stmt] | None = None
    owner: str = "play"
    cites: tuple[str, ...] = ()
    seats: Mapping[str, int] = field(default_factory=dict)

    def bind(self, name: str, bound: Bound) -> Scope:
        """The scope with one more name."""
        return replace(self, names={**self.names, name: bound})

    def pure(self) -> Scope:
        """The scope for a part that is evaluated many times or maybe never: nothing can be asked in it."""
        return replace(self, hoist=None)


@dataclass(frozen=True, slots=True)
class ComponentKind:
    """A kind of components: its classes lo..hi; whether each player has his own, they are ordered, they have names.

    `columns`: of one with a class for each combination of members of types, the columns with those types.
    """

    name: str
    lo: int
    hi: int
    owned: bool
    ordered: bool
    listed: bool
    columns: tuple[tuple[str, Elem], ...] = ()

    @property
    def type(self) -> Elem:
        return Elem("component", self.lo, self.hi)

    @property
    def by_columns(self) -> str:
        """The name of the table from a member of the type of each column to the class."""
        return f"{self.name} by its columns"

    def by_column(self, column: str) -> str:
        """The name of the table from the members of the type of one column to the set of classes that have it."""
        return f"{self.name} by {column}"


@dataclass(frozen=True, slots=True)
class Group:
    """Several kinds under one name; they follow each other, so that their classes are one range."""

    name: str
    kinds: tuple[ComponentKind, ...]

    @property
    def type(self) -> Elem:
        return Elem("component", self.kinds[0].lo, self.kinds[-1].hi)


@dataclass(frozen=True, slots=True)
class Board:
    """A board: names of the domains of its cells, columns and rows. `cells`: column and row of each, row by row; of
    `columns` x `rows` some may be missing."""

    name: str
    columns: int
    rows: int
    cells: tuple[tuple[int, int], ...]

    @property
    def column_domain(self) -> str:
        return f"column of {self.name}"

    @property
    def row_domain(self) -> str:
        return f"row of {self.name}"


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice that lie somewhere: a counter with `keys` and, as last key, the number shown."""

    name: str
    keys: tuple[Scalar, ...]
    faces: Int
    most: int


@dataclass(frozen=True, slots=True)
class Idle:
    """The way out that a decision has for who can do nothing: its action, and what else is offered there. `also`: when
    it is open besides."""

    action: str
    options: tuple[Option, ...]
    origin: Origin
    also: Expr | None = None


@dataclass(frozen=True, slots=True)
class Define:
    """A definition, lowered anew wherever it is used."""

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type | None
    node: Node


@dataclass(frozen=True, slots=True)
class Price:
    """What prices are made of: `columns`, of each so many, in this order.

    `pays` is the procedure by which one is paid, `able` the definition that says whether it can be; each takes the
    player, then so many of each column. `cites`: what the line cites.
    """

    columns: tuple[str, ...]
    pays: str
    able: str
    cites: tuple[Node, ...]


@dataclass(slots=True)
class Texts:
    """How the effects of components of one kind are used: by the cases of `procedure`, in at most so many rounds."""

    procedure: str
    most: int = 2

    @property
    def going(self) -> str:
        """The counter that says whether an effect was used in this round."""
        return f"{self.procedure}_goes_on"

    @property
    def forgetting(self) -> str:
        """The procedure that sets back what was used, and on whom."""
        return f"forget_{self.procedure}"


@dataclass(frozen=True, slots=True)
class Verb:
    """A phrase for a procedure of two arguments: `places` says which of them is the amount, and which the target."""

    procedure: str
    amount: int
    target: int
    span: Span
