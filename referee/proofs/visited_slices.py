"""What was seen at each place, as slices; of places that no game came to, what steps may make of other positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from referee.game.state import State
from referee.proofs.lemmas.position_samples import Samples
from referee.proofs.step_questions import AskedStep
from referee.smt import term
from referee.smt.abstraction import slices
from referee.smt.abstraction.known_slices import in_model, key_of, terms_of
from referee.smt.abstraction.slices import Sign, Slice, Sliced
from referee.smt.solver import Answer
from referee.smt.term import Cond
from referee.system.deadline import Deadline

SOME = 2
"""Where one component stands for any, a position is looked at for so many, of groups that were looked at least; and for
so many whose place and state were."""
GROWN = 6
"""Positions of which it is asked what a step may make of them, for each kind of step to a place without any."""


class Visited:
    """Samples by place. `into`: the kinds of steps to each place; `focus`: the components that may be looked at."""

    def __init__(
        self, slice_: Slice, into: Mapping[int, Sequence[AskedStep]], states: Mapping[int, Sequence[State]],
        focus: Sequence[int], until: Deadline,
    ) -> None:
        self._slice, self._into, self._states, self._until = slice_, into, states, until
        self._focus = list(focus)
        self._samples: dict[int, Samples] = {}
        self._grown: set[int] = set()
        self._alike: dict[object, Sliced] = {}
        self._random = Random(1)

    def __getitem__(self, place: int) -> Samples:
        found = self.of_games(place)
        if not found.stores and place not in self._grown:
            self._grown.add(place)
            self._grow(place)
        return found

    def of_games(self, place: int) -> Samples:
        """The samples of a place, without any if no game came there and nothing was asked of it yet."""
        if place not in self._samples:
            taken: Counter[Sign | int] = Counter()
            stores = [s for state in self._states.get(place, ()) for s in self._sliced(state, taken)]
            self._samples[place] = Samples(stores)
        return self._samples[place]

    def before(self, place: int) -> list[Samples]:
        """The samples of the places from which steps lead to one."""
        starts = {asked.kind.start for asked in self._into.get(place, ())} - {None, place}
        return [self[start] for start in starts if start is not None]

    def _sliced(self, state: State, taken: Counter[Sign | int]) -> list[Sliced]:
        """A position as slices; `taken`: of components of which kind it was looked at before."""
        if self._slice.groups.focus is None:
            return [self._once(slices.of_state(self._slice, state))]
        signs = slices.signs(self._slice, state, self._focus)
        self._random.shuffle(self._focus)
        chosen: set[int] = set()
        kinds: list[dict[Sign | int, int]] = [{signs[c]: c for c in self._focus}, {signs[c][0]: c for c in self._focus}]
        for alike in kinds:
            some = sorted(alike, key=lambda kind: taken[kind])[:SOME]
            taken.update(some)
            chosen.update(alike[kind] for kind in some)
        return [self._once(one) for one in slices.at_each(self._slice, state, sorted(chosen))]

    def _once(self, store: Sliced) -> Sliced:
        """The same slice for positions that are alike in it, at whatever place."""
        return self._alike.setdefault(key_of(store), store)

    def _grow(self, place: int) -> None:
        for asked in self._into.get(place, ()):
            if asked.kind.start is None or asked.kind.start == place:
                continue
            stores = self[asked.kind.start].stores
            if not stores or self._until.passed or asked.reached(place) is False:
                continue
            step, _, solver = asked.made
            for store in stores if len(stores) <= GROWN else self._random.sample(stores, GROWN):
                solver.push()
                solver.add(asked.reached(place), _same(asked.steps.before, store))
                if solver.ask() is Answer.YES:
                    self._samples[place].add(in_model(step.after, solver.model()))
                solver.pop()


def _same(before: Sliced, store: Sliced) -> Cond:
    """That the entries of a slice are those of a known one."""
    found = []
    for one, other in zip(terms_of(before), terms_of(store), strict=True):
        if not isinstance(one, bool | int) and isinstance(other, bool | int):
            found.append(term.same(one, other) if isinstance(other, bool) else term.equal(one, other))
    return term.conj(found)
