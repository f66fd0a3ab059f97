"""The entries of a position that remember which of them were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload


class RecordingSlots(list[Any]):
    """A list of entries; `read` are the indexes that were asked for since it was emptied last.

    The functions of the walker look at entries by their index alone, so that nothing else has to be remembered.
    """

    def __init__(self, entries: Sequence[Any]) -> None:
        super().__init__(entries)
        self.read: set[int] = set()

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

    def taken(self) -> frozenset[int]:
        """What was read since this was asked last."""
        found, self.read = frozenset(self.read), set()
        return found
