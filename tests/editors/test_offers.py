"""What an editor is offered at a place, by plain functions: the protocol has a test of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from referee.diagnostics.source import Span
from referee.editors.background_tasks import (
    ReviewAnswer,
    ReviewedFinding,
    ScenarioAnswer,
    ScenarioFailed,
    ScenarioTask,
)
from referee.editors.features.coloring import LEGEND, colors
from referee.editors.features.completion import completion
from referee.editors.features.hovers import hover
from referee.editors.features.lenses import lenses
from referee.editors.features.outline import folds, laid_out, outline
from referee.editors.features.places_of_names import definition, references
from referee.editors.features.quick_fixes import quick_fixes
from referee.editors.features.renaming import CannotRename, renaming
from referee.editors.open_documents import OpenDocument
from referee.editors.same_meaning import differs
from tests.changed_text import changed
from tests.editors.desk import Desk
from tests.editors.written_rules import CARDS, STATEMENTS


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("cards")
    (folder / "statements.toml").write_text(STATEMENTS, "utf-8")
    (folder / "cards.rules").write_text(CARDS, "utf-8")
    made = Desk(folder / "cards.rules")
    made.open(CARDS)
    return made


@pytest.fixture
def cards(desk: Desk) -> OpenDocument:
    """The rules, open and right."""
    document = desk.change(CARDS)
    desk.check()
    assert desk.session.found[desk.path] == []
    return document


def at(document: OpenDocument, text: str, into: int = 0) -> types.Position:
    """The place of a text in a document."""
    return document.places.position(document.text.index(text) + into)


def told(found: types.Hover | None) -> str:
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


# ---------------------------------------------------------------------- hover
@pytest.mark.parametrize(("place", "wanted"), [
    ("hand of p\n", ["zone **hand**", "hand of player: bag of Card, seen by owner", "here: a place in hand"]),
    ("points of me by", ["counter **points**", "**[R-2]** Who plays a card has its worth."]),
    ("worth of c", ["definition **worth**", "here: a number 1..3"]),
    ("card: Card in hand", ["argument **card**"]),
    ("R-1]", ["**[R-1]** Each player has one card."]),
    ("me by worth", ["here: a player"]),
])
def test_hover_says_what_a_word_means_its_type_and_the_words_of_the_rulebook(
        desk: Desk, cards: OpenDocument, place: str, wanted: list[str]) -> None:
    found = told(hover(desk.session, cards, at(cards, place)))
    assert [one for one in wanted if one not in found] == [], found


def test_hover_explains_a_code(desk: Desk, cards: OpenDocument) -> None:
    document = desk.change(changed(CARDS, {"raise points of me": "raise pints of me"}))
    assert "**NM01**" in told(hover(desk.session, document, at(document, "pints")))


def test_there_is_nothing_to_tell_beside_the_words(desk: Desk, cards: OpenDocument) -> None:
    assert hover(desk.session, cards, types.Position(1, 0)) is None
    assert hover(desk.session, cards, types.Position(10_000, 3)) is None


# ---------------------------------------------------------------------- names
def lines_of(found: list[types.Location]) -> list[int]:
    return [one.range.start.line + 1 for one in found]


def line(document: OpenDocument, text: str) -> int:
    return document.text[: document.text.index(text)].count("\n") + 1


@pytest.mark.parametrize(("place", "declared"), [
    ("points of me by", "  points of player"), ("worth of c", "define worth"),
    ("card to table_", "action play_card(card"),
    ("hand of p\n", "  hand of player"), ("play_card\n  second", "action play_card"),
    ("low: 1", "kind Card"), ("p\n\nplay", "  for each p in"),
])
def test_a_name_leads_to_where_it_is_declared(desk: Desk, cards: OpenDocument, place: str, declared: str) -> None:
    assert lines_of(definition(desk.session, cards, at(cards, place))) == [line(cards, declared)]


def test_a_citation_leads_to_the_statement(desk: Desk, cards: OpenDocument) -> None:
    found, = definition(desk.session, cards, at(cards, "R-2]"))
    assert (Path(found.uri).name, found.range.start.line) == ("statements.toml", 3)


def test_references_are_all_places_that_speak_of_a_name(desk: Desk, cards: OpenDocument) -> None:
    text = cards.text.split("\n")
    found = references(desk.session, cards, at(cards, "points of player"), True)
    assert lines_of(found) == [number for number, one in enumerate(text, 1) if "points" in one]
    assert len(references(desk.session, cards, at(cards, "points of player"), False)) == len(found) - 1
    cited = references(desk.session, cards, at(cards, "R-1]"), False)
    assert lines_of(cited) == [number for number, one in enumerate(text, 1) if "[R-1]" in one]


SHARED = CARDS.replace("""  for each p in players: deal 1 from deck to hand of p
""", """  for each q in players
    deal 1 from deck to hand of q
  for each q in players
    let most = number of hand of (the q in players with the most points of q, ties: left to right from first)
    raise points of q by most - number of hand of q
  for each q in players: lower points of q by points of q
