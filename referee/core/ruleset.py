"""A ruleset in core form, for one shape (number of players and options): what everything after the front end reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import assert_never

from referee.core.expr import Expr
from referee.core.stmt import Action, Block, Guard, Origin, Procedure
from referee.core.types import Domain, Scalar, Type, Value
from referee.diagnostics.source import Span
from referee.system.lazy_dataclasses import dataclass

Key = tuple[int, ...]
"""A combination of key values, by which an instance of a variable, zone or table entry is found."""


class Role(Enum):
    """What a variable is for; decides who sets it."""

    STATE = "state"  # changed by the rules
    READING = "reading"  # chosen in the header, else the default
    PARAMETER = "parameter"  # given in the header, else open
    GIVEN = "given"  # a fact from outside, given in the header, else open
    REGISTER = "register"  # made by lowering: what crosses a point
    COUNTER = "counter"  # made by lowering: the rounds of a loop with a limit; leaving its range is RT06
    RESULT = "result"  # the set of winners, once the game is over


@dataclass(frozen=True, slots=True)
class Var:
    """A variable, or an array of them over `keys`. `start`: constant start value(s), one, or one for each key.

    For a reading, parameter or given: `start` is the default, None if it is open without one.
    `title` is what people are shown. `not_from_rulebook` marks a default that the rulebook does not give.
    `seen_by`: None everybody; else the position of the key that is the player who alone sees it.
    `named` are values that a header may call by name, one for all keys; `in_play_outs` the one that play-outs use.
    """

    name: str
    keys: tuple[Scalar, ...]
    type: Type
    start: Value | tuple[Value, ...]
    role: Role
    origin: Origin
    title: str = ""
    not_from_rulebook: bool = False
    seen_by: int | None = None
    named: tuple[tuple[str, Value], ...] = ()
    in_play_outs: str | None = None


class Form(Enum):
    """How the components of a zone lie (semantics: bag and set are one form, a multiset of classes)."""

    BAG = "bag"
    LINE = "line"
    SLOTS = "slots"
    PILE = "pile"

    @property
    def in_blocks(self) -> bool:
        """Whether components lie in blocks, each of which is used only once those before it are."""
        match self:
            case Form.PILE:
                return True
            case Form.BAG | Form.LINE | Form.SLOTS:
                return False
            case _:
                assert_never(self)

    @property
    def by_position(self) -> bool:
        """Whether alike components are gone through one by one, by where they lie."""
        match self:
            case Form.LINE:
                return True
            case Form.BAG | Form.SLOTS | Form.PILE:
                return False
            case _:
                assert_never(self)

    @property
    def on_spots(self) -> bool:
        """Whether the places are there with nothing on them: to ask for one that there is not is an error."""
        match self:
            case Form.SLOTS:
                return True
            case Form.BAG | Form.LINE | Form.PILE:
                return False
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class Sight:
    """Who sees the components of a zone: `everybody`, or the players in these key positions, or (neither) nobody.

    `others`: instead every player but those in these key positions. `spots`: of `slots`, whether everybody knows which
    spots are taken; else only whoever sees what lies there.
    """

    everybody: bool
    owners: tuple[int, ...] = ()
    others: bool = False
    spots: bool = True


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone, or one for each combination of `keys`.

    `kinds` are the component kinds it admits; `spots` the type of its spots (`slots`). `limit`: at most this many
    at rest points (None: no limit); `capacity`: what it can hold at all, exceeding it is error RT03.
    """

    name: str
    keys: tuple[Scalar, ...]
    form: Form
    kinds: tuple[str, ...]
    spots: Scalar | None
    sight: Sight
    limit: Expr | None
    capacity: int
    origin: Origin


class LookOfItsOwn(Enum):
    """What looks otherwise than others of its kind, where positions are drawn; it means nothing to a game."""

    HEXAGONS = "hexagons"  # a board: each row lies half a cell further to the east than the one below it
    DICE = "dice"  # a counter: how many dice show the number that is its last key


@dataclass(frozen=True, slots=True)
class TableLook:
    """How the rules want the table to be drawn; it means nothing to a game.

    `pictures`: by the name of a kind, of a class of components (without its owner), of a zone or of a counter, the path
    of a file in the folder of the ruleset; `order`: zones and counters that come before the others; `groups`: titles,
    with the zones and counters that stand under each.
    """

    pictures: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """Where `number` components of a class are before set-up: a zone instance, and for `slots` the spot."""

    zone: str
    key: Key
    spot: int | None
    number: int


@dataclass(frozen=True, slots=True)
class Component:
    """A class of components alike in every attribute; a named one has one component.

    The index of the class in `Core.components` is its index in the domain `component`; its label is what logs call it.
    `owner` is the seat of the player whose components these are, if the kind belongs to players. `cites`: of the lines
    that say how many there are.
    """

    name: str | int
    kind: str
    homes: tuple[Home, ...]
    owner: int | None = None
    cites: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """How many components of this class there are."""
        return sum(home.number for home in self.homes)

    def without_owner(self, seats: Sequence[str | int]) -> str:
        """Its name without the player whose it is. `seats`: what the rules call the players."""
        return str(self.name) if self.owner is None else str(self.name).removesuffix(f" of {seats[self.owner]}")


