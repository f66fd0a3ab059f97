"""What no game comes to, and is asked all the same: of some kinds of answers, and only where no game came there."""

from __future__ import annotations

from pathlib import Path

from referee.review.finding import FindingOutcome
from tests.review.test_questions import ROWS, asked, ruleset


def changed(name: str, folder: Path, old: str, new: str) -> Path:
    """The open rules of a row with other words in a line."""
    path = ruleset(next(row for row in ROWS if row.name == name), "open", folder)
    rules = (path / "game.rules").read_text(encoding="utf-8")
    assert old in rules
    (path / "game.rules").write_text(rules.replace(old, new), encoding="utf-8")
    return path


def test_the_turn_in_which_an_end_comes_that_no_game_comes_to_is_asked(tmp_path: Path) -> None:
    far = changed("when_broken_off", tmp_path, "sacks >= 5", "sacks >= 99").parent / "open"
    rules = (far / "game.rules").read_text(encoding="utf-8").replace("sacks: 0..20", "sacks: 0..999")
    (far / "game.rules").write_text(rules, encoding="utf-8")
    (found,) = (one for one in asked(far).flaws if one.id.endswith("/when.broken_off"))
    assert found.outcome is FindingOutcome.CANDIDATE
    assert found.weight is not None
    assert found.weight.told == 0
    assert len(found.candidates) == 2


def test_how_often_is_asked_with_the_first_where_another_sentence_says_once_per_turn(tmp_path: Path) -> None:
    row = next(row for row in ROWS if row.name == "again_as_often_as_able")
    plain, beside = ruleset(row, "open", tmp_path / "plain"), ruleset(row, "open", tmp_path / "beside")
    for path in (plain, beside):
        text = (path / "statements.toml").read_text(encoding="utf-8").replace("a further one", "some")
        (path / "statements.toml").write_text(text, encoding="utf-8")
    with (beside / "statements.toml").open("a", encoding="utf-8") as file:
        file.write('\n[statement.S-2]\ntext = "Once per turn a player may sing."\nline = 2\nstatus = "encoded"\n')
    seldom = [[one.seldom for one in asked(path).flaws if one.id.endswith("/again.as_often_as_able")]
              for path in (plain, beside)]  # fmt: skip
    assert seldom == [[True], [False]]
