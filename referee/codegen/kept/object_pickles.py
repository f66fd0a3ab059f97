"""Objects that generated code uses, as bytes: those that belong to a flow by their names, all others as pickles."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any

from referee.game.state import Layout

_ZONE, _TABLE = "zone", "table"


class _ObjectsWritten(pickle.Pickler):
    def __init__(self, file: BytesIO, layout: Layout) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._named = {id(zone): (_ZONE, name) for name, zone in layout.core.zones.items()}
        self._named |= {id(table.values): (_TABLE, name) for name, (_, table) in layout.tables.items()}

    def persistent_id(self, obj: object) -> tuple[str, str] | None:
        return self._named.get(id(obj))


class _ObjectsRead(pickle.Unpickler):
    def __init__(self, file: BytesIO, layout: Layout) -> None:
        super().__init__(file)
        self._layout = layout

    def persistent_load(self, pid: tuple[str, str]) -> object:
        what, name = pid
        return self._layout.core.zones[name] if what == _ZONE else self._layout.tables[name][1].values


def dumps(value: object, layout: Layout) -> bytes:
    """A value that code of a flow uses. Raises whatever a pickle does of what cannot be written."""
    written = BytesIO()
    _ObjectsWritten(written, layout).dump(value)
    return written.getvalue()


def loads(data: bytes, layout: Layout) -> Any:
    """The value again, for the same flow. The bytes are ours: nobody else could have written them."""
    return _ObjectsRead(BytesIO(data), layout).load()
