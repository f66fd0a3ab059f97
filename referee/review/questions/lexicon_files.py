"""Files with the words of a language: those that come along, and those of a user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from referee.diagnostics.suggestions import did_you_mean
from referee.review.questions.lexicon import DimensionWords, LanguageWords, Lexicon
from referee.system.given_files import toml_of, unusable

FOLDER = Path(__file__).parent / "words"
MOST_BYTES, MOST_ENTRIES, LONGEST, MOST_STARS = 200_000, 2_000, 80, 2
"""A file has so many bytes and entries at most, an entry so many characters and stars."""
WORDS_OF = ("settles", "open", "open_among_three")
_KEYS = ("language", "code", "common", "numbers", "commands", "dimension")
_ENTRY = re.compile(r"[\w*'/-]+(?: [\w*'/-]+)*")


@cache
def shipped() -> Lexicon:
    """The words that come along: English, Italian, Romanian."""
    return Lexicon(read_language(path) for path in sorted(FOLDER.glob("*.toml")))


def with_files(paths: Iterable[Path]) -> Lexicon:
    """The words that come along, with those of a user's files; a file adds to a language or brings one. Raises
    `Problems` (RV02, RV03)."""
    every = shipped()
    return Lexicon((*every.languages.values(), *(read_language(path, every.dimensions) for path in paths)))


def read_language(path: Path, dimensions: Sequence[str] = ()) -> LanguageWords:
    """The words in a file. `dimensions`: those that it may speak of, any if there are none. Raises `Problems` (RV02 for
    what is no TOML, RV03 for what does not fit)."""
    data = toml_of("RV02", "the lexicon", path, MOST_BYTES)
    _keys(data, _KEYS, "the lexicon", path)
    language = data.get("language")
    if not isinstance(language, str) or not 0 < len(language) <= LONGEST or not language.isprintable():
        raise unusable("RV03", "the lexicon does not say of which language it is", path, ('`language = "NAME"`',))
    code = data.get("code", "")
    if not isinstance(code, str) or len(code) > LONGEST:
        raise unusable("RV03", "the code of the language is no short text", path)
    spoken_of = data.get("dimension", {})
    if not isinstance(spoken_of, dict):
        raise unusable("RV03", "`dimension` holds no tables", path, ("`[dimension.NAME]`",))
    if dimensions:
        _keys(spoken_of, dimensions, "`dimension`", path)
    made = LanguageWords(
        language, code.lower(), _entries(data, "common", path), _entries(data, "numbers", path),
        _entries(data, "commands", path),
        {name: _dimension(name, one, path) for name, one in spoken_of.items()},
    )  # fmt: skip
    number = len(made.common) + len(made.numbers) + len(made.commands) + sum(
        len(one.settles) + len(one.open) + len(one.open_among_three) for one in made.dimensions.values())
    if number > MOST_ENTRIES:
        raise unusable("RV03", f"the lexicon has {number:,} entries, at most {MOST_ENTRIES:,} are read", path)
    return made


def _keys(table: Mapping[str, object], known: Sequence[str], where: str, path: Path) -> None:
    for key in table:
        if key not in known:
            raise unusable("RV03", f"{where} has an entry {key[:LONGEST]}, which is not known", path,
                           tuple(f"`{one}`" for one in known), did_you_mean(key, known))  # fmt: skip


def _dimension(name: str, table: object, path: Path) -> DimensionWords:
    if not isinstance(table, dict):
        raise unusable("RV03", f"`dimension.{name}` is no table", path, tuple(f"`{one}`" for one in WORDS_OF))
    _keys(table, WORDS_OF, f"`dimension.{name}`", path)
    return DimensionWords(*(_entries(table, one, path) for one in WORDS_OF))


def _entries(table: Mapping[str, object], key: str, path: Path) -> tuple[str, ...]:
    listed = table.get(key, [])
    if not isinstance(listed, list):
        raise unusable("RV03", f"`{key}` is no list of texts", path)
    for one in listed:
        fits = isinstance(one, str) and len(one) <= LONGEST and one.count("*") <= MOST_STARS and _ENTRY.fullmatch(one)
        if not fits:
            said = f"`{key}` has an entry that is no few words: {str(one)[:LONGEST]}"
            hint = f"words with one space between them, at most {LONGEST} letters and {MOST_STARS} stars"
            raise unusable("RV03", said, path, hint=hint)
    return tuple(listed)
