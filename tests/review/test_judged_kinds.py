"""Kinds of questions that readers seldom found worth asking are told last.

Where there are others, they are told only if all are wanted.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.review.detectors import DETECTORS
from referee.review.finding import Finding, FindingOutcome, GameShare
from referee.review.judged_kinds import JUDGED, Judged, is_seldom
from referee.review.questions.catalogue import ANSWERS
from referee.review.review import Review
from referee.review.subject import ReviewEffort
from referee.review.text_questions.text_rows import shipped_rows
from referee.review.text_questions.word_questions import WORDS

ROWS = {row.name for known in shipped_rows().values() for row in known.rows}
ASKING = tuple(check for check in DETECTORS if check.asks)
LIKELY = Finding("question", FindingOutcome.FOUND, "?", "likely", cites=("S-1",), weight=GameShare(1, 9, 0.0, 1.0))
SELDOM = replace(LIKELY, place="seldom", weight=GameShare(9, 9, 0.0, 1.0), seldom=True)


def reviewed(*found: Finding) -> Review:
    return Review("game", (2,), ASKING, found, {}, ReviewEffort())


@pytest.mark.parametrize("kind", JUDGED)
def test_what_was_judged_is_a_kind_of_the_catalogue(kind: str) -> None:
    dimension, _, answer = kind.partition(".")
    assert (dimension, answer) in ANSWERS or (dimension == WORDS and answer in ROWS)
    assert 0 <= JUDGED[kind].worth <= JUDGED[kind].of


@pytest.mark.parametrize(("worth", "of", "share"), [(0, 1, 1 / 3), (1, 1, 2 / 3), (2, 10, 1 / 4)])
def test_one_more_of_each_is_assumed(worth: int, of: int, share: float) -> None:
    assert Judged(worth, of).share == pytest.approx(share)


def test_a_kind_that_nobody_has_read_is_not_told_last() -> None:
    kinds = {key for key in ANSWERS if is_seldom(".".join(key))}
    assert kinds <= {tuple(one.split(".")) for one in JUDGED}
    assert ("where_to", "back_to_hand") in kinds
    assert ("maps", "corners_too") not in kinds
    assert ("must", "must") not in kinds  # one was read
    assert is_seldom("words.last_of_the_round")
    assert not is_seldom("words.to_none")


def test_what_is_seldom_worth_asking_is_told_only_where_there_are_no_others() -> None:
    assert reviewed(SELDOM, LIKELY).likely == (LIKELY,)
    assert reviewed(SELDOM).likely == (SELDOM,)


def test_without_knowing_what_is_declared_it_is_left_out_and_counted() -> None:
    told = reviewed(SELDOM, LIKELY).first_questions(40)
    assert told.questions == (LIKELY,)
    assert told.findings[-1].message == ("1 more are left out, 1 of them of kinds that readers seldom found worth "
                                         "asking")
