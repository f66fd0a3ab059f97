"""A position behind unknowns: what is read becomes an unknown, and only the guide knows its value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from referee.core.ruleset import Var, Zone
from referee.core.types import Bool
from referee.game.state import Layout, Open, Slot
from referee.smt import term, value
from referee.smt.concolic.guide import Guide, Valuation
from referee.smt.encoding import content
from referee.smt.encoding.array_contents import ArrayContents
from referee.smt.encoding.decoding import decode_content, decode_value
from referee.smt.encoding.term_leaves import changed

_UNREAD: Any = object()
MOST_KNOWN = 100_000
"""Unknowns with a value that are kept ready, at most."""


class Unknowns:
    """The unknowns of a layout, each made once: for each leaf of each entry that was ever read."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.owners: list[Var | Zone | None] = [None] * layout.size
        for var in layout.defs.values():
            base, count = layout.vars[var.name].base, layout.vars[var.name].count
            self.owners[base : base + count] = [var] * count
        for zone in layout.core.zones.values():
            base, count = layout.zones[zone.name].base, layout.zones[zone.name].count
            self.owners[base : base + count] = [zone] * count
        self._unknowns: dict[tuple[int, int, bool], Any] = {}
        self._known: dict[tuple[int, Slot], tuple[Any, Valuation]] = {}
        self._number = 0

    def leaf(self, entry: int, number: int, cond: bool) -> Any:
        """The unknown for a leaf of an entry."""
        key = (entry, number, cond)
        found = self._unknowns.get(key)
        if found is None:
            name = f"{entry}.{number}"
            found = self._unknowns[key] = term.unknown_cond(name) if cond else term.unknown_number(name)
        return found

    def known(self, index: int, slot: Slot) -> tuple[Any, Valuation]:
        """An entry as unknowns, and what says that this is in it."""
        found = self._known.get((index, slot))
        if found is None:
            found = self._hidden(index, slot)
            self._number += len(found[1].values)
            if self._number > MOST_KNOWN:
                self._known.clear()
                self._number = len(found[1].values)
            self._known[index, slot] = found
        return found

    def _hidden(self, index: int, slot: Slot) -> tuple[Any, Valuation]:
        owner = self.owners[index]
        if isinstance(owner, Var):
            known: Any = value.of(owner.type, slot)  # type: ignore[arg-type]
        else:
            assert owner is not None
            known = content.of(self.layout.core, owner, slot)
        leaves: list[tuple[Any, bool | int]] = []

        def hide(leaf: Any) -> Any:
            unknown = self.leaf(index, len(leaves), isinstance(leaf, bool))
            leaves.append((unknown, leaf))
            return unknown

        return changed(known, hide), Valuation(leaves)


class Veil:
    """The unknowns of one position."""

    def __init__(self, unknowns: Unknowns, slots: Sequence[Slot], guide: Guide) -> None:
        self.guide = guide
        self._unknowns = unknowns
        self._slots = slots
        self._made: dict[int, Any] = {}

    @property
    def read(self) -> dict[int, Slot]:
        """The entries that were read, and what is in them."""
        return {index: self._slots[index] for index in self._made}

    def entry(self, index: int) -> Any:
        """An entry as unknowns; a ruling of the header as nothing."""
        if index not in self._made:
            self._made[index] = self._hidden(index)
        return self._made[index]

    def _hidden(self, index: int) -> Any:
        owner, slot = self._unknowns.owners[index], self._slots[index]
        if owner is None:
            return None
        if isinstance(slot, Open):
            made = self._unknowns.leaf(index, 0, isinstance(owner.type, Bool) if isinstance(owner, Var) else False)
            self.guide.leave(made, index, slot.lo, slot.hi)
            return made
        made, known = self._unknowns.known(index, slot)
        self.guide.know(known)
        return made

    def ruling(self, point: str) -> Any:
        """What the header rules at a point; None if it does not."""
        entry = self._unknowns.layout.rulings.get(point)
        found = None if entry is None else self._slots[entry]
        return found if isinstance(found, int) else None

    def decoded(self, entries: _Entries) -> tuple[Slot, ...]:
        """The position that entries are; what was not written is as it was."""
        found = list(self._slots)
        for index, entry in entries.written(self._made):
            owner = self._unknowns.owners[index]
            if isinstance(owner, Var):
                found[index] = decode_value(owner.type, entry, self.guide.leaf)
            else:
                found[index] = decode_content(entry, self.guide.leaf)
        return tuple(found)


class _Entries:
    """Entries that become unknowns when they are read."""

    def __init__(self, veil: Veil, entries: list[Any]) -> None:
        self._veil = veil
        self._entries = entries

    def __getitem__(self, index: int) -> Any:
        found = self._entries[index]
        if found is _UNREAD:
            found = self._entries[index] = self._veil.entry(index)
        return found

    def __setitem__(self, index: int, new: Any) -> None:
        self._entries[index] = new

    def raw(self) -> list[Any]:
        """The entries as they are."""
        return list(self._entries)

    def written(self, made: dict[int, Any]) -> list[tuple[int, Any]]:
        """The entries that are no longer what was read."""
        return [(i, e) for i, e in enumerate(self._entries)
                if e is not _UNREAD and e is not made.get(i) and e is not None]


class UnknownStore(ArrayContents):
    """A position whose entries are unknowns that the guide knows."""

    entries: _Entries

    def __init__(self, layout: Layout, veil: Veil, entries: list[Any] | None = None) -> None:
        self.layout = layout
        self.veil = veil
        self.entries = _Entries(veil, [_UNREAD] * layout.size if entries is None else entries)

    @property
    def guide(self) -> Guide:
        """What the unknowns are."""
        return self.veil.guide

    def copy(self) -> Self:
        return type(self)(self.layout, self.veil, self.entries.raw())  # behind the same unknowns

    def slots(self) -> tuple[Slot, ...]:
        """The position, decoded."""
        return self.veil.decoded(self.entries)
