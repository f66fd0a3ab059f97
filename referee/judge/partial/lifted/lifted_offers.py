"""What is offered at a point where not everything is known: whether something is possible, and what a line takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from referee.core.flow import Alternative
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.interpreter.interruptions import Fault
from referee.interpreter.multisets import every_taken, is_taken
from referee.interpreter.offers import ME, guards_by_stage
from referee.judge.partial.constraints.hidden_values import Bag, Token
from referee.judge.partial.lifted.choice_points import LeftOpen
from referee.judge.partial.lifted.dependent.case_diagrams import reduced
from referee.judge.partial.lifted.hidden_draws import Drawn, drawn, ends, fillable, roll, rolled_masks
from referee.judge.partial.lifted.hidden_pools import HiddenPool, bag_of
from referee.judge.partial.lifted.lifted_evaluation import HiddenView
from referee.judge.partial.lifted.lifted_operators import known
from referee.judge.partial.line_patterns import Anything, Hole, fits

MOST_VALUES = 2_000
"""So many values are tried in the place of one hole."""


class TooManyValues(Exception):
    """A hole may stand for more values than are tried."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a line says of the arguments of an event: values, and what is known of holes."""

    known: Mapping[str, Any]
    holes: Mapping[str, Hole]

    @property
    def names(self) -> frozenset[str]:
        """All arguments."""
        return frozenset((*self.known, *self.holes))


class AlternativeTerms:
    """What is always the same of one alternative: its guards by stage, the names of its arguments, and of each
    parameter whether something hangs on it that is asked later."""

    def __init__(self, alternative: Alternative) -> None:
        params = alternative.params
        self.stages = guards_by_stage(alternative)
        self.names = frozenset(param.arg for param in params if param.arg is not None)
        self.matters = [self._matters(param.name, params[index + 1:], self.stages[index + 1:])
                        for index, param in enumerate(params)]

    @staticmethod
    def _matters(name: str, later: Sequence[Param], stages: Sequence[Sequence[Guard]]) -> bool:
        return any(name in locals_of(guard.cond) for stage in stages for guard in stage) or any(
            name in locals_of((param.source, param.count, param.among)) for param in later)


