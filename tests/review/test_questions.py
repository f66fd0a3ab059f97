"""Each other answer of the catalogue: rules in which a sentence leaves it open, and the same with one that settles it.

A folder of `questions` holds the rules, the two wordings (`open.toml`, `settled.toml`) and what is asked.
"""

from __future__ import annotations

import json
import re
import signal
import tempfile
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import Reviewing, load_for
from referee.cli.main import run
from referee.cli.progress import ended_in_order
from referee.diagnostics.exit_codes import Exit
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import build, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.other_answers import OtherAnswer, OtherAnswers
from referee.frontend.names.shapes import Shape
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.other_rules.every_other_rule import build_with_others
from referee.report.data.schemas import SCHEMAS
from referee.review.finding import Finding
from referee.review.questions.catalogue import ANSWERS, DIMENSIONS, answer_of
from referee.review.questions.noted_games import noted_games
from referee.review.questions.noting_selector import NotingSelector
from referee.review.review import Review, review
from referee.review.subject import ReviewEffort
from referee.simulation.shrinking import replayed
from referee.system.deadline import Clock
from tests.changed_text import changed
from tests.sample_sizes import by_lot

ROWS = sorted(path for path in (Path(__file__).parent / "questions").iterdir() if path.is_dir())
EFFORT = ReviewEffort(games=8, events=40)
EACH_ROW = pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])


