"""What the questions of a review are given: the rulebook as text, words of a user, and what was asked before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.api.errors import ArgumentError
from referee.frontend.loading.assembly import Loaded
from referee.report.data.finding_data import SCHEMA
from referee.report.text.printable import printable
from referee.review.questions.lexicon_files import with_files
from referee.review.questions.rulebook_text import read_rulebook
from referee.review.questions.sentence_words import SentenceWords, sentence_words
from referee.system.given_files import bytes_of, unusable

MOST_BYTES = 20_000_000
"""Of an earlier report."""


@dataclass(frozen=True, slots=True)
class QuestionInputs:
    """Files and what is said of them. `language`: of the rulebook, None to guess it; `lexicons`: words of a user;
    `lone_words`: whether words that leave something open are told by themselves; `baseline`: an earlier report, of
    which the questions are known."""

    rulebook: Path | None = None
    language: str | None = None
    lexicons: tuple[Path, ...] = ()
    lone_words: bool = False
    baseline: Path | None = None

    def words(self, loaded: Loaded) -> SentenceWords:
        """The words of a ruleset. Raises `Problems` (RV01 to RV03), `ArgumentError` (AP02) for an unknown language."""
        lexicon = with_files(self.lexicons)
        language = None if self.language is None else lexicon.named(self.language)
        if self.language is not None and language is None:
            raise ArgumentError("AP02", f'there are no words of a language "{printable(self.language, 40)}"',
                                expected=tuple(lexicon.languages))  # fmt: skip
        rulebook = None if self.rulebook is None else read_rulebook(self.rulebook)
        return sentence_words(loaded.statements, lexicon, rulebook, language)

    def known(self) -> frozenset[str]:
        """The ids of the questions that were asked before. Raises `Problems` (RV04)."""
        return frozenset() if self.baseline is None else frozenset(_ids(self.baseline))


def _ids(path: Path) -> Iterator[str]:
    content = bytes_of("RV04", "the baseline", path, MOST_BYTES)
    try:
        data = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise unusable("RV04", f"the baseline is no JSON: {str(error)[:200]}", path) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("findings"), list):
        raise unusable("RV04", f"the baseline is no report of a review ({SCHEMA})", path)
    listed = [data.get("known", [])]
    for finding in data["findings"]:
        one = finding if isinstance(finding, dict) else {}
        listed += [[one.get("id")], one.get("alike", [])]
    for some in listed:
        for name in some if isinstance(some, list) else [None]:
            if not isinstance(name, str):
                raise unusable("RV04", "the baseline has a finding without a name", path)
            yield name
