"""Several components of which not all are known, as something to go through, and the set of their classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from referee.core.ruleset import Core
from referee.diagnostics.source import Span
from referee.game.state import ErrorCause
from referee.interpreter.interruptions import Fault, not_one
from referee.judge.partial.constraints.constraint_search import ClassBounds
from referee.judge.partial.constraints.hidden_values import (
    Bag,
    Case,
    Hidden,
    Sum,
    Token,
    Unknown,
    mask_of,
    members,
    number_in,
)
from referee.judge.partial.lifted.choice_points import Trial


def bag_of(content: Any) -> Bag:
    """A bag with certain components: classes and tokens, or a bag itself."""
    if isinstance(content, Bag):
        return content
    known: dict[int, int] = {}
    tokens: dict[int, int] = {}
    for one in content:
        if isinstance(one, Token):
            tokens[one.id] = 1
        elif one is not None:
            known[one] = known.get(one, 0) + 1
    return Bag(known, tokens)


class HiddenPool:
    """The components in a bag whose class is one of some (bits; -1: all)."""

    __slots__ = ("bag", "mask")

    def __init__(self, content: Any, mask: int = -1) -> None:
        self.bag = bag_of(content)
        self.mask = mask

    @staticmethod
    def of_all(contents: Iterable[Any]) -> HiddenPool:
        """Everything in several bags."""
        found = Bag({}, {})
        for content in contents:
            found = found.plus(bag_of(content), 0)
        return HiddenPool(found)

    def classes(self, trial: Trial) -> Iterator[int]:
        """The classes that may be there."""
        return members(ClassBounds(self.bag, trial.store.domains).there() & self.mask)

    def plain(self, trial: Trial) -> tuple[int, ...]:
        """The classes of all components: how many there are of each is decided."""
        return tuple(one for one in self.classes(trial) for _ in range(trial.number(number_in(self.bag, 1 << one))))

    def passing(self, trial: Trial, test: Callable[[int], bool]) -> int:
        """The classes, as bits, for which something holds. An error counts only if such a component is there."""
        found = 0
        for one in self.classes(trial):
            try:
                if test(one):
                    found |= 1 << one
            except Fault:
                if trial.has(self.bag, one):
                    raise
        return found

    def number(self, mask: int) -> Sum:
        """How many components of some classes there are."""
        found = number_in(self.bag, mask & self.mask)
        found.least = 0
        return found


class Kinds(Hidden):
    """The set of the classes, among some (bits; -1: all), of which a component is in a bag."""

    __slots__ = ("bag", "mask")

    def __init__(self, bag: Bag, mask: int) -> None:
        self.bag = bag
        self.mask = mask

    def plain(self, trial: Trial) -> frozenset[int]:
        """The set itself."""
        return frozenset(one for one in HiddenPool(self.bag, self.mask).classes(trial) if trial.has(self.bag, one))

    def single(self, core: Core) -> bool:
        """Whether there is but one component of each class."""
        found = mask_of(self.bag.known)
        return bool(self.mask >= 0) and all(core.components[one].number == 1 for one in members(self.mask | found))


HiddenValue = Unknown | Token | Bag | Case | Sum | Kinds
"""Every class of hidden values: what tells them apart names each."""


def is_hidden(value: object) -> TypeGuard[HiddenValue]:
    """Whether a value is one that functions of an engine cannot look into."""
    return isinstance(value, Hidden)


def one_of(kinds: Kinds, trial: Trial, span: Span | None, texts: Mapping[str, str]) -> Any:
    """The only member of a set of classes; an error if there is none, or several."""
    pool = HiddenPool(kinds.bag, kinds.mask)
    mask = mask_of(pool.classes(trial))
    total = number_in(kinds.bag, mask)
    if trial.decide(total.plus(-1)) and trial.decide(total.times(-1).plus(1)):
        tokens = [token for token in kinds.bag.tokens if trial.store.domains[token] & mask]
        if (len(tokens) == 1 and kinds.bag.tokens[tokens[0]] > 0 and not trial.store.domains[tokens[0]] & ~mask
                and not any(mask >> one & 1 for one in kinds.bag.known)):
            return Token(tokens[0])
    found = kinds.plain(trial)
    if len(found) != 1:
        why = "there is none" if not found else f"there are {len(found)}"
        raise not_one(texts, why, span, ErrorCause.SEVERAL if found else None)
    return next(iter(found))
