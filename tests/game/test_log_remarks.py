"""A remark that is left out changes neither whether a line can be read nor what it says."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.log.line_remarks import bare
from referee.game.log.log_lines import Line
from referee.game.log.log_reader import Log, LogProblem
from referee.game.log.strict_json import JsonFault, parse

HEAD = '{"schema": "referee/log/1", "ruleset": "marks", "players": ["ana", "ben"]}\n'
MARK = '{"by": "ana", "do": "mark", "with": {"cell": "a1"}}'


@pytest.mark.parametrize("line", [
    MARK[:-1] + ', "at": 12}', MARK[:-1] + ', "at": -0.5}', MARK[:-1] + ',"note":"hm, {1}"}',
    '{"at": "2026-01-02T03:04:05Z", ' + MARK[1:], '{"note": "",' + MARK[1:]])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_plain_remark_at_either_end_is_left_out(line: str, end: str) -> None:
    assert bare(line + end) == MARK + end


@pytest.mark.parametrize("line", [
    MARK, MARK[:-1] + ', "at": 012}', MARK[:-1] + ', "at": NaN}', MARK[:-1] + ', "at": "a\\"}',
    MARK[:-1] + ', "at": "\t"}', MARK[:-1] + ', "at": [1]}', MARK[:-1] + ', "at": ٣}', MARK[:-1] + ', "at": 1}}',
    '{"at": 1, ' + MARK[1:-1] + ', "at": 2}', MARK[:-2] + ', "at": 3}}', MARK[:-1] + ', "at": 1} x',
    '{"at": 1, }', '{, "at": 1}', '{ , "at": 1}', '{"at": 1}'])
def test_what_is_no_plain_remark_is_left_alone(line: str) -> None:
    assert bare(line) == line


PIECES = st.sampled_from([
    '{', '}', '"at"', '"note"', '"by"', '"x"', ': ', ', ', '1', '"', '\\', '{"at": 1, ', ', "at": 1}', '"by": "ana"',
    '"do": "mark"', ', "note": "n"}', '\n', '[', ']', '"at": 2'])


def value(text: str) -> object:
    try:
        return parse(text)
    except JsonFault:
        return None


@given(st.lists(PIECES, max_size=9).map("".join))
def test_the_whole_can_be_read_if_what_is_left_can_and_is_the_same_but_for_the_remark(text: str) -> None:
    left = bare(text)
    whole, rest = value(text), value(left)
    if left != text and (isinstance(whole, dict) or isinstance(rest, dict)):
        assert isinstance(whole, dict)
        assert isinstance(rest, dict)
        gone = whole.keys() - rest.keys()
        assert len(gone) == 1
        assert gone <= {"at", "note"}
        assert {key: one for key, one in whole.items() if key not in gone} == rest


def lines(text: str) -> list[Line]:
    return list(Log(io.StringIO(HEAD + text), "game.jsonl"))


def test_lines_that_differ_by_a_remark_have_the_same_text() -> None:
    one, two = lines(f'{MARK}\n{MARK[:-1]}, "at": 7}}\n')
    assert one.text == two.text == MARK + "\n"  # type: ignore[union-attr]


def test_a_remark_does_not_hide_what_is_wrong_with_a_line() -> None:
    lines(f"{MARK}\n")
    for wrong, code in ((', "at": 1, "at": 2}', "LG07"), (', "at": 012}', "LG05")):
        with pytest.raises(LogProblem) as caught:
            lines(MARK[:-1] + wrong + "\n")
        assert caught.value.diagnostic.code == code
