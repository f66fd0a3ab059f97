"""What the wording of sentences leaves open by itself, and what settles it. All sentences are invented."""

from __future__ import annotations

import re

import pytest

from referee.review.text_questions.asked_sentences import AskedOf, asked
from referee.review.text_questions.sentence_patterns import Sentences, spaced
from referee.review.text_questions.text_rows import TextRow, shipped_rows

ROWS = [(known.language, row) for known in shipped_rows().values() for row in known.rows]
PATTERNS = Sentences(("the", "a", "of", "from"), ("two", "three"), ("draw draws", "lay lays"), ("he she you",))


def names(*texts: str, players: int = 4, language: str = "English") -> set[str]:
    """The rows that ask something of some sentences."""
    sentences = [AskedOf((f"S-{number}",), None, text, language) for number, text in enumerate(texts, 1)]
    return {one.row.name for one in asked(sentences, shipped_rows(), players)}


@pytest.mark.parametrize(("language", "row"), ROWS, ids=[f"{language}-{row.name}" for language, row in ROWS])
def test_a_row_has_a_question_and_different_answers_with_slots_that_its_patterns_fill(
    language: str, row: TextRow
) -> None:
    slots = [set(re.findall(r"\{(\w+)\}", one)) for one in row.match]
    asked_with = set(re.findall(r"\{(\w+)\}", " ".join((row.ask, *row.answers))))
    assert all(asked_with <= one | ({"second"} if row.second else set()) for one in slots)
    assert row.ask.endswith("?")
    assert len(set(row.answers)) == len(row.answers) >= 2
    assert row.once in ("", "all", "thing")
    assert 0 < row.worth <= 1
    for patterns in (row.match, row.unless, row.elsewhere, row.anywhere, row.needs):
        shipped_rows()[language].sentences.fits(patterns, "none of these words", "bolt")


@pytest.mark.parametrize(("row", "texts"), [
    ("limit_full", ["Nobody keeps more than four lanterns."]),
    ("draw_too_few", ["After that she draws three bolts from the bag."]),
    ("can_do_none", ["In his turn a smith must place one rivet."]),
    ("chosen_by_whom", ["The chosen goat is eliminated."]),
    ("where_removed", ["A goat that meets a wolf is removed."]),
    ("toss", ["A coin is tossed before the first trick."]),
    ("hands_open", ["Everybody has a hand of bolts."]),
    ("nobody_gets_there", ["The first smith to fill four racks wins the game."]),
    ("also_diagonally", ["A shepherd is put on a square next to a sheep."]),
    ("possible_in_part", ["If you cannot carry it out, nothing happens."]),
    ("more_but_equal", ["The smith with the most rivets wins."]),
    ("place_taken", ["She places a marker on any hill."]),
    ("must_capture", ["Then you capture it."]),
])  # fmt: skip
def test_a_sentence_leaves_it_open(row: str, texts: list[str]) -> None:
    assert row in names(*texts)


@pytest.mark.parametrize(("row", "texts"), [
    ("limit_full", ["Nobody keeps more than four lanterns; whoever has a fifth must discard one."]),
    ("draw_too_few", ["After that she draws three bolts from the bag.", "When the bolts run out the scrap is melted."]),
    ("can_do_none", ["In his turn a smith must place one rivet.", "Who cannot place anything passes."]),
    ("chosen_by_whom", ["The chosen goat is eliminated: its owner chooses it."]),
    ("where_removed", ["A goat that meets a wolf is removed and put into the box."]),
    ("toss", ["A coin is tossed, and whoever wins it chooses."]),
    ("hands_open", ["Everybody has a hand of bolts.", "Hands are kept secret."]),
    ("also_diagonally", ["A shepherd is put on a square orthogonally next to a sheep."]),
    ("more_but_equal", ["The smith with the most rivets wins.", "Play ends there.", "Those who are level share it."]),
    ("place_taken", ["She places a marker on any empty hill."]),
    ("must_capture", ["Then you must capture it."]),
    ("nobody_gets_there", ["The first smith to fill four racks wins the game.",
                           "When the bag runs out the one with the most racks wins the game."]),
])  # fmt: skip
def test_other_words_settle_it_there_or_in_another_sentence(row: str, texts: list[str]) -> None:
    assert row not in names(*texts)


