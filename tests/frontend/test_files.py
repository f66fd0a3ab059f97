"""Rules are found by name, folder or file; a shape fits them; the statements beside them are in order."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_checks import checked
from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Diagnostic, Problems, Severity
from referee.frontend import load
from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from tests.changed_text import changed

RACE = """\
game "Race" for 2..4 players

option length: short or long, only for 3..4 players

kind Horse from "data/horses.csv"
  speed: 1..9

components
  1 of each Horse in stable

zones
  stable: bag of Horse, open

counters
  steps of player: 0..9

play
  turns from left of turn player
    turn player must step

action step  [R-1]
  raise steps of me by 1
  if steps of me = 9: me wins
"""
HORSES = "name,speed\nbay,3\nroan,4\n"


@pytest.fixture(name="race")
def race_of_horses(tmp_path: Path) -> Path:
    folder = tmp_path / "race"
    (folder / "data").mkdir(parents=True)
    (folder / "race.rules").write_text(RACE, encoding="utf-8")
    (folder / "data" / "horses.csv").write_text(HORSES, encoding="utf-8")
    return folder


def only(problems: pytest.ExceptionInfo[Problems]) -> Diagnostic:
    (diagnostic,) = problems.value.diagnostics
    return diagnostic


def told(where: str | Path, players: int | None = None, options: dict[str, str] | None = None) -> Diagnostic:
    with pytest.raises(Problems) as problems:
        load(where, players, options)
    return only(problems)


def with_pool(race: Path, pool: tuple[tuple[str, str], ...]) -> Core:
    return build(parsed(find(race)), Shape(2, (), pool)).core


def test_a_folder_and_a_file_are_the_same_ruleset(race: Path) -> None:
    assert load(race).name == load(race / "race.rules").name == "race"


@pytest.mark.parametrize("where", ["tic_tac_tow", "no/such/folder", "nothing.rules", "\0", "a" * 5_000])
def test_a_ruleset_that_there_is_not(where: str) -> None:
    assert told(where).code == "RS01"


def test_a_misspelt_ruleset_is_suggested() -> None:
    assert told("tic_tac_tow").hint == "did you mean tic_tac_toe?"


def test_a_folder_without_rules(tmp_path: Path) -> None:
    assert told(tmp_path).code == "RS02"


@pytest.mark.parametrize("players", [0, 1, 5, 10**9, -1])
def test_a_wrong_number_of_players(race: Path, players: int) -> None:
    found = told(race, players)
    assert found.code == "SH01"
    assert found.message == f"race is for 2 to 4 players, not {players}"


def test_an_option_that_there_is_not(race: Path) -> None:
    found = told(race, 3, {"lenght": "short"})
    assert (found.code, found.hint) == ("SH02", "did you mean length?")


def test_a_value_that_an_option_does_not_have(race: Path) -> None:
    found = told(race, 3, {"length": "medium"})
    assert (found.code, found.message) == ("SH03", "option length is one of short, long, not medium")


def test_an_option_for_other_numbers_of_players(race: Path) -> None:
    assert told(race, 2, {"length": "long"}).code == "SH04"
    assert load(race, 3, {"length": "long"}).options == (("length", "long"),)


@pytest.mark.parametrize(("kind", "rows", "said"), [
    ("Cow", '[{"name": "daisy"}]', "race takes no rows for Cow"),
    ("Horse", '[{"name": "bay", "sped": 3}]', "Horse has no column sped"),
])
def test_rows_that_the_rules_do_not_take(race: Path, kind: str, rows: str, said: str) -> None:
    with pytest.raises(Problems) as problems:
        with_pool(race, ((kind, rows),))
    assert (only(problems).code, only(problems).message) == ("SH05", said)


def test_rows_in_the_place_of_the_data_file(race: Path) -> None:
    core = with_pool(race, (("Horse", '[{"name": "grey", "speed": 9}]'),))
    assert [component.name for component in core.components] == ["grey"]


STATEMENT = '[statement.R-1]\ntext = "A step is a step."\n'

WRONG_STATEMENTS = {
    "no TOML": ("[statement", "ST01", 1),
    "not UTF-8": ("\udcff", "ST01", 1),
    "too large": ("#" * 2_000_001, "ST01", 1),
    "nested without an end": ("a = " + "[" * 100_000, "ST01", 1),
    "a number": ("statement = 3\n", "ST02", 1),
    "without wording": (STATEMENT + "[statement.R-2]\nline = 3\n", "ST03", 3),
    "no table": ("[statement]\nR-1 = 3\n", "ST03", 1),
    "an unknown status": (STATEMENT + 'status = "done"\n', "ST04", 1),
    "a list for a status": (STATEMENT + 'status = ["open"]\n', "ST04", 1),
    "a reason for a rule": (STATEMENT + 'reason = "aim"\n', "ST05", 1),
    "no reason": (STATEMENT + '\n[statement."R-2"]\ntext = "Have fun!"\nstatus = "not a rule"\n', "ST05", 4),
    "a reason that is none": (STATEMENT + 'status = "not a rule"\nreason = "boring"\n', "ST05", 1),
    "a list for a reason": (STATEMENT + 'status = "not a rule"\nreason = ["aim"]\n', "ST05", 1),
    "neither an example nor none": (STATEMENT + 'example = "yes"\n', "ST06", 1),
    "a question without words": (STATEMENT + 'settles = { Q1 = " " }\n', "ST07", 1),
    "a list of questions": (STATEMENT + 'settles = ["Q1"]\n', "ST07", 1),
    "a duplicate of nothing": (STATEMENT + 'status = "not a rule"\nreason = "duplicate of R-7"\n', "ST05", 1),
}


@pytest.mark.parametrize("name", WRONG_STATEMENTS)
def test_statements_that_are_not_in_order(race: Path, name: str) -> None:
    text, code, line = WRONG_STATEMENTS[name]
    (race / "statements.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    found = told(race)
    assert (found.code, found.span.line) == (code, line)
    assert found.span.path.endswith("statements.toml")


def test_words_that_answer_a_question(race: Path) -> None:
    (race / "statements.toml").write_text(STATEMENT, encoding="utf-8")
    words = tomllib.loads(STATEMENT)["statement"]["R-1"]["text"].split()[0]
    rules = race / "race.rules"
    plain = rules.read_text(encoding="utf-8")
    answer = f'\nsettled "question/play.go/must.may" by [R-1] "{words}"\n'
    rules.write_text(plain + answer, encoding="utf-8")
    (one,) = load(race).settled
    assert (one.question, one.statements, one.words) == ("question/play.go/must.may", ("R-1",), words)
    rules.write_text(plain + answer + answer, encoding="utf-8")
    assert told(race).code == "SQ02"
    rules.write_text(plain + answer.replace(f'"{words}"', '"hardly ever"'), encoding="utf-8")
    warned = checked(RulesSource(str(race))).warnings
    assert [(one.code, one.message) for one in warned] == [("SQ03", '"hardly ever" does not stand in R-1')]


@pytest.mark.parametrize("named", [".", "race.rules", "../rules", "../rules/race.rules"])
def test_statements_belong_to_the_only_rules_of_a_folder(
    named: str, race: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (race / "statements.toml").write_text(STATEMENT, encoding="utf-8")
    folder = race.rename(race.parent / "rules")
    monkeypatch.chdir(folder)
    assert list(load(Path(named)).statements) == ["R-1"]
    (folder / "other.rules").write_text('game "Other" for 2 players\n', encoding="utf-8")
    assert not load(Path("race.rules")).statements


def test_an_assumption_that_no_line_rests_on(race: Path) -> None:
    """AS04: a warning of `check`; rules load with it, as they do while a line is tried without what it cites."""
    assume = 'assume calm "nobody is in a hurry"  [R-1]\nassume once "each steps once"\n\n'
    told_of = 'scenario "a step"  [calm]\n  players ana, ben\n'
    text = changed(RACE, {"option": assume + "option", "step  [R-1]": "step  [R-1 once]"})
    (race / "race.rules").write_text(text + told_of, encoding="utf-8")
    found = checked(RulesSource(str(race))).found
    assert [(one.code, one.severity, one.span.line) for one in found] == [("AS04", Severity.WARNING, 3)]
    assert found[0].hint == "cite it as `[calm]` on the lines that would be others without it"


def test_an_assumption_and_a_statement_of_one_name(race: Path) -> None:
    (race / "statements.toml").write_text(STATEMENT + '[statement.calm]\ntext = "Be calm."\n', encoding="utf-8")
    text = changed(RACE, {"option": 'assume calm "nobody is in a hurry"  [R-1]\n\noption'})
    (race / "race.rules").write_text(text, encoding="utf-8")
    assert (told(race).code, told(race).span.line) == ("AS01", 3)


def test_a_name_that_is_neither_a_statement_nor_an_assumption(race: Path) -> None:
    (race / "statements.toml").write_text(STATEMENT, encoding="utf-8")
    text = changed(RACE, {"option": 'assume calm "nobody is in a hurry"  [R-1]\n\noption'})
    (race / "race.rules").write_text(changed(text, {"step  [R-1]": "step  [clam]"}), encoding="utf-8")
    found = told(race)
    assert (found.code, found.hint) == ("NM01", "did you mean `calm`?")
    assert found.message == "`clam` is not known here: expected a statement of the rulebook or an assumption"


def test_a_cited_statement_that_there_is_not(race: Path) -> None:
    (race / "statements.toml").write_text(changed(STATEMENT, {"R-1": "R-2"}), encoding="utf-8")
    found = told(race)
    assert (found.code, found.span.line, found.hint) == ("NM01", 21, None)
    (race / "statements.toml").write_text(STATEMENT, encoding="utf-8")
    assert list(load(race).statements) == ["R-1"]


def test_data_that_changes_is_read_anew(race: Path) -> None:
    assert len(load(race).components) == 2
    (race / "data" / "horses.csv").write_text(HORSES + "grey,5\n", encoding="utf-8")
    assert len(load(race).components) == 3


BAD_DATA = {
    "without a name column": ("speed\n3\n", "DT02"),
    "an empty file": ("", "DT01"),
    "a row too short": ("name,speed\nbay\n", "DT03"),
    "a row too long": ("name,speed\nbay,3,4,5\n", "DT01"),
    "a number that is none": ("name,speed\nbay,--3\n", "DT03"),
    "a digit of another script": ("name,speed\nbay,\u00b2\n", "DT03"),
    "a number out of bounds": ("name,speed\nbay,10\n", "DT03"),
    "a huge number": ("name,speed\nbay," + "9" * 5_000 + "\n", "DT03"),
    "not UTF-8": ("name,speed\nb\udcff,3\n", "DT01"),
    "a name that draws on the terminal": ("name,speed\n\x1b[2J,3\n", "DT02"),
    "a name of 100 letters": ("name,speed\n" + "b" * 100 + ",3\n", "DT02"),
    "a field without an end": ('name,speed\n"' + "b" * 200_000, "DT01"),
    "too many rows": ("name,speed\n" + "".join(f"h{i},3\n" for i in range(5_001)), "DT01"),
}


@pytest.mark.parametrize("name", BAD_DATA)
def test_data_that_is_not_in_order(race: Path, name: str) -> None:
    text, code = BAD_DATA[name]
    (race / "data" / "horses.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert told(race).code == code


@pytest.mark.parametrize(("suffix", "text"), [
    (".json", "[" * 100_000), (".json", "3"), (".json", "[1, 2]"), (".json", '[{"name": ["bay"], "speed": 3}]'),
    (".json", '{"a": [], "b": []}'), (".json", '[{"name": "bay", "speed": {"x": NaN}}]'),
    (".toml", "horse = 3"), (".toml", '[[horse]]\nname = "bay"\nspeed = [3]'), (".toml", "horse = [" * 5_000),
    (".xlsx", "name,speed"),
])
def test_data_of_other_kinds(race: Path, suffix: str, text: str) -> None:
    (race / "race.rules").write_text(changed(RACE, {".csv": suffix}), encoding="utf-8")
    (race / "data" / f"horses{suffix}").write_text(text, encoding="utf-8")
    assert told(race).code in {"DT01", "DT02", "DT03"}


@pytest.mark.parametrize(("file", "name"), [
    ("seven sticks", "seven_sticks"), ("-x", "_x"), ("r\udcff", "r_"), ("a" * 80, "a" * 64),
])
def test_the_name_of_rules_is_one_that_logs_may_have(file: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{file}.rules"
    path.write_text('game "Short" for 2 players\n\nplay\n  nobody wins\n', encoding="utf-8")
    assert load(path).name == name


def test_no_name_is_not_the_folder_one_is_in(monkeypatch: pytest.MonkeyPatch, race: Path) -> None:
    monkeypatch.chdir(race)
    assert told("").code == "RS01"


def test_what_no_rule_speaks_of_is_warned_of(race: Path) -> None:
    """ID01: by its name, wherever that stands; what scenarios test and pages draw is no rule."""
    kept = 'kind Card is 1..6\n\ncomponents\n  1 of each Card in box\n\nzones\n  box: bag of Card, open\n'
    idle = '  row: line of Card, open\n\ncounters\n  spare: 0..3\n\ntable\n  order: row\n\n'
    asked = 'reading slow "is it?"\n  default no_one "no"\n  alternative all_of_them "yes"\n\n'
    (race / "race.rules").write_text(changed(RACE, {"option": kept + idle + asked + "option"}), encoding="utf-8")
    done = checked(RulesSource(str(race)))
    assert not done.found
    assert [(one.code, one.message) for one in done.warnings] == [
        ("ID01", f"no rule speaks of the {name}") for name in ("zone row", "counter spare", "reading slow")]
    assert {one.severity for one in done.warnings} == {Severity.WARNING}
    spoken = changed(RACE, {"option": kept + "option"})
    (race / "race.rules").write_text(spoken, encoding="utf-8")
    assert not checked(RulesSource(str(race))).warnings
