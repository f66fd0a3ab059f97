"""Several records of one game, judged together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.api.game_record import Recorder
from referee.cli.main import referee
from referee.frontend import load_flow
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.judge.log_run import PLAIN, Options
from referee.judge.records.joint_judgement import judge_together
from referee.judge.records.record_merge import Record, RecordsDisagree, joined
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.views.redaction import redacted
from tests.judge.filling import read
from tests.judge.playing import does

RECORDS = Path(__file__).resolve().parent.parent / "language" / "exam" / "26_two_records.rules"
HEAD = {"schema": "referee/log/1", "ruleset": "26_two_records", "players": ["ana", "ben"], "viewpoint": "public"}
GAME = [
    does("fate", "draw", to="ana", cards=[4, 6]), does("ana", "discard", card=4), does("ana", "lay", card=6),
    does("fate", "draw", to="ben", cards=[1, 2]), does("ben", "discard", card=2), does("ben", "lay", card=1),
]
ANA = [
    *GAME[:3], does("fate", "draw", to="ben", cards="?"), does("ben", "discard", card=2), does("ben", "lay", card="?"),
]
BEN = [
    does("fate", "draw", to="ana", cards="?"), does("ana", "discard", card=4), does("ana", "lay", card="?"), *GAME[3:],
]


def together(folder: Path, *records: list[dict[str, Any]], ruleset: str | Path = RECORDS,
             options: Options = PLAIN) -> LogVerdict:
    paths = []
    for index, lines in enumerate(records):
        path = folder / f"{'abcdef'[index]}.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        paths.append(str(path))
    walker = engine(load_flow(ruleset, len(records[0][0]["players"]), {}))

    def load(_: Header) -> Any:
        return walker

    return judge_together(paths, load, options)


def test_two_records_that_fit(tmp_path: Path) -> None:
    found = together(tmp_path, [HEAD, *ANA], [HEAD, *BEN])
    assert (found.outcome, found.ways) == (LogOutcome.LEGAL, None)
    assert found.path.endswith("a.jsonl + " + str(tmp_path / "b.jsonl"))


def test_each_record_fills_the_others_holes(tmp_path: Path) -> None:
    unsure = [HEAD, does("fate", "draw", to="ana", cards=["?", 6]), does("ana", "discard", card={"in": [4, 5]})]
    other = [HEAD, does("fate", "draw", to="ana", cards=[4, "?"]), does("ana", "discard", card={"in": [3, 4]})]
    assert together(tmp_path, unsure, other).outcome is LogOutcome.LEGAL
    assert together(tmp_path, unsure, [*other[:2], does("ana", "discard", card={"in": [3, 6]})]).conflict == (3, 3)


@pytest.mark.parametrize(("one", "other"), [
    ({"4": 1, "6": 1}, {"6": 1, "4": 1}), ({"4": 1, "6": 1}, [6, "?"]), (["?", "?"], {"6": 1, "4": 1})])
def test_how_several_cards_are_written_is_no_matter(tmp_path: Path, one: Any, other: Any) -> None:
    """Told by their numbers in whatever order, or in a list, the cards of both records can be the same."""
    if isinstance(other, list):
        one, other = ({str(card): 1 for card in (4, 6)}, [str(card) if card != "?" else card for card in other])
    found = joined([record_of(tmp_path, one), record_of(tmp_path, other)])
    assert sorted(listed(json.loads(found.texts[1])["with"]["cards"])) == ["4", "6"]


def listed(cards: Any) -> list[str]:
    return [card for card, number in cards.items() for _ in range(number)] if isinstance(cards, dict) else cards


def record_of(folder: Path, cards: Any) -> Record:
    log = read([HEAD, does("fate", "draw", to="ana", cards=cards)])
    return Record(str(folder), log.header, tuple(log))


def test_headers_state_together_what_each_of_them_states(tmp_path: Path) -> None:
    heads = [{**HEAD, "readings": {"tie": "first"}}, {**HEAD, "readings": {"late": "no"}, "given": {"starter": "ana"}}]
    found = joined([Record("a", read([head]).header, ()) for head in heads])
    made = json.loads(found.texts[0])
    assert (made["readings"], made["given"]) == ({"tie": "first", "late": "no"}, {"starter": "ana"})
    with pytest.raises(RecordsDisagree, match="readings differ"):
        joined([Record("a", read([{**HEAD, "readings": {"tie": one}}]).header, ()) for one in ("first", "none")])


def test_what_two_records_know_of_hidden_cards_cannot_be(tmp_path: Path) -> None:
    """Ben says that he drew the 6, which Ana says she laid face down: each record alone is possible."""
    ben = [*BEN[:3], does("fate", "draw", to="ben", cards=[6, 2]), does("ben", "discard", card=2)]
    assert together(tmp_path, [HEAD, *ANA[:5]]).outcome is LogOutcome.POSSIBLE
    assert together(tmp_path, [HEAD, *ben]).outcome is LogOutcome.POSSIBLE
    found = together(tmp_path, [HEAD, *ANA[:5]], [HEAD, *ben])
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 5)


def test_different_values_for_one_thing(tmp_path: Path) -> None:
    found = together(tmp_path, [HEAD, *ANA], [HEAD, BEN[0], does("ana", "discard", card=5), *BEN[2:]])
    assert found.wrong is not None
    assert (found.outcome, found.at, found.conflict) == (LogOutcome.ILLEGAL, 3, (3, 3))
    assert found.wrong.message.startswith("card of discard is 4 and 5 (")


def test_different_events_at_one_place(tmp_path: Path) -> None:
    found = together(tmp_path, [HEAD, *ANA], [HEAD, BEN[0], does("ana", "lay", card="?")])
    assert found.wrong is not None
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 3)
    assert "the records differ: ana: discard, and ana: lay" in found.wrong.message


def test_claims_of_one_record_move_its_lines(tmp_path: Path) -> None:
    """Where lines have other numbers than in their files, it is told where they stand."""
    claim = {"assert": {"number of hand of ana": 2}}
    found = together(tmp_path, [HEAD, ANA[0], claim, *ANA[1:]], [HEAD, *BEN[:4], does("ben", "discard", card=4)])
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 7)
    found = together(tmp_path, [HEAD, ANA[0], claim, *ANA[1:4]], [HEAD, *BEN[:4], does("ben", "discard", card=3)])
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 7)
    assert any(note.startswith("line 7: ") and note.endswith("b.jsonl:6") for note in found.notes)


@pytest.mark.parametrize("entry", [{"players": ["ben", "ana"]}, {"ruleset": "other"}, {"given": {"x": 1}},
                                   {"version": "1"}])
def test_records_of_different_games(tmp_path: Path, entry: dict[str, Any]) -> None:
    head = {**HEAD, "version": "0", "given": {"x": 0}}
    found = together(tmp_path, [head, *ANA], [{**head, **entry}, *BEN])
    assert found.wrong is not None
    assert (found.outcome, found.at) == (LogOutcome.ILLEGAL, 1)
    assert "these are no records of one game" in found.wrong.message


def test_a_record_that_cannot_be_read(tmp_path: Path) -> None:
    assert together(tmp_path, [HEAD, *ANA], [{**HEAD, "schema": "x"}]).outcome is LogOutcome.UNREADABLE


@pytest.mark.parametrize("seed", range(3))
def test_all_views_of_a_game_are_the_game(tmp_path: Path, seed: int) -> None:
    walker = engine(load_flow("go_goal", 3, {}))
    game = play_out(walker, Setting(("ana", "ben", "cleo")), seed, 60, rule=True)
    texts = list(Recorder(walker, {}).lines(game.setting, game.events, game.last, ()))
    lines = [json.loads(text) for text in texts]
    views = [[json.loads(one) for one in redacted(read(lines), player, lambda _: walker)]
             for player in game.setting.players]
    assert together(tmp_path, *views, ruleset="go_goal").outcome is LogOutcome.LEGAL
    assert together(tmp_path, *views[:2], ruleset="go_goal").outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE)


def test_at_the_command_line(tmp_path: Path) -> None:
    for name, lines in (("a", ANA), ("b", BEN)):
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in [HEAD, *lines]))
    words = ["judge", str(tmp_path), "--together", "--ruleset", str(RECORDS)]
    found = CliRunner().invoke(referee, words, standalone_mode=False)
    assert found.return_value == 0, found.output
    assert "b.jsonl: legal so far, not finished (6 events)" in found.output
