"""Why an event is refused, and which invariants are broken: everything that a report needs to say it."""

from __future__ import annotations

from dataclasses import field

from referee.core.ruleset import Key
from referee.core.stmt import Guard, Origin, Param
from referee.core.types import Type, Value
from referee.game.state import ErrorCause
from referee.interpreter.closures.closure_types import Env
from referee.system.lazy_dataclasses import dataclass

WRONG_PLAYER = "wrong player"
UNKNOWN_EVENT = "unknown event"
BAD_ARGUMENT = "bad argument"
GUARD = "guard"


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that explains a guard: its text in the rules, the value and its type."""

    text: str
    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Tested:
    """A guard that was tested. `fault`: it could not be evaluated, and why; that counts as failed. `cause`: of that."""

    guard: Guard
    values: tuple[Shown, ...]
    fault: str | None = None
    cause: ErrorCause | None = None


@dataclass(frozen=True, slots=True)
class ArgumentProblem:
    """What is wrong with an argument: `missing`, `unexpected`, or `not allowed` (then `allowed` are some that are).

    Of several: how many can be taken, as `number` (least, most); `beyond`: those that cannot be, or not so often.
    `ends`: the least and the greatest that a number may be that is free in its range. `lacking`: the parameter that no
    line states and for which nothing is left with this value.
    """

    arg: str
    why: str
    value: Value = None
    param: Param | None = None
    allowed: tuple[Value, ...] = ()
    number: tuple[int, int] | None = None
    beyond: tuple[int, ...] = ()
    lacking: Param | None = None
    ends: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that is not legal. `by`: who could act here; `labels`: what he could do.

    `action` and `origin` are those of the action that the event comes closest to, None if it is none. `env`: what the
    names in its conditions stand for, as far as the arguments can be taken.
    """

    kind: str
    by: frozenset[int]
    labels: tuple[str, ...]
    action: str | None = None
    origin: Origin | None = None
    failed: tuple[Tested, ...] = ()
    held: tuple[Tested, ...] = ()
    arguments: tuple[ArgumentProblem, ...] = ()
    env: Env = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BrokenInvariant:
    """A condition that does not hold at a rest point. `zone`: the zone instance, for a limit."""

    name: str
    tested: Tested
    is_limit: bool
    zone: tuple[str, Key] | None = None
