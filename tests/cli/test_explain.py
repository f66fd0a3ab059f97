"""`referee explain`."""

from __future__ import annotations

import pytest

from referee.base.codes import CODES
from referee.base.exitcodes import Exit
from referee.cli.main import run


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", code.lower()]) == Exit.GOOD
    title, _, rest = capsys.readouterr().out.partition("\n")
    assert title == f"{code}  {CODES[code].title}"
    assert rest.split() == CODES[code].explanation.split()


def test_an_unknown_code_is_a_mistake_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "LG011"]) == Exit.USAGE
    assert "there is no code LG011: did you mean LG" in capsys.readouterr().err
