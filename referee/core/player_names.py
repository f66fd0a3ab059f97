"""What a player may be called: one check for the players of logs, of games, and of scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from referee.system.lazy_dataclasses import dataclass

RESERVED = frozenset({"all", "fate", "table", "nobody", "public", "?"})
"""Names that no player has: they mean something else in a log."""
MAX_NAME = 100
"""Characters in the name of a player, at most."""


@dataclass(frozen=True, slots=True)
class NameRefused:
    """Why a name in a list cannot stand: the code, where it is, a sentence with `{}` for the name, what would do."""

    code: str
    at: int
    message: str
    expected: tuple[str, ...] = ()


def refused(names: Sequence[str]) -> NameRefused | None:
    """The first of the names in seat order that no player can have (LG15, LG16), or else the first that another
    player has already (LG17); None if all can stand."""
    for at, name in enumerate(names):
        if not name.strip() or len(name) > MAX_NAME:
            return NameRefused("LG15", at, "{} cannot be the name of a player",
                               (f"1 to {MAX_NAME} characters, not all of them blanks",))
        if name in RESERVED:
            return NameRefused("LG16", at, "{} cannot be the name of a player: it is reserved")
    seen: set[str] = set()  # a header may have 100,000 names
    for at, name in enumerate(names):
        if name in seen:
            return NameRefused("LG17", at, "two players have the name {}")
        seen.add(name)
    return None
