"""Places as editors count them: in units of UTF-16 unless they ask for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from referee.diagnostics.source import Span
from referee.editors.text_positions import TextPlaces, applied

TEXTS = st.text(st.sampled_from("ab \n\r\u00e9\u4e2d\U0001f3b2\U00010348\ud800"), max_size=20)
POSITIONS = st.builds(types.Position, st.integers(0, 12), st.integers(0, 30))


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 3)])
def test_a_sign_beyond_the_first_plane_counts_by_the_units_that_were_asked_for(encoding: str, character: int) -> None:
    places = TextPlaces("\U0001f3b2\U0001f3b2x = 1\n", encoding)
    assert places.range(Span("", 1, 3, 1, 4)) == types.Range(
        types.Position(0, character - 1), types.Position(0, character))
    assert places.place(types.Position(0, character)) == (1, 4)


@given(TEXTS, st.integers(0, 20), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_a_place_that_is_told_is_understood(text: str, offset: int, encoding: str) -> None:
    places = TextPlaces(text, encoding)
    offset = min(offset, len(text))
    if text[offset - 1 : offset + 1] == "\r\n":  # nothing is between the two
        return
    assert places.offset(places.position(offset)) == offset


@given(TEXTS, POSITIONS, POSITIONS, TEXTS)
def test_any_place_is_somewhere_in_the_text(text: str, start: types.Position, end: types.Position, new: str) -> None:
    places = TextPlaces(text)
    assert 0 <= places.offset(start) <= len(text)
    line, column = places.place(start)
    assert places.at(line, column) == places.offset(start)
    assert new in applied(places, types.Range(start, end), new)