@pytest.mark.parametrize(("row", "texts"), [
    ("besides_the_action", ["Do one of these:", "On your turn, you may oil a hinge."]),
    ("when_in_the_turn", ["Once per turn, you may turn a hinge."]),
    ("how_often_in_a_turn", ["You may also pay two rivets to turn a hinge."]),
    ("instead_in_all", ["Your longest rack scores two points instead."]),
    ("bonus_however", ["Whenever you draw a hinge, you may also oil it."]),
    ("each_time_for_each", ["Every time another smith draws a hinge, take one rivet."]),
    ("card_in_vain", ["Play one tool card and carry out its effect."]),
    ("to_none", ["Choose an opponent and rob him."]),
    ("same_one_back", ["He gets one of your rivets in return."]),
    ("looked_and_declined", ["He may look at the top hinge and swap it."]),
    ("the_card_itself", ["Look through the scrap and take a card."]),
    ("cancelled_and_spent", ["Then his order is cancelled."]),
    ("new_ones_too_few", ["Then refill the rack.", "Old hinges are discarded."]),
    ("new_one_at_once", ["Then refill the row."]),
    ("empty_when", ["Play ends when the deck runs out."]),
    ("last_of_the_round", ["Finish the current round, then count."]),
    ("rest_of_the_round", ["Finish the current round, then count.", "It ends when the last tile is drawn."]),
    ("turn_goes_on", ["The game ends when somebody has six racks."]),
    ("tie_break_level", ["If there is a tie, the tied player with more racks wins."]),
    ("tie_for_it", ["Your longest rack scores three points."]),
    ("target_with_most", ["Steal a rivet from the player with the most racks."]),
    ("extras_together", ["A full rack scores 4 extra points."]),
    ("whichever_owner", ["You get one point for every hinge next to your anvil."]),
    ("without_value", ["Each set has the same number.", "There are three special cards."]),
    ("wild_worth", ["This is a wild hinge.", "Add up all values."]),
    ("counts_as_for_what", ["A hammer counts as a hinge."]),
    ("counts_as_how_often", ["One hammer may count as two."]),
    ("in_what_it_matches", ["Add a hinge to a rack that it matches."]),
    ("neighbour_diagonally", ["Push an adjacent cart.", "The board has nine squares."]),
    ("straight_diagonally", ["A cart moves straight.", "The board has nine squares."]),
    ("away_diagonally", ["Name a cart within two squares of it."]),
    ("pushed_which", ["Push an adjacent cart."]),
    ("exception_elsewhere", ["The exception is your own forge."]),
    ("just_behind_taken", ["It stops on the space just behind the other."]),
    ("pieces_in_order", ["Each of your carts rolls and moves one space."]),
    ("way_round_not_said", ["The oldest smith goes first."]),
    ("exactly_equal", ["If your roll is higher than his, you win the fight."]),
    ("cannot_be_placed", ["Draw a tile and place it next to another."]),
    ("limit_out_of_turn", ["At the end of your turn, discard down to six.", "That player draws a bolt."]),
    ("in_a_row_of_what", ["You may not smelt or file twice in a row."]),
    ("this_turn_already", ["It holds until the start of your next turn."]),
    ("rerolled_how_often", ["You may reroll any dice up to twice."]),
    ("bid_nobody", ["Then smiths bid for the anvil."]),
    ("followed_as_what", ["You must follow suit.", "A joker counts as the highest."]),
    ("cannot_pay", ["Pay two rivets to each neighbour."]),
    ("one_of_those_there", ["If a dog lands on a hill with goats, it catches one of them."]),
    ("no_move_possible", ["On your turn, move one goat.", "The board has nine squares."]),
    ("several_of_the_effect", ["The highest card wins unless a hammer was played."]),
    ("half_points", ["Each rivet is worth half a point."]),
    ("undone_on_the_way", ["The dog goes back to where it came from."]),
    ("taken_which", ["Steal a rivet from another smith."]),
    ("which_is_given_up", ["Then they return one rivet to the heap."]),
    ("bag_too_few", ["Draw two rivets from the bag."]),
    ("edge_too", ["Surround a cell, and it is yours."]),
    ("no_tie_at_all", ["Add up your points when the game ends."]),
    ("order_when_level", ["Smiths act in order of their strength."]),
    ("pushed_in_a_chain", ["A cart pushes another along."]),
    ("several_at_the_goal", ["The first smith to fill four racks wins."]),
    ("none_next", ["Then take the next lower hinge."]),
    ("pieces_too_few", ["Place two knights on any hill."]),
    ("which_of_two_things", ["Each neighbour gives you one rivet or leaves."]),
    ("tie_for_second", ["Whoever is second gets two rivets."]),
    ("run_of_what", ["Lay a run of five rivets."]),
    ("reacts_to_another", ["When another player lays a rivet, you may lay one there."]),
    ("pushed_whither", ["You may push the other cart one space."]),
    ("nobody_himself", ["Nobody may touch that rack."]),
    ("nobody_takes_it", ["Then nobody wins the trick."]),
    ("roll_or_pay", ["Rolls the die, or pays two rivets."]),
])  # fmt: skip
def test_what_most_rulebooks_leave_open_is_asked_of_any(row: str, texts: list[str]) -> None:
    assert row in names(*texts)


