"""The entries of a position that remember which of them were read and written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, overload


class RecordingSlots(list[Any]):
    """A list of entries. `read` are the indexes that were asked for since it was emptied last, `written` those of which
    the entry was replaced, with what was there before.

    The functions of the walker look at entries by their index alone, so that nothing else has to be remembered.
    """

    def __init__(self, entries: Sequence[Any]) -> None:
        super().__init__(entries)
        self.read: set[int] = set()
        self.written: dict[int, Any] = {}

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Any]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> Any:
        if isinstance(index, slice):
            self.read.update(range(*index.indices(len(self))))
        else:
            self.read.add(index.__index__())
        return super().__getitem__(index)

    @overload
    def __setitem__(self, index: SupportsIndex, entry: Any, /) -> None: ...
    @overload
    def __setitem__(self, index: slice, entry: Iterable[Any], /) -> None: ...
    def __setitem__(self, index: SupportsIndex | slice, entry: Any, /) -> None:
        if not isinstance(index, slice):
            self.written.setdefault(index.__index__(), list.__getitem__(self, index))
        super().__setitem__(index, entry)

    def apart(self) -> RecordingSlots:
        """The same entries, to be changed without changing these; what is read there counts as read here."""
        made = RecordingSlots(self)
        made.read = self.read
        return made

    def changed(self) -> list[tuple[int, Any]]:
        """The entries that are others than when this was asked last, with what was there."""
        found = [(index, old) for index, old in self.written.items() if old != list.__getitem__(self, index)]
        self.written = {}
        return found

    def taken(self) -> frozenset[int]:
        """What was read since this was asked last."""
        found, self.read = frozenset(self.read), set()
        return found
