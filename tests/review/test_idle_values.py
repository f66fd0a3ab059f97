"""Which values of a parameter games tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.changed_text import changed
from tests.review.flawed import FLAWS, reviewed

CODE = "idle-value"
FLAW = FLAWS / CODE / "flaw.rules"


def test_values_that_come_to_the_same_in_every_game_are_found_and_nothing_else() -> None:
    (found,) = reviewed(FLAW).found.flaws
    assert (found.id, found.outcome.value, found.cites) == ("idle-value/most.5", "found", ("S1",))
    assert found.message == "the values of most: 5 and 6 come to the same in every game"


def test_of_the_twin_it_is_told_what_tells_them_apart() -> None:
    done = reviewed(FLAWS / CODE / "twin.rules")
    assert done.found.flaws == ()
    (told,) = done.found.of(CODE)
    assert (told.outcome.value, told.place) == ("proved absent", "most")
    assert told.message == "games tell apart 4 and 5 after 2 events, 5 and 6 after 2 events"


@pytest.mark.parametrize(("old", "new", "known"), [
    ("taken >= most or ", "", [("found", "most")]),  # no rule depends on it
    ("0..9", "0..90", [("found", "most.5")]),
    ("4..6 default 5", "1..500 default 4", [("not found", "most")]),  # too many games for a proof
])  # fmt: skip
def test_what_is_known_where_fewer_rules_speak_of_it(
    tmp_path: Path, old: str, new: str, known: list[tuple[str, str]]
) -> None:
    rules = changed(FLAW.read_text(encoding="utf-8"), {old: new})
    if not new:
        rules = changed(rules, {"taken + shells <= most and ": ""})
    path = tmp_path / "shells.rules"
    path.write_text(rules, encoding="utf-8")
    assert reviewed(path, CODE).known(CODE) == known
