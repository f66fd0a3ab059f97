"""The rows of what wording leaves open: a file for each language, with patterns and what is asked where they fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.review.text_questions.sentence_patterns import Sentences
from referee.system.given_files import toml_of, unusable

FOLDER = Path(__file__).parent / "rows"
MOST_BYTES = 200_000
"""A file of rows with more bytes is refused."""
ONCE = "all"
"""`once` of a row that is asked once of all sentences that it fits."""
_TEXTS = ("ask", "once")
_LISTS = ("match", "unless", "elsewhere", "near", "anywhere", "needs", "answers", "like",
          "second", "second_unless", "situation")  # fmt: skip
_NUMBERS = ("among", "worth")
SHORT, USED, KINDS, PLAY, LIMIT = SITUATIONS = ("short", "used", "kinds", "play", "limit")
"""What must be so for a row to be asked, as far as rules and games show it."""
_WORDS = ("little", "numbers", "verbs", "persons")


@dataclass(frozen=True, slots=True)
class TextRow:
    """Something that sentences of one form leave open. Patterns are those of `Sentences`.

    match: where it is asked; ask, answers: the question and what could be written, with slots for its words. unless:
    what settles it in the sentence itself; near: in the one before or the next two; elsewhere: in another one, about
    the same thing; anywhere: in any; needs: what some sentence must have for it to be a question. once: asked once of
    all sentences that it fits ("all"), or of those about one thing ("thing"); else of each. second: asked of each pair
    of a sentence and one that these fit (its words: `{second}`), with its thing and number, unless `second_unless`
    does. like: dimensions of questions made from lines that ask the same. situation: what must be so for it to be
    asked, where rules and games show whether it is. among: so many players or more. worth: how good it is, from 0 to 1:
    better ones come first.
    """

    name: str
    match: tuple[str, ...]
    ask: str
    answers: tuple[str, ...]
    unless: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    like: tuple[str, ...] = ()
    second: tuple[str, ...] = ()
    second_unless: tuple[str, ...] = ()
    situation: tuple[str, ...] = ()
    once: str = ""
    among: int = 1
    worth: float = 0.5


@dataclass(frozen=True, slots=True)
class LanguageRows:
    """The rows of a language, and what fits their patterns to its sentences."""

    language: str
    sentences: Sentences
    rows: tuple[TextRow, ...]


@cache
def shipped_rows() -> Mapping[str, LanguageRows]:
    """The rows that come along, by language."""
    return read_rows(sorted(FOLDER.glob("*.toml")))


def read_rows(paths: Iterable[Path]) -> Mapping[str, LanguageRows]:
    """The rows in some files, by language, those of one language together. Raises `Problems` as `_read` does."""
    known: dict[str, list[_RowFile]] = {}
    for one in map(_read, paths):
        known.setdefault(one.language, []).append(one)
    return {
        name: LanguageRows(name, Sentences(*(_together(files, key) for key in _WORDS)),
                           tuple(row for one in files for row in one.rows))
        for name, files in known.items()
    }  # fmt: skip


def _together(files: Iterable[_RowFile], key: str) -> list[str]:
    return [said for one in files for said in one.words[key]]


@dataclass(frozen=True, slots=True)
class _RowFile:
    """What stands in a file: rows, and words that all files of its language have."""

    language: str
    words: Mapping[str, tuple[str, ...]]
    rows: tuple[TextRow, ...]


def _read(path: Path) -> _RowFile:
    """What stands in a file. Raises `Problems` (RV02 for what is no TOML, RV03 for what does not fit)."""
    data = toml_of("RV02", "the rows", path, MOST_BYTES)
    language, rows = data.get("language"), data.get("row", {})
    if not isinstance(language, str) or not isinstance(rows, dict):
        raise unusable("RV03", "the rows have no language, or are no tables", path)
    words = {key: _list(data.get(key, []), key, path) for key in _WORDS}
    return _RowFile(language, words, tuple(_row(name, one, path) for name, one in rows.items()))


def _row(name: str, row: object, path: Path) -> TextRow:
    if not isinstance(row, dict) or not {"match", "ask", "answers"} <= row.keys() <= {*_TEXTS, *_LISTS, *_NUMBERS}:
        raise unusable("RV03", f"the row {name} lacks `match`, `ask` or `answers`, or has more than rows have", path)
    texts = {key: _text(row.get(key, ""), f"{name}.{key}", path) for key in _TEXTS}
    lists = {key: _list(row.get(key, []), f"{name}.{key}", path) for key in _LISTS}
    among, worth = row.get("among", 1), row.get("worth", 0.5)
    if not isinstance(among, int) or not isinstance(worth, float) or len(lists["answers"]) < 2:
        raise unusable("RV03", f"the row {name} has a number that is none, or fewer than two answers", path)
    if not {*lists["situation"]} <= {*SITUATIONS}:
        raise unusable("RV03", f"the row {name} has a situation that is none of {', '.join(SITUATIONS)}", path)
    return TextRow(ask=texts["ask"], once=texts["once"], name=name, among=among, worth=worth, **lists)


def _text(said: object, key: str, path: Path) -> str:
    if not isinstance(said, str):
        raise unusable("RV03", f"`{key}` is no text", path)
    return said


def _list(said: object, key: str, path: Path) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(one, str) and one for one in said):
        raise unusable("RV03", f"`{key}` is no list of texts", path)
    return tuple(said)
