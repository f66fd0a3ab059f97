"""Coverage: each statement is encoded, open, no rule for a reason, or missing; and a citation is live or not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import referee
from referee.cli.main import run
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Source
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.rule_tests.live_coverage import live, without
from referee.rule_tests.statement_coverage import StatementState, coverage
from tests.changed_text import changed

RULES = """game "Take" for 2 players first and second                   [T-01]

kind Stone

components
  7 Stone in heap

zones
  heap: bag of Stone, open
  gone: bag of Stone, open

counters
  taken of player: 0..7

reading last "who wins?"                                     [T-05]
  default taker "whoever takes the last stone"
  alternative other "the other one"

play
  turns from first, to the left
    turn player must take

action take(number: 1..3)                                    [T-02]
  needs "so many are left": number <= number of heap         [T-03]
  for each n in 1..number: move Stone from heap to gone
  raise taken of me by 1                                     [T-04]
  if heap is empty: me wins                                  [inferred]

scenario "no more than there are"                            [T-03]
  first take 3; second take 3
  first may not take 2: "so many are left"
  first take 1
  expect first wins
"""

STATEMENTS = """
[statement.T-01]
text = "two players"
[statement.T-02]
text = "one to three stones"
[statement.T-03]
text = "no more than are left"
[statement.T-04]
text = "a count is kept"
[statement.T-05]
text = "who wins"
status = "open"
[statement.T-06]
text = "have fun"
status = "not a rule"
reason = "flavour"
[statement.T-07]
text = "nobody encoded this"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "take"
    made.mkdir()
    (made / "take.rules").write_text(RULES, encoding="utf-8")
    (made / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    return made


def test_every_statement_has_its_state(folder: Path) -> None:
    found = coverage(parsed(find(folder)))
    states = {row.statement.id: row.state for row in found.rows}
    assert states == {
        "T-01": StatementState.ENCODED,
        "T-02": StatementState.ENCODED,
        "T-03": StatementState.ENCODED,
        "T-04": StatementState.ENCODED,
        "T-05": StatementState.OPEN,
        "T-06": StatementState.NO_RULE,
        "T-07": StatementState.MISSING,
    }
    assert not found.complete


def test_a_scenario_does_not_encode_what_it_cites(folder: Path) -> None:
    rows = {row.statement.id: row for row in coverage(parsed(find(folder))).rows}
    assert [c.construct for c in rows["T-03"].citations] == ["need"]


def test_inferred_answers_are_listed_with_their_line(folder: Path) -> None:
    found = coverage(parsed(find(folder))).inferred
    assert [(c.construct, c.span.line) for c in found] == [("if_", RULES[: RULES.index("[inferred]")].count("\n") + 1)]


def test_a_citation_is_live_if_something_notices_that_its_line_is_gone(folder: Path) -> None:
    loaded = parsed(find(folder))
    alive = {t.citation.id: t.noticed for t in live(loaded, coverage(loaded))}
    assert alive["T-03"] == "scenario 'no more than they are' fails".replace("they are", "there are")
    assert alive["T-01"].startswith("the rules no longer load")
    assert alive["T-04"] == ""


def test_a_guard_is_turned_round_and_a_block_taken_out_whole() -> None:
    source = Source("a.rules", 'action a\n  needs "x": b = 1, when c [X]\n  if d\n    set b to 1\n  set b to 2\n')
    assert '  needs "x": not (b = 1), when c [X]' in without(source, 2)
    kept = Source("a.rules", "always few, at every moment: number of a <= 5 [X]\n")
    assert without(kept, 1) == "always few, at every moment: not (number of a <= 5) [X]\n"
    assert without(source, 3) == 'action a\n  needs "x": b = 1, when c [X]\n  nothing\n  set b to 2\n'


def test_a_branch_that_else_follows_does_nothing_and_the_rest_still_reads() -> None:
    line = Source("a.rules", "action a\n  if d: set b to 1 [X]\n  else if e: set b to 2\n  else: set b to 3\n")
    assert without(line, 2) == "action a\n  if d: nothing\n  else if e: set b to 2\n  else: set b to 3\n"
    assert without(line, 3) == "action a\n  if d: set b to 1 [X]\n  else: set b to 3\n"
    block = Source("a.rules", "action a\n  if d  [X]\n    set b to 1\n  else: set b to 3\n")
    assert without(block, 2) == "action a\n  if d: nothing\n  else: set b to 3\n"


def test_scenarios_near_the_line_are_tried_first(folder: Path) -> None:
    told = "\n  first take 3\n  expect taken of first = 1\n"
    text = f'{RULES}\nscenario "far"{told}\nscenario "near"  [T-04]{told}'
    (folder / "take.rules").write_text(text, encoding="utf-8")
    loaded = parsed(find(folder))
    noticed = {one.citation.id: one.noticed for one in live(loaded, coverage(loaded))}
    assert noticed["T-04"] == "scenario 'near' fails"


def test_what_logs_claim_is_read_without_the_line_too(folder: Path) -> None:
    """Where only claims of logs ask for what a line defines, they notice that it is gone."""
    (folder / "take.rules").write_text(f"{RULES}\ndefine left_over = number of heap  [T-07]\n", encoding="utf-8")
    (folder / "logs" / "right").mkdir(parents=True)
    lines = [{"schema": "referee/log/1", "ruleset": "take", "players": ["ana", "ben"]}, {"assert": {"left_over": 7}}]
    (folder / "logs" / "right" / "claims.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    loaded = parsed(find(folder))
    noticed = {one.citation.id: one.noticed for one in live(loaded, coverage(loaded))}
    assert noticed["T-07"] == "log logs/right/claims.jsonl is judged otherwise"


def test_one_line_that_is_noticed_may_be_enough_for_a_statement(folder: Path) -> None:
    text = changed(RULES, {"number <= number of heap         [T-03]": "number <= number of heap         [T-03 T-04]"})
    (folder / "take.rules").write_text(text, encoding="utf-8")
    loaded = parsed(find(folder))
    tried = {one.citation.id: one for one in live(loaded, coverage(loaded), every_line=False)}
    guard = next(n for n, line in enumerate(text.splitlines(), 1) if "T-04" in line)
    assert (tried["T-04"].citation.span.line, tried["T-04"].unreadable) == (guard, False)
    assert tried["T-02"].unreadable


@pytest.mark.parametrize(("entry", "code"), [
    ('status = "not a rule"', "ST05"),
    ('status = "not a rule"\nreason = "boring"', "ST05"),
    ('status = "not a rule"\nreason = "duplicate of T-99"', "ST05"),
    ('status = "perhaps"', "ST04"),
])
def test_a_statement_says_in_closed_words_what_became_of_it(folder: Path, entry: str, code: str) -> None:
    (folder / "statements.toml").write_text(STATEMENTS + "\n[statement.T-08]\ntext = \"x\"\n" + entry, encoding="utf-8")
    with pytest.raises(Problems) as found:
        parsed(find(folder))
    assert [d.code for d in found.value.diagnostics] == [code]


def test_a_statement_says_which_questions_it_settles_and_by_which_words(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settled = 'settles = { Q2 = "at once", Q10 = "all" }'
    entry = f'\n[statement.T-08]\ntext = "x"\nstatus = "not a rule"\nreason = "aim"\n{settled}'
    (folder / "statements.toml").write_text(STATEMENTS + entry, encoding="utf-8")
    (row,) = [one for one in referee.load(folder).coverage().statements if one.settles]
    assert (row.id, row.settles) == ("T-08", {"Q2": "at once", "Q10": "all"})
    run(["coverage", str(folder)])
    assert "T-08  not a rule  aim; settles: Q2, Q10" in capsys.readouterr().out.splitlines()
