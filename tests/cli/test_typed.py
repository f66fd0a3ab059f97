"""Moves as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.typed_moves import TypingFault, typed_move

SIGNATURES = {"mark": ["cell"], "move": ["from", "to"], "pass": [], "commit": ["cards"]}


@pytest.mark.parametrize(
    ("text", "label", "arguments"),
    [
        ("mark a1", "mark", {"cell": "a1"}),
        ("  mark   cell=a1 ", "mark", {"cell": "a1"}),
        ("move a2 b3", "move", {"from": "a2", "to": "b3"}),
        ("move to=b3 a2", "move", {"to": "b3", "from": "a2"}),
        ("mark 4", "mark", {"cell": 4}),
        ("pass", "pass", {}),
        ("mark", "mark", {}),
        ('commit ["NO", "GOAL"]', "commit", {"cards": ["NO", "GOAL"]}),
        ('commit {"NO": 2}', "commit", {"cards": {"NO": 2}}),
        ('mark "two words"', "mark", {"cell": "two words"}),
        ("move from a2 to b3", "move", {"from": "a2", "to": "b3"}),
        ("move to from", "move", {"from": "to", "to": "from"}),
        ("commit cards NO x2, GOAL", "commit", {"cards": ["NO", "NO", "GOAL"]}),
        ('commit cards ["NO", "GOAL"]', "commit", {"cards": ["NO", "GOAL"]}),
        ("commit [broken", "commit", {"cards": "[broken"}),
    ],
)
def test_a_typed_move_becomes_the_entries_of_a_log_line(text: str, label: str, arguments: dict[str, object]) -> None:
    assert typed_move(text, SIGNATURES) == {"do": label, "with": arguments}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "type a number or a move"),
        ("marc a1", "marc is no move here: did you mean mark?"),
        ("mark a1 b1", "mark takes 1 value"),
        ("move a1 b1 c1", "move takes 2 values"),
        ("mark spot=a1", "mark has no argument spot; it has cell"),
        ("pass it=on", "pass has no argument it; it has none"),
    ],
)
def test_what_is_no_move_is_answered_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(TypingFault, match="^" + message.replace("?", r"\?") + "$"):
        typed_move(text, SIGNATURES)


@given(st.text(max_size=300))
def test_whatever_is_typed_is_a_move_or_a_reason(text: str) -> None:
    try:
        move = typed_move(text, SIGNATURES)
    except TypingFault:
        return
    assert move["do"] in SIGNATURES
