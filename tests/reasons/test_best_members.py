"""Of a choice among the best it is told who they are and what they have; of names how their values were found."""

from __future__ import annotations

import pytest

from tests.reasons.test_turning_points import kept


def told(name: str) -> list[tuple[int | None, str, dict[str, str], tuple[str, ...]]]:
    return [(one.line, one.text, dict(one.shows), one.cites) for one in kept(name).because]


def test_who_is_not_among_the_best_is_told_what_he_has_and_what_they_have() -> None:
    line, text, shows, cites = told("il_mister/045")[0]
    assert (line, text) == (None, "the man in pitch of ben where not is_spared(man, ben) with the highest overall: "
                            "LOVIIANO and LOLTETTI")
    assert shows == {f"overall of {man}": has for man, has in
                     (("GARDENTI", "34"), ("LOVIIANO", "36"), ("LOLTETTI", "36"))}
    assert "IT-C19a" in cites


def test_who_could_not_be_the_best_is_told_why() -> None:
    _, text, shows, cites = told("il_mister/046")[0]
    assert text == "is_spared(GIVIELLO, ben): yes"
    assert shows["pitch of ben at keeper"] == "GIVIELLO"
    assert "IT-C19b" in cites


@pytest.mark.parametrize("name", ["044", "047"])
def test_where_one_of_the_best_is_to_be_chosen_it_is_told_who_they_are(name: str) -> None:
    shows = next(shows for _, text, shows, _ in told(f"il_mister/{name}") if "with the highest overall" in text)
    assert shows == {"overall of LOVIIANO": "36", "overall of LOLTETTI": "36"}


def test_one_who_alone_is_best_leaves_nothing_to_choose() -> None:
    line, text, shows, _ = told("il_mister/048")[0]
    assert (line, text.rpartition(": ")[2]) == (3, "NANTOLA")
    assert shows == {"overall of NANTOLA": "40", "overall of LARDIANO": "39"}


@pytest.mark.parametrize(("name", "line", "contest", "shows", "same"), [
    ("059", 5, "a of left_central against g of keeper, by at least 1",
     {"a of left_central": "8", "g of keeper, by at least 1": "9"}, "yes"),
    ("060", 6, "attacker_points(VASTENTI, f, ana) against g of keeper, level or better",
     {"attacker_points(VASTENTI, f, ana)": "7", "g of keeper": "8"}, "no"),
])
def test_what_was_tested_to_find_a_value_is_told(
    name: str, line: int, contest: str, shows: dict[str, str], same: str
) -> None:
    found = {text: (at, shown) for at, text, shown, _ in told(f"il_mister/{name}")}
    assert found[f"{contest}: no"][0] == line
    assert found[f"{contest}: no"][1] == shows
    assert found[f"side_dived_to(dive_side of ben) is shot_side of ana: {same}"][0] == line


def test_of_a_definition_by_cases_what_decided_is_told_with_the_member() -> None:
    line, text, shows, cites = told("il_mister/037")[0]
    assert (line, text, shows) == (4, "has_a_wall(ben): yes", {"rating(FACCANI, b)": "10"})
    assert "IT-C09b" in cites


def test_that_nobody_is_as_is_asked_is_said_in_the_words_of_the_rules() -> None:
    _, text, _, cites = told("il_mister/038")[0]
    nobody = "some spot in midfield_and_attack where is_there(ana, spot) and back_heel of (pitch of ana at spot)"
    assert text == f"{nobody}: no"
    assert "IT-C23b" in cites


@pytest.mark.parametrize(("name", "text", "cited"), [
    ("039", "victories of ana: + Crown, by is_won", "KP-44"),
    ("049", "ties roll again: no", "KP-12"),
])
def test_what_ended_a_match_and_who_may_throw(name: str, text: str, cited: str) -> None:
    assert cited in next(cites for _, said, _, cites in told(f"king_of_the_pitch/{name}") if said == text)


def test_a_reading_that_decides_is_told_in_its_sentence_and_a_number_as_what_it_counts() -> None:
    [failed] = kept("king_of_the_pitch/022").failed
    assert dict(failed.shows)["king_plays"].startswith('refused ("nobody: ')
    assert told("king_of_the_pitch/050")[0][2]["number of BONUS in laid of ben"] == "0"


def test_an_order_that_only_the_log_has_is_told_as_an_assumption() -> None:
    assert "challenger_rolls_first" in [one.name for one in kept("king_of_the_pitch/053").because[0].assumed]
