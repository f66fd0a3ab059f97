"""`referee show`, `check` and `fmt`, on the rulesets that come along and on files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.frontend import names
from tests.changed_text import changed
from tests.sample_sizes import in_turn

GAMES = sorted(names())
GOOD = """game "Race" for 2..3 players

given starter: player "the youngest"

counters
  steps of player: 0..5 starts 0

play
  turns from starter, to the left
    turn player must step

action step
  raise steps of me by 1

end as soon as some player p where steps of p = 5: p wins
"""


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wrong_with_a_ruleset_that_comes_along(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", game]) == Exit.GOOD
    assert capsys.readouterr().out.startswith(f"{game}: nothing is wrong (")


@pytest.mark.parametrize("game", in_turn(GAMES, "show", 5))
@pytest.mark.parametrize("what", ["--core", "--flow", "--points"])
def test_every_ruleset_can_be_shown(game: str, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", game, what]) == Exit.GOOD
    lines = capsys.readouterr().out.splitlines()
    assert any(".rules:" in line for line in lines)


def test_the_core_of_a_ruleset_reads_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", "tic_tac_toe"])
    shown = capsys.readouterr().out
    first_words = [line.split()[0] for line in shown.splitlines() if not line.startswith(" ")]
    order = ["core", "domain", "zone", "component", "action", "main", "always", "score"]
    assert [word for word in order if word in first_words] == order
    assert "action mark, logged as mark" in shown
    assert 'needs "the cell is free": ' in shown


def test_points_are_listed_by_their_published_names(capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", "kuhn_poker", "--points"])
    kinds = {line.split()[0]: line.split()[1] for line in capsys.readouterr().out.splitlines()}
    assert kinds["setup.deal"] == "chance"
    assert kinds["play.bet_or_pass"] == "decision"


def test_points_say_who_is_asked_for_what_and_how_a_game_starts_there(capsys: pytest.CaptureFixture[str]) -> None:
    run(["show", "adrenalyn_xl", "--points"])
    shown = capsys.readouterr().out
    assert "    asked: one_turn.p\n" in shown
    assert "    start: at halftime.draw, set: play.round, halftime.p, halftime.p from, halftime.p to come\n" in shown
    assert "    start: at toss_the_coin.choose_starter in toss_the_coin.2\n" in shown
    assert "place(card), play_action(card), attack(attacker, target)" in shown
    assert shown.count("draw_card.unspecified") == 1
    run(["show", "adrenaline", "--points"])
    window = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("deal_damage.window "))
    assert window.split()[1] == "window"


@pytest.mark.parametrize("command", ["check", "show"])
def test_an_unknown_ruleset_ends_with_3_and_a_suggestion(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "goofspeil"]) == Exit.RULES
    assert "did you mean goofspiel?" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "show"])
def test_errors_of_a_ruleset_are_drawn_with_their_place(command: str, tmp_path: Path,
                                                        capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text(changed(GOOD, {"steps of me": "stebs of me"}))
    assert run([command, str(rules)]) == Exit.RULES
    assert f"{rules}:13:" in capsys.readouterr().err


def test_scenarios_are_checked_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text(GOOD + '\nscenario "a stumble"\n  ana stumble\n  expect steps of ana = 0\n')
    assert run(["check", str(rules)]) == Exit.RULES
    assert f"{rules}:18:" in capsys.readouterr().err


def test_a_ruleset_is_checked_for_every_number_of_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "race.rules").write_text(GOOD)
    assert run(["check", str(tmp_path)]) == Exit.GOOD
    assert "2 to 3 players, 2 shapes" in capsys.readouterr().out
    assert run(["show", str(tmp_path), "--players", "4"]) == Exit.RULES
    assert "is for 2 to 3 players, not 4" in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_the_rulesets_that_come_along_are_formatted(game: str, project: Path) -> None:
    files = [path for path in (project / "rulesets").rglob("*.rules") if game in (path.stem, path.parent.name)]
    assert run(["fmt", "--check", *map(str, files)]) == Exit.GOOD


def test_formatting_changes_the_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "race.rules"
    untidy = changed(GOOD, {"step\n": "step   # goes on\n", "raise steps": "raise   steps"})
    rules.write_text(untidy)
    line = 1 + untidy.split("\n").index("    turn player must step   # goes on")
    assert run(["fmt", "--check", str(rules)]) == Exit.NEGATIVE
    assert run(["fmt", str(rules)]) == Exit.GOOD
    assert run(["fmt", "--check", str(rules)]) == Exit.GOOD
    assert "# goes on" in rules.read_text()
    assert capsys.readouterr().out == f"{rules}:{line}: is not formatted\n{rules}: formatted\n"


def test_levels_of_four_spaces_become_levels_of_two(tmp_path: Path) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text(re.sub(r"^ +", lambda blanks: 2 * blanks.group(), GOOD, flags=re.MULTILINE))
    assert run(["check", str(rules)]) == Exit.RULES
    assert run(["fmt", str(rules)]) == Exit.GOOD
    assert rules.read_text() == GOOD


def test_what_cannot_be_read_is_not_formatted_and_left_alone(tmp_path: Path) -> None:
    rules = tmp_path / "race.rules"
    rules.write_text("game 7 for\n")
    assert run(["fmt", str(rules), str(tmp_path / "none.rules")]) == Exit.RULES
    assert rules.read_text() == "game 7 for\n"
