"""Source for statements where sets are numbers, and what lies on spots is a set for each class."""

from __future__ import annotations

from collections.abc import Callable

from referee.codegen.code_scope import Scope, known
from referee.codegen.statement_code import Effects
from referee.codegen.whole_games.set_code import SetCoder
from referee.codegen.whole_games.set_scope import AsItLies, empty
from referee.core.expr import Place
from referee.core.ruleset import WINNERS, Invariant, Zone
from referee.core.stmt import Finish
from referee.core.types import Bool, Type


class SpotEffects(Effects):
    """Writes the statements of one run. `ended`: writes what there is to be said once a game is over, by who won."""

    def __init__(self, code: SetCoder, at: int, watched: tuple[Invariant, ...], ended: Callable[[str], None]) -> None:
        super().__init__(code, at, watched)
        self._sets = code
        self._ended = ended

    def _finish(self, stmt: Finish, scope: Scope) -> None:
        won = self.out.keep(self.code.value(stmt.winners, scope))
        result = self.code.layout.vars.get(WINNERS)
        if result is not None:
            self.out.line(f"s[{result.base}] = {won}")
        self._watch()
        self._ended(won)

    def _misfit(self, text: str, kind: Type) -> str:
        if kind == Bool():  # what is found in a set is 0 or 1
            return f"{text} is None or not 0 <= {text} <= 1"
        return super()._misfit(text, kind)

    def _zone(self, place: Place, scope: Scope) -> tuple[Zone, str, str]:
        if place.zone in self._sets.spots or place.zone in self._sets.counted:
            raise AsItLies(place.zone)
        return super()._zone(place, scope)

    def _take_one(self, place: Place, what: str, scope: Scope) -> None:
        if place.zone in self._sets.counted:
            there = self._bag(place, scope)
            self.out.refuse(f"not {there}[{what}]")
            self.out.line(f"{there}[{what}] -= 1")
            return
        if place.zone not in self._sets.spots:
            super()._take_one(place, what, scope)
            return
        sets, spot = self._on_spot(place, scope)
        bit = self.out.keep(f"1 << {spot}")
        self.out.refuse(f"not {sets}[{what}] & {bit}")
        self._turned(sets, what, bit)

    def _lay_one(self, place: Place, what: str, scope: Scope) -> None:
        if place.zone in self._sets.counted:
            zone, there = self.code.layout.core.zones[place.zone], self._bag(place, scope)
            if zone.capacity < sum(one.number for one in self.code.layout.core.components):
                self.out.refuse(f"sum({there}) >= {zone.capacity}")
            self.out.line(f"{there}[{what}] += 1")
            return
        if place.zone not in self._sets.spots:
            super()._lay_one(place, what, scope)
            return
        sets, spot = self._on_spot(place, scope)
        bit = self.out.keep(f"1 << {spot}")
        self.out.refuse(f"not {empty(sets)} & {bit}")
        self._turned(sets, what, bit)

    def _bag(self, place: Place, scope: Scope) -> str:
        """How many of each class lie in a bag."""
        return self.out.keep(self.code.slot(self.code.layout.zones[place.zone], place.keys, scope))

    def _on_spot(self, place: Place, scope: Scope) -> tuple[str, str]:
        """The sets of a zone, and a spot of it."""
        zone = self.code.layout.core.zones[place.zone]
        if place.spot is None or zone.spots is None:
            raise AsItLies(place.zone)
        spot = self.out.keep(self.code.value(place.spot, scope))
        if not self.code.prover.value(place.spot, known(scope)).inside(zone.spots.lo, zone.spots.hi):
            self.out.refuse(f"not {zone.spots.lo} <= {spot} <= {zone.spots.hi}")
        return self._sets.spots[place.zone], spot

    def _turned(self, sets: str, what: str, bit: str) -> None:
        """Something lies there that did not, or lies there no more."""
        self.out.line(f"{sets}[{what}] ^= {bit}")
        self.out.line(f"{empty(sets)} ^= {bit}")
