"""Short logs are judged whole where they are plainly legal: each verdict is the one that is found line by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.game.event import Event, spoken
from referee.game.event_table import EventTable
from referee.game.log.log_lines import Line, LineFault, line_of
from referee.game.log.strict_json import JsonFault, parse
from referee.judge.log_run import judge_all
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.judge.whole_logs.line_reading import LineReading, _by_json, fast_decoder
from referee.judge.whole_logs.whole_logs import WholeLogs
from tests.logs.second_opinion import random_game
from tests.sample_sizes import drawn

Change = Callable[[list[str], Random], list[str]]
GAMES = ("connect_four", "kuhn_poker", "goofspiel", "tic_tac_toe")
ODD_LINES = (
    '{"by": "x", "do": "drop", "do": "drop", "with": {"column": 1}}',
    '{"by": "x", "do": "drop", "with": {"column": NaN}}',
    '{"by": "x", "do": "drop", "with": {"column": 12345678901234567890}}',
    '{"by": "\\u0078", "do": "drop", "with": {"column": 1}}',
    '{"by": "x", "do": "drop", "with": {"column": 1, "column": 1}}',
    '{"by": "x", "do": "drop", "with": {"column": true}}',
    '{"by": "x", "do": "drop", "with": {"column": 1.0}}',
    '{"by": "x", "do": "drop", "with": {"column": "1"}}',
    '{"by": "x", "do": "drop", "with": {"column": "?"}}',
    '{"by": "x", "do": "drop", "with": {"column": {"in": [1, 2]}}}',
    '{"by": "x", "do": "drop", "with": {"column": 1}, "note": 1e999}',
    '{"by": "x", "do": "drop", "with": {"column": 1}} x',
    '{"by": "x", "do": "drop", "with": {"column": 1}, "more": 1}',
    '{"by": "x", "do": "drop", "with": {"column": 1}, "note": "a\tb"}',
    '{"by": "x", "do": "drop", "with": {"column": 1}, "at": "12:30", "at": "12:30"}',
    '{"by": "x", "do": "drop", "with": {"column": -0}}',
    '{"by": "x", "do": "drop", "with": {"column": null}}',
    '{"by": "x", "do": "drop", "with": {"column": [1]}}',
    '{"by": "x", "do": "drop", "with": [1]}', "[1, 2]", "", '{"by": "table", "do": "stop"}', "nothing",
    '{"by": "x", "do": "concede"}', '{"undo": 1}', '{"assert": {"filled": 1}}', '{"end": {"winner": "x"}}', "7", "{}",
)


def _as_it_is(lines: list[str], _: Random) -> list[str]:
    return lines


def _numbered(lines: list[str], random: Random) -> list[str]:
    return [f'{line[:-1]}, "note": [{random.random()}, "at 12:{index:02}"]}}' for index, line in enumerate(lines)]


def _timed(lines: list[str], random: Random) -> list[str]:
    return [lines[0], *(f'{line[:-1]}, "at": "12:{random.randrange(60):02}"}}' for line in lines[1:])]


def _odd(lines: list[str], random: Random) -> list[str]:
    at = random.randrange(1, len(lines) + 1)
    return [*lines[:at], random.choice(ODD_LINES), *lines[at:]]


def _swapped(lines: list[str], random: Random) -> list[str]:
    one, two = random.randrange(1, len(lines)), random.randrange(1, len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return lines


def _without(lines: list[str], random: Random) -> list[str]:
    del lines[random.randrange(1, len(lines))]
    return lines


def _open_end(lines: list[str], _: Random) -> list[str]:
    return lines[:-1]


def _begun(lines: list[str], random: Random) -> list[str]:
    return lines[:random.randint(1, min(4, len(lines)))]


def _other_result(lines: list[str], random: Random) -> list[str]:
    return [*lines[:-1], json.dumps({"end": {"winner": random.choice(("x", "o", "ana", None)), "more": 1}})]


def _other_header(lines: list[str], random: Random) -> list[str]:
    more = random.choice(({"version": "0.0"}, {"odd": 1}, {"note": "n"}, {"ruleset": "nothing"}, {"players": ["x"]}))
    return [json.dumps({**json.loads(lines[0]), **more}), *lines[1:]]


CHANGES: tuple[Change, ...] = (
    _as_it_is, _as_it_is, _as_it_is, _numbered, _timed, _odd, _odd, _swapped, _without, _open_end, _begun, _begun,
    _other_result, _other_header,
)


def _mixed(random: Random, number: int) -> Iterator[list[str]]:
    """Logs of several games, right ones and others, in the order in which they happen to come."""
    for _ in range(number):
        lines = [json.dumps(line) for line in random_game(random.choice(GAMES), random)]
        yield random.choice(CHANGES)(lines, random)


def _written(path: Path, logs: Sequence[list[str]], random: Random) -> str:
    ends = random.choices(("\n", "\r\n", "\n\n"), (20, 1, 1), k=len(logs))
    path.write_bytes(b"".join(b"".join(f"{line}{end}".encode() for line in log)
                              for log, end in zip(logs, ends, strict=True)).rstrip() + b"\n" * random.randrange(2))
    return str(path)


def _verdicts(paths: Sequence[str], engine: str) -> list[LogVerdict]:
    return list(judge_all(paths, Rules(None, engine)))


@pytest.mark.parametrize("engine", ["generated", "native"])
def test_verdicts_are_those_of_line_by_line(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(engine)
    logs = list(_mixed(random, drawn(70, 3_000)))
    paths = [_written(tmp_path / "many.jsonl", logs, random)]
    paths += [_written(tmp_path / f"{index}.jsonl", [log], random) for index, log in enumerate(logs[:12])]
    taken: list[LogVerdict] = []
    whole = WholeLogs.verdict

    def counted(self: WholeLogs, *args: Any) -> LogVerdict | None:
        found = whole(self, *args)
        taken.extend([found] if found is not None else [])
        return found

    monkeypatch.setattr(WholeLogs, "verdict", counted)
    found = _verdicts(paths, engine)
    monkeypatch.setattr(WholeLogs, "verdict", lambda *_: None)
    assert found == _verdicts(paths, engine)
    legal = [one for one in found if one.outcome is LogOutcome.LEGAL and one.finished]
    assert len(legal) / 3 < len(taken) < len(found), "it was not seen how these are judged"


PLAIN = """game "As far as it goes" for 2 players p1 and p2

