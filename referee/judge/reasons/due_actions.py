"""What is asked for at a position, in words: who must do what, and what of it is possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run
from referee.core.ruleset import TURN
from referee.core.stmt import Origin
from referee.game.event import FATE, TABLE, Event
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import Refusal
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.visibility import PlayerSight

MOST_LABELS = 4
"""Of more actions than these it is only said whose turn it is."""


@dataclass(frozen=True, slots=True)
class DueAction:
    """What is due. `must`: who must do what; `turn`: whether it is his turn and he chooses; `alike`: the labels that
    are due, each with who may do it."""

    must: str
    turn: bool
    alike: dict[str, str]

    def instead_of(self, who: str, event: Event) -> str:
        """What is due in place of an event."""
        if event.by == FATE and event.label not in self.alike:
            return f"{self.must}: no {event.label} is due here"
        if event.by == TABLE:
            return f"{self.must}: there is nothing to rule on"
        if self.turn:
            return f"{self.must}, not {who}'s"
        may = self.alike.get(event.label)
        return f"{self.must}, not {who}" if may is None else f"only {may} may {event.label} here, not {who}"


class DueActions:
    """Tells one viewer what is due in one game."""

    def __init__(self, walker: Walker, names: Names, sight: PlayerSight) -> None:
        self._walker = walker
        self._names = names
        self._sight = sight

    def of(self, refusal: Refusal, here: PossibleState) -> DueAction:
        """What is due where an event was refused."""
        labels = {by: self.labels(refusal, here, by) for by in sorted(refusal.by)}
        said = list(dict.fromkeys(labels.values()))
        if len(said) == 1:
            must = f"{self._names.all_of(refusal.by, 'and')} must {either(said[0])}"
        else:
            must = " and ".join(f"{self._names.who(by)} must {either(of)}" for by, of in labels.items())
        whose = self._names.all_of(refusal.by, "and")
        turn = isinstance(here.step, State) and self.in_turn(here.step, refusal.by)
        many = len(said[0]) > MOST_LABELS
        if turn:
            must = f"it is {whose}'s turn" if many else f"it is {whose}'s turn to {either(said[0])}"
        elif many:
            must = f"it is for {whose} to act"
        alike = {label: self._names.all_of([by for by, of in labels.items() if label in of], "and")
                 for label in dict.fromkeys(label for of in said for label in of)}
        return DueAction(must, turn, alike)

    def labels(self, refusal: Refusal, here: PossibleState, by: int) -> tuple[str, ...]:
        """What somebody who is asked may do: what is possible, as far as the viewer may be told, else all that the
        rules offer him."""
        if not isinstance(here.step, State) or by < 0:
            return refusal.labels
        return self._possible(here.step, by) or refusal.labels

    def awaited(self, state: State, by: frozenset[int]) -> str:
        """Who is waited for; if it is not for his turn also what for, unless that is much."""
        labels = {one: self._possible(state, one) for one in sorted(by) if one >= 0}
        if self.in_turn(state, by) or len(labels) < len(by) or any(len(of) > MOST_LABELS for of in labels.values()):
            return self._names.all_of(by)
        return " and ".join(f"{self._names.who(one)} to {either(of)}" for one, of in labels.items())

    def ruling(self, alive: Sequence[PossibleState]) -> tuple[str, Origin] | None:
        """What the table has to rule on where the game may stand, with its place; None if on nothing. Of what a player
        does not see, his view tells no more than where the log stands."""
        for here in alive if self._sight.all else alive[:1]:
            node = self._walker.flow.nodes[here.step.at] if isinstance(here.step, State) else None
            match node:
                case Rule(point, question):
                    return f'"{question}" ({point.name})', point.origin
                case Run() | Fork() | Ask() | Gather() | Draw() | None:
                    continue
                case _:
                    assert_never(node)
        return None

    def _possible(self, state: State, by: int) -> tuple[str, ...]:
        """The labels that somebody may choose; empty if they cannot be found."""
        course = self._walker.course
        try:
            frame = course.frame(state)
            offers = course.offers(state.at, by, frame)
            possible = [one.label for one in offers if self._sight.of_actor(by)
                        and next(one.ways(by, frame), self) is not self]
            found = possible or [one.label for one in offers]
        except (Unsettled, Fault):
            found = []
        return tuple(dict.fromkeys(found))

    def in_turn(self, state: State, by: frozenset[int]) -> bool:
        """Whether one player alone is asked between actions, and it is his turn."""
        layout = self._walker.layout
        if len(by) != 1 or TURN not in layout.vars:
            return False
        return self._walker.course.point(state.at).point.rest and state.slots[layout.vars[TURN].base] in by


def either(labels: Iterable[str]) -> str:
    """Labels as one text."""
    words = list(labels)
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "act"
