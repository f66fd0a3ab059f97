"""What the text of a rulebook shows by itself, as text: sentences without a statement, words that leave something open.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.report.text.diagnostic_text import Piece
from referee.report.text.printable import count, path_of, printable
from referee.review.questions.text_findings import OpenSentence, TextFindings

FIRST_LISTED = 12
"""So many sentences are listed, unless somebody wants all of them."""
LONGEST = 160
"""Letters of the rulebook that are quoted: what is longer is cut off."""


def text_lines(text: TextFindings, every: bool) -> Iterator[list[Piece]]:
    """A heading, then the sentences. `every`: all of them are listed."""
    if text.path is not None:
        yield [("bold", f"{path_of(text.path)}: {_language(text)}, {count(text.sentences, 'sentence')}"),
               ("", f", {len(text.uncovered)} of which no statement covers")]  # fmt: skip
        yield from _listed([f"line {one.first}: {printable(one.text, LONGEST)}" for one in text.uncovered], every)
        yield []
    if text.open is not None:
        where = "statements" if text.path is None else "the rulebook"
        said = f"{count(len(text.open), 'sentence')} of {where} {'has' if len(text.open) == 1 else 'have'} words"
        yield [("bold", said), ("", " that leave something open, and nobody has asked or answered it")]
        yield from _listed([_open(one) for one in text.open], every)
        yield []


def _language(text: TextFindings) -> str:
    if text.language is None:
        return "in no language that its words show (words of all languages count; `--language` names one)"
    return f"{printable(text.language)} (guessed)" if text.guessed else printable(text.language)


def _open(one: OpenSentence) -> str:
    words = ", ".join(f'"{printable(words)}" ({printable(dimension)})' for dimension, words in one.words)
    at = f"line {one.line}" if one.line is not None else f"[{' '.join(one.statements)}]"
    return f"{at}: {words}: {printable(one.text, LONGEST)}"


def _listed(said: list[str], every: bool) -> Iterator[list[Piece]]:
    shown = said if every else said[:FIRST_LISTED]
    yield from ([("", f"  {one}")] for one in shown)
    if len(said) > len(shown):
        yield [("", f"  {len(said) - len(shown)} more: `--all` lists them too")]
