"""A number for every pick: an action with its first argument, and each further argument by itself."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from referee.api.errors import ArgumentError
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Rule, Run, offered
from referee.core.stmt import Param
from referee.core.types import Elem, Int, Many, Scalar
from referee.game.setting import Setting
from referee.game.value_codec import encode_value

MOST_CODES = 100_000
"""Codes of actions: rules that take more make no environment."""
ENOUGH = None
"""The value of a pick that says: no more of these."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A value for an argument of an action. Without an argument: the action has no more of them; without a value: no
    more are chosen."""

    label: str
    argument: str | None
    value: int | None = ENOUGH


@dataclass(frozen=True, slots=True)
class _Block:
    """The picks of one argument, in the order of their values; of several that are chosen one more: it is enough."""

    base: int
    label: str
    argument: str | None
    type: Scalar | None
    several: bool

    @property
    def count(self) -> int:
        return (0 if self.type is None else self.type.hi - self.type.lo + 1) + (self.type is None or self.several)


class ActionCodes:
    """The picks of all players, numbered from 0: by action, argument and value, in the order of the rules."""

    def __init__(self, flow: Flow) -> None:
        """Raises `ArgumentError` (EN01) if there are more than `MOST_CODES`."""
        self.longest = 1
        self._blocks: list[_Block] = []
        self._of: dict[tuple[str, str | None], list[_Block]] = {}
        base = 0
        for (label, argument, _), (kind, several) in self._arguments(flow).items():
            block = _Block(base, label, argument, kind, several)
            self._blocks.append(block)
            self._of.setdefault((label, argument), []).append(block)
            base += block.count
        self._bases = [block.base for block in self._blocks]
        self.number = base
        if base > MOST_CODES:
            most = max(self._blocks, key=lambda block: block.count)
            raise ArgumentError(
                "EN01", f"the picks of these rules take {base:,} codes, more than {MOST_CODES:,}",
                hint=f"{most.argument} of {most.label} alone takes {most.count:,}: "
                     "give it a smaller range, in a copy of rules that come along")

    def _arguments(self, flow: Flow) -> dict[tuple[str, str | None, str], tuple[Scalar | None, bool]]:
        """(action, argument, domain) -> its values, and whether several are chosen."""
        found: dict[tuple[str, str | None, str], tuple[Scalar | None, bool]] = {}
        told = {(label, tuple(param.arg for param in params)) for label, params in _offers(flow)}
        for label, params in _offers(flow):
            length = 1
            names = tuple(param.arg for param in params)
            if not names or any(one == label and names == more[:len(names)] != more for one, more in told):
                found.setdefault((label, None, ""), (None, False))
            for param in params:
                kind, domain, picks = _values(param.type)
                several = param.count is not None
                length += picks + several
                before, already = found.get((label, param.arg, domain), (None, False))
                found[label, param.arg, domain] = (kind if before is None else _both(before, kind), several or already)
            self.longest = max(self.longest, length)
        return found

    def code(self, pick: Pick) -> int:
        """The number of a pick that can be made. `KeyError` for one that cannot be."""
        for block in self._of[pick.label, pick.argument]:
            if pick.value is ENOUGH:
                if block.type is None or block.several:
                    return block.base + block.count - 1
            elif block.type is not None and block.type.lo <= pick.value <= block.type.hi:
                return block.base + pick.value - block.type.lo
        raise KeyError(pick)

    def pick(self, code: int) -> Pick:
        """The pick of a number from 0 to `number` - 1."""
        block = self._blocks[bisect_right(self._bases, code) - 1]
        at = code - block.base
        if block.type is None or at > block.type.hi - block.type.lo:
            return Pick(block.label, block.argument)
        return Pick(block.label, block.argument, block.type.lo + at)

    def text(self, code: int, flow: Flow, setting: Setting) -> str:
        """A pick in words: `take sticks 2`, `discard cards: enough`."""
        block, pick = self._blocks[bisect_right(self._bases, code) - 1], self.pick(code)
        if pick.argument is None:
            return pick.label
        if pick.value is ENOUGH or block.type is None:
            return f"{pick.label} {pick.argument}: enough"
        return f"{pick.label} {pick.argument} {encode_value(flow.core, setting.players, block.type, pick.value)}"


def _offers(flow: Flow) -> Iterator[tuple[str, tuple[Param, ...]]]:
    """What players are offered anywhere: action, and the arguments that are told."""
    for node in flow.nodes:
        match node:
            case Ask() | Gather():
                for one in offered(node):
                    yield one.label, tuple(param for param in one.params if param.arg is not None)
            case Run() | Fork() | Draw() | Rule():
                pass
            case _:
                assert_never(node)


def _values(kind: Scalar | Many) -> tuple[Scalar, str, int]:
    """The values of an argument, or of its members; their domain, empty for numbers; how many of them at most."""
    match kind:
        case Int():
            return kind, "", 1
        case Elem():
            return kind, kind.domain, 1
        case Many():
            return kind.of, kind.of.domain, kind.most
        case _:
            assert_never(kind)


def _both(one: Scalar, other: Scalar) -> Scalar:
    """The type that has the values of two of the same domain."""
    lo, hi = min(one.lo, other.lo), max(one.hi, other.hi)
    match one:
        case Int():
            return Int(lo, hi)
        case Elem():
            return Elem(one.domain, lo, hi)
        case _:
            assert_never(one)
