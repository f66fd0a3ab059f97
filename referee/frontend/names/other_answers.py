"""Other answers that a step of lowering could have given: each behind a selector, none unless they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from referee.core.expr import Const, Expr, Get, Op, Operator
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import Origin
from referee.core.types import Bool, Int
from referee.diagnostics.source import Span

SELECTOR = "other answer"
"""The variable that says which other answer the rules go by. A name of the rules has no space in it."""
THE_RULES = 0
"""What it holds where they go by their own."""
MOST_ANSWERS = 100_000
"""The largest number that the selector can have; more answers are not made at once."""
_TYPE = Int(THE_RULES, MOST_ANSWERS)


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """One other answer: the value of the selector under which the rules go by it, what it is about, what it is called
    among the answers to that, and every place that it changes; all of them cite the same, or there is one only. `said`:
    what a question has to name, in words of the rules."""

    index: int
    dimension: str
    name: str
    origins: tuple[Origin, ...]
    said: tuple[tuple[str, str], ...] = ()


def gone_by(core: Core, answer: OtherAnswer) -> Core:
    """A core in which the answers stand, with one of them in the place of what the rules say."""
    return replace(core, vars={**core.vars, SELECTOR: replace(core.vars[SELECTOR], start=answer.index)})


def gone_by_test(index: int, span: Span | None = None) -> Expr:
    """Whether the rules go by the other answer of an index."""
    return Op(Operator.EQ, (Get(SELECTOR, (), _TYPE), Const(index, _TYPE)), Bool(), span)


@dataclass
class OtherAnswers:
    """The other answers of one ruleset. A step of lowering that could have gone another way asks `test` for each answer
    that it could give, and makes what the rules say as it always does where there is none.

    `first`, `most`: only these stand in the rules, by their indexes; the rest is counted alone.
    """

    asked: bool = False
    first: int = 1
    most: int = MOST_ANSWERS
    _indexes: dict[tuple[str, str, object], int] = field(default_factory=dict)
    _origins: dict[int, list[Origin]] = field(default_factory=dict)
    _said: dict[int, dict[str, str]] = field(default_factory=dict)

    def test(
        self, dimension: str, name: str, where: Origin, *, alone: bool = False, also: Origin | None = None,
        apart: str = "", **said: str,
    ) -> Expr | None:  # fmt: skip
        """Whether the rules go by this answer at this place; None if nobody wants to know.

        Places that cite the same are changed together, unless each is to be `alone`. `also`: another place that it is
        about; `said`: names of the rules that a question has to name, told as words; `apart`: what else tells it from
        the same answer at the same place.
        """
        if not self.asked:
            return None
        together = where.cites if where.cites and not alone else where.span
        key = (dimension, name, (together, apart) if apart else together)
        index = self._indexes.setdefault(key, len(self._indexes) + 1)
        self._said.setdefault(index, {key: one.replace("_", " ") for key, one in said.items()})
        known = self._origins.setdefault(index, [])
        for place in (where,) if also is None else (where, also):
            if all(one.span != place.span for one in known):
                known.append(place)
        if not self.first <= index < self.first + self.most:
            return None
        return gone_by_test(index, where.span)

    def found(self) -> tuple[OtherAnswer, ...]:
        """All that were asked for, in the order of their indexes; also those that do not stand in the rules."""
        keys = sorted(self._indexes, key=self._indexes.__getitem__)
        return tuple(OtherAnswer(i, key[0], key[1], tuple(self._origins[i]), tuple(self._said[i].items()))
                     for i, key in enumerate(keys, 1))  # fmt: skip

    @staticmethod
    def variable(where: Origin) -> Var:
        """The variable that holds which is gone by, as a reading does: set at the start and never written."""
        return Var(SELECTOR, (), _TYPE, THE_RULES, Role.READING, where)
