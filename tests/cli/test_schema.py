"""`referee schema`."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit


@pytest.mark.parametrize("name", ["log", "report"])
def test_the_schema_is_one(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", name]) == Exit.GOOD
    Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


def test_another_schema_is_a_mistake_on_the_command_line() -> None:
    assert run(["schema", "nothing"]) == Exit.USAGE
