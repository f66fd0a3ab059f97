"""A line looked at closely."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.line_explanation import Moment, NoSuchLine, moment
from referee.judge.log_run import Options
from referee.judge.verdict import LogOutcome
from referee.report.text.line_text import moment_text
from tests.judge import made_open
from tests.judge.playing import PLAIN, does, ends, header
from tests.made_grid import grid

GRID = grid()


def at(core: Core, number: int, *lines: dict[str, Any], options: Options = PLAIN) -> Moment:
    text = "".join(f"{json.dumps(line)}\n" for line in (header(), *lines))
    return moment(Log(io.StringIO(text), "game.jsonl"), number, lambda _: Walker(lower(core)), options)


MARKS = [does("ana", "mark", cell="a1"), does("ben", "mark", cell="b1"), does("ana", "mark", cell="b1")]


def test_a_legal_line_stands_by_its_rule() -> None:
    found = at(GRID, 3, *MARKS)
    assert (found.line, found.what, found.asked) == (3, "ben: mark cell b1", "ben at turn")
    assert (found.rule, str(found.place), [fact.text for fact in found.held]) == (
        "mark", "made.rules:1", ["the cell is free"])
    assert found.legal[:2] == ("mark cell a2", "mark cell a3")
    assert moment_text(found).splitlines()[:3] == [
        "game.jsonl:3: legal  ben: mark cell b1", "    held    the cell is free  on it = nothing",
        "  rule      mark  made.rules:1"]


def test_an_illegal_line_has_its_verdict() -> None:
    found = at(GRID, 4, *MARKS)
    assert found.verdict.outcome is LogOutcome.ILLEGAL
    assert moment_text(found).splitlines()[0] == "game.jsonl:4: illegal  mark"
    assert found.rule is None


def test_lines_after_the_one_asked_for_are_not_looked_at() -> None:
    assert at(GRID, 2, *MARKS, {"nonsense": 1}).verdict.outcome is LogOutcome.LEGAL


@pytest.mark.parametrize("number", [0, 1, 5, 99])
def test_a_line_that_is_not_there(number: int) -> None:
    with pytest.raises(NoSuchLine):
        at(GRID, number, *MARKS)


def test_an_end_is_looked_at_too() -> None:
    found = at(GRID, 3, MARKS[0], ends("ana"))
    assert moment_text(found).splitlines()[0] == "game.jsonl:3: illegal  end"


def test_what_others_may_do_is_not_told() -> None:
    deals = [does("fate", "deal", to="ana", card="T1"), does("fate", "deal", to="ben", card="T2")]
    lines = [*deals, does("ana", "fold")]
    assert at(made_open.dealt(), 4, *lines).legal == ("fold",)
    assert at(made_open.dealt(), 4, *lines, options=Options(viewer="ben")).legal == ()


def test_the_choices_of_the_table_are_told_by_their_names() -> None:
    adds = does("ana", "add", number=1)
    ruled = at(made_open.tie(), 3, adds, does("table", "rule", point="tie.first", choice="ben"))
    assert ruled.legal == ("tie.first choice ana", "tie.first choice ben")
    assert ruled.what == "the table: tie.first choice ben"
