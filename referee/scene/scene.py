"""A scene: what lies where on a table, as somebody sees it, in parts that can be drawn without knowing the rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class BoardShape(Enum):
    """What the cells of a board are."""

    SQUARES = "squares"
    HEXAGONS = "hexagons"  # each row lies half a cell further to the east than the one below it
    MAP = "map"  # squares in rooms, with walls and doors between them


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A cell, by the name that logs have for it. `column` and `row`: from 0, to the east and to the north. Of a map the
    `room`, and in which directions a wall stands, or a door, between it and the cell beside it."""

    name: str
    column: int
    row: int
    room: str | None = None
    walls: tuple[str, ...] = ()
    doors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """A board or map of the rules. `columns` and `rows`: what they are called, from the west and from the south."""

    name: str
    shape: BoardShape
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[BoardCell, ...]


class ZoneForm(Enum):
    """How the components of a zone lie, as far as a drawing shows it."""

    BOARD = "board"  # on the cells of a board
    SPOTS = "spots"  # on spots that have names
    ROW = "row"  # one beside the other, in their order
    PILE = "pile"  # on top of each other, the topmost first
    HAND = "hand"  # together, and only some players see them
    HEAP = "heap"  # together, for everybody to see, or for nobody


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """Components alike that lie in one place of a zone. `name` and `kind`: None if it is not seen what they are.

    `owner`: the player whose they are. `spot`: where, if the zone has spots; `layer`: of a pile, how far down they lie,
    from 0; several kinds in one layer lie there in an order that nobody knows. `picture`: a file of the
    ruleset that shows it.
    """

    name: str | None
    kind: str | None
    number: int
    owner: str | None = None
    spot: str | None = None
    layer: int | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class SceneZone:
    """A place for components. `name`: of all places declared together; `title`: of this one, as claims name it.

    `owner`: the player whose it is; `board` and `cell`: where it lies, if it is one for each cell. `number`: how many
    components there are; None in `pieces` stands for what is not `seen`; `spots`: all there are, if it has some.
    `group`: the title under which the rules want it drawn with others; `picture`: a file of the ruleset that shows it.
    """

    name: str
    title: str
    form: ZoneForm
    number: int
    seen: bool
    pieces: tuple[ScenePiece, ...]
    owner: str | None = None
    board: str | None = None
    cell: str | None = None
    spots: tuple[str, ...] = ()
    group: str | None = None
    picture: str | None = None


class ValueForm(Enum):
    """What a value is, as far as a drawing shows it."""

    TRACK = "track"  # a number of each player on the same scale
    COUNTER = "counter"  # another number
    DICE = "dice"  # what some dice show, the lowest first
    MARKER = "marker"  # a cell of a board: something stands there
    FACT = "fact"  # yes or no
    OTHER = "other"  # a name, a set


Plain = str | int | bool | None | list["Plain"]
"""A value as a log has it."""


@dataclass(frozen=True, slots=True)
class SceneValue:
    """A value that the rules keep. `name`, `title`, `owner`, `board`, `cell`, `group`, `picture`: as for
    a zone.

    `value`: as a log has it, None for nothing; `text`: for people; `low` and `high`: between which numbers it lies.
    `open`: nobody has said it, it is one between `low` and `high`. `setting`: it stays as it is throughout the game;
    `default`: and is what the rules have if nobody says otherwise.
    """

    name: str
    title: str
    form: ValueForm
    value: Plain
    text: str
    owner: str | None = None
    board: str | None = None
    cell: str | None = None
    low: int | None = None
    high: int | None = None
    open: bool = False
    setting: bool = False
    default: bool = False
    group: str | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class SceneAsking:
    """Who has to act (players, `fate`, `table`), at which point, and by which actions."""

    who: tuple[str, ...]
    what: tuple[str, ...]
    point: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies where. `viewers`: the players who look at it together; none: somebody who sits at no seat.

    `turn`: whose turn it is, None if it is nobody's; `asked`: who has to act, None once the game is over, and then
    `winners`.
    """

    ruleset: str
    players: tuple[str, ...]
    viewers: tuple[str, ...]
    turn: str | None
    asked: SceneAsking | None
    winners: tuple[str, ...] | None
    boards: tuple[BoardPlan, ...]
    zones: tuple[SceneZone, ...]
    values: tuple[SceneValue, ...]
