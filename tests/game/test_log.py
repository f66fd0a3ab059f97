"""What the log reader accepts, what it refuses, and where it says so."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.archives.log_opening import open_log
from referee.diagnostics.diagnostic import Problems
from referee.game.event import Event, Spoken, spoken
from referee.game.event_table import LONGEST, MOST_LINES, EventTable, LineMemo
from referee.game.log.line_blocks import MAX_LINE
from referee.game.log.log_header import Header
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, UndoLine
from referee.game.log.log_reader import Log, LogProblem
from tests.changed_text import changed

HEAD = '{"schema": "referee/log/1", "ruleset": "marks", "players": ["ana", "ben"]}\n'


def read(data: bytes | str) -> tuple[Log, list[Line]]:
    log = Log(io.BytesIO(data) if isinstance(data, bytes) else io.StringIO(data), "game.jsonl")
    return log, list(log)


def problem(data: bytes | str) -> tuple[str, int]:
    with pytest.raises(LogProblem) as caught:
        read(data)
    return caught.value.diagnostic.code, caught.value.diagnostic.span.line


def test_every_kind_of_line_is_read() -> None:
    text = HEAD + (
        '{"by": "ana", "do": "mark", "with": {"cell": "a1"}, "note": "hm", "at": 3.5}\n'
        '{"by": "ben", "do": "pass"}\n'
        '{"assert": {"goals of ana": 1}}\n'
        '{"undo": 2}\n'
        '{"end": {"winner": "ana", "scores": {"ana": 3}, "ranking": ["ana", ["ben", "cas"]]}}'
    )
    log, lines = read(text)
    assert log.header == Header("marks", ("ana", "ben"))
    assert lines == [
        EventLine(2, "ana", "mark", {"cell": "a1"}),
        EventLine(3, "ben", "pass", {}),
        AssertLine(4, {"goals of ana": 1}),
        UndoLine(5, 2),
        EndLine(6, ("ana",), {"ana": 3}, (("ana",), ("ben", "cas"))),
    ]
    assert log.warnings == []


@pytest.mark.parametrize(("winner", "names"), [('"ana"', ("ana",)), ("null", ()), ('["ana", "ben"]', ("ana", "ben"))])
def test_a_winner_is_a_name_several_or_nobody(winner: str, names: tuple[str, ...]) -> None:
    _, lines = read(HEAD + f'{{"end": {{"winner": {winner}}}}}\n')
    assert lines == [EndLine(2, names, None, None)]


def test_an_end_without_winner_claims_none() -> None:
    assert read(HEAD + '{"end": {}}\n')[1] == [EndLine(2, None, None, None)]


@pytest.mark.parametrize(("value", "holes"), [
    ('"?"', ("card",)), ('{"in": ["a", "b"]}', ("card",)), ('["a", "?"]', ("card",)),
    ('"a"', ()), ('{"GOAL": 2}', ()), ('{"in": 2}', ()),
])
def test_holes_are_seen(value: str, holes: tuple[str, ...]) -> None:
    _, (line,) = read(HEAD + f'{{"by": "ana", "do": "play", "with": {{"card": {value}}}}}\n')
    assert isinstance(line, EventLine)
    assert line.holes == holes


def test_a_line_that_was_read_before_says_the_same_and_is_warned_of_again() -> None:
    plain, odd = '{"by": "ana", "do": "mark", "with": {"cell": "a1"}}\n', '{"by": "ana", "do": "mark", "wth": 1}\n'
    text = HEAD + 2 * plain + 2 * odd
    for _ in range(2):
        log, lines = read(text)
        same = EventLine(2, "ana", "mark", {"cell": "a1"})
        assert lines[:2] == [same, replace(same, number=3)]
        assert [(w.code, w.span.line) for w in log.warnings] == [("LG40", 4), ("LG40", 5)]


def test_line_ends_marks_and_blank_lines_do_no_harm() -> None:
    data = ("\ufeff" + HEAD + '\n{"by": "ana", "do": "pass"}\n\n').replace("\n", "\r\n").encode()
    log, lines = read(data)
    assert lines == [EventLine(3, "ana", "pass", {})]
    assert [(w.code, w.span.line) for w in log.warnings] == [("LG41", 1), ("LG42", 2)]


def test_unknown_keys_are_warned_of_with_what_was_meant() -> None:
    head = changed(HEAD, {'"ruleset"': '"verison": "1", "ruleset"'})
    log, _ = read(head + '{"by": "ana", "do": "pass", "wiht": {}}\n{"end": {"winer": null}}\n')
    assert [(w.code, w.span.line, w.hint) for w in log.warnings] == [
        ("LG40", 1, "did you mean version?"),
        ("LG40", 2, "did you mean with?"),
        ("LG40", 3, "did you mean winner?"),
    ]


def test_warnings_are_bounded() -> None:
    log, lines = read(HEAD + '{"by": "ana", "do": "pass", "x": 1}\n' * 1000)
    assert len(lines) == 1000
    assert len(log.warnings) == 20


BROKEN_FILES = [
    ("", "LG03", 1), ("\n\n", "LG03", 1), (b"\xff\xfe{\x00}\x00", "LG02", 1), (b"\x89PNG\r\n\x1a\n\x00", "LG02", 1),
    (HEAD.encode() + b'{"by": "\xff"}\n', "LG02", 2), (HEAD + "\0\0\0\n", "LG02", 2),
    ("x" * (MAX_LINE + 5), "LG04", 1), (HEAD + '{"by": "' + "x" * MAX_LINE + '"}\n', "LG04", 2),
]
BROKEN_LINES = [
    ("not json\n", "LG05"), ('{"by": "ana", "do": "pass"} {}\n', "LG05"), ("{'by': 1}\n", "LG05"),
    ('{"by": "ana", "do": "pass", "with": ' + "[" * 100_000 + "\n", "LG06"),
    ('{"by": "ana", "do": "pass", "note": ' + "[" * 40 + "]" * 40 + "}\n", "LG06"),
    ('{"by": "ana", "by": "ben", "do": "pass"}\n', "LG07"),
    ('{"by": "ana", "do": "p", "with": {"n": NaN}}\n', "LG08"), ('{"by": "ana", "do": "p", "at": 1e999}\n', "LG08"),
    ('{"by": "ana", "do": "p", "with": {"n": -Infinity}}\n', "LG08"),
    ('{"by": "ana", "do": "p", "with": {"n": ' + "9" * 19 + "}}\n", "LG09"),
    ('{"by": "ana", "do": "p", "with": {"n": -' + "9" * 19 + "}}\n", "LG09"),
    ('{"by": "ana", "do": "p", "with": {"n": ' + "9" * 10_000 + "}}\n", "LG09"),
    ("[]\n", "LG10"), ('"x"\n', "LG10"), ("null\n", "LG10"), ("3\n", "LG10"),
    ('{"by": "ana", "do": "pas', "LG11"), ('{"by": "ana", "do": "\\ud800"}\n', "LG02"),
    ("{}\n", "LG23"), ('{"by": "ana"}\n', "LG23"), ('{"do": "pass"}\n', "LG23"), (HEAD, "LG23"),
    ('{"end": {}, "undo": 1}\n', "LG23"), ('{"hello": 1}\n', "LG23"),
    ('{"by": 3, "do": "pass"}\n', "LG24"), ('{"by": "", "do": "pass"}\n', "LG24"),
    ('{"by": "ana", "do": []}\n', "LG24"),
    ('{"by": "ana", "do": "' + "x" * 201 + '"}\n', "LG24"),
    ('{"by": "ana", "do": "pass", "with": []}\n', "LG24"), ('{"by": "ana", "do": "pass", "with": null}\n', "LG24"),
    ('{"assert": "x"}\n', "LG24"), ('{"undo": 0}\n', "LG24"), ('{"undo": true}\n', "LG24"), ('{"end": null}\n', "LG24"),
    ('{"end": {"winner": 1}}\n', "LG24"), ('{"end": {"winner": [1]}}\n', "LG24"),
    ('{"end": {"scores": {"ana": "1"}}}\n', "LG24"), ('{"end": {"ranking": [[]]}}\n', "LG24"),
]
BROKEN_HEADERS = [
    ('{"by": "ana", "do": "pass"}', "LG12"), ("[]", "LG12"), ('{"ruleset": "marks"}', "LG12"),
    ('{"schema": "referee/log/9", "ruleset": "marks", "players": ["ana"]}', "LG13"),
    ('{"schema": 1, "ruleset": "marks", "players": ["ana"]}', "LG13"),
    ('{"schema": "referee/log/1", "players": ["ana"]}', "LG14"),
    *((f'{{"schema": "referee/log/1", "ruleset": {json.dumps(name)}, "players": ["ana"]}}', "LG14") for name in
      ("../marks", "/etc/passwd", "a/b", "marks.rules", "", "a\u0000b", "..", "x" * 65, 3)),
    *((f'{{"schema": "referee/log/1", "ruleset": "marks", "players": {players}}}', code) for players, code in (
        ("null", "LG15"), ("[]", "LG15"), ('"ana"', "LG15"), ("[1]", "LG15"), ('[""]', "LG15"), ('["  "]', "LG15"),
        ('["' + "x" * 101 + '"]', "LG15"), ('["ana", "fate"]', "LG16"), ('["?"]', "LG16"), ('["all"]', "LG16"),
        ('["table"]', "LG16"), ('["public"]', "LG16"), ('["nobody"]', "LG16"), ('["ana", "ben", "ana"]', "LG17"))),
    *((f'{{"schema": "referee/log/1", "ruleset": "marks", "players": ["ana"], {entry}}}', code) for entry, code in (
        ('"pool": []', "LG21"), ('"pool": {"Card": []}', "LG21"), ('"pool": {"Card": [{"cost": 1}]}', "LG21"),
        ('"pool": {"Card": [{"name": "A", "effect": {"do": 1}}]}', "LG21"),
        ('"pool": {"Card": [{"name": "A", "cost": 1.5}]}', "LG21"), ('"options": []', "LG21"), ('"given": 1', "LG21"),
        ('"readings": {"a": 1}', "LG21"), ('"rulings": "x"', "LG21"), ('"parameters": null', "LG21"),
        ('"version": 1', "LG21"), ('"viewpoint": "zed"', "LG21"))),
]


@pytest.mark.parametrize(("data", "code", "line"), BROKEN_FILES)
def test_files_that_are_no_logs(data: bytes | str, code: str, line: int) -> None:
    assert problem(data) == (code, line)


@pytest.mark.parametrize(("line", "code"), BROKEN_LINES)
def test_lines_that_are_no_lines(line: str, code: str) -> None:
    assert problem(HEAD + '{"by": "ana", "do": "pass"}\n' + line) == (code, 3)
    assert problem((HEAD + '{"by": "ana", "do": "pass"}\n' + line).encode()) == (code, 3)


@pytest.mark.parametrize(("head", "code"), BROKEN_HEADERS)
def test_headers_that_are_none(head: str, code: str) -> None:
    assert problem(head + "\n") == (code, 1)


def test_a_complaint_points_at_the_key() -> None:
    with pytest.raises(LogProblem) as caught:
        read(HEAD + '{"by": "ana", "do": "pass", "with": 3}\n')
    assert caught.value.diagnostic.span.column == 29
    assert caught.value.excerpt == '{"by": "ana", "do": "pass", "with": 3}'


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.jsonl", "a\0b"):
        with pytest.raises(LogProblem) as caught, open_log(path):
            pass
        assert caught.value.diagnostic.code == "LG01"


def test_a_file_is_read_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(HEAD + '{"by": "ana", "do": "pass"}\n' * 3)
    with open_log(path) as log:
        assert [line.number for line in log] == [2, 3, 4]
    assert log.path == str(path)


def test_the_form_of_a_schema_of_the_future_is_told_with_what_is_known() -> None:
    with pytest.raises(LogProblem) as caught:
        read('{"schema": "referee/log/2"}\n')
    assert caught.value.diagnostic.expected == ("referee/log/1",)


# --- lines by number

MARK, PASS = '{"by": "ana", "do": "mark", "with": {"cell": "a1"}}\n', '{"by": "ben", "do": "pass"}\n'


class Reading:
    """A log of which lines are told by numbers: what their events are called."""

    def __init__(self, text: str | bytes, known: dict[str, Spoken] | None = None) -> None:
        stream = io.BytesIO(HEAD.encode() + text) if isinstance(text, bytes) else io.StringIO(HEAD + text)
        self.log = Log(stream, "game.jsonl")
        self.memo = LineMemo(EventTable())
        self.known = known or {}
        self.asked: list[Line] = []

    def event(self, line: Line) -> Spoken | None:
        self.asked.append(line)
        return spoken(Event(0, line.do)) if isinstance(line, EventLine) else None

    def ahead(self, most: int = 100) -> list[str]:
        numbers = self.log.ahead(self.memo, self.known.get, self.event, most)
        return [self.memo.table.events[number][0].label for number in numbers]


def test_lines_are_told_by_numbers_up_to_the_first_that_says_no_event() -> None:
    it = Reading(MARK + PASS + '{"undo": 1}\n' + MARK, {PASS: spoken(Event(1, "known"))})
    lines = iter(it.log)
    assert it.ahead() == ["mark", "known"]
    it.log.passed(2)
    assert it.ahead() == []
    assert next(lines) == UndoLine(4, 1)
    assert it.ahead() == ["mark"]
    it.log.passed(1)
    assert next(lines, None) is None
    assert it.log.line == 5


def test_lines_that_are_told_and_not_taken_are_iterated() -> None:
    it = Reading(MARK + PASS + MARK)
    lines = iter(it.log)
    assert it.ahead(2) == ["mark", "pass"]
    it.log.passed(1)
    assert next(lines) == EventLine(3, "ben", "pass", {})
    assert it.ahead() == ["mark"]


@pytest.mark.parametrize("text", [MARK * 3 + PASS + MARK, (MARK * 3 + PASS + MARK).encode()])
def test_a_line_that_is_known_is_not_read(text: str | bytes) -> None:
    it = Reading(text)
    assert it.ahead() == ["mark"] * 3 + ["pass", "mark"]
    assert [line.number for line in it.asked] == [2, 5]
    assert list(it.memo.numbers) == [MARK[:-1].encode(), PASS[:-1].encode()]


def test_a_line_about_which_something_is_odd_warns_once_where_it_is_iterated() -> None:
    odd = '{"by": "ben", "do": "pass", "how": "loud"}\n'
    it = Reading(odd + PASS)
    assert it.ahead() == []
    assert it.log.warnings == []
    assert len(list(it.log)) == 2
    assert [(warning.code, warning.span.line) for warning in it.log.warnings] == [("LG40", 2)]


@pytest.mark.parametrize("bad", ["{\n", "\0\n", '{"do": 3, "by": "ana"}\n'])
def test_what_cannot_be_read_is_told_by_iteration_at_its_line(bad: str) -> None:
    it = Reading(MARK + bad + PASS)
    assert it.ahead() == ["mark"]
    it.log.passed(1)
    assert it.ahead() == []
    with pytest.raises(LogProblem) as caught:
        next(iter(it.log))
    assert caught.value.diagnostic.span.line == 3


def test_a_blank_line_is_left_to_iteration_which_warns() -> None:
    it = Reading(MARK + "\n" + PASS)
    assert it.ahead() == ["mark"]
    it.log.passed(1)
    assert list(it.log) == [EventLine(4, "ben", "pass", {})]
    assert [(warning.code, warning.span.line) for warning in it.log.warnings] == [("LG42", 3)]


def test_a_memo_forgets_what_is_too_much() -> None:
    memo = LineMemo(EventTable())
    memo.learn(b"x" * (LONGEST + 1), 1)
    assert memo.numbers == {}
    for number in range(2 * MOST_LINES):
        memo.learn(b"%d" % number, 1)
        assert len(memo.numbers) <= MOST_LINES


def test_what_is_no_json_is_told_without_a_place_in_its_words() -> None:
    with pytest.raises(Problems) as caught:
        read(HEAD + '{"by": "a\tb"}\n')
    assert [one.message for one in caught.value.diagnostics] == ["not JSON: Invalid control character"]
