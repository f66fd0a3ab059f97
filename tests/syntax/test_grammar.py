"""The grammar: its conflicts are known, each with a reason; its words have names; its words are whole words."""

from __future__ import annotations

import logging
import re

import lark
import pytest

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.syntax import Node, parse_expression
from referee.syntax.lr_parser import Machine, _Shaper, _whole_words, machine
from referee.system import bundled_files

# Where the parser could go on in two ways it takes the nearer one; each such place, and why that is what is meant.
CONFLICTS = {
    ("WINS", "<test : value>"): "`the p in players where C wins`: `wins` belongs to the condition C",
    ("IN", "<of : NUMBER_OF spot>"): "`number of A in B`: the `in` says where to count, not where the number lies",
    ("IN", "<of : AGGREGATE spot>"): "`highest of A in B`: the `in` says where to look, as after `number of`",
}


@pytest.fixture(scope="module")
def grammar() -> str:
    return bundled_files.grammar_path().read_text(encoding="utf-8")


def test_each_conflict_is_known(grammar: str, caplog: pytest.LogCaptureFixture) -> None:
    lark.logger.addHandler(caplog.handler)
    lark.logger.setLevel(logging.DEBUG)
    try:
        lark.Lark(grammar, parser="lalr", start=["start", "claim"], postlex=_Shaper(), debug=True,
                  edit_terminals=_whole_words)
    finally:
        lark.logger.removeHandler(caplog.handler)
        lark.logger.setLevel(logging.CRITICAL)
    said = "\n".join(caplog.messages)
    assert "Reduce/Reduce" not in said
    assert set(re.findall(r"Shift/Reduce conflict for terminal (\w+): .*\n \* (<.*>)", said)) == set(CONFLICTS)


def test_each_terminal_has_a_name_that_people_can_read() -> None:
    vocabulary = machine().vocabulary
    odd = [name for name in vocabulary.terminals if re.search(r"[\\^$*]|\(\?|__|ANON", vocabulary.name(name))]
    assert [name for name in odd if name != "STAR"] == []


def test_the_operators_and_the_beginnings_of_values_are_found() -> None:
    assert {"PLUS", "AND", "EQUAL"} <= machine().operators
    assert {"NAME", "INT", "LPAR"} <= machine().starters
    assert {"ME", "IT"} <= machine().values
    assert "MINUS" not in machine().values


def test_a_word_of_the_language_is_a_whole_word() -> None:
    reporter = Reporter()
    assert parse_expression("notable = yesterday", "t", reporter) is not None
    assert not reporter.failed
    assert parse_expression("3 isin x", "t", reporter) is None
    assert reporter.failed


def test_the_tables_of_the_cache_parse_alike(grammar: str) -> None:
    source = Source("t", 'game "T" for 2 players\n\nalways x: 1 = 1\n')
    built, first, second = Machine(grammar, use_cache=False), Machine(grammar), Machine(grammar)
    trees = [engine.run(source.text, {1: 0, 3: 0}) for engine in (built, first, second)]
    assert trees[0] == trees[1] == trees[2]
    assert built.operators == second.operators


def test_damaged_tables_are_built_anew(grammar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.system.disk_cache.read", lambda key: b"no pickle")
    assert Machine(grammar).vocabulary.words


def test_a_claim_is_one_condition_or_value() -> None:
    reporter = Reporter()
    node = parse_expression("stake of me = 3", "t", reporter)
    assert isinstance(node, Node)
    assert node.kind == "claim"
    assert not reporter.failed


@pytest.mark.parametrize(
    "text", ["", "a = b\nc", "a = = b", "a =", "(" * 20_000, 'x = "', "\0", "setup\n  nothing", "# a"])
def test_what_is_no_claim_is_a_diagnostic(text: str) -> None:
    reporter = Reporter()
    assert parse_expression(text, "t", reporter) is None
    assert reporter.failed