class Offering:
    """One alternative of a point, for one player. What is chosen is bound in the `env` of the view."""

    def __init__(self, view: HiddenView, alternative: Alternative, by: int) -> None:
        self._view = view
        self._params = alternative.params
        terms = view.terms.get(id(alternative))
        if terms is None:
            terms = view.terms[id(alternative)] = AlternativeTerms(alternative)
        self._terms: AlternativeTerms = terms
        self._alternative = alternative
        self._by = by
        self._only = False

    def _enter(self) -> None:
        view = self._view
        view.env = {ME: self._by}
        for name, value in self._alternative.fixed:
            view.env[name] = view.value(value)

    def _holds(self, index: int) -> bool:
        """The guards that can be tested once so many parameters are bound. One in error does not hold."""
        try:
            return all(self._view.truth(guard.cond) for guard in self._terms.stages[index])
        except Fault:
            return False

    # --- whether anything is possible

    def possible(self, said: Said | None = None) -> bool:
        """Whether there is a way to take it; if `said`, one in which the event may be what a line says."""
        if said is not None and said.names != self._terms.names:
            return False
        self._enter()
        return self._possible(0, said)

    def _possible(self, index: int, said: Said | None) -> bool:
        if not self._holds(index):
            return False
        if index == len(self._params):
            return True
        param = self._params[index]
        hole: Hole = Anything()
        try:
            if said is not None and param.arg is not None:
                if param.arg in said.known:
                    value = said.known[param.arg]
                    self._view.env[param.name] = value
                    return self._allows(param, value) and self._possible(index + 1, said)
                hole = said.holes[param.arg]
            return (self._some if param.count is not None else self._any)(index, param, hole, said)
        except Fault:
            return False

    def _any(self, index: int, param: Param, hole: Hole, said: Said | None) -> bool:
        gone, env, trial = self._view.options(param.source), self._view.env, self._view.trial

        def fits_here(one: Any) -> bool:
            env[param.name] = one
            return fits(hole, one) and self._possible(index + 1, said)

        if not isinstance(gone, HiddenPool):
            return any(fits_here(known(one, trial)) for one in gone)
        if self._terms.matters[index]:
            return trial.decide(gone.number(gone.passing(trial, fits_here)).plus(-1))
        mask = sum(1 << one for one in gone.classes(trial) if fits(hole, one))
        env[param.name] = mask.bit_length() - 1
        return trial.decide(gone.number(mask).plus(-1)) and self._possible(index + 1, said)

    def _some(self, index: int, param: Param, hole: Hole, said: Said | None) -> bool:
        found = drawn(self._view, param)
        least, most = ends(self._view, param, found)
        if least > most:
            return False
        if not self._terms.matters[index] and Drawn.is_for(param, self._view):
            self._view.env[param.name] = ()
            return fillable(self._view, found, hole, least, most) and self._possible(index + 1, said)
        for value in every_taken(found.plain(self._view.trial), least, most):
            self._view.env[param.name] = value
            if fits(hole, value) and self._possible(index + 1, said):
                return True
        return False

    def ways(self, most: int) -> list[dict[Any, Any]]:
        """What is bound in each way to take it, at most so many; what is hidden is decided."""
        found: list[dict[Any, Any]] = []
        self._enter()
        self._ways(0, found, most)
        return found

    def _ways(self, index: int, found: list[dict[Any, Any]], most: int) -> None:
        if not self._holds(index):
            return
        if index == len(self._params):
            found.append(dict(self._view.env))
            return
        for value in self._values(self._params[index]):
            self._view.env[self._params[index].name] = value
            self._ways(index + 1, found, most)
            if len(found) >= most:
                return

    # --- what a line takes

    def take(self, said: Said, *, only: bool = False) -> bool:
        """Whether an event takes it; then its parameters are bound. Holes are filled with one possibility of those that
        the trial has to choose from, or with tokens. `only`: where it does not, the trial's answer is its `refusal`."""
        self._only = only
        if said.names != self._terms.names:
            return False
        self._enter()
        if said.holes and (found := self._view.trial.once(lambda: self._choices(said))) is not None:
            self._enter()
            return bool(found) and self._bind(found, said) and self._take(0, Said(said.known, {}))
        self._enter()
        return self._take(0, said)

    def _choices(self, said: Said) -> tuple[tuple[Any, ...], ...] | None:
        """What the holes may stand for together, where each is one of a few known values; None where they are not, or
        it hangs on more than can be told."""
        if not all(self._is_chosen(param) for param in self._params):
            return None
        trial, found = self._view.trial, list[tuple[Any, ...]]()
        before, trial.quiet = trial.quiet, True
        try:
            self._choose(0, said, (), found)
        except (LeftOpen, TooManyValues):
            return None
        finally:
            trial.quiet = before
        return tuple(found)

    def _is_chosen(self, param: Param) -> bool:
        """Whether a parameter that a log names is a value, and not a component out of several."""
        return param.arg is not None and param.count is None and not Drawn.is_for(param, self._view)

    def _choose(self, index: int, said: Said, taken: tuple[Any, ...], found: list[tuple[Any, ...]]) -> None:
        if not self._may_hold(index):
            return
        if index == len(self._params):
            if len(found) >= MOST_VALUES:
                raise TooManyValues
            found.append(taken)
            return
        param, env = self._params[index], self._view.env
        hole = said.holes.get(param.arg or "")
        try:
            if hole is None:
                value = said.known[param.arg or ""]
                values = [value] if self._allows(param, value) else []
            else:
                values = [one for one in self._values(param) if fits(hole, one)]
        except Fault:
            return
        for one in values:
            env[param.name] = one
            self._choose(index + 1, said, taken if hole is None else (*taken, one), found)

    def _may_hold(self, index: int) -> bool:
        """Whether no guard is known not to hold once so many parameters are bound."""
        for guard in self._terms.stages[index]:
            try:
                if not self._view.truth(guard.cond):
                    return False
            except Fault:
                return False
            except LeftOpen:
                pass
        return True

    def _bind(self, found: tuple[tuple[Any, ...], ...], said: Said) -> bool:
        """Binds the parameters with holes to what they may be together: a case of one token, if there are several."""
        trial, env = self._view.trial, self._view.env
        params = [param for param in self._params if param.arg in said.holes]
        if len(found) == 1:
            env.update((param.name, value) for param, value in zip(params, found[0], strict=True))
            return True
        token = trial.token((1 << len(found)) - 1)
        for at, param in enumerate(params):
            env[param.name] = reduced(token, {one: values[at] for one, values in enumerate(found)})
        return True

    def _take(self, index: int, said: Said) -> bool:
        if not self._holds(index):
            return False
        if index == len(self._params):
            return True
        param = self._params[index]
        try:
            if param.arg is None:
                return self._unsaid(index, said)
            if param.arg not in said.known and param.arg not in said.holes:
                return self._take(index + 1, said)  # it is bound already
            if param.arg in said.holes:
                return self._fill(index, said.holes[param.arg]) and self._take(index + 1, said)
            value = said.known[param.arg]
            if not self._allows(param, value):
                return False
        except Fault:
            return False
        self._view.env[param.name] = value
        return self._take(index + 1, said)

    def _unsaid(self, index: int, said: Said) -> bool:
        """A parameter that no log names: the first value with which the rest fits."""
        param, self._only = self._params[index], False
        for value in self._values(param):
            self._view.env[param.name] = value
            if self._take(index + 1, said):
                return True
        return False

    def _values(self, param: Param) -> Sequence[Any]:
        """The values of a parameter, each once; what is hidden is decided."""
        trial = self._view.trial
        if param.count is not None:
            found = drawn(self._view, param)
            return _listed(tuple(map(tuple, found.plain(trial))), *ends(self._view, param, found))
        gone = self._view.options(param.source)
        plain = gone.plain(trial) if isinstance(gone, HiddenPool) else [known(one, trial) for one in gone]
        return list(dict.fromkeys(plain))

    def _allows(self, param: Param, value: Any) -> bool:
        """Whether a parameter can have a value that is said."""
        view, trial = self._view, self._view.trial
        value = known(value, trial) if not isinstance(value, Bag) else HiddenPool(value).plain(trial)
        if param.count is None:
            gone = view.options(param.source)
            if isinstance(gone, HiddenPool):
                return isinstance(value, int) and bool(gone.mask >> value & 1) and trial.has(
                    gone.bag, value, must=self._only)
            return any(not isinstance(one, Token) and one == value for one in gone) or any(
                isinstance(one, Token) and isinstance(value, int) and trial.is_in(one.id, 1 << value) for one in gone)
        if not isinstance(value, tuple):
            return False
        found = drawn(view, param)
        least, most = ends(view, param, found)
        if found.all_known:
            return is_taken(found.plain(trial), least, most, value)
        return least <= len(value) <= most and found.holds(trial, bag_of(value), must=self._only)

    def _fill(self, index: int, hole: Hole) -> bool:
        param, env = self._params[index], self._view.env
        found = self._drawn_several(index, param, hole) if param.count is not None else self._drawn(index, param, hole)
        if found is None:
            return False
        env[param.name] = found
        return True

    def _drawn(self, index: int, param: Param, hole: Hole) -> Any:
        """One value in the place of a hole."""
        view, trial = self._view, self._view.trial
        if not Drawn.is_for(param, view):
            return _chosen(trial, [one for one in self._values(param) if fits(hole, one)])
        found = drawn(view, param)
        pool = HiddenPool(found.blocks[0]) if found.blocks else HiddenPool(())
        mask = sum(1 << one for one in pool.classes(trial) if found.mask >> one & 1 and fits(hole, one))
        if not mask:
            return None
        if self._terms.matters[index]:
            inner = list(HiddenPool(pool.bag, mask).classes(trial))
            if self._only_guards(index):
                mask = HiddenPool(pool.bag, mask).passing(trial, lambda one: self._passes(index, one))
            else:
                one = trial.choose(inner)
                return one if trial.has(pool.bag, one) else None
        if not mask or not trial.decide(HiddenPool(pool.bag, mask).number(mask).plus(-1)):
            return None
        if mask.bit_count() == 1:
            return mask.bit_length() - 1
        return found.take_one(view, mask)

    def _only_guards(self, index: int) -> bool:
        """Whether nothing but guards hangs on a parameter, and none that needs later parameters."""
        return index == len(self._params) - 1

    def _passes(self, index: int, one: int) -> bool:
        self._view.env[self._params[index].name] = one
        return self._holds(index + 1)

    def _drawn_several(self, index: int, param: Param, hole: Hole) -> Any:
        view, trial = self._view, self._view.trial
        found = drawn(view, param)
        least, most = ends(view, param, found)
        if least > most:
            return None
        if not self._terms.matters[index]:
            if Drawn.is_for(param, view):
                return found.take_several(view, hole, least, most)
            if (rolled := rolled_masks(view, param, hole, least, most)) is not None:
                return roll(trial, rolled)
        return _chosen(trial, [one for one in self._values(param) if fits(hole, one)])


def _chosen(trial: Any, values: list[Any]) -> Any:
    if not values:
        return None
    return trial.choose(values)


@lru_cache(maxsize=64)  # asked for again for each of its members
def _listed(blocks: tuple[tuple[int, ...], ...], least: int, most: int) -> tuple[tuple[int, ...], ...]:
    """All that can be taken from blocks. Raises `TooManyValues`."""
    found = tuple(islice(every_taken(blocks, least, most), MOST_VALUES + 1))
    if len(found) > MOST_VALUES:
        raise TooManyValues
    return found
