"""What a log is worth does not hang on the logs that are judged before it."""

from __future__ import annotations

import io
from functools import cache

from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.api.runs.log_engines import Rules
from referee.game.log import log_reader as reading
from referee.game.log.log_reader import Log, LogProblem
from referee.judge.log_run import judge_log

HEADS = tuple(
    f'{{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": {players}}}'
    for players in ('["ana", "ben"]', '["ben", "ana"]', '["fate", "a1"]', '["ana of ben", "note"]')
)
MOVE = '{"by": "ana", "do": "mark", "with": {"cell": "b2"}'
NOTE = '"\\u006eote": "x"'
LINES = (
    MOVE + "}",
    MOVE + ', "note": "x"}',
    MOVE + ', "\\u006eote": "x"}',
    MOVE + ', "note": "x", "\\u006eote": "y"}',
    MOVE + ', "\\u006eote": "x", "note": "y"}',
    '{"\\u0061t": 1, ' + MOVE[1:] + ', "at": 2}',
    '{"at": 1, ' + MOVE[1:] + ', "at": 2}',
    '{"at": 1, ' + MOVE[1:] + "}",
    MOVE + ', "\\u0062y": "ben"}',
    MOVE + ', "by": "ben"}',
    MOVE + ', "at": 012}',
    MOVE + ', "strange": 1}',
    MOVE + ', "strange": 1, "note": "x"}',
    MOVE.replace(" ", "") + "}",
    MOVE.replace(" ", "  ") + ' , "note" : "x" }',
    '{"by": "\\u0061na", "do": "mark", "with": {"cell": "b2"}}',
    '{"by": "ben", "do": "mark", "with": {"cell": "b2"}}',
    '{"by": "ben", "do": "mark", "with": {"cell": "b2"}, "note": "x"}',
    '{"by": "ben", "do": "mark", "with": {"\\u0063ell": "b2"}}',
    '{"by": "ben", "do": "mark", "with": {"cell": "b2", "\\u0063ell": "b3"}}',
    '{"by": "fate", "do": "mark", "with": {"cell": "b2"}}',
    '{"do": "mark", "by": "ana", "with": {"cell": "c1"}}',
    '{"by": "ana", "do": "mark", "with": {"cell": "?"}}',
)

logs = st.tuples(st.sampled_from(HEADS), st.lists(st.sampled_from(LINES), max_size=3).map(tuple))


def judged(log: tuple[str, tuple[str, ...]], rules: Rules) -> object:
    text = "".join(f"{line}\n" for line in (log[0], *log[1]))
    try:
        return judge_log(Log(io.StringIO(text), "game.jsonl"), rules)
    except LogProblem as problem:
        return problem.diagnostic


@cache
def alone(log: tuple[str, tuple[str, ...]]) -> object:
    """What is said of a log by a program that has seen no other."""
    reading._SEEN.clear()
    return judged(log, Rules())


@settings(max_examples=60)
@given(st.lists(logs, min_size=2, max_size=6))
@example([(HEADS[0], (MOVE + f", {NOTE}}}",)), (HEADS[0], (MOVE + f', {NOTE}, "note": "y"}}',))])
@example([(HEADS[0], (f"{{{NOTE}, " + MOVE[1:] + "}",)), (HEADS[0], (f'{{"note": 1, {NOTE}, ' + MOVE[1:] + "}",))])
def test_a_batch_in_any_order_is_judged_as_each_log_alone(batch: list[tuple[str, tuple[str, ...]]]) -> None:
    expected = [alone(log) for log in batch]
    reading._SEEN.clear()
    rules = Rules()
    assert [judged(log, rules) for log in batch] == expected
    assert [judged(log, rules) for log in reversed(batch)] == expected[::-1]
