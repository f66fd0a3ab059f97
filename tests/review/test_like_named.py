"""Names of rules that are like those which other answers give: each means what it means where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.ruleset import Core
from referee.core.types import Value
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.other_answers import OtherAnswer, gone_by
from referee.frontend.names.shapes import Shape
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.other_rules.every_other_rule import build_with_others
from tests.changed_text import changed

ROWS = Path(__file__).parent / "questions"


def others_of(folder: Path, row: str, *changes: tuple[str, str]) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The core of a row with all other answers, once some of its rules are written in another way."""
    rules = (ROWS / row / "game.rules").read_text("utf-8")
    for what, instead in changes:
        assert what in rules
        rules = changed(rules, {what: instead})
    folder.mkdir()
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    (folder / "statements.toml").write_text((ROWS / row / "open.toml").read_text("utf-8"), encoding="utf-8")
    return build_with_others(parsed(find(folder)), Shape())


def played(core: Core, others: tuple[OtherAnswer, ...], name: str) -> list[list[Value]]:
    """What is chosen in some games by lot in which one of the other answers is gone by."""
    (other,) = (one for one in others if one.name == name)
    walker = Walker(lower(gone_by(core, other)))
    games = [play_out(walker, Setting(("first", "second")), seed).events for seed in range(10)]
    return [[value for event in events for _, value in event.args] for events in games]


@pytest.mark.parametrize(("name", "asked"), [("items", False), ("item", False), ("its", False), (None, True)])
def test_a_name_that_stands_above_two_effects_is_not_one_of_theirs(
    tmp_path: Path, name: str | None, asked: bool
) -> None:
    corn = "raise corn of me by number "
    above = f"let {name} = number + 1\n  raise corn of me by {name} " if name else (
        "raise corn of me by (number of p in players where corn of p > number)")
    core, others = others_of(tmp_path / "rules", "joined_one_by_choice", (corn, above))
    assert ("one_by_choice" in {one.name for one in others}) == asked
    lower(core)


@pytest.mark.parametrize("name", ["position", "it_was"])
def test_where_the_gap_is_has_nothing_to_do_with_what_an_argument_is_called(tmp_path: Path, name: str) -> None:
    row = "rows_into_the_gap"
    card = "take(card: Card in row)\n  move card", f"take({name}: Card in row)\n  move {name}"
    plain, other = others_of(tmp_path / "plain", row), others_of(tmp_path / "other", row, card)
    assert played(*plain, "into_the_gap") == played(*other, "into_the_gap")