@pytest.mark.parametrize(("row", "texts"), [
    ("besides_the_action", ["Do one of these:", "On your turn, you may oil a hinge for free."]),
    ("when_in_the_turn", ["Once per turn, you may turn a hinge before you roll."]),
    ("how_often_in_a_turn", ["Once in your turn you may also pay two rivets to turn a hinge."]),
    ("new_ones_too_few", ["Then refill the rack.", "Reshuffle what was thrown away when you need it."]),
    ("tie_break_level", ["If there is a tie, the tied player with more racks wins.", "If still tied, share it."]),
    ("tie_for_it", ["Your longest rack scores three points.", "Tied racks score for both."]),
    ("whichever_owner", ["You get one point for every hinge of your own next to your anvil."]),
    ("without_value", ["Each set has the same number."]),
    ("neighbour_diagonally", ["Push an adjacent cart.", "The board has nine squares.",
                              "Two squares are adjacent if they share a side."]),
    ("way_round_not_said", ["The oldest smith goes first.", "Play continues clockwise."]),
    ("exactly_equal", ["If your roll is higher than his, you win the fight.", "An equal roll does nothing."]),
    ("cannot_be_placed", ["Draw a tile and place it next to another.", "If you cannot place it, keep it."]),
    ("cancelled_and_spent", ["Then his order is cancelled, and the action is lost."]),
    ("rest_of_the_round", ["Finish the current round, then count."]),
    ("no_move_possible", ["On your turn, move one goat.", "The board has nine squares.", "Who cannot move passes."]),
    ("half_points", ["Each rivet is worth half a point, rounded down."]),
    ("bag_too_few", ["Draw two rivets from the bag.", "When the bag is empty it is filled again."]),
    ("edge_too", ["Surround a cell, and it is yours.", "The edge of the board counts as a wall."]),
    ("several_at_the_goal", ["The first smith to fill four racks wins.", "If several do, the older one wins."]),
    ("tie_for_second", ["Whoever is second gets two rivets.", "A tie for second counts nothing."]),
    ("run_of_what", ["Lay a run of five rivets of one colour."]),
    ("pushed_whither", ["You may push the other cart one space in any direction."]),
    ("nobody_himself", ["Nobody else may touch that rack."]),
    ("no_tie_at_all", ["Add up your points when the game ends.", "In a tie the lot decides."]),
    ("tie_for_it", ["If several have the highest rack score, the other smith picks one."]),
    ("tie_for_second", ["The second phase tells who gets the rivet."]),
    ("rerolled_kept", ["The last hinge card is put aside unseen.", "Those who tie roll again."]),
])  # fmt: skip
def test_what_most_rulebooks_leave_open_is_not_asked_where_words_settle_it(row: str, texts: list[str]) -> None:
    assert row not in names(*texts)


def test_emphasis_and_curved_apostrophes_do_not_hide_words() -> None:
    assert PATTERNS.fits(["once swamped you can't"], "Once **swamped** _you_ can\u2019t")
    assert PATTERNS.fits(["snake_case"], "snake case")


