"""The page on the language lists its words: all of them, and those that nothing can be called."""

from __future__ import annotations

import re
from pathlib import Path

from referee.core.naming import LANGUAGE
from referee.frontend.names.symbol_table import RESERVED
from referee.syntax.lr_parser import machine

PAGE = Path(__file__).resolve().parents[2] / "spec" / "language.md"


def listed() -> list[list[str]]:
    """The words of each list of the section, in their order."""
    section = PAGE.read_text("utf-8").partition("## 10. Words of the language")[2]
    return [block.split() for block in re.findall(r"```text\n(.*?)```", section, re.DOTALL)]


def test_the_page_lists_the_words_that_nothing_can_be_called_and_all_others() -> None:
    never, others = listed()
    assert never == sorted(RESERVED)
    assert others == sorted(LANGUAGE - RESERVED)


def test_every_word_of_the_grammar_is_listed() -> None:
    assert machine().vocabulary.words - {word for words in listed() for word in words} == {"a"}  # as in `in a row`
