"""Rules that were changed at random: they load and can be played, or every complaint points into them.

`REFEREE_FUZZ=10000` tries so many texts instead of a few.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.core.flow import Flow
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.flow.expansion_size import MOST_PARTS, parts
from referee.frontend.expressions.coercions import Terms
from referee.frontend.loading.loader import load_flow
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from tests.frontend.mutations import CHANGES, Change, changed

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("rulesets/classics/*.rules"), *ROOT.glob("tests/language/constructs/*.rules")])
TEXTS = tuple(path.read_text(encoding="utf-8") for path in FILES)
EXAMPLES = int(os.environ.get("REFEREE_FUZZ", "40"))
EVENTS = 50
MEANINGS_PER_CHARACTER = 200
"""So often a phrase may be looked at, on the average: what rules mean takes no more work than their length allows."""

CHANGE = st.builds(
    Change, st.sampled_from(sorted(CHANGES)), st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(TEXTS)
)


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(text=st.sampled_from(TEXTS), changes=st.lists(CHANGE, min_size=1, max_size=5), seed=st.integers(0, 1000))
def test_changed_rules_are_played_or_complained_of(text: str, changes: list[Change], seed: int) -> None:
    rules = changed(text, changes)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "changed.rules"
        path.write_text(rules, encoding="utf-8")
        try:
            flow = bounded(path, MEANINGS_PER_CHARACTER * len(rules))
            assert parts(flow.nodes) <= MOST_PARTS
            played(flow, seed)
            load_scenarios(path)
        except Problems as problems:
            found = problems.diagnostics
        else:
            return
        assert found
        for diagnostic in found:
            points_into(diagnostic, path, rules)


def bounded(path: Path, most: int) -> Flow:
    """The flow of the rules, found without looking at more phrases than allowed."""
    looked_at = 0
    meaning = Terms.meaning

    def counted(*args: object, **named: object) -> object:
        nonlocal looked_at
        looked_at += 1
        assert looked_at <= most, f"more than {most} phrases were looked at"
        return meaning(*args, **named)  # type: ignore[arg-type]

    with patch.object(Terms, "meaning", counted):
        return load_flow(path)


def played(flow: Flow, seed: int) -> None:
    seats = flow.core.seats
    players = seats.roles or tuple(f"player {n}" for n in range(seats.number))
    game = play_out(Walker(flow), Setting(players, {}, {}, {}, {}), seed, EVENTS)
    assert len(game.events) <= EVENTS


def points_into(diagnostic: Diagnostic, path: Path, text: str) -> None:
    """The place of a diagnostic is one in the file; what is missing at the end of a line is missing just behind it."""
    span, lines = diagnostic.span, text.split("\n")
    assert span.path == str(path), diagnostic
    assert (span.line, span.column) <= (span.end_line, span.end_column), diagnostic
    assert 1 <= span.line <= span.end_line <= len(lines), diagnostic
    assert 1 <= span.column <= len(lines[span.line - 1]) + 1, diagnostic
    assert 1 <= span.end_column <= len(lines[span.end_line - 1]) + 2, diagnostic
