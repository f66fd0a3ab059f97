"""Changes to the text of rules, as somebody makes them by mistake or on purpose: each still a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_PIECE = re.compile(r"\w+|[^\w\s]+|\s+")
_PHRASE = re.compile(r"[a-z_]+ (?:of|in|at|is) \w+(?: (?:of|in|at|is) \w+)?")
_BLOCK = re.compile(r"\n(?=\S)")
NUMBERS = ("0", "1", "2", "3", "9", "10", "99", "-1", "1000", "999999999", "9999999999")


@dataclass(frozen=True)
class Change:
    """One change: its kind, two places in the text, and what comes from elsewhere (another text, at a place)."""

    kind: str
    here: int
    there: int
    other: str


def _pieces(text: str) -> tuple[list[str], list[int]]:
    """The words, signs and gaps of a text, and which of them are no gaps."""
    found = _PIECE.findall(text)
    return found, [i for i, piece in enumerate(found) if piece.strip()]


def _of_words(change: Callable[[list[str], int, int, str], None]) -> Callable[[str, Change], str]:
    def changed(text: str, what: Change) -> str:
        found, spots = _pieces(text)
        words, _ = _pieces(what.other)
        if not spots or not words:
            return text
        change(found, spots[what.here % len(spots)], spots[what.there % len(spots)], words[what.there % len(words)])
        return "".join(found)

    return changed


def _delete(found: list[str], here: int, there: int, word: str) -> None:
    found[here] = ""


def _double(found: list[str], here: int, there: int, word: str) -> None:
    found[here] += " " + found[here]


def _swap(found: list[str], here: int, there: int, word: str) -> None:
    found[here], found[there] = found[there], found[here]


def _foreign(found: list[str], here: int, there: int, word: str) -> None:
    found[here] = word


def _insert(found: list[str], here: int, there: int, word: str) -> None:
    found[here] += " " + word


def _misname(found: list[str], here: int, there: int, word: str) -> None:
    """A name takes the place of the next one of its own sort."""
    names = [i for i, piece in enumerate(found) if piece.isidentifier()]
    one = next((i for i in names if i >= here), None)
    same = [i for i in names if one is not None and found[i][0].isupper() == found[one][0].isupper()]
    if one is not None:
        found[one] = found[same[there % len(same)]]


def _rename(found: list[str], here: int, there: int, word: str) -> None:
    """A name becomes another one everywhere."""
    found[:] = [found[there] if piece == found[here] else piece for piece in found]


def _number(found: list[str], here: int, there: int, word: str) -> None:
    numbers = [i for i, piece in enumerate(found) if piece.isdigit()]
    if numbers:
        found[numbers[here % len(numbers)]] = NUMBERS[there % len(NUMBERS)]


def _of_lines(change: Callable[[list[str], int, int, Sequence[str]], None]) -> Callable[[str, Change], str]:
    def changed(text: str, what: Change) -> str:
        lines, others = text.split("\n"), what.other.split("\n")
        change(lines, what.here % len(lines), what.there % len(lines), others[what.there % len(others):])
        return "\n".join(lines)

    return changed


def _delete_line(lines: list[str], here: int, there: int, others: Sequence[str]) -> None:
    del lines[here]


def _double_line(lines: list[str], here: int, there: int, others: Sequence[str]) -> None:
    lines.insert(here, lines[here])


def _swap_lines(lines: list[str], here: int, there: int, others: Sequence[str]) -> None:
    lines[here], lines[there] = lines[there], lines[here]


def _foreign_line(lines: list[str], here: int, there: int, others: Sequence[str]) -> None:
    """A line of another text, at the depth of the line before which it comes to stand."""
    depth = len(lines[here]) - len(lines[here].lstrip())
    lines.insert(here, " " * depth + others[0].strip())


def _phrase(text: str, what: Change) -> str:
    mine, others = _PHRASE.findall(text), _PHRASE.findall(what.other)
    if not mine or not others:
        return text
    return text.replace(mine[what.here % len(mine)], others[what.there % len(others)], 1)


def _block(text: str, what: Change) -> str:
    others = _BLOCK.split(what.other)
    return f"{text.rstrip()}\n\n{others[what.there % len(others)].rstrip()}\n"


CHANGES: dict[str, Callable[[str, Change], str]] = {
    "delete a word": _of_words(_delete),
    "double a word": _of_words(_double),
    "swap two words": _of_words(_swap),
    "put a word of another text": _of_words(_foreign),
    "add a word of another text": _of_words(_insert),
    "mistake a name": _of_words(_misname),
    "rename": _of_words(_rename),
    "change a number": _of_words(_number),
    "delete a line": _of_lines(_delete_line),
    "double a line": _of_lines(_double_line),
    "swap two lines": _of_lines(_swap_lines),
    "add a line of another text": _of_lines(_foreign_line),
    "put a phrase of another text": _phrase,
    "add a block of another text": _block,
}


def changed(text: str, changes: Sequence[Change]) -> str:
    """The text after all changes, one after another."""
    for change in changes:
        text = CHANGES[change.kind](text, change)
    return text
