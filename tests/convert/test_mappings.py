"""The mappings that come along fit their schema and the rules beside them; what does not fit is told."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.convert.mapping import SUFFIX, read_mapping
from referee.convert.mapping_schema import FORMATS, MAPPING_SCHEMA
from referee.convert.schema_check import misfits
from referee.core.flow import Flow, offered, offers
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.loader import load_flow
from tests.changed_text import changed

FOLDER = Path("rulesets/classics")
MAPPINGS = sorted(path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}"))
SMALL = 'schema = "referee/mapping/1"\n[openspiel]\nplayers = ["x"]\n[[openspiel.actions]]\npattern = "a"\ndo = "go"\n'


def offering(flow: Flow) -> dict[str, set[str]]:
    """Each label, with the names that its arguments have."""
    found: dict[str, set[str]] = {}
    for node in flow.nodes:
        for one in offered(here) if (here := offers(node)) is not None else ():
            found.setdefault(one.label, set()).update(param.arg for param in one.params if param.arg is not None)
    return found


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_mapping_that_comes_along_fits_its_schema_and_its_rules(name: str) -> None:
    path = FOLDER / f"{name}{SUFFIX}"
    data = tomllib.loads(path.read_text("utf-8"))
    Draft202012Validator(MAPPING_SCHEMA).validate(data)
    for form in FORMATS:
        if form not in data:
            continue
        mapping = read_mapping(path, form)
        flow = load_flow(FOLDER / f"{name}.rules", options=dict(mapping.options))
        assert flow.core.seats.roles in ((), mapping.players)
        assert sorted(mapping.order) == sorted(mapping.players)
        labels = offering(flow)
        for step in mapping.steps:
            assert step.label is None or set(step.arguments) <= labels[step.label]
        for event in mapping.before:
            arguments = event.get("with", {})
            assert isinstance(arguments, dict)
            assert set(arguments) <= labels[str(event["do"])]
        assert mapping.untold <= set(labels)


@pytest.mark.parametrize(("old", "new", "code", "told"), [
    ('do = "go"', 'do = "go"\nsteps = 0', "CV02", "one of 1, 2"),
    ('do = "go"', 'do = "go"\nwith = { at = ["{a|rows}"] }', "CV02", "no table rows"),
    ("[openspiel]", "[openspiel", "CV01", "no TOML"),
    ('"referee/mapping/1"', '"referee/mapping/2"', "CV02", "schema"),
    ('do = "go"', "do = 3", "CV02", "openspiel.actions.0.do"),
    ('do = "go"', 'do = "go"\nafter = 1', "CV02", "openspiel.actions.0.after"),
    ('do = "go"', 'does = "go"', "CV02", "openspiel.actions.0.does"),
    ('pattern = "a"', 'pattern = "("', "CV02", "no regular expression"),
    ('do = "go"', 'do = "go"\nwith = { at = "{a|rows}" }', "CV02", "no table rows"),
    ('players = ["x"]', "players = []", "CV02", "at least 1"),
    ('players = ["x"]\n', "", "CV02", "players"),
    ('do = "go"', 'do = "go"\nby = "me"', "CV02", "asked, fate"),
])
def test_a_mapping_that_does_not_fit_is_told(old: str, new: str, code: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "small.mapping.toml"
    path.write_text(SMALL, "utf-8")
    assert read_mapping(path, "openspiel").players == ("x",)
    path.write_text(changed(SMALL, {old: new}), "utf-8")
    with pytest.raises(Problems) as caught:
        read_mapping(path, "openspiel")
    found = caught.value.diagnostics[0]
    assert found.code == code
    assert told in " ".join((found.message, *found.expected))


def test_the_format_and_the_file_are_there(tmp_path: Path) -> None:
    path = tmp_path / "small.mapping.toml"
    with pytest.raises(Problems, match="CV01"):
        read_mapping(path, "openspiel")
    path.write_text(SMALL, "utf-8")
    with pytest.raises(Problems, match="CV02") as caught:
        read_mapping(path, "pgn")
    assert caught.value.diagnostics[0].expected == ("openspiel",)


def test_rules_without_a_mapping_beside_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.txt").write_text("g()\n")
    assert run(["convert", "openspiel", str(tmp_path / "g.txt"), "--ruleset", "adrenalyn_xl"]) == Exit.RULES
    told = capsys.readouterr().err
    assert "error[CV01]: there is no mapping beside the rules of adrenalyn_xl" in told
    assert "--mapping FILE" in told


@pytest.mark.parametrize("data", [{}, {"schema": 1}, {"schema": "referee/mapping/1", "pgn": []}, [], None,
                                  {"schema": "referee/mapping/1", "more": {}}, tomllib.loads(SMALL)])
def test_our_check_agrees_with_the_validator(data: object) -> None:
    assert (next(misfits(data, MAPPING_SCHEMA), None) is None) == Draft202012Validator(MAPPING_SCHEMA).is_valid(data)
