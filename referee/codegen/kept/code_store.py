"""What is kept of a flow's generated code: functions by their keys, the objects that they use, where they leave off.

It lies in the cache folder under the digest of the flow, which holds the version of this program and of Python; like
flows it is read only from files that nobody else could have written (`referee.system.disk_cache`). What a process adds
is written when it ends.
"""

from __future__ import annotations

import marshal
import pickle
import sys
from importlib.util import MAGIC_NUMBER
from types import CodeType
from typing import Any, NamedTuple

from referee.codegen.kept import object_pickles
from referee.codegen.often.event_landings import Landings
from referee.codegen.source_text import Objects
from referee.core.flow import Flow
from referee.game.state import Layout
from referee.system import disk_cache, late_writes

Key = tuple[str | int, ...]


class KeptFunction(NamedTuple):
    """A function that was made: its code, None if it is left to the walker; whether it never leaves anything to him;
    and the claims that may not hold any more once it was called, as bits."""

    code: bytes | None
    whole: bool
    doubts: int


class CodeStore:
    """The code of one flow, as it is kept, and what was made since. Where nothing is kept it begins empty."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self._layout = layout
        self._name = None if not flow.digest else disk_cache.key_of(
            "code", MAGIC_NUMBER, str(sys.flags.optimize), flow.digest)
        self.objects = Objects()
        self.landings = Landings()
        self._functions: dict[Key, KeptFunction] = {}
        self._games: dict[Key, bytes | None] = {}
        data = None if self._name is None else disk_cache.read(self._name)
        if data is not None:
            self._read(data)

    def _read(self, data: bytes) -> None:
        try:
            objects, landings, functions, games = pickle.loads(data)  # noqa: S301 ours, see above
            named = object_pickles.loads(objects, self._layout)
        except Exception:  # a damaged entry is only code to be made again
            return
        self._functions, self._games = functions, games
        self.objects.named.update(named)
        for landing in landings:
            self.landings.code(landing)

    def function(self, key: Key) -> KeptFunction | None:
        """What is kept of a function."""
        return self._functions.get(key)

    def add(self, key: Key, code: CodeType | None, whole: bool, doubts: int) -> None:
        """A function that was made."""
        self._functions[key] = KeptFunction(None if code is None else marshal.dumps(code), whole, doubts)
        self._grown()

    def knows_game(self, key: Key) -> bool:
        """Whether a function of whole games was made, or it is known that none can be."""
        return key in self._games

    def game(self, key: Key) -> Any:
        """What is kept of a function of whole games; None if none can be made."""
        kept = self._games[key]
        return None if kept is None else object_pickles.loads(kept, self._layout)

    def add_game(self, key: Key, made: object) -> None:
        """What is to be kept of a function of whole games; None if none can be made."""
        self._games[key] = None if made is None else object_pickles.dumps(made, self._layout)
        self._grown()

    def _grown(self) -> None:
        if self._name is not None:
            late_writes.keep(self._name, self._content)

    def _content(self) -> bytes:
        return pickle.dumps((object_pickles.dumps(self.objects.named, self._layout), [*self.landings.all.values()],
                             self._functions, self._games), pickle.HIGHEST_PROTOCOL)


def code_of(kept: bytes) -> CodeType:
    """The code of a function that is kept."""
    code: CodeType = marshal.loads(kept)
    return code
