"""What stands behind a `;` and cannot is told to be a line of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.frontend import load

RULES = """game "Own" for 2 players ana and ben

play
  turns from ana, to the left
    turn player must take one of mark, wait

action mark
  me wins

action wait
  nothing

scenario "s"
  ana wait
"""


@pytest.mark.parametrize("line", ["ben wait; expect points of ana = 1", "ben may not mark; ben wait"])
def test_a_line_of_its_own(line: str, tmp_path: Path) -> None:
    path = tmp_path / "own.rules"
    path.write_text(f"{RULES}  {line}\n")
    with pytest.raises(Problems) as caught:
        load(path)
    (wrong,) = caught.value.diagnostics
    assert (wrong.span.line, wrong.code, wrong.hint) == (15, "SY38", "put it on a line of its own")
    assert wrong.span.column == line.index("; ") + 5
