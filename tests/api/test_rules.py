"""What can be asked of rules through the library says the same as the commands, and stops when it is asked to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

import referee
from referee import Ruleset
from referee.cli.main import run
from tests.changed_text import changed
from tests.page.drawn import FITS, parts

RULES = Path(__file__).parent / "rules"
STICKS = RULES / "sticks.rules"
CLASSIC = "kuhn_poker"


@pytest.fixture(scope="module")
def sticks() -> Ruleset:
    return referee.load(STICKS)


@pytest.fixture(scope="module")
def poker() -> Ruleset:
    return referee.load(CLASSIC)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    run([*words, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def test_a_verdict_is_that_of_the_command(sticks: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(sticks.new_game(["Ana", "Ben"], seed=3).log()) + '\n{"by": "Ben", "do": "take"}\n')
    verdict = sticks.judge(path)
    assert told(capsys, "judge", str(path), "--ruleset", str(STICKS))["verdicts"] == [verdict.data()]
    run(["judge", str(path), "--ruleset", str(STICKS)])
    assert capsys.readouterr().out == f"{verdict}\n"


def test_a_review_is_that_of_the_command(poker: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    effort = {"games": 5, "events": 40, "positions": 50}
    words = [word for name, number in effort.items() for word in (f"--{name}", str(number))]
    report = poker.review(**effort)  # type: ignore[arg-type]
    one, other = {"schema": "referee/review/1", **report.data()}, told(capsys, "review", CLASSIC, *words)
    assert [search.keys() for search in one["searches"]] == [search.keys() for search in other["searches"]]
    for search in (*one["searches"], *other["searches"]):
        del search["seconds"], search["per_second"]  # how long it took is the only difference
    assert one == other
    assert report.findings[0].class_


def test_an_inference_is_that_of_the_command(
    poker: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = poker.new_game(["Ana", "Ben"], seed=3)
    game.play_out()
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(game.log()))
    report = poker.infer([path])
    assert {"schema": "referee/inference/1", **report.data()} == told(capsys, "infer", CLASSIC, str(path))
    assert poker.infer([game.log()]).outcome == report.outcome


def test_numbers_are_those_of_the_command(sticks: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = sticks.count(3, unit="event", distinct="positions")
    words = ("--depth", "3", "--by", "event", "--distinct", "positions")
    assert {"schema": "referee/count/1", **report.data()} == told(capsys, "count", str(STICKS), *words)
    game = sticks.new_game(["Ana", "Ben"])
    game.play("Ana", "take", sticks=3)
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(game.log()))
    report = sticks.count(4, log=path, without=["nothing"][1:])
    assert {"schema": "referee/count/1", **report.data()} == told(
        capsys, "count", str(STICKS), "--depth", "4", "--from", str(path))
    assert sticks.count(4, log=game.log()).numbers == report.numbers
    assert report


def test_positions_are_those_of_the_command(sticks: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    found = sticks.positions(engine="reference")
    data = {"schema": "referee/positions/1", **found.data()}
    said = told(capsys, "count", str(STICKS), "--positions", "--engine", "reference")
    assert {**data, "seconds": 0} == {**said, "seconds": 0}
    assert found
    header = sticks.new_game(["Ana", "Ben"]).log()[:1]
    assert sticks.positions(log=header).levels == found.levels
    with pytest.raises(referee.ArgumentError, match="engine"):
        sticks.positions(engine="solver")
    with pytest.raises(referee.ArgumentError, match="log"):
        sticks.positions(log=header, players=2)


def test_numbers_that_are_missing_are_told(sticks: Ruleset) -> None:
    assert not sticks.count(100, timeout=0.001)
    with pytest.raises(referee.ArgumentError, match="no event"):
        sticks.count(1, without=["give"])
    wrong = '{"by": "Ana", "do": "take", "with": {"sticks": 4}}'
    with pytest.raises(referee.NoView):
        sticks.count(1, log=[*sticks.new_game(["Ana", "Ben"]).log(), wrong])


def test_games_of_other_formats_become_logs(sticks: Ruleset, tmp_path: Path) -> None:
    game, = sticks.convert("openspiel", STICKS.parent / "sticks.txt")
    assert game
    assert sticks.judge(game.lines).winners == ("second",)
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("sticks()\ntake 3\ntake 9\n")
    game, = sticks.convert("openspiel", wrong)
    assert [(one.code, one.line) for one in game.troubles] == [("CV07", 3)]
    assert len(game.lines) == 2
    with pytest.raises(referee.RulesError, match="cannot be read"):
        next(sticks.convert("openspiel", wrong, mapping=tmp_path / "none.toml"))
    with pytest.raises(referee.ArgumentError, match="no format"):
        sticks.convert("sgf", wrong)


def test_proofs_are_those_of_the_command(sticks: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    found = [{**proof.data(), "log": None} for proof in sticks.prove(timeout=20, jobs=1)]
    shape, = told(capsys, "prove", str(STICKS), "--timeout", "20", "--jobs", "1")["shapes"]
    assert found == [{**claim, "players": shape["players"]} for claim in shape["claims"]]
    assert found


def test_reports_are_pages_too(sticks: Ruleset) -> None:
    """Those that the commands write."""
    review = sticks.review(games=5, positions=200)
    page = document_in(review.html())
    assert page["report"] == {"schema": "referee/review/1", **review.data()}
    assert len(page["after"]) == len(review.findings)
    proof, = sticks.prove(timeout=20, jobs=1)
    assert [one["name"] for one in document_in(proof.html())["report"]["shapes"][0]["claims"]] == [proof.name]


def document_in(html: str) -> dict[str, Any]:
    """The document of a page, which fits the schema."""
    found: dict[str, Any] = json.loads(parts(html)[0])
    FITS.validate(found)
    return found


def test_the_page_of_a_rulebook_counts_logs() -> None:
    rules = referee.load("go_goal")
    report = rules.coverage()
    game = rules.new_game(["Ana", "Ben"], seed=1)
    game.play_out(6)
    assert {one["events"] for one in document_in(report.html())["statements"]} == {0}
    page = document_in(report.html([game.log(), ["no log"]]))
    assert (page["logs"], page["unread"]) == (1, ["log_2.jsonl"])
    assert any(one["events"] for one in page["statements"])


def test_rules_are_checked_and_their_scenarios_told(poker: Ruleset) -> None:
    assert poker.check()
    results = list(poker.test())
    assert len(results) > 1
    assert all(results)
    wrong = referee.loads(changed(STICKS.read_text(), {"expect second wins": "expect first wins"}), "wrong")
    result, = wrong.test()
    assert not result
    assert result.failures[0].message
    assert result.failures[0].place.endswith(f"/wrong.rules:{len(STICKS.read_text().splitlines())}")
    bad = STICKS.read_text() + '\nscenario "none"\n  first take 9 of them\n'
    report = referee.loads(bad, "bad").check()
    assert not report
    assert report.diagnostics[0].line > 20


def test_what_a_rulebook_says_is_covered() -> None:
    report = referee.load("go_goal").coverage()
    assert report.complete
    assert {row.state for row in report.statements} >= {"encoded", "open", "not a rule"}


def test_what_a_player_knows_can_be_judged(poker: Ruleset) -> None:
    game = poker.new_game(["Ana", "Ben"], seed=3)
    game.play_out()
    known = list(poker.redact(game.log(), "Ana"))
    assert any('"?"' in line for line in known)
    assert poker.judge(known)
    assert poker.together([known, poker.redact(game.log(), "Ben")])


def test_a_line_is_explained(sticks: Ruleset) -> None:
    game = sticks.new_game(["Ana", "Ben"])
    game.play("Ana", "take", sticks=3)
    found = sticks.explain([*game.log(), {"by": "Ana", "do": "take", "with": {"sticks": 1}}], 3)
    assert found.verdict.wrong is not None
    assert found.verdict.wrong.kind == "wrong player"
    assert found.asked.startswith("Ben")
    assert str(found)


def test_rules_laid_out_are_a_fixed_point(sticks: Ruleset) -> None:
    assert list(sticks.format().values()) == [STICKS.read_text()]


def test_schemas_are_those_of_the_command(sticks: Ruleset, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("log", "report", "review", "proofs", "inference"):
        run(["schema", name])
        assert sticks.schema(name) == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("call", "kind", "code"), [
    (lambda rules: rules.schema("nothing"), referee.ArgumentError, "AP02"),
    (lambda rules: rules.points(9), referee.RulesError, "SH01"),
    (lambda rules: rules.points("two"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.points(2, "x"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.points(2, {"x": 3}), referee.ArgumentError, "AP01"),
    (lambda rules: rules.schema(3), referee.ArgumentError, "AP02"),
    (lambda rules: rules.check(progress="x"), referee.ArgumentError, "AP01"),
    (lambda rules: list(rules.test(cancel=3)), referee.ArgumentError, "AP01"),
    (lambda rules: list(rules.judge_many([], progress="x")), referee.ArgumentError, "AP01"),
    (lambda rules: rules.explain([*rules.new_game(["A", "B"]).log()], 7), referee.ArgumentError, "AP02"),
    (lambda rules: rules.explain([], 7), referee.LogError, "LG03"),
    (lambda rules: rules.explain(rules.new_game(["A", "B"]).log(), "x"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.redact(rules.new_game(["A", "B"]).log(), "C"), referee.LogError, "LG25"),
    (lambda rules: rules.redact("no_such_file", "C"), referee.LogError, "LG01"),
    (lambda rules: rules.redact([*rules.new_game(["A", "B"]).log(), '{"end": {}}'], "A"), referee.NoView, "AP10"),
    (lambda rules: rules.infer([]), referee.ArgumentError, "AP01"),
    (lambda rules: rules.infer("game.jsonl"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.together(3), referee.ArgumentError, "AP01"),
    (lambda rules: rules.together(["no_such_file"]), referee.LogError, "LG01"),
    (lambda rules: rules.review(only=["nothing"]), referee.ArgumentError, "AP02"),
    (lambda rules: rules.review(only="nothing"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.review(9), referee.RulesError, "SH01"),
    (lambda rules: list(rules.prove(9)), referee.RulesError, "SH01"),
    (lambda rules: rules.prove("two"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.test(engine="steam"), referee.ArgumentError, "AP02"),
    (lambda rules: rules.test(timeout=0), referee.ArgumentError, "AP01"),
    (lambda rules: rules.coverage(timeout="1"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.redact([], "Ana", timeout=float("nan")), referee.ArgumentError, "AP01"),
    (lambda rules: rules.explain([], 2, timeout=True), referee.ArgumentError, "AP01"),
    (lambda rules: rules.judge_many("game.jsonl"), referee.ArgumentError, "AP01"),
    (lambda rules: rules.judge_many([], jobs=0), referee.ArgumentError, "AP01"),
])
def test_what_makes_no_sense_is_an_error_with_a_code(
    sticks: Ruleset, call: Callable[[Ruleset], object], kind: type[referee.RefereeError], code: str
) -> None:
    with pytest.raises(kind) as error:
        call(sticks)
    assert error.value.code == code


@pytest.mark.parametrize("call", [
    lambda rules, cancel: rules.check(cancel=cancel), lambda rules, cancel: list(rules.test(cancel=cancel)),
    lambda rules, cancel: rules.review(cancel=cancel, games=1000), lambda rules, cancel: list(
        rules.prove(cancel=cancel)),
    lambda rules, cancel: rules.infer([rules.new_game(["A", "B"]).log()], cancel=cancel),
])
def test_whatever_may_take_long_stops_when_it_is_asked_to(
    poker: Ruleset, call: Callable[[Ruleset, Callable[[], bool]], object]
) -> None:
    with pytest.raises(referee.Cancelled) as error:
        call(poker, lambda: True)
    assert error.value.code == "AP08"


@pytest.mark.parametrize("call", [
    lambda rules: list(rules.test(timeout=0.001)), lambda rules: rules.coverage(live=True, timeout=0.001),
    lambda rules: rules.new_game(["Ana", "Ben"]).play_out(timeout=0.001, progress=lambda _: sleep(0.002)),
], ids=["test", "coverage", "play_out"])
def test_what_takes_too_long_says_that_the_time_is_over(call: Callable[[Ruleset], object]) -> None:
    with pytest.raises(referee.Cancelled) as error:
        call(referee.load("go_goal"))
    assert error.value.code == "AP11"


def test_a_log_that_is_not_judged_in_time_is_unknown(poker: Ruleset) -> None:
    game = poker.new_game(["Ana", "Ben"], seed=3)
    game.play_out()

    def slowly() -> Iterator[str]:
        for line in game.log():
            sleep(0.002)
            yield line

    with pytest.raises(referee.NoView) as error:
        poker.redact(slowly(), "Ana", timeout=0.001)
    assert error.value.verdict.outcome == "unknown"
    found = poker.explain(slowly(), 4, timeout=0.001)
    assert found.verdict.outcome == "unknown"
    assert found.asked == ""
    assert "not judged within" in str(found)


def test_whoever_waits_is_told_what_is_done(poker: Ruleset) -> None:
    said: list[str] = []
    list(poker.test(progress=said.append))
    poker.check(progress=said.append)
    assert len(said) > 2
    assert all(said)
