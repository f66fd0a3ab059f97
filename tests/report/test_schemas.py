"""The published schemas: the same in the program and in spec/, and they say what the reader does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.report.data.schemas import SCHEMAS, schema_text

ROOT = Path(__file__).parents[2]
HEAD = {"schema": "referee/log/1", "ruleset": "marks", "players": ["ana", "ben"]}


@pytest.mark.parametrize("name", SCHEMAS)
def test_spec_holds_the_schema_of_the_program(name: str) -> None:
    assert (ROOT / "spec" / f"{name}.schema.json").read_text(encoding="utf-8") == schema_text(name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


GOOD = [
    HEAD, {**HEAD, "given": {"starter": "ana"}, "readings": {"tie": "first"}, "viewpoint": "ana", "note": "x"},
    {"by": "ana", "do": "mark", "with": {"cell": "a1"}, "at": 3}, {"by": "fate", "do": "deal"},
    {"assert": {"goals of ana": 1}}, {"undo": 1}, {"end": {}}, {"end": {"winner": None}},
    {**HEAD, "state": {"turn": "ana", "set": {"x": 10**18 - 1, "y": {"0": "1000000000000000000", "1": [None, True]}}}},
    {"end": {"winner": ["ana", "ben"], "scores": {"ana": 1}, "ranking": ["ana", ["ben", "cas"]]}},
]
BAD = [
    {}, [], 1, {"by": "ana"}, {**HEAD, "players": ["ana", "ana"]}, {**HEAD, "players": ["fate"]},
    {**HEAD, "ruleset": "../marks"}, {"undo": 0}, {"end": {"winner": 3}}, {"end": {"scores": {"ana": "1"}}},
    {"by": "ana", "do": "mark", "with": []}, {**HEAD, "schema": "referee/log/2"},
    {**HEAD, "state": {"set": {"x": 10**18}}}, {**HEAD, "state": {"set": {"x": {"0": [-10**18]}}}},
]


@pytest.mark.parametrize("line", GOOD, ids=json.dumps)
def test_good_lines_fit(line: object) -> None:
    Draft202012Validator(SCHEMAS["log"]).validate(line)


@pytest.mark.parametrize("line", BAD, ids=json.dumps)
def test_bad_lines_do_not(line: object) -> None:
    assert not Draft202012Validator(SCHEMAS["log"]).is_valid(line)
