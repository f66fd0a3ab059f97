"""What a review of questions is given: the rulebook, words, an earlier report; and the letter to the author."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.report.data.schemas import SCHEMAS
from tests.changed_text import changed

HERE = Path(__file__).parent
ROW = HERE / "questions" / "must_may"
ID = "question/play.turn-player-must-take/must.may"
BOOK = "The player in turn takes one or two sticks.\nThen a player hides some sticks, and/or lays them aside.\n"
CLAIMED = '\nsettled "question/play.turn-player-must-take/must.may" by [S-1] "is free to"\n'
Printed = pytest.CaptureFixture[str]


@pytest.fixture(name="sticks")
def rules_with_a_question(tmp_path: Path) -> Path:
    folder = tmp_path / "sticks"
    folder.mkdir()
    (folder / "game.rules").write_text((ROW / "game.rules").read_text("utf-8"), encoding="utf-8")
    (folder / "statements.toml").write_text((ROW / "open.toml").read_text("utf-8"), encoding="utf-8")
    return folder


def file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def reviewed(sticks: Path, printed: Printed, *words: str, code: Exit = Exit.GOOD) -> str:
    assert run(["review", str(sticks), "--questions", "--games", "3", *words]) == code
    return printed.readouterr().out


def data(sticks: Path, printed: Printed, *words: str) -> dict[str, object]:
    found = json.loads(reviewed(sticks, printed, "--format", "json", *words))
    Draft202012Validator(SCHEMAS["review"]).validate(found)
    assert isinstance(found, dict)
    return found


def asked(found: dict[str, object]) -> list[str]:
    findings = found["findings"]
    assert isinstance(findings, list)
    return [one["id"] for one in findings if one["outcome"] == "found"]


def test_sentences_without_a_statement_are_told_and_words_only_if_wanted(sticks: Path, capsys: Printed) -> None:
    book = file(sticks.parent, "book.txt", BOOK)
    found = data(sticks, capsys, "--rulebook", book)
    text = BOOK.splitlines()[1]
    assert found["rulebook"] == {"path": book, "language": "English", "guessed": True, "sentences": 2,
                                 "uncovered": [{"line": 2, "text": text}], "open": None}  # fmt: skip
    told = reviewed(sticks, capsys, "--rulebook", book, "--words", "--language", "en")
    assert "book.txt: English, 2 sentences, 1 of which no statement covers\n" in told
    assert f'line 2: "Then" (when), "a player" (who), "some" (how_many): {text}\n' in told  # `then` is an order


def test_words_of_statements_are_told_without_a_rulebook(sticks: Path, capsys: Printed) -> None:
    more = '\n[statement.S-2]\ntext = "Some sticks are hidden."\n\n[statement.S-3]\ntext = "Some fun!"\n'
    with (sticks / "statements.toml").open("a", encoding="utf-8") as toml:
        toml.write(f'{more}status = "not a rule"\nreason = "flavour"\n')
    told = reviewed(sticks, capsys, "--words")
    assert '[S-2]: "are hidden" (who), "Some" (how_many): Some sticks are hidden.\n' in told
    assert "fun" not in told


def test_the_sentence_of_the_rulebook_settles_what_the_statement_leaves_open(sticks: Path, capsys: Printed) -> None:
    book = file(sticks.parent, "book.txt", changed(BOOK, {"takes": "must take"}))
    assert asked(data(sticks, capsys)) == [ID]
    assert asked(data(sticks, capsys, "--rulebook", book)) == []


def test_words_of_a_user_settle_a_question_or_say_that_it_is_open(sticks: Path, capsys: Printed) -> None:
    settling = file(sticks.parent, "own.toml", 'language = "English"\n[dimension.must]\nsettles = ["in turn takes"]\n')
    assert asked(data(sticks, capsys, "--lexicon", settling)) == []
    leaving = file(sticks.parent, "own.toml", 'language = "English"\n[dimension.must]\nopen = ["takes"]\n')
    assert 'note: the sentence leaves it open: "takes"\n' in reviewed(sticks, capsys, "--lexicon", leaving)


def test_an_answer_may_quote_the_rulebook(sticks: Path, capsys: Printed) -> None:
    with (sticks / "game.rules").open("a", encoding="utf-8") as rules:
        rules.write(CLAIMED)
    assert run(["check", str(sticks)]) == Exit.GOOD
    assert "warning[SQ03]" in capsys.readouterr().err
    told = reviewed(sticks, capsys)
    assert ID in told
    assert f'"is free to" settles {ID} here, and does not stand in what is cited, and no rulebook is given\n' in told
    book = file(sticks.parent, "book.txt", "The player in turn is free\n to take one or two sticks.\n")
    assert asked(data(sticks, capsys, "--rulebook", book)) == []


def test_what_was_asked_before_is_not_told_again(sticks: Path, capsys: Printed) -> None:
    baseline = file(sticks.parent, "first.json", reviewed(sticks, capsys, "--format", "json"))
    found = data(sticks, capsys, "--baseline", baseline)
    assert asked(found) == []
    assert found["known"] == [ID]
    later = file(sticks.parent, "later.json", json.dumps(found))
    assert reviewed(sticks, capsys, "--baseline", later).endswith("no findings, 1 question known before\n")
    empty = file(sticks.parent, "empty.json", json.dumps({"schema": "referee/review/1", "findings": []}))
    assert asked(data(sticks, capsys, "--baseline", empty)) == [ID]


BASELINES = {
    "no JSON": "{", "nested": "[" * 100_000, "a list": "[]", "a log": '{"schema": "referee/log/1"}',
    "no findings": '{"schema": "referee/review/1"}',
    "a number": '{"schema": "referee/review/1", "findings": [3]}',
    "no name": '{"schema": "referee/review/1", "findings": [{"id": 3}]}',
    "known by number": '{"schema": "referee/review/1", "findings": [], "known": 3}',
}


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_that_is_none(name: str, sticks: Path, capsys: Printed) -> None:
    path = file(sticks.parent, "first.json", BASELINES[name])
    assert run(["review", str(sticks), "--questions", "--baseline", path]) == Exit.RULES
    assert "error[RV04]" in capsys.readouterr().err


@pytest.mark.parametrize("words", [
    ["--rulebook", "x"], ["--lexicon", "x"], ["--words"], ["--baseline", "x"], ["--format", "markdown"],
    ["--questions", "--language", "en"], ["--questions", "--language", "Elvish", "--rulebook", "x"],
])
def test_options_that_go_with_others(words: list[str], sticks: Path, capsys: Printed) -> None:
    assert run(["review", str(sticks), *words]) == Exit.USAGE
    assert "Error: " in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--rulebook", "--lexicon", "--baseline"])
def test_files_that_are_not_there(option: str, sticks: Path, capsys: Printed) -> None:
    assert run(["review", str(sticks), "--questions", option, str(sticks / "gone")]) == Exit.RULES
    assert "error[RV0" in capsys.readouterr().err


LONGER = """
game "Sticks *and* stones" for 2 players first and second