def ruleset(row: Path, wording: str, folder: Path, further: str = "") -> Path:
    """A ruleset with the rules of a row and one of its wordings."""
    made = folder / wording
    made.mkdir(parents=True)
    (made / "game.rules").write_text((row / "game.rules").read_text(encoding="utf-8") + further, encoding="utf-8")
    (made / "statements.toml").write_text((row / f"{wording}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return made


def asked(path: Path, effort: ReviewEffort = EFFORT, seconds: float | None = None) -> Review:
    """What a review asks of a ruleset."""
    load = load_for(RulesSource(str(path)))
    return review(parsed(find(str(path))), load, [Shape()], effort, seconds, only=["question"])


@cache
def as_open(row: Path) -> tuple[Path, Review]:
    """A row with the wording that leaves it open, and what is asked of it: looked at by several tests."""
    path = ruleset(row, "open", Path(tempfile.mkdtemp()))
    return path, asked(path)


def expected(row: Path) -> str:
    return (row / "question.txt").read_text(encoding="utf-8").strip()


def named(found: Review, name: str) -> list[Finding]:
    """The questions of a name, or under which it is one of the answers."""
    place, _, answer = name.rpartition(".")
    return [one for one in found.flaws if one.id == name or (
        one.id.rpartition(".")[0] == place and any(f"({answer})" in c.text for c in one.candidates))]  # fmt: skip


@EACH_ROW
def test_an_open_sentence_is_a_question_and_one_that_settles_it_is_none(row: Path, tmp_path: Path) -> None:
    (found,) = named(as_open(row)[1], expected(row))
    assert found.cites == ("S-1",)
    assert found.weight is not None
    assert found.weight.low <= found.weight.told / found.weight.games <= found.weight.high
    assert len(found.wordings) == 1 + len({one.text for one in found.candidates[1:]})
    first, second, *_ = found.candidates
    assert first.end != second.end
    assert named(asked(ruleset(row, "settled", tmp_path)), expected(row)) == []


@EACH_ROW
def test_the_game_of_a_question_is_one_of_the_rules(row: Path) -> None:
    path, told = as_open(row)
    walker = Walker(lower(build(parsed(find(str(path))), Shape()).core))
    for found in (one for one in told.flaws if one.spans):  # what words alone raise has no line, and no game
        assert found.witness is not None
        assert replayed(walker, found.witness.setting, found.witness.events) is not None


@pytest.mark.parametrize("row", by_lot(ROWS, "answered by words", 4), ids=lambda row: row.name)
def test_words_of_a_statement_answer_a_question(row: Path, tmp_path: Path) -> None:
    name = expected(row)
    said = (row / "open.toml").read_text(encoding="utf-8").partition('text = "')[2].split()[0]
    answered = ruleset(row, "open", tmp_path, f'\nsettled "{name}" by [S-1] "{said}"\n')
    assert named(asked(answered), name) == []


def test_an_assumption_that_a_line_cites_answers_only_what_it_is_said_to_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = next(r for r in ROWS if r.name == "must_may")
    path = ruleset(row, "open", tmp_path, '\nassume never_idle "nobody may wait"\n')
    rules = path / "game.rules"
    rules.write_text(changed(rules.read_text(encoding="utf-8"), {"[S-1]": "[S-1 never_idle]"}), encoding="utf-8")
    found = asked(path)
    (one,) = named(found, expected(row))
    assert one.cites == ("S-1", "never_idle")
    assert one in found.new
    assert run(["review", str(path), "--questions", "--games", "4", "--strict"]) == Exit.NEGATIVE
    told = capsys.readouterr().out
    assert "the line rests on never_idle: say whether that is what it answers" in told
    (line,) = re.findall(r'settled "\S+" by \[never_idle\]', told)
    rules.write_text(f"{rules.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    assert named(asked(path), expected(row)) == []


def test_who_may_always_wait_is_not_asked_whether_he_may_leave_it() -> None:
    waiting = next(r for r in ROWS if r.name == "left_over_counts_too")
    assert not any(one.id.endswith("/must.may") for one in as_open(waiting)[1].flaws)


def test_what_is_told_to_write_into_the_rules_can_be_written(tmp_path: Path) -> None:
    row = next(r for r in ROWS if r.name == "must_may")
    (found,) = asked(ruleset(row, "open", tmp_path)).flaws
    (tmp_path / "again").mkdir()
    written = [line for line in found.lines if not line.startswith("settled")]  # each answers it, and once is enough
    answered = ruleset(row, "open", tmp_path / "again", "\n" + "\n".join(written) + "\n")
    assert found.id in asked(answered).accepted
    assert [line.split()[0] for line in found.lines if line[0] not in "# "] == [
        "settled", "assume", "settled", "reading", "accept"]


def test_every_answer_of_the_catalogue_belongs_to_a_dimension() -> None:
    assert {dimension for dimension, _ in ANSWERS} == set(DIMENSIONS)


def test_every_answer_of_the_catalogue_has_a_row_or_shares_one() -> None:
    """`equal_fails` is `equal_passes` the other way round; two others are told beside the answer that has the row."""
    of_two = (path for path in (Path(__file__).parent / "two_sentences").iterdir() if path.is_dir())
    known = {name.rpartition("/")[2] for name in map(expected, (*ROWS, *of_two))}
    without = {"value.equal_fails", "when.after_the_action", "limit.exchanged", "left_over.counts_against"}
    assert {f"{dimension}.{name}" for dimension, name in ANSWERS} - known == without


@cache
def both(name: str) -> tuple[Walker, Walker]:
    """The rules of a bundled game, and with all other answers."""
    loaded = parsed(find(name))
    return Walker(lower(build(loaded, Shape()).core)), Walker(lower(build_with_others(loaded, Shape())[0]))


@pytest.mark.parametrize("name", ["hearts", "oware", "pig", "go_goal"])
def test_unless_one_is_gone_by_the_rules_are_what_they_were(name: str) -> None:
    plain, others = both(name)
    players = tuple(f"p{seat}" for seat in range(plain.core.seats.number))
    (game,) = islice(noted_games(others, players, 1, 60, Clock(60)), 1)
    step = plain.begin(game.setting)
    for index, (event, there) in enumerate(zip(game.events, game.states, strict=True)):
        assert isinstance(step, State)
        if index % 8 == 0:
            assert list(islice(plain.legal(step), 50)) == list(islice(others.legal(there), 50))
        assert plain.check(step, event) is None
        step = plain.advance(step, event)
    assert type(step) is type(game.last)


def test_a_game_that_takes_long_is_broken_off_so_that_it_is_looked_at_in_time() -> None:
    _, others = both("hearts")
    (game,) = islice(noted_games(others, ("n", "e", "s", "w"), 1, 100_000, Clock.computing(1.0)), 1)
    assert game.events
    assert isinstance(game.last, State)


def test_nothing_is_asked_for_unless_somebody_wants_to_know() -> None:
    assert OtherAnswers().found() == ()
    assert OtherAnswers().test("must", "may", both("pig")[0].core.actions["roll"].origin) is None


def test_a_selector_notes_what_it_is_compared_with() -> None:
    noting = NotingSelector()
    slots: list[object] = [noting]
    assert slots[0] == 0
    assert (slots[0] == 7) is False
    assert noting.taken() == {0, 7}
    assert noting.taken() == frozenset()


def test_other_lines_leave_the_name_of_a_question_alone(tmp_path: Path) -> None:
    row = next(row for row in ROWS if row.name == "must_may")
    path = ruleset(row, "open", tmp_path)
    rules = (path / "game.rules").read_text(encoding="utf-8")
    longer = changed(rules, {"\nplay": "\n# more\ncounters\n  other: 0..3\n\nplay"})
    (path / "game.rules").write_text(longer, encoding="utf-8")
    assert len(named(asked(path), expected(row))) == 1


def test_an_answer_to_what_cannot_be_asked_is_told(tmp_path: Path) -> None:
    stale = '\nsettled "question/play.gone/must.may" by [S-1] "player"\n'
    found = asked(ruleset(next(r for r in ROWS if r.name == "must_may"), "settled", tmp_path, stale))
    assert [one.message for one in found.flaws] == ["question/play.gone/must.may is settled here, and cannot be asked"]


THREE = """\
game "Round" for 2..3 players

given starter: player "who begins"

counters
  points of player: 0..9

play
  turns from starter, to the left                                             [S-1]
    turn player must step

action step
  raise points of me by 3
  if points of me = 9: me wins

settled "question/play.turns-from-starter-to-the-left/way_round.the_other_way" by [S-1] "left"
settled "question/play.gone/must.may" by [S-1] "player"
settled "question/play.gone-too/must.may" by [S-1] "player"
"""


def test_an_answer_to_what_more_players_are_asked_is_not_out_of_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With two players no way round can be asked, so nothing is known of its answer by them alone."""
    (tmp_path / "game.rules").write_text(THREE, encoding="utf-8")
    text = "The player on the left is the next player."
    (tmp_path / "statements.toml").write_text(f'[statement.S-1]\ntext = "{text}"\n', encoding="utf-8")
    for players, stale in (((), ["gone", "gone-too"]), (("--players", "2"), [])):
        run(["review", str(tmp_path), "--questions", "--games", "2", "--format", "json", *players])
        found = [one["message"] for one in json.loads(capsys.readouterr().out)["findings"]]
        assert [one for one in found if "cannot be asked" in one] == [
            f"question/play.{name}/must.may is settled here, and cannot be asked" for name in stale]


def test_a_question_is_no_failure_unless_somebody_is_strict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ruleset(next(r for r in ROWS if r.name == "must_may"), "open", tmp_path))
    assert run(["review", path, "--questions", "--games", "4", "--format", "json"]) == Exit.GOOD
    data = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["review"]).validate(data)
    (found,) = [one for one in data["findings"] if one["weight"]]
    assert (found["weight"]["told"], found["weight"]["games"]) == (4, 4)
    assert run(["review", path, "--questions", "--games", "4", "--strict"]) == Exit.NEGATIVE
    told = capsys.readouterr().out
    assert "it matters in 4 of 4 games" in told
    assert 'write: in S-1: "Who can do this must do it." (as the rules have it)' in told
    assert told.endswith("1 question\n")


EXAMPLE = """
scenario "a player who cannot beat his opponent goes on"  [S-2]
  first call 0
  second call 0
  first call 1
  expect first wins
"""


@pytest.mark.parametrize("example", [False, True])
def test_a_worked_example_of_the_rulebook_answers_a_question(tmp_path: Path, example: bool) -> None:
    row = next(row for row in ROWS if row.name == "value_equal_passes")
    path = ruleset(row, "open", tmp_path, EXAMPLE)
    shown = f'\n[statement.S-2]\ntext = "Both call one: nobody has won yet."\nexample = {str(example).lower()}\n'
    with (path / "statements.toml").open("a", encoding="utf-8") as file:
        file.write(f'{shown}line = 2\nstatus = "encoded"\n')
    assert run(["test", str(path)]) == Exit.GOOD
    found = Reviewing(RulesSource(str(path)), None, ("question",)).review(
        None, lambda _: None, games=8, events=40, positions=0, seed=0, proofs=False)  # fmt: skip
    assert len(named(found, expected(row))) == (0 if example else 1)
    assert any("contradicted by a worked example" in one.message for one in found.findings) == example


def test_a_worked_example_that_begins_in_the_middle_of_a_game_with_turns_answers_too(tmp_path: Path) -> None:
    row = next(row for row in ROWS if row.name == "value_equal_passes")
    middle = changed(EXAMPLE, {"  first call 0": "  turn of first\n  at play.call\n  first call 0"}, 1)
    path = ruleset(row, "open", tmp_path, middle)
    with (path / "statements.toml").open("a", encoding="utf-8") as file:
        file.write('\n[statement.S-2]\ntext = "So it goes."\nexample = true\nline = 2\nstatus = "encoded"\n')
    assert run(["test", str(path)]) == Exit.GOOD
    found = Reviewing(RulesSource(str(path)), None, ("question",)).review(
        None, lambda _: None, games=8, events=40, positions=0, seed=0, proofs=False)  # fmt: skip
    assert named(found, expected(row)) == []


TWINS = """
game "Two jars" for 2 or 3 players

kind Card is RED, BLUE, GREEN, WHITE

components
  1 of each Card in yard

zones
  yard: bag of Card, open
  left_jar: bag of Card, open
  right_jar: bag of Card, open

play
  for each p in players, as listed
    p chooses 1 Card in yard as drawn
    move drawn from yard to left_jar
  if number of yard > 0
    for each q in players, as listed
      q chooses 1 Card in left_jar as poured
      move poured from left_jar to right_jar
  nobody wins
"""


@pytest.fixture(name="twins")
def lines_of_one_shape(tmp_path: Path) -> Path:
    path = tmp_path / "twins.rules"
    path.write_text(TWINS.lstrip(), encoding="utf-8")
    return path


def who_chooses(found: Review) -> list[Finding]:
    """What is asked of who chooses."""
    return [one for one in found.flaws if "/who." in one.id]


def test_what_only_a_reading_has_is_asked_by_it(twins: Path) -> None:
    rules = changed(twins.read_text(encoding="utf-8"), {"if number of yard > 0": "if poured_on is right"})
    reading = 'reading poured_on "is it poured on?"\n  default right "yes"\n  alternative wrong "no"\n\n'
    twins.write_text(changed(rules, {"play\n": f"{reading}play\n"}), encoding="utf-8")
    found = asked(twins)
    (one,) = who_chooses(found)
    assert one.alike == ()
    assert any("asked by a reading" in known.message for known in found.findings)


def test_lines_of_one_shape_are_one_question(twins: Path) -> None:
    (found,) = who_chooses(asked(twins))
    assert found.alike == ("play.q-chooses-1-Card-in-left_jar-as-poured/who.the_next_player",)
    assert any(found.alike[0] in note for note in found.notes)


def test_who_accepts_one_line_of_a_shape_accepts_what_is_told_of_another(twins: Path) -> None:
    place = "play.q-chooses-1-Card-in-left_jar-as-poured/who.the_next_player"
    with twins.open("a", encoding="utf-8") as rules:
        rules.write(f'\naccept "question/{place}" because "whoever is in turn chooses"\n')
    found = asked(twins)
    (one,) = who_chooses(found)
    assert one.place != place
    assert found.accepted[one.id].reason == "whoever is in turn chooses"
    assert one not in found.new
    assert not found.stale


def test_what_is_known_of_one_number_of_players_is_not_asked_of_another(twins: Path) -> None:
    path = str(twins)
    found = review(parsed(find(path)), load_for(RulesSource(path)), [Shape(2), Shape(3)], EFFORT, only=["question"])
    assert {one.shapes for one in found.flaws if "who_knows" not in one.id} == {(2,)}  # two do not fill the last jar


def test_after_ctrl_c_the_questions_so_far_are_told(twins: Path) -> None:
    def hear(now: str) -> None:
        if "so far, in 3 games" in now:
            signal.raise_signal(signal.SIGINT)

    path = str(twins)
    found = review(parsed(find(path)), load_for(RulesSource(path)), [Shape(2)], EFFORT, None, ["question"], hear)
    (one,) = who_chooses(found)
    assert one.weight is not None
    assert one.weight.games == 3
    assert found.exit is Exit.INTERRUPTED


def test_sigterm_is_ctrl_c_for_a_while() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), ended_in_order():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_fate_deals_before_the_first_decision_is_one_line(
    twins: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = changed(twins.read_text(encoding="utf-8"), {"yard: bag": "deck: pile of Card, face down\n  yard: bag"})
    rules = changed(rules, {"in yard\n\nzones": "in deck\n\nzones"})
    setup = "setup\n" + "  deal 1 from deck to yard\n" * 4
    twins.write_text(changed(rules, {"play\n": f"{setup}\nplay\n"}), encoding="utf-8")
    assert run(["review", str(twins), "--players", "2", "--questions", "--games", "2"]) == Exit.GOOD
    assert "(1 to 4: fate deals or draws)" in capsys.readouterr().out


def test_without_time_what_was_not_tried_is_said_to_have_made_no_difference_in_no_games(tmp_path: Path) -> None:
    found = asked(ruleset(next(r for r in ROWS if r.name == "must_may"), "open", tmp_path), seconds=0.0)
    assert found.flaws == ()
    assert "in 0 games" in found.findings[0].message


def test_a_review_that_is_not_asked_for_questions_has_none(tmp_path: Path) -> None:
    path = ruleset(next(r for r in ROWS if r.name == "must_may"), "open", tmp_path)
    found = review(parsed(find(str(path))), load_for(RulesSource(str(path))), [Shape()], ReviewEffort(4, 40, 400))
    assert found.of("question") == ()


SCORED = """
game "Heaps" for 2 players first and second

kind Card is RED, BLUE, GREEN, WHITE

components
  1 of each Card in yard

zones
  yard: bag of Card, open
  deck: pile of Card, face down
  heap of player: bag of Card, open

counters
  points of player: 0..20 starts 0

play
  for each p in players, as listed
    p chooses any number of Card in yard as some_cards
    move some_cards from yard to heap of p
  for each p in players: raise points of p by number of heap of p
  for each p in players: move all Card in heap of p to {there}
  the p in players with the most points, ties: all wins
"""


@pytest.mark.parametrize("there", ["yard", "the bottom of deck"])
def test_what_is_counted_and_then_cleared_away_is_in_the_only_order_that_counts_anything(
    tmp_path: Path, there: str
) -> None:
    path = tmp_path / "heaps.rules"
    path.write_text(SCORED.lstrip().format(there=there), encoding="utf-8")
    found = [one.id for one in asked(path).flaws]
    assert any("/who." in one for one in found)
    assert not any("/order.the_other_first" in one for one in found)


DEALT = """
game "Deal" for 2 players first and second

kind Card is RED, BLUE, GREEN, WHITE

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, open

play
  for each p in players, as listed: deal 1 from deck to hand of p
  for each p in players, as listed
    p chooses 1 Card in hand of p as one
    move one from hand of p to hand of second
  first wins
"""


def test_who_is_the_first_is_asked_only_where_somebody_decides(tmp_path: Path) -> None:
    path = tmp_path / "deal.rules"
    path.write_text(DEALT.lstrip(), encoding="utf-8")
    found = [one.id for one in asked(path).flaws if "/turn_order." in one.id]
    assert found == ["question/play.for-each-p-in-players-as-listed/turn_order.the_next_begins"]


def test_what_makes_something_possible_is_not_what_forbids_it_again(tmp_path: Path) -> None:
    """`broken` is set by what it allows later: nobody asks how often."""
    _, others = build_with_others(parsed(find("hearts")), Shape())
    assert not any(one.dimension == "again" for one in others)


def test_what_a_definition_says_under_a_reading_is_asked_by_the_reading(tmp_path: Path) -> None:
    row = Path(__file__).parent / "questions" / "value_equal_passes"
    plain = "\ndefine beats of player p and player q = points of p > points of q  [S-1]\n"
    read = """
define beats of player p and player q, by reading more "who beats whom?"  [S-1]
  default who_has_more "who has more points": points of p > points of q
  alternative nobody "nobody": no
"""
    found = []
    for number, defined in enumerate((plain, read)):
        path = ruleset(row, "open", tmp_path / str(number), defined)
        rules = path / "game.rules"
        text = changed(rules.read_text(encoding="utf-8"), {"points of me > points of opponent": "beats(me, opponent)"})
        rules.write_text(text, encoding="utf-8")
        found.append([one.id for one in asked(path).flaws if one.id.endswith("/value.equal_passes")])
    assert len(found[0]) == 1
    assert found[1] == []


def test_a_prohibition_that_is_left_out_is_told_without_two_negations() -> None:
    where = OtherAnswer(1, "guard", "absent", (), (("act", "sail"), ("label", "it is not so that it rains")))
    assert answer_of(where).then == "whether or not it rains"
    here = OtherAnswer(2, "guard", "not_here", (), (*where.said, ("there", "fly")))
    assert answer_of(here).then == "sail whether or not it rains"
