"""Several processes judge as one does: the same verdicts, in the order of the logs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from referee.api.runs.log_engines import Rules
from referee.archives.log_places import LogPlace
from referee.archives.log_walk import logs_in
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.game.log.log_header import Header
from referee.interpreter.walker import Walker
from referee.judge.batch import ENDED, FEW_LOGS, available, judge_many, processes
from referee.judge.judgement_summary import Loader
from referee.judge.log_run import PLAIN, judge_all
from referee.system.worker_processes import AHEAD, CHUNK
from tests.changed_text import changed

HEADER = '{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["x", "o"]}\n'
MARK = '{"by": "x", "do": "mark", "with": {"cell": "b2"}}\n'
KINDS = (HEADER + MARK, HEADER + MARK + MARK, HEADER + "{\n", changed(HEADER, {"tic_tac_toe": "none_such"}),
         HEADER + MARK + '{"by": "o", "do": "mark", "with": {"cell": "?"}}\n')


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    """Legal, illegal, unreadable, of no ruleset and with a hole, in turn; more than two chunks."""
    paths = [tmp_path / f"{number:03}.jsonl" for number in range(2 * CHUNK + 3)]
    for number, path in enumerate(paths):
        path.write_text(KINDS[number % len(KINDS)])
    return [str(path) for path in paths]


def test_verdicts_are_those_of_one_process_in_the_order_of_the_logs(logs: list[str]) -> None:
    several = list(judge_many(logs_in(logs), partial(Rules, None), PLAIN, 2))
    assert several == list(judge_all(logs, Rules(None)))
    assert len({verdict.outcome for verdict in several}) == 3


def test_logs_are_given_away_only_a_little_ahead(logs: list[str]) -> None:
    given = []

    def endless() -> Iterator[LogPlace]:
        while True:
            given.append(1)
            yield LogPlace(logs[0], at_hand=True)

    verdicts = judge_many(endless(), partial(Rules, None), PLAIN, 1)
    assert len(list(islice(verdicts, 3 * CHUNK))) == 3 * CHUNK
    assert len(given) <= (3 + AHEAD) * CHUNK
    verdicts.close()


def deadly() -> Loader:
    """Finds rules, but for one ruleset: then the process is over."""
    rules = Rules(None)

    def load(header: Header) -> Walker:
        if header.ruleset == "none_such":
            os._exit(9)
        return rules(header)

    return load


def test_a_log_that_ends_a_process_costs_no_other_its_verdict(logs: list[str]) -> None:
    few = logs[:CHUNK + 4]
    verdicts = list(judge_many(logs_in(few), deadly, PLAIN, 2))
    assert [verdict.path for verdict in verdicts] == few
    ended = [verdict.reason == ENDED for verdict in verdicts]
    assert ended == [number % len(KINDS) == 3 for number in range(len(few))]
    whole = list(judge_all(few, Rules(None)))
    assert all(one == other for one, other, gone in zip(verdicts, whole, ended, strict=True) if not gone)


def test_the_command_says_the_same_with_several_processes(logs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for jobs in ("1", "2"):
        assert run(["judge", *logs, "--jobs", jobs]) == Exit.LOG
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    assert "35 logs: 14 legal, 7 illegal, 14 unreadable" in said[0]


def test_a_few_logs_are_judged_by_one_process(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number}.jsonl") for number in range(FEW_LOGS + 1)]
    assert processes(paths[:FEW_LOGS], None) == 1
    assert processes(paths, None) == available()
    assert processes(paths[:2], 8) == 8


def test_many_logs_in_a_file_are_judged_by_several_processes(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(KINDS[0] * FEW_LOGS)
    assert processes([str(path)], None) == 1
    path.write_text(KINDS[0] * (FEW_LOGS + 1))
    assert processes([str(path)], None) == available()
