"""Back from terms to positions: of known terms as they are, of others as a model has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.state import Slot, State
from referee.smt.encoding.content import Content, LineContent, Pile, Slots
from referee.smt.encoding.term_store import TermStore
from referee.smt.term import Cond, Num
from referee.smt.value import Bits, Counts, Opt, Sym

Model = Callable[[Any], Any]
"""What a term is in a model; of a known term, itself."""


def known(found: Any) -> Any:
    """The model of terms that are all known. Raises ValueError for one that is not."""
    if isinstance(found, bool | int):
        return found
    raise ValueError(f"not known: {found}")


def decode_value(kind: Type, found: Sym, model: Model = known) -> Value:
    """The value of a type that a term is."""
    match kind:
        case Bool():
            return bool(model(_plain(found)))
        case Int() | Elem():
            return int(model(found.value if isinstance(found, Opt) else _plain(found)))
        case Maybe():
            one = found if isinstance(found, Opt) else Opt(True, _plain(found))
            return int(model(one.value)) if model(one.has) else None
        case SetOf():
            assert isinstance(found, Bits)
            return frozenset(i for i, bit in found.members() if model(bit))
        case Many():
            assert isinstance(found, Counts)
            return _elements(found, model)
        case _:
            assert_never(kind)


def _plain(found: Sym) -> Cond | Num:
    assert not isinstance(found, Opt | Bits | Counts)
    return found


def _elements(found: Counts, model: Model) -> tuple[int, ...]:
    return tuple(i for i, n in found.members() for _ in range(int(model(n))))


def decode_content(found: Content, model: Model = known) -> Slot:
    """What lies in a zone, as a state has it."""
    match found:
        case Counts():
            return _elements(found, model)
        case LineContent(items, length):
            return tuple(int(model(item)) for item in items[: int(model(length))])
        case Slots(spots):
            return tuple(int(model(one.value)) if model(one.has) else None for one in spots)
        case Pile(blocks):
            return tuple(block for block in (_elements(b, model) for b in blocks) if block)
        case _:
            assert_never(found)


def decode_state(store: TermStore, at: int, model: Model = known) -> State:
    """The position that a store is at a point; rulings of the header are left out."""
    layout = store.layout
    slots: list[Slot] = [None] * layout.size
    for var in layout.defs.values():
        spread = layout.vars[var.name]
        for index in spread.entries:
            slots[index] = decode_value(var.type, store.entries[index], model)
    for zone in layout.core.zones.values():
        spread = layout.zones[zone.name]
        for index in spread.entries:
            slots[index] = decode_content(store.entries[index], model)  # type: ignore[arg-type]
    return State(at, tuple(slots))