option stones: few or many

parameter goal: 3..7 unknown "the number is lost"

counters
  taken: 0..9 starts 0

play
  turns from first, to the left
    turn player must take

action take(number: 1..2)
  needs "so many are left": taken + number <= 7
  raise taken by number
  if 2 * taken >= 2 * goal: me wins                                              [S-2]
"""


def longer(sticks: Path, rules: str = LONGER) -> Path:
    (sticks / "game.rules").write_text(rules.lstrip(), encoding="utf-8")
    second = '\n[statement.S-2]\ntext = "Who comes to the *goal* has <b>won</b>."\n'
    (sticks / "statements.toml").write_text((ROW / "open.toml").read_text("utf-8") + second, encoding="utf-8")
    return sticks


def test_the_letter_has_a_section_for_each_question(sticks: Path, capsys: Printed) -> None:
    letter = reviewed(longer(sticks), capsys, "--format", "markdown", "--seed", "4", "--all")
    assert letter == (HERE / "letter.md").read_text("utf-8")


@pytest.mark.parametrize(("row", "quoted"), [
    ("siblings_there_too", ["> Of the sticks two are for the start. \\[S-1\\]"]),
    ("order_the_other_first", ["> He fills the pot and takes what is in it. \\[S-1\\]", ">",
                               "> In our rules: `set pot to number`, then `raise purse of me by pot`"]),
    ("which_set_also_what_lies_beside", ["> With fewer than two boats a boat is launched. \\[S-1\\]"]),
])
def test_the_letter_quotes_the_lines_that_are_asked_about_and_none_where_the_question_names_what_it_is_about(
    row: str, quoted: list[str], sticks: Path, capsys: Printed
) -> None:
    for name in ("game.rules", "open.toml"):
        text = (HERE / "questions" / row / name).read_text("utf-8")
        (sticks / name.replace("open", "statements")).write_text(text, encoding="utf-8")
    id_ = (HERE / "questions" / row / "question.txt").read_text("utf-8").strip()
    letter = reviewed(sticks, capsys, "--format", "markdown", "--all")
    (section,) = (one for one in letter.split("\n## ") if id_ in one)
    assert [line for line in section.splitlines() if line.startswith(">")] == quoted


def test_where_nothing_is_cited_a_name_is_to_be_written_behind_the_line(sticks: Path, capsys: Printed) -> None:
    told = reviewed(sticks, capsys)
    assert "as the sentence could also mean" in told
    assert "put play_must into the brackets behind the line" in told
    rules = (sticks / "game.rules").read_text("utf-8")
    (sticks / "game.rules").write_text(changed(rules, {"[S-1]": ""}), encoding="utf-8")
    told = reviewed(sticks, capsys)
    assert 'as it could also be meant: "first: pass" is legal' in told
    assert "write [play_must] behind the line" in told


def test_the_letter_asks_what_the_wording_alone_leaves_open(sticks: Path, capsys: Printed) -> None:
    text = "A player may have at most seven sticks in his hand, but he takes them. "
    (sticks / "statements.toml").write_text(f'[statement.S-1]\ntext = "{text}"\nline = 1\n', encoding="utf-8")
    asked_in_text = reviewed(sticks, capsys, "--words", "--all")
    letter = reviewed(sticks, capsys, "--words", "--all", "--format", "markdown")
    assert "words.limit_full" in letter
    assert "> The words: `at most seven sticks`" in letter
    assert letter.count("\n## ") == asked_in_text.count("[question]: ") > 1


def test_a_question_shows_the_position_before_the_games_part(sticks: Path, capsys: Printed) -> None:
    findings = data(longer(sticks), capsys, "--seed", "4")["findings"]
    assert isinstance(findings, list)
    (game,) = [one["game"] for one in findings if one["weight"] and len(one["game"]["log"]) > 1]
    Draft202012Validator(SCHEMAS["scene"]).validate(game["scene"])
    assert [line["by"] for line in game["log"] if "do" in line] == ["first", "second"]
    assert game["drawn"] == 1
    assert game["scene"]["turn"] == "second"
    told = reviewed(sticks, capsys, "--seed", "4")
    assert "= position: before event 2 (all cards open)\n   |   turn: second\n" in told


def test_settings_that_are_not_the_defaults_stand_with_the_game(sticks: Path, capsys: Printed) -> None:
    assert "\n   = with: goal = " in reviewed(longer(sticks), capsys, "--seed", "4")
    usual = changed(LONGER, {"unknown": "default 5", "3..7": "5..5"})
    assert "= with:" not in reviewed(longer(sticks, usual), capsys, "--seed", "4")


def test_what_wording_alone_leaves_open_is_asked_only_if_wanted(sticks: Path, capsys: Printed) -> None:
    """No game tells whether it matters, and of a rulebook that nobody here has read one in five is worth asking."""
    book = file(sticks.parent, "book.txt", BOOK + "Whoever has no stick draws three cards from the deck.\n")
    asked_then, wanted = (
        [one["id"] for one in data(sticks, capsys, "--rulebook", book, *words)["findings"]]  # type: ignore[attr-defined]
        for words in ((), ("--words",)))
    assert [one for one in asked_then if "/words." in one] == []
    assert "question/line-3/words.draw_too_few" in wanted


LEVEL = """
game "Dice" for 2 players first and second

counters
  points of player: 0..2 starts 0
  goals of player: 0..2 starts 0

play
  for each p in players, as listed: p must call
  the p in players with the most points, ties: {}                                 [S-1]

action call(number: 0..2, other: 0..2)
  set points of me to number
  set goals of me to other
"""


@pytest.mark.parametrize(("ties", "asked_of"), [
    ("with the most goals wins", True), ("with the most goals, then unspecified wins", False),
])  # fmt: skip
def test_wording_is_asked_about_unless_the_rules_say_themselves_that_it_is_open(
    ties: str, asked_of: bool, sticks: Path, capsys: Printed
) -> None:
    (sticks / "game.rules").write_text(LEVEL.lstrip().format(ties), encoding="utf-8")
    said = '[statement.S-1]\ntext = "If there is a tie, the player with the most goals wins."\n'
    (sticks / "statements.toml").write_text(said, encoding="utf-8")
    told = reviewed(sticks, capsys, "--words", "--all")
    assert ("question/S-1/words.tie_break_level" in told) is asked_of