""")
GROUPS = "AABCCBBDDD"
"""Which of the places of `q` there speak of the same."""


@pytest.mark.parametrize("number", range(0, len(GROUPS), 2))
def test_of_several_with_one_name_each_has_its_own_places(tmp_path: Path, number: int) -> None:
    (tmp_path / "cards.rules").write_text(SHARED, "utf-8")
    desk = Desk(tmp_path / "cards.rules")
    document = desk.open(SHARED)
    places = [document.places.position(one.start()) for one in re.finditer(r"\bq\b", SHARED)]
    found = references(desk.session, document, places[number], True)
    assert [one.range.start for one in found] == [
        place for place, group in zip(places, GROUPS, strict=True) if group == GROUPS[number]]


# ---------------------------------------------------------------------- another name
def renamed(desk: Desk, document: OpenDocument, place: str, new: str) -> str:
    found = renaming(desk.session, document, at(document, place), new)
    text = found.texts[desk.path]
    unsaved = desk.session.documents.unsaved()
    assert differs(desk.path.parent, unsaved, {**unsaved, **found.texts}, found.old, new) is None
    return text.decode()


def test_a_name_is_another_one_wherever_it_is_spoken_of(desk: Desk, cards: OpenDocument) -> None:
    assert renamed(desk, cards, "points of player", "score_of") == changed(CARDS, {"points": "score_of"})
    members = changed(CARDS, {"low": "least", "least loses": "low loses"})  # titles stay
    assert renamed(desk, cards, "low < mid", "least") == members
    local = renamed(desk, cards, "card: Card in", "shown")
    assert "action play_card(shown: Card in hand of me)" in local
    assert "first play_card shown high" in local
    assert "fate deal to first card high" in local  # that is what fate calls it


@pytest.mark.parametrize(("place", "new", "why"), [
    ("points of player", "Points", "small letter"), ("points of player", "worth", "already"),
    ("R-1]", "R9", "keeps its id"), ("# Cards", "x", "no name"), ("points of player", "a b", "no such name"),
])
def test_what_cannot_be_renamed_is_said(desk: Desk, cards: OpenDocument, place: str, new: str, why: str) -> None:
    with pytest.raises(CannotRename, match=why):
        renaming(desk.session, cards, at(cards, place), new)


def test_a_renaming_that_would_mean_something_else_is_noticed(desk: Desk, cards: OpenDocument) -> None:
    unsaved = desk.session.documents.unsaved()
    other = {**unsaved, desk.path: changed(CARDS, {"raise points of me by": "raise points of opponent by"}).encode()}
    assert "something else" in (differs(desk.path.parent, unsaved, other, "points", "marks") or "")
    broken = {**unsaved, desk.path: changed(CARDS, {"points of player": "marks of player"}).encode()}
    assert "wrong" in (differs(desk.path.parent, unsaved, broken, "points", "marks") or "")


# ---------------------------------------------------------------------- completion
def offered(desk: Desk, before: str) -> list[str]:
    """What is offered behind a text that stands at the end of the rules."""
    document = desk.change(f"{CARDS}\n{before}")
    found = completion(desk.session, document, document.places.whole().end)
    begun = re.findall(r"\w*$", before)[0]
    return [one.label for one in sorted(found, key=lambda one: one.sort_text or "") if one.label.startswith(begun)]


@pytest.mark.parametrize(("before", "first", "none"), [
    ("", "action", "points"), ("action a\n  ra", "raise", "zones"), ("action a\n  raise ", "points", "raise"),
    ("play\n  first must ", "play_card", "zones"), ("action a\n  move 1 from deck to ", "deck", "play_card"),
    ("scenario \"x\"\n  first ", "play_card", "zones"), ("counters\n  x: 0..1 st", "starts", "points"),
    ("action a  [", "R-1", "points"), ("kind Coin ", "is", "points"),
])
def test_what_can_come_next_is_offered(desk: Desk, before: str, first: str, none: str) -> None:
    found = offered(desk, before)
    assert first in found[:12]
    assert none not in found


def test_after_an_error_above_it_is_offered_what_fits_the_line(desk: Desk) -> None:
    assert "points" in offered(desk, "action a\n  raise by by by\n  raise ")


def test_nothing_is_offered_in_a_comment_or_a_text(desk: Desk) -> None:
    assert offered(desk, "action a  # ra") == []
    assert offered(desk, 'scenario "so') == []


# ---------------------------------------------------------------------- quick fixes
def actions(desk: Desk, document: OpenDocument, place: str) -> Iterator[tuple[str, str]]:
    """What can be done at a place, each with the text that comes of it."""
    where = at(document, place)
    for one in quick_fixes(desk.session, document, types.Range(where, where)):
        assert one.edit is not None
        assert one.edit.changes is not None
        edit, = one.edit.changes[document.uri]
        assert isinstance(edit, types.TextEdit)
        start, end = document.places.offset(edit.range.start), document.places.offset(edit.range.end)
        yield one.title, document.text[:start] + edit.new_text + document.text[end:]


def test_the_word_that_was_meant_is_written(desk: Desk, cards: OpenDocument) -> None:
    document = desk.change(changed(CARDS, {"raise points of me": "raise pointz of me"}))
    assert ("write points", CARDS) in list(actions(desk, document, "pointz"))


def test_a_statement_that_a_line_may_say_is_cited(desk: Desk, cards: OpenDocument) -> None:
    found = dict(actions(desk, cards, "deal 1 from"))
    title = next(one for one in found if one.startswith("cite [R-1]"))
    assert "hand of p  [R-1]" in found[title]


def test_a_question_is_answered_and_a_finding_accepted(desk: Desk, cards: OpenDocument) -> None:
    span = Span(str(desk.path), line(cards, "action play_card"), 1, 0, 0)
    finding = ReviewedFinding("question/play_card/who.other", "who has the worth?", span, ("R-2",))
    desk.session.answered(ReviewAnswer(1, desk.path.parent, (finding,)))
    found = dict(actions(desk, cards, "action play_card"))
    assert 'settled "question/play_card/who.other" by [R-2] "WORDS"\n' in found[
        "answer this question: words of the rulebook settle it"]
    assert 'accept "question/play_card/who.other" because "REASON"\n' in found["accept this finding"]
    assert sum(one.startswith("answer this question") for one in found) == 3
    assert [one.message for one in desk.session.shown_at(desk.path)] == ["who has the worth?"]
    desk.session.answered(ReviewAnswer(2, desk.path.parent, ()))


# ---------------------------------------------------------------------- lenses and the shape of a text
def test_a_scenario_says_how_it_went(desk: Desk, cards: OpenDocument) -> None:
    state = desk.session.ruleset(desk.path)
    desk.session.carry_out(desk.path)
    number = state.carried_out
    titles = [one.command.title for one in lenses(desk.session, cards) if one.command is not None]
    assert titles == ["review: what do these rules leave open?", "run", "play from here", "run", "play from here"]
    span = Span(str(desk.path), 3, 1, 3, 2)
    desk.session.answered(ScenarioAnswer(number, state.where, "high wins", span, None))
    desk.session.answered(ScenarioAnswer(number, state.where, "low loses", span, ScenarioFailed(span, "so not")))
    desk.session.answered(ScenarioAnswer(number - 1, state.where, "high wins", span, ScenarioFailed(span, "stale")))
    titles = [one.command.title for one in lenses(desk.session, cards) if one.command is not None]
    assert [titles[1], titles[3]] == ["\u2713 passed", "\u2717 line 3: so not"]
    assert isinstance(desk.asked[-1], ScenarioTask)


def test_the_outline_has_each_block_and_what_it_lists(desk: Desk, cards: OpenDocument) -> None:
    found = {one.name: one for one in outline(cards, desk.session.index(desk.path))}
    assert {'game Cards', "Card", "zones", "play_card", "worth", "scenario high wins"} <= found.keys()
    assert [one.name for one in found["zones"].children or []] == ["deck", "hand", "table_"]


def test_blocks_fold(cards: OpenDocument) -> None:
    first = line(cards, "zones") - 1
    assert types.FoldingRange(first, first + 3) in folds(cards)


def test_a_text_is_laid_out_the_one_way(desk: Desk, cards: OpenDocument) -> None:
    assert laid_out(cards) == []
    edit, = laid_out(desk.change(changed(CARDS, {"raise points of me by": "raise   points of me   by"})))
    assert edit.new_text == CARDS
    assert laid_out(desk.change(changed(CARDS, {"raise points": "raise raise points"}))) == []


def test_names_have_colours_by_what_they_stand_for(desk: Desk, cards: OpenDocument) -> None:
    data = colors(cards, desk.session.index(desk.path)).data
    found: dict[str, str] = {}
    line_, character = 0, 0
    rows = cards.text.split("\n")
    for at_ in range(0, len(data), 5):
        down, right, length, kind, _ = data[at_ : at_ + 5]
        line_, character = line_ + down, right if down else character + right
        found[rows[line_][character : character + length]] = LEGEND.token_types[kind]
    assert found["points"] == "variable"
    assert found["play_card"] == "method"
    assert found["card"] == "parameter"
    assert found["R-1"] == "decorator"
    assert "raise" not in found