@dataclass(frozen=True, slots=True)
class Table:
    """A constant table, row-major over its keys."""

    name: str
    keys: tuple[Scalar, ...]
    type: Type
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition that holds at rest points (`everywhere`: after every statement).

    `refuted`: the rules say that it does not hold in every game; it is proved or refuted, and not asked of games.
    """

    name: str
    guard: Guard
    everywhere: bool = False
    is_limit: bool = False
    refuted: bool = False


@dataclass(frozen=True, slots=True)
class ReadingChoice:
    """One alternative of a reading, with the sentence that a referee would say."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence of the rulebook with several encodings; the variable of the same name holds the index chosen."""

    name: str
    text: str
    choices: tuple[ReadingChoice, ...]
    default: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Seats:
    """The players: their number, the names that the rules give the seats (maybe none)."""

    number: int
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding of a review that the rules say is as it should be. `id`: class and place; `reason`: why it is."""

    id: str
    reason: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class SettledQuestion:
    """A question of a review that words of the rulebook answer. `question`: its id, or that of all that is asked at its
    place about the same; `statements`: the ids of those of which one has these words."""

    question: str
    statements: tuple[str, ...]
    words: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class DeclaredAlike:
    """What the rules are to treat alike: `members` of a domain. `name`: as it is declared; `text`: why, in words."""

    name: str
    domain: str
    members: tuple[int, ...]
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class DeclaredAssumption:
    """What the rules take for granted and no words of the rulebook say: lines cite it by its name.

    `text` says it in a sentence; `statements` are the ids of what it completes or explains (empty: the rulebook is
    silent).
    """

    name: str
    text: str
    statements: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a player, evaluated once the game is over; `player` is the local bound to him."""

    player: str
    value: Expr
    origin: Origin


@dataclass(frozen=True, slots=True)
class Core:
    """A ruleset for one shape. Names are unique within their mapping."""

    name: str
    """What logs and commands call the ruleset: the name of its folder or file."""
    title: str
    """What its `game` line calls it."""
    version: str
    """A short name for exactly these rules, comments and scenarios aside (a hash): logs may state it."""
    path: str
    """The first of its texts."""
    seats: Seats
    options: tuple[tuple[str, str], ...]
    """Each option that this number of players has, with its value."""
    domains: Mapping[str, Domain]
    """The types of members, with what these are called."""
    tables: Mapping[str, Table]
    vars: Mapping[str, Var]
    """Counters, registers, readings, parameters, givens and the result."""
    zones: Mapping[str, Zone]
    components: tuple[Component, ...]
    """The classes of components, by index."""
    actions: Mapping[str, Action]
    procedures: Mapping[str, Procedure]
    main: Block
    """The course of a game; the first `setup` statements are its set-up."""
    invariants: tuple[Invariant, ...]
    readings: Mapping[str, Reading]
    score: Score | None
    statements: Mapping[str, str]
    """id -> wording, from the statements file; empty where there is no rulebook."""
    sources: tuple[str, ...]
    """The paths of its texts, in the order in which they were read."""
    origin: Span
    """Where the `game` line stands."""
    setup: int = 0
    watched: Mapping[str, Expr] = field(default_factory=dict)
    """Registers that hold whether a condition held when it was tested last, with the condition."""
    pool: tuple[tuple[str, str], ...] = ()
    """Kinds whose rows come from a log, with the rows as JSON text."""
    relations: tuple[Guard, ...] = ()
    """Conditions that the values of parameters keep to."""
    undo: bool = False
    """Whether a log may take back its last events."""
    accepted: tuple[Accepted, ...] = ()
    """What a review need not tell again."""
    settled: tuple[SettledQuestion, ...] = ()
    """What it need not ask."""
    alike: tuple[DeclaredAlike, ...] = ()
    """What is to be treated alike."""
    assumptions: Mapping[str, DeclaredAssumption] = field(default_factory=dict)
    """What a line cites is a statement, unless it is the name of one of these."""
    refutable: tuple[Invariant, ...] = ()
    """What looks like an invariant, and is declared to be none."""
    words: frozenset[str] = frozenset()
    """Every word that means something in these rules, but for names of seats: a player called so stands in quotes."""
    over: Expr | None = None
    """Whether `end as soon as` ends the game; in the rules already, behind whatever may bring it about."""
    ending: Block = ()
    """What happens then; in the rules already, too."""
    record: bytes = field(default=b"[]", compare=False, repr=False)
    """What was looked at to make it, and what was found, for `referee.system.file_observations.holds`."""
    texts: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The rules by their paths, as far as a game goes by them."""
    drawn: Mapping[str, LookOfItsOwn] = field(default_factory=dict, compare=False)
    """Boards and counters that are drawn in a way of their own."""
    look: TableLook = field(default_factory=TableLook, compare=False)
    """What `table` sections say."""

    def statements_in(self, cites: Iterable[str]) -> tuple[str, ...]:
        """The statements of the rulebook among what is cited."""
        return tuple(cite for cite in cites if cite not in self.assumptions)

    def assumptions_in(self, cites: Iterable[str]) -> tuple[DeclaredAssumption, ...]:
        """The assumptions among what is cited."""
        return tuple(self.assumptions[cite] for cite in cites if cite in self.assumptions)


WINNERS = "winners"
"""The result variable: the set of players who won, once the game is over."""
PUBLIC = "public"
"""What rules and logs call somebody who sits at no seat."""
TURN = "turn player"
"""The control variable that holds whose turn it is (Maybe player)."""
