"""Which known name somebody probably meant, also among very many."""

from __future__ import annotations

import pytest

from referee.diagnostics.suggestions import AROUND, MOST_NAMES, nearest


@pytest.mark.parametrize(("word", "known", "meant"), [
    ("takn", ["taken", "given"], "taken"),
    ("Taken", ["taken", "given"], "taken"),
    ("kaent", ["taken", "given"], "taken"),
    ("score", ["hand", "deck"], None),
    ("", ["hand"], None),
])  # fmt: skip
def test_a_name_that_is_close_is_meant(word: str, known: list[str], meant: str | None) -> None:
    assert nearest(word, known) == meant


def test_of_very_many_names_those_are_compared_that_begin_alike() -> None:
    many = [f"counter_{number:05}" for number in range(MOST_NAMES + AROUND)]
    assert nearest("counter_00700x", many) == "counter_00700"
    assert nearest("zzz", many) is None
    assert nearest("Counter_00700", many) == "counter_00700"
