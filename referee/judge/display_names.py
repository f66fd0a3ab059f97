"""Names for people: players, values, events and open variables, as verdicts write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import assert_never

from referee.core.flow import Flow, Rule
from referee.core.ruleset import Key, Role
from referee.core.types import PLAYER, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value
from referee.game.event import FATE, TABLE, Event
from referee.game.value_codec import called, key_text, place_text
from referee.judge.verdict import OpenKind
from referee.judge.visibility import HIDDEN

_MOST_MEMBERS = 12
"""So many members of a set are told; of more it is said how many."""


class Names:
    """The names of one game: those of its ruleset, and of its players."""

    def __init__(self, flow: Flow, players: tuple[str, ...]) -> None:
        self.players = players
        self._core = flow.core
        self._vars = flow.vars
        self._flow = flow

    @cached_property
    def _ruled(self) -> dict[str, Scalar | None]:
        return {node.point.name: node.type for node in self._flow.nodes if isinstance(node, Rule)}

    @cached_property
    def _args(self) -> dict[tuple[str, str], Type]:
        return {(action.label, param.arg): param.type for action in self._core.actions.values()
                for param in action.params if param.arg is not None}

    def who(self, by: int) -> str:
        """The name of a seat, of fate or of the table."""
        return {FATE: "fate", TABLE: "the table"}[by] if by < 0 else self.players[by]

    def all_of(self, seats: Iterable[int], joint: str = "or") -> str:
        """Several names as one text."""
        names = [self.who(by) for by in sorted(seats)]
        return f" {joint} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names) or "nobody"

    def value(self, value: Value, kind: Type) -> str:
        """A value as text: members by the labels that a log uses."""
        match kind:
            case Bool():
                return "yes" if value else "no"
            case Int():
                return str(value)
            case Elem(domain):
                return self._label(domain, value)
            case Maybe(of):
                return "nothing" if value is None else self.value(value, of)
            case SetOf(of):
                return self._members(sorted(value) if isinstance(value, frozenset) else [], of)
            case Many(of):
                return self._members(value if isinstance(value, tuple) else (), of)
            case _:
                assert_never(kind)

    def place(self, name: str, kinds: Sequence[Type], key: Key) -> str:
        """A zone or counter of a key, in the words of the rules."""
        return place_text(self._core, self.players, name, kinds, key)

    def _members(self, members: Iterable[int], of: Elem | Int) -> str:
        counted = Counter(members)
        texts = [self.value(m, of) + (f" x{number}" if number > 1 else "") for m, number in counted.items()]
        more = len(texts) - _MOST_MEMBERS
        return (", ".join(texts[:_MOST_MEMBERS]) + (f" and {more} more" if more > 0 else "")) or "none"

    def _label(self, domain: str, value: Value) -> str:
        if not isinstance(value, int):
            return "nothing"
        known = len(self.players) if domain == PLAYER else self._core.domains[domain].size
        return str(called(self._core, self.players, domain, value)) if 0 <= value < known else f"{domain} #{value}"

    def event(self, event: Event, unseen: Collection[str] = ()) -> str:
        """`move from a2 to a3`; `unseen`: the arguments of which no value is told."""
        words = [event.label]
        for name, value in event.args:
            kind = self._ruled.get(event.label) if event.by == TABLE else self._args.get((event.label, name))
            told = HIDDEN if name in unseen else self.value(value, kind) if kind is not None else value
            words.append(f"{name} {told}")
        return " ".join(words)

    def won(self, winners: Collection[int]) -> str:
        """Who won, as a sentence."""
        return f"{self.all_of(winners, 'and')} won"

    def ruling(self, event: Event) -> str:
        """The choice of a ruling."""
        kind = self._ruled.get(event.label)
        value = event.args[0][1] if event.args else None
        return self.value(value, kind) if kind is not None else str(value)

    def openness(self, var: str) -> OpenKind:
        """What kind of thing a variable without a value is."""
        role = self._vars[var].role
        match role:
            case Role.READING:
                return OpenKind.READING
            case Role.GIVEN:
                return OpenKind.GIVEN
            case Role.PARAMETER | Role.STATE | Role.REGISTER | Role.COUNTER | Role.RESULT:
                return OpenKind.PARAMETER
            case _:
                assert_never(role)

    def variable(self, var: str, key: Key) -> str:
        """`may_score(GOAL, 2)`."""
        declared = self._vars[var]
        if not key:
            return var
        said = (key_text(self._core, self.players, *one) for one in zip(declared.keys, key, strict=True))
        return f"{var}({', '.join(said)})"

    def piece(self, var: str, piece: tuple[int, int]) -> str:
        """A stretch of the values of a variable."""
        lo, hi = piece
        if var in self._core.readings:
            choices = self._core.readings[var].choices
            return " or ".join(choice.name for choice in choices[lo:hi + 1])
        kind = self._vars[var].type
        if isinstance(kind, Bool):
            return self.value(bool(lo), kind) if lo == hi else "yes or no"
        return self.value(lo, kind) if lo == hi else f"{self.value(lo, kind)}..{self.value(hi, kind)}"
