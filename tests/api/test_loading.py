"""Rules loaded by programs: cheap to import, errors with a place, and files that change behind the back."""

from __future__ import annotations

import gc
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import referee
from tests.changed_text import changed

RULES = Path(__file__).parent / "rules"
HEAD: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "sticks", "players": ["Ana", "Ben"]}


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    told = "import sys, referee; print(sorted(name for name in sys.modules if name.startswith('referee.')))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_text_is_as_good_as_a_file() -> None:
    rules = referee.loads((RULES / "sticks.rules").read_text(), "sticks")
    game = rules.new_game(["Ana", "Ben"], seed=4)
    game.play_out()
    assert game.value("taken") == 7
    assert referee.load(RULES / "sticks.rules").judge(game.log()).outcome == "legal"
    assert rules.judge(game.log()).outcome == "legal"


def test_a_text_loaded_twice_outlives_the_one_that_goes_first() -> None:
    text = (RULES / "sticks.rules").read_text() + "# once more\n"
    first, second = referee.loads(text), referee.loads(text)
    del first
    gc.collect()
    assert second.new_game(["Ana", "Ben"]).value("taken") == 0


class NoPath:
    """What says that it is a path, and has none."""

    def __fspath__(self) -> object:
        return 5


@pytest.mark.parametrize(("call", "kind", "code"), [
    (lambda: referee.load("no_such_rules"), referee.RulesError, "RS01"),
    (lambda: referee.load(RULES / "none.rules"), referee.RulesError, "RS01"),
    (lambda: referee.load(cast(Any, 3)), referee.ArgumentError, "AP01"),
    (lambda: referee.load(cast(Any, NoPath())), referee.ArgumentError, "AP01"),
    (lambda: referee.loads(cast(Any, b"")), referee.ArgumentError, "AP01"),
    (lambda: referee.loads("", "a b"), referee.ArgumentError, "AP01"),
    (lambda: referee.loads(""), referee.RulesError, "SY03"),
    (lambda: referee.loads("game"), referee.RulesError, "SY34"),
])
def test_what_are_no_rules_is_an_error_with_a_code(call: Any, kind: type[referee.RefereeError], code: str) -> None:
    with pytest.raises(kind) as error:
        call()
    assert error.value.code == code
    assert kind is referee.ArgumentError or error.value.span is not None


def test_an_unknown_attribute_is_none() -> None:
    with pytest.raises(AttributeError):
        referee.lode  # noqa: B018


def test_rules_that_change_on_disk_are_noticed_where_they_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    shutil.copy(RULES / "sticks.rules", path)
    rules = referee.load(path)
    assert rules.judge([HEAD]).outcome == "legal"
    path.write_text(changed(path.read_text(), {"sticks: 1..3": "sticks: 1..2"}))
    assert rules.new_game(["Ana", "Ben"]).is_legal("Ana", "take", sticks=3)
    for call in (lambda: list(rules.judge_many([[HEAD]])), lambda: rules.players):
        with pytest.raises(referee.RulesError) as error:
            call()
        assert error.value.code == "AP07"
        assert error.value.hint
    assert not referee.load(path).new_game(["Ana", "Ben"]).is_legal("Ana", "take", sticks=3)


def test_data_that_changes_on_disk_is_noticed_wherever_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    text = (RULES / "sticks.rules").read_text()
    path.write_text(f'{text}\nkind Coin from "coins.csv"\n\ncomponents\n  1 of each Coin in purse\n\n'
                    "zones\n  purse: bag of Coin, open\n")
    (tmp_path / "coins.csv").write_text("name\nred\n")
    (tmp_path / "unused.csv").write_text("name\nred\n")
    rules = referee.load(path)
    (tmp_path / "unused.csv").write_text("name\nblue\n")
    assert rules.players == (2,)
    (tmp_path / "coins.csv").write_text("name\nblue\n")
    with pytest.raises(referee.RulesError) as error:
        list(rules.judge_many([[HEAD]]))
    assert error.value.code == "AP07"


CLAIM: dict[str, Any] = {"assert": {"taken": 0}}
NEW_CLAIM: dict[str, Any] = {"assert": {"gone": 0}}
SET_UP: dict[str, Any] = {"state": {"at": "play.take", "turn": "Ana", "set": {"gone": 3}}}


def renamed(path: Path) -> None:
    """The same rules with another word for a counter."""
    path.write_text(changed(path.read_text(), {"taken": "gone"}))


def test_claims_are_read_in_the_words_of_the_rules_as_they_were_loaded(tmp_path: Path) -> None:
    path = tmp_path / "sticks.rules"
    shutil.copy(RULES / "sticks.rules", path)
    old = referee.load(path)
    assert old.judge([HEAD, CLAIM]).outcome == "legal"
    game = old.new_game(["Ana", "Ben"])
    renamed(path)
    new = referee.load(path)
    assert new.judge([HEAD, NEW_CLAIM]).outcome == "legal"
    assert new.judge([{**HEAD, **SET_UP}, {"assert": {"gone": 3}}]).outcome == "legal"
    assert new.new_game(["Ana", "Ben"]).value("gone") == 0
    with pytest.raises(referee.LogError) as error:
        new.judge([HEAD, CLAIM])
    assert error.value.code == "LG33"
    assert old.judge([HEAD, {"assert": {"taken + 1": 1}}]).outcome == "legal"
    assert game.value("taken + 2") == 2


@pytest.mark.parametrize("change", [renamed, lambda path: path.unlink(), lambda path: path.write_text("game")],
                         ids=["another word", "gone", "no rules"])
def test_expressions_of_rules_that_have_changed_on_disk_are_not_read(tmp_path: Path, change: Any) -> None:
    path = tmp_path / "sticks.rules"
    path.write_text((RULES / "sticks.rules").read_text() + f"# {change}\n")  # nobody has read such rules before
    rules = referee.load(path)
    game = rules.new_game(["Ana", "Ben"])
    assert rules.judge([HEAD]).outcome == "legal"
    change(path)
    calls: tuple[Callable[[], object], ...] = (
        lambda: game.value("taken"), lambda: rules.judge([HEAD, CLAIM]), lambda: rules.judge([HEAD, NEW_CLAIM]),
        lambda: rules.judge([{**HEAD, **SET_UP}]), lambda: rules.explain([HEAD, NEW_CLAIM], 2),
        lambda: list(rules.redact([HEAD, CLAIM], "Ana")),
    )
    for call in calls:
        with pytest.raises(referee.RulesError) as error:
            call()
        assert error.value.code == "AP07"
        assert error.value.hint


def test_a_game_outlives_rules_that_were_given_as_a_text() -> None:
    rules = referee.loads((RULES / "sticks.rules").read_text() + "# of a game\n")
    game = rules.new_game(["Ana", "Ben"]).copy()
    del rules
    gc.collect()
    assert game.value("taken") == 0


def test_an_error_can_be_sent_to_another_process() -> None:
    game = referee.load(RULES / "sticks.rules").new_game(["Ana", "Ben"])
    with pytest.raises(referee.IllegalEvent) as error:
        game.play("Ben", "take", sticks=1)
    again = pickle.loads(pickle.dumps(error.value))  # noqa: S301  # our own
    assert again.verdict == error.value.verdict
    with pytest.raises(referee.RulesError) as other:
        referee.loads("game")
    assert pickle.loads(pickle.dumps(other.value)).span == other.value.span  # noqa: S301  # our own
