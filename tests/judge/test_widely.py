"""Where more settings are open than are followed one by one, the verdict is the same as over all of them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.judge.log_run import Options, judge_path
from referee.judge.partial import enumeration, possible_states
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge.test_infer import setting_of, settings_of, stands, walker, written
from tests.judge.test_infer_holes import stands as stands_with_holes
from tests.judge.test_infer_holes import with_holes

OPEN = Options(all_readings=True)


def judged(monkeypatch: pytest.MonkeyPatch, path: Path, name: str) -> LogVerdict:
    with monkeypatch.context() as patched:
        patched.setattr(possible_states, "MOST_STATES", 1)
        return judge_path(str(path), lambda _: walker(name), OPEN)


@pytest.mark.parametrize("name", ["readings", "parameters"])
def test_a_complete_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    every = [chosen for chosen in settings_of(name) if chosen.get(("prize", ()), 2) == 2]
    random = Random(3)
    seen = set()
    for seed in range(12):
        path = written(tmp_path, name, setting_of(name, random.choice(every)), seed, 8, damaged=seed % 2 == 1)
        found = judged(monkeypatch, path, name)
        legal = any(stands(path, name, chosen) for chosen in every)
        if found.outcome is LogOutcome.STOPPED:  # the rules stop, under every setting that came so far
            assert legal == (found.at == len(path.read_text().splitlines()))
        else:
            assert found.outcome is (LogOutcome.LEGAL if legal else LogOutcome.ILLEGAL), (seed, found)
        seen.add(found.outcome)
    assert seen >= {LogOutcome.LEGAL, LogOutcome.ILLEGAL}


def test_a_log_with_holes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Beyond the positions that are followed it is still found illegal, and never called so where it is not."""
    name, random, illegal = "readings", Random(5), 0
    every = list(settings_of(name))
    for seed in range(8):
        path = with_holes(written(tmp_path, name, setting_of(name, random.choice(every)), seed, 8), name, 0.5, seed)
        with monkeypatch.context() as patched:
            patched.setattr(enumeration, "FEW_BRANCHES", 0)
            patched.setattr("referee.judge.partial.lifted.filling_tracker.MOST_CONSTRAINED", 1)
            found = judge_path(str(path), lambda _: walker(name), OPEN)
        right = any(stands_with_holes(path, name, chosen) for chosen in every)
        assert (found.outcome is LogOutcome.ILLEGAL) == (not right), (seed, found, path.read_text())
        illegal += not right
        assert found.outcome is not LogOutcome.DEPENDS
    assert illegal


def test_what_is_settled_is_told_entry_by_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    head = {"schema": "referee/log/1", "ruleset": "readings", "players": ["ana", "ben"]}
    lines = [{"by": "ana", "do": "strike", "with": {"force": 3}}, {"by": "ben", "do": "strike", "with": {"force": 1}}]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (head, *lines)))
    found = judged(monkeypatch, path, "readings")
    assert found.outcome is LogOutcome.LEGAL
    assert [[str(made) for made in world] for world in found.under] == [["exchange = one_by_one"]]