def test_what_somebody_else_does_is_asked_only_where_there_are_several_others() -> None:
    text = "The opponent may lay a shield."
    assert "which_opponent" in names(text, players=3)
    assert "which_opponent" not in names(text, players=2)


def test_sentences_of_a_language_without_rows_are_not_asked_about() -> None:
    assert names("Nobody keeps more than four lanterns.", language="Klingon") == set()


def test_the_words_and_the_things_are_those_of_the_sentence() -> None:
    found = PATTERNS.first(["draws {number} {thing}"], "Then (if he likes) Ana draws two RED Bolts, from the bag.")
    assert found is not None
    assert found.words == "draws two RED Bolts"
    assert found.slots == {"number": "two", "thing": "RED Bolts"}


@pytest.mark.parametrize(("pattern", "text", "fits"), [
    ("draw|draws a? card*", "she draws cards", True),
    ("draw|draws a? card*", "she draws a cardigan", True),
    ("draws card", "she draws cards", False),
    ("draws ... bag", "draws two of the many small bolts that come from the bag", False),
    ("draws ... bag", "draws two bolts. From the bag", False),
    ("draws ... bag", "draws two bolts, from the bag", True),
    ("CAFFÈ", "un caffe", True),
    ("{one} , {other}", "bolts, nuts", True),
    ("bolts|small_nuts and", "small nuts and more", True),
    ("up_to|{number} bolts", "two bolts", True),
    ("up_to|{number} bolts", "some bolts", False),
    ("draws two", "then draw two", True),
    ("lays_out|=draws two", "lay out two", True),
    ("=lays_out|draws two", "draw two", False),
    ("he|she may", "you may", True),
    ("he may", "you may", False),
])  # fmt: skip
def test_a_pattern_fits_words_in_their_order(pattern: str, text: str, fits: bool) -> None:
    assert PATTERNS.fits([pattern], text) is fits


def test_in_another_sentence_a_thing_is_known_by_how_its_last_word_begins() -> None:
    assert PATTERNS.fits(["no {thing} left"], "no bolts left", "red bolt")
    assert not PATTERNS.fits(["no {thing} left"], "no nuts left", "red bolt")
    assert not PATTERNS.fits(["no {thing} left"], "no nuts left")


def test_one_question_stands_for_all_sentences_of_which_the_same_is_asked_once() -> None:
    texts = ["Hands are filled first.", "Then all hands pass on."]
    sentences = [AskedOf((f"S-{number}",), None, text, "English") for number, text in enumerate(texts, 1)]
    found = [one for one in asked(sentences, shipped_rows(), 2) if one.row.name == "hands_open"]
    assert [(one.sentence.ids, [other.ids for other in one.others]) for one in found] == [(("S-1",), [("S-2",)])]


def test_a_long_sentence_takes_no_long_time() -> None:
    assert isinstance(names("draws " * 4_000), set)


def test_of_many_sentences_each_is_laid_out_once() -> None:
    """Each row looks at all of them: what is forgotten in between is worked out anew for each row."""
    patterns = Sentences((), ())
    many = [f"Card {number} is taken." for number in range(5_000)]
    for _ in range(2):
        known = spaced.cache_info().misses
        assert not any(patterns.fits(("nobody takes",), one) for one in many)
    assert spaced.cache_info().misses == known


def test_rows_for_which_there_is_no_time_are_left_out_and_asked_when_there_is() -> None:
    """A rulebook of a megabyte takes minutes: what is asked of it ends when the time is up, and goes on later."""
    sentences = [AskedOf(("S-1",), None, "A coin is tossed before the only trick of this evening.", "English")]
    clock, left_out = iter(range(1_000)), list[TextRow]()
    few = {one.row.name for one in asked(sentences, shipped_rows(), 4, (), lambda: next(clock) >= 100, left_out)}
    rows = [row for language, row in ROWS if language == "English"]
    assert left_out == rows[100:]
    left_out.clear()
    every = {one.row.name for one in asked(sentences, shipped_rows(), 4, (), lambda: False, left_out)}
    assert left_out == []
    assert few <= every
    assert "toss" in every
