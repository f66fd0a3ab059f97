"""The functions of a flow, each made when it is first called: taken from what is kept, or written and compiled.

This is the one place where text about rules, or kept code, becomes functions: text that the modules beside this one
have written, from numbers and words of their own, and code that was made of such text. Whatever a ruleset says
stays outside of it, as an object with a number.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import compress
from operator import or_
from types import CodeType
from typing import TYPE_CHECKING, Any

from referee.codegen import runtime_support
from referee.codegen.growing import noted_positions
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.kept.code_store import CodeStore, Key, code_of
from referee.codegen.often.event_landings import Landings
from referee.codegen.source_text import TooLong
from referee.core.flow import Flow
from referee.game.event import Event
from referee.game.state import Layout, Open
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.multisets import ends, every_taken, is_taken, sample_from, wanted

if TYPE_CHECKING:  # slow to import, and not needed where all that is called is kept
    from referee.codegen.function_source import FunctionSource

Function = Callable[..., Any]
_BUILTINS: dict[str, Any] = {one.__name__: one for one in (
    abs, bool, dict, frozenset, int, len, list, map, max, min, next, range, set, sorted, sum, tuple)}
_CALLED = {
    "W": runtime_support.StepError,
    "A": runtime_support.Again,
    "O": Open,
    "E": Event,
    "turned": runtime_support.turned,
    "only": runtime_support.only,
    "note": noted_positions.note,
    "times": noted_positions.times,
    "lying": runtime_support.lying,
    "lying_of": runtime_support.lying_of,
    "bag_without": runtime_support.bag_without,
    "bag_with": runtime_support.bag_with,
    "moved": runtime_support.moved,
    "bag_less": runtime_support.bag_less,
    "pile_less": runtime_support.pile_less,
    "take": runtime_support.take,
    "lay": runtime_support.lay,
    "gathered": runtime_support.gathered,
    "nothing_in": runtime_support.nothing_in,
    "blocks_of": runtime_support.blocks_of,
    "ends": ends,
    "every_taken": every_taken,
    "is_taken": is_taken,
    "sample": sample_from,
    "wanted": wanted,
    "amount": amount,
    "compress": compress,
    "either": or_,
}
OWN_WORDS = frozenset((*_CALLED, *_BUILTINS))
"""The names that the source may use besides its own locals and numbered objects."""


def space() -> dict[str, Any]:
    """What generated source may use."""
    return {"__builtins__": _BUILTINS, **_CALLED}


def carried_out(code: CodeType, names: dict[str, Any]) -> Function:
    """The function `f` that compiled source of ours defines, with what it may use."""
    exec(code, names)  # noqa: S102 our own text, see above
    made: Function = names.pop("f")
    return made


class Program:
    """The functions of a flow by what they do and the node that they do it at. All take the entries `s` first."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self.flow = flow
        self.layout = layout
        self.claims = InvariantCode(flow)
        self._made: dict[Key, Function] = {}
        self._whole: set[Key] = set()
        self._doubts: dict[Key, int] = {}
        self._space = space()

    @cached_property
    def kept(self) -> CodeStore:
        """What is kept of the functions between runs."""
        found = CodeStore(self.flow, self.layout)
        self._space.update(found.objects.named)
        return found

    @cached_property
    def source(self) -> FunctionSource:
        """What writes the functions."""
        from referee.codegen.function_source import FunctionSource

        return FunctionSource(self.flow, self.layout, self.claims, self.kept.objects, self.kept.landings)

    @property
    def landings(self) -> Landings:
        """What functions say that do not come to where nothing is left to be done."""
        return self.kept.landings

    def function(self, *key: str | int) -> Function:
        """A function; one that cannot be compiled leaves everything to the walker."""
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = self._found(key)
        return known

    def whole(self, *key: str | int) -> bool:
        """True if a function never leaves anything to the walker."""
        self.function(*key)
        return key in self._whole

    def doubts(self, *key: str | int) -> int:
        """The claims that may not hold any more once a function was called, as bits."""
        self.function(*key)
        return self._doubts[key]

    def step(self, at: int, group: Sequence[int]) -> Function | None:
        """What takes an event of one of some alternatives and goes on as far as it goes; None if it cannot be made."""
        made = self.function("step", at, *group)
        return None if made is left_to_the_walker else made

    def is_kept(self, *key: str | int) -> bool:
        """Whether a function is there without being written."""
        return key in self._made or self.kept.function(key) is not None

    def called(self) -> tuple[Key, ...]:
        """The functions that were needed so far."""
        return tuple(self._made)

    def _found(self, key: Key) -> Function:
        kept = self.kept.function(key)
        if kept is None:
            return self._compiled(key)
        return self._ready(key, None if kept.code is None else code_of(kept.code), kept.whole, kept.doubts)

    def _compiled(self, key: Key) -> Function:
        code, whole, doubts = None, False, self.claims.all
        try:
            written = self.source.written(key)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # a constant compared with a constant
                code, whole, doubts = self.source.compiled(key, written.text), written.whole, written.doubts
            self._space.update(self.kept.objects.named)
            self.kept.add(key, code, whole, doubts)
        except (TooLong, SyntaxError):
            self.kept.add(key, None, whole, doubts)
        except (RecursionError, MemoryError):  # elsewhere there may be more room
            pass
        return self._ready(key, code, whole, doubts)

    def _ready(self, key: Key, code: CodeType | None, whole: bool, doubts: int) -> Function:
        self._doubts[key] = doubts
        if whole:
            self._whole.add(key)
        return left_to_the_walker if code is None else carried_out(code, self._space)


def left_to_the_walker(*_: Any) -> Any:
    """What stands for a function that cannot be compiled."""
    raise runtime_support.Again
