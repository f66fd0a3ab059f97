"""The text of a rulebook: its sentences, which of them statements cover, and what cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.rulebook_statements import Statement
from referee.review.questions.rulebook_text import MOST_BYTES, RulebookText, coverage, read_rulebook

BOOK = """\
THE HARBOUR

Each captain draws a tile from the sack. Then he
lays it into his boat. Who has no boat passes!

- Three tiles of salt sink a boat.
- A lighthouse saves one of them.

When the sack is empty the regatta is over: the fullest boat wins it.
"""


def book(folder: Path, text: str | bytes) -> RulebookText:
    path = folder / "book.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_rulebook(path)


def statements(**said: tuple[str, int | None]) -> Mapping[str, Statement]:
    return {name: Statement(name, text, line=line) for name, (text, line) in said.items()}


def test_sentences_end_where_they_end_and_know_their_lines(tmp_path: Path) -> None:
    found = [(one.text, one.first, one.last) for one in book(tmp_path, BOOK).sentences]
    assert found == [
        ("Each captain draws a tile from the sack.", 3, 3), ("Then he lays it into his boat.", 3, 4),
        ("Who has no boat passes!", 4, 4), ("- Three tiles of salt sink a boat.", 6, 6),
        ("- A lighthouse saves one of them.", 7, 7), ("When the sack is empty the regatta is over:", 9, 9),
        ("the fullest boat wins it.", 9, 9),
    ]  # fmt: skip


@pytest.mark.parametrize("text", [BOOK.replace("\n", "\r\n"), "\ufeff" + BOOK, BOOK.replace("\n", "\r")])
def test_ends_of_lines_and_marks_change_nothing(text: str, tmp_path: Path) -> None:
    assert book(tmp_path, text).sentences == book(tmp_path, BOOK).sentences


def uncovered(folder: Path, known: Mapping[str, Statement]) -> list[str]:
    text = book(folder, BOOK)
    return [one.text for one in coverage(text, known).uncovered(text)]


def test_a_statement_covers_of_its_line_the_sentence_that_has_most_of_its_words(tmp_path: Path) -> None:
    known = statements(H1=("A captain draws one tile of the sack.", 3), H2=("He lays the tile into his boat.", 4))
    found = coverage(book(tmp_path, BOOK), known)
    assert found.surely == {"H1": ("Each captain draws a tile from the sack.",),
                            "H2": ("Then he lays it into his boat.",)}  # fmt: skip
    assert "Who has no boat passes!" in uncovered(tmp_path, known)


def test_a_statement_in_other_words_covers_all_of_its_line_and_is_sure_of_none(tmp_path: Path) -> None:
    known = statements(H1=("Ogni capitano pesca.", 3))
    assert coverage(book(tmp_path, BOOK), known).surely == {}
    assert uncovered(tmp_path, known)[0] == "Who has no boat passes!"


def test_a_translated_statement_covers_all_of_its_line_though_a_name_stands_in_both(tmp_path: Path) -> None:
    known = statements(H1=("Il capitano pesca da un sack.", 3), H2=("Il faro salva.", 7))
    text = book(tmp_path, BOOK)
    assert coverage(text, known).of == {0: ("H1",), 4: ("H2",)}
    assert coverage(text, known, translated=True).of == {0: ("H1",), 1: ("H1",), 4: ("H2",)}
    assert list(coverage(text, known, translated=True).surely) == ["H2"]


def test_a_statement_without_a_line_covers_the_sentence_that_it_says(tmp_path: Path) -> None:
    known = statements(H1=("A boat sinks with three tiles of salt.", None), H2=("Boats sink.", None))
    assert coverage(book(tmp_path, BOOK), known).of == {3: ("H1",)}


def test_a_line_that_there_is_not_covers_nothing(tmp_path: Path) -> None:
    assert len(uncovered(tmp_path, statements(H1=("Boats.", 99), H2=("Boats.", 0), H3=("Boats.", -1)))) == 7


HOSTILE = {
    "100 MB": b"",
    "too large": b"a" * (MOST_BYTES + 1),
    "not UTF-8": b"caf\xe9 is a word of four letters.",
    "binary": b"%PDF-1.4\x00\x01\x02",
    "an escape": b"the \x1b[2J is no word here.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_text_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(HOSTILE[name])
    if name == "100 MB":
        with path.open("r+b") as file:
            file.truncate(100_000_000)
    with pytest.raises(Problems, match="RV01"):
        read_rulebook(path)


def test_the_line_of_what_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("Lay a tile.\n\nDraw\x1b a tile.\n", encoding="utf-8")
    with pytest.raises(Problems, match="the first in line 3"):
        read_rulebook(path)


@pytest.mark.parametrize("name", ["gone.txt", ".", "a\0b"])
def test_what_is_no_file_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Problems, match="RV01"):
        read_rulebook(tmp_path / name)


@pytest.mark.parametrize("text", ["", "\n" * 5_000, "." * 50_000, ". " * 25_000, "\n- " * 20_000])
def test_what_holds_no_sentence_has_none(text: str, tmp_path: Path) -> None:
    assert book(tmp_path, text).sentences == ()


def test_a_line_without_an_end_is_cut(tmp_path: Path) -> None:
    found = book(tmp_path, "salt and tar " * 1_000).sentences
    assert len(found) == 7
    assert all(len(one.text) <= 2_000 and one.first == one.last == 1 for one in found)