counters
  taken: 0..9 starts 0

play
  turns from p1, to the left
    turn player must take

action take(number: 1..9)
  needs "there are so many": taken + number <= 9
  raise taken by number
  if taken = 9: me wins

{claim}
"""
"""Rules under which a game goes on after one event, and may be over after one."""


@pytest.mark.parametrize(("claim", "outcome"), [
    ("", LogOutcome.LEGAL),
    ("always some_are_taken: taken > 0", LogOutcome.LEGAL),
    ("always few_are_taken: taken < 3", LogOutcome.ILLEGAL),
])
def test_what_has_only_begun_is_judged_whole(claim: str, outcome: LogOutcome, tmp_path: Path,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "counted.rules"
    rules.write_text(PLAIN.format(claim=claim), encoding="utf-8")
    header = '{"schema": "referee/log/1", "ruleset": "counted", "players": ["p1", "p2"]}\n'
    take = '{{"by": "p1", "do": "take", "with": {{"number": {}}}}}\n'
    logs = [header, header + take.format(4), header + take.format(9), header + take.format(2)]
    path = tmp_path / "logs.jsonl"
    path.write_text("".join(logs * 3), encoding="utf-8")
    found = list(judge_all([str(path)], Rules(str(rules))))
    monkeypatch.setattr(WholeLogs, "verdict", lambda *_: None)
    assert found == list(judge_all([str(path)], Rules(str(rules))))
    assert found[1].outcome is outcome
    assert [one.finished for one in found[:4]] == [False, False, outcome is LogOutcome.LEGAL, False]


@pytest.mark.parametrize("decode", [_by_json, fast_decoder()])
def test_lines_are_read_as_strictly(decode: Callable[[bytes], Any]) -> None:
    """What a quick reader reads is what the strict one does; the rest it leaves alone."""
    said: list[Line] = []

    def of(line: Line) -> None:
        said.append(line)

    plain = ['{"by":"x","do":"drop","with":{"column":1}}',
             '{"note": [1, "a:b"], "by": "x", "do": "pass", "at": "1:2:3"}',
             '{"by": "é", "do": "drop", "with": {"a": [1, "b"], "c": 999999999999999999, "d": ""}, "note": 1.5}']
    for text in (*ODD_LINES, *plain):
        said.clear()
        LineReading(EventTable(), of, decode).numbers([text.encode()])
        warned: list[str] = []
        try:
            strict = line_of(parse(text), 0, lambda code, *_, warned=warned: warned.append(code))
        except (LineFault, JsonFault):
            strict = None
        assert not said or ([strict] == said and repr(strict) == repr(said[0]) and not warned), text
        assert said or text not in plain
    odd = (b'{"by": "\xff", "do": "d"}', b'{"by": "\xed\xa0\x80", "do": "d"}', b'{"by": "a\0", "do": "d"}',
           b'\xef\xbb\xbf{"by": "a", "do": "d"}',
           b'{"by": "a", "do": "d", "note": ' + b"[" * 99 + b"]" * 99 + b"}")
    for raw in odd:
        said.clear()
        assert LineReading(EventTable(), of, decode).numbers([raw]) is None
        assert not said


def test_lines_are_told_apart_by_all_that_they_say() -> None:
    reading = LineReading(EventTable(), lambda line: spoken(Event(0, repr(line))))
    texts = [f'{{"by": "x", "do": "drop", "with": {{"column": {value}}}}}' for value in
             ("1", '"1"', "true", "[1]", '["1"]', '[["1"]]', "null", "false", "0", '"None"', '["None"]')]
    assert reading.numbers([text.encode() for text in texts if "[[" not in text]) == list(range(10))
    assert reading.numbers([texts[5].encode()]) is None
    assert reading.numbers([b'{"by": "x", "do": "drop", "with": {"a": 1, "b": 2}}', texts[0].encode()]) == [10, 0]
