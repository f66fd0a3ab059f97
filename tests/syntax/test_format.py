"""The formatter: same words, same comments, once is enough."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.diagnostics.diagnostic import Problems, Reporter
from referee.diagnostics.source import Source
from referee.syntax import layout
from referee.syntax.formatter import format_text
from referee.syntax.lr_parser import Stuck, machine
from referee.syntax.scanner import pieces
from tests.sample_sizes import drawn

ROOT = Path(__file__).parent.parent.parent
SAMPLES = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "rulesets").rglob("*.rules"))]


def words(text: str) -> list[tuple[str, str]]:
    """The tokens of a text, blanks within them aside, and without a colon before an indented block."""
    plan = layout.plan(Source("t", text), Reporter())
    found = machine().words("\n".join(plan.texts) + "\n", plan.depths())
    assert not isinstance(found, Stuck)
    heads = {a.last for a, b in pairwise(plan.lines) if b.depth > a.depth}
    ends = {number: max((w.span for w in found if w.span.line == number and w.type != "CITE"), default=None)
            for number in heads}
    kept = (w for w in found if not (w.text == ":" and w.span == ends.get(w.span.line)))
    return [(w.type, re.sub(r"\s+", "", w.text)) for w in kept]


def comments(text: str) -> list[str]:
    return [piece.text.rstrip() for line in text.split("\n") for piece in pieces(line) if piece.kind == "comment"]


def disturbed(text: str, seed: int) -> str:
    """The text with blanks, blank lines, comments, ids and tabs thrown in where they change nothing."""
    chance = random.Random(seed)
    result: list[str] = []
    for line in text.split("\n"):
        body = line.lstrip(" ")
        depth = (len(line) - len(body)) // 2
        if not body.startswith("#"):
            parts = re.split(r'("[^"]*"|#.*)', body)
            wider = (re.sub(r" ", lambda _: " " * chance.randint(1, 3), part) for part in parts[::2])
            parts[::2] = list(wider)
            body = "".join(parts)
        if body and chance.random() < 0.15 and "#" not in body:
            body += "  " * chance.randint(1, 4) + f"# remark {chance.randint(0, 99)}"
        result.append(("\t" if chance.random() < 0.1 else "  ") * depth + body + " " * chance.randint(0, 2))
        if chance.random() < 0.1:
            result.append(" " * chance.randint(0, 6) + chance.choice(["", "", "# between", "#"]))
    return chance.choice(["\n", "\r\n"]).join(result)


@settings(max_examples=drawn(15, of=40))
@given(st.sampled_from(SAMPLES), st.integers(0, 2**32))
def test_formatting_keeps_words_and_comments_and_is_done_at_once(sample: str, seed: int) -> None:
    text = disturbed(sample, seed)
    once = format_text(text)
    assert words(once) == words(text)
    assert comments(once) == comments(text)
    assert format_text(once) == once


@settings(max_examples=drawn(5, of=10))
@given(st.sampled_from(SAMPLES), st.integers(0, 2**32))
def test_layout_alone_does_not_change_what_comes_out(sample: str, seed: int) -> None:
    chance = random.Random(seed)
    text = "\n".join(line + " " * chance.randint(0, 3) for line in sample.split("\n"))
    assert format_text(text) == format_text(sample)


UNTIDY = """\


game   "x"  for 2..4   players  # who


setup    # c1
      # deeper
  if   ( a=b )  :
    let x = f ( 1 ,-2, me - 1,
        # inside
       -  y )   [X-1   ..  X-2]  [Y]   # end
  # after
# top
table t of player: 0..3
  a|1|   bb
  # hi
  ccc | - 2| d      [A-1]
play
  me chooses  up   to 3 Card in hand  ,   automatic"""

TIDY = """\
game "x" for 2..4 players  # who

setup  # c1
  # deeper
  if (a = b)
    let x = f(1, -2, me - 1,
        # inside
        -y)                                                                 [X-1 .. X-2] [Y]  # end
  # after
# top
table t of player: 0..3
  a   | 1  | bb
  # hi
  ccc | -2 | d                                                              [A-1]
play
  me chooses up to 3 Card in hand, automatic
"""


def test_how_it_looks() -> None:
    assert format_text(UNTIDY) == TIDY


@pytest.mark.parametrize(
    "text", ["game\n", "game \"x\" for 2 players\n\nsetup\n   nothing\n", "\0", "(" * 50, "game ["])
def test_a_text_with_errors_is_not_formatted(text: str) -> None:
    with pytest.raises(Problems) as caught:
        format_text(text)
    assert caught.value.diagnostics


def test_what_settles_a_question_keeps_the_statement_before_its_words() -> None:
    line = 'settled "question/play.turn-player-must-take/must.may" by [RO-12] "must"\n'
    assert format_text(line.replace("by [RO-12] ", "by   [RO-12]  ")) == line
