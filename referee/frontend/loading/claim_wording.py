"""The text of a claim made ready for the grammar: the names of players become short texts in quotes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.core.naming import is_bare, is_plain, is_word_sign, quoted, unquoted, written
from referee.core.ruleset import Core
from referee.diagnostics.suggestions import did_you_mean

_QUOTED = re.compile(r'"(?:\\["\\]|[^"\\])*"')


class Misquoted(Exception):
    """A text in quotes that is nobody's name, or does not end: why, where (from 1), and a hint."""

    def __init__(self, message: str, column: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Wording:
    """A claim as the grammar reads it. `seats`: those of the quoted texts in it; `bare`: of names that stand as they
    are; `starts` and `columns`: from where on in `text` which column of the claim is meant."""

    text: str
    seats: Mapping[str, int]
    bare: Mapping[str, int]
    starts: Sequence[int]
    columns: Sequence[int]

    def column(self, column: int) -> int:
        """The column of the claim that a column of `text` stands for, both from 1."""
        at = bisect_right(self.starts, column - 1) - 1
        here, next_ = self.columns[at], self.columns[at + 1] if at + 1 < len(self.columns) else None
        moved = here + column - 1 - self.starts[at]
        return 1 + (moved if next_ is None else min(moved, next_ - 1))


def wording(core: Core, players: Sequence[str], text: str) -> Wording:
    """The claim with the players by their seats. Raises `Misquoted`."""
    bare = {name: seat for seat, name in enumerate(players) if is_bare(core, players, seat)}
    longest = sorted((name for name in bare if not is_plain(name)), key=len, reverse=True)
    parts: list[str] = []
    starts, columns = [0], [0]
    at = length = 0
    while at < len(text):
        name, end = _name_at(text, at, players, longest)
        if name is None:
            parts.append(text[at:end])
        else:
            parts.append(f'"{players.index(name)}"')
            starts += [length, length + len(parts[-1])]
            columns += [at, end]
        length += len(parts[-1])
        at = end
    seats = {str(seat): seat for seat in range(len(players))}
    return Wording("".join(parts), seats, bare, starts, columns)


def _name_at(text: str, at: int, players: Sequence[str], longest: Sequence[str]) -> tuple[str | None, int]:
    """The name of a player that stands here, if one does, and where what stands here ends."""
    if text[at] == '"':
        return _quoted_at(text, at, players)
    if not is_word_sign(text[at]):
        return None, at + 1
    for name in longest:
        end = at + len(name)
        if text.startswith(name, at) and not (end < len(text) and (is_word_sign(text[end]) or text[end] == "#")):
            return name, end
    end = at + 1
    while end < len(text) and is_word_sign(text[end]):
        end += 1
    return None, end


def _quoted_at(text: str, at: int, players: Sequence[str]) -> tuple[str, int]:
    found = _QUOTED.match(text, at)
    if found is None:
        raise Misquoted('this `"` is never closed', at + 1, r'in a name write \" for " and \\ for \ ')
    name = unquoted(found.group())
    if name not in players:
        raise Misquoted(f"nobody is called {quoted(name)}", at + 1, did_you_mean(name, players))
    return name, found.end()


def how_written(core: Core, players: Sequence[str], text: str) -> str | None:
    """A hint for a claim in which a name stands without the quotes that it needs."""
    needy = [seat for seat, name in enumerate(players) if not is_bare(core, players, seat) and name in text]
    needy.sort(key=lambda seat: -len(players[seat]))
    bare = _QUOTED.sub("", text)
    return next((f"if the player is meant, write {written(core, players, seat)}" for seat in needy
                 if _stands(players[seat], bare)), None)


def _stands(name: str, text: str) -> bool:
    """Whether a name stands somewhere in a text, and not inside a word."""
    for found in re.finditer(re.escape(name), text):
        before, after = text[:found.start()][-1:], text[found.end():][:1]
        if not ((before and is_word_sign(before) and is_word_sign(name[0]))
                or (after and is_word_sign(after) and is_word_sign(name[-1]))):
            return True
    return False
