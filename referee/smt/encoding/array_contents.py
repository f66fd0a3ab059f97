"""A position of which the entries lie one behind the other, as in a state: read and written by their keys."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.ruleset import Var, Zone
from referee.game.state import Layout
from referee.smt.encoding import array_entries
from referee.smt.encoding.array_entries import Entries
from referee.smt.encoding.content import Content
from referee.smt.semantics.term_position import Contents
from referee.smt.term import Cond, Num
from referee.smt.value import Sym


class ArrayContents(Contents):
    """Entries by their places in a layout."""

    layout: Layout
    entries: Entries

    def read(self, var: Var, keys: Sequence[Num]) -> tuple[Sym, Cond]:
        return array_entries.read(self.layout, self.entries, var, keys)

    def write(self, var: Var, keys: Sequence[Num], new: Sym, when: Cond) -> Cond:
        return array_entries.write(self.layout, self.entries, var, keys, new, when)

    def zone(self, zone: Zone, keys: Sequence[Num]) -> tuple[Content, Cond]:
        return array_entries.zone(self.layout, self.entries, zone, keys)

    def put_zone(self, zone: Zone, keys: Sequence[Num], new: Content, when: Cond) -> None:
        array_entries.put_zone(self.layout, self.entries, zone, keys, new, when)
