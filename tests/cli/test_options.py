"""Options that several commands share, and files that appear whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from referee.api.log_inputs import logs_in
from referee.api.whole_files import write_whole
from referee.cli.main import run
from referee.cli.options import pair_option


@click.command()
@pair_option("--rule", "A ruling.", "rulings")
def echo(rulings: dict[str, str]) -> None:
    click.echo(rulings)


def test_pairs_become_a_dict_and_only_the_first_sign_separates() -> None:
    done = CliRunner().invoke(echo, ["--rule", "RO-32.target=discards", "--rule", "b = x=y"])
    assert done.output == "{'RO-32.target': 'discards', 'b': 'x=y'}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [(["--rule", "nothing"], "'nothing' is not NAME=VALUE"), (["--rule", "=1"], "'=1' is not NAME=VALUE"),
     (["--rule", "a=1", "--rule", "a=2"], "a is given twice")],
)
def test_what_is_no_pair_is_refused(words: list[str], told: str) -> None:
    done = CliRunner().invoke(echo, words)
    assert done.exit_code == 2
    assert told in done.output


@pytest.mark.parametrize("words", [
    ["judge", "-"], ["infer", "tic_tac_toe", "-"], ["prove", "tic_tac_toe"], ["review", "tic_tac_toe"],
])
@pytest.mark.parametrize("seconds", ["nan", "soon"])
def test_a_time_that_no_clock_reaches_is_refused(
    words: list[str], seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--timeout", seconds]) == 2
    assert f"{seconds} is no number of seconds" in capsys.readouterr().err


@pytest.mark.parametrize(("flag", "name", "told"), [
    ("--html", "nowhere/page.html", "there is no folder"), ("--out", "taken/games", "taken is a file"),
])
def test_a_place_where_nothing_can_be_written_is_refused_before_the_work(
    flag: str, name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken").touch()
    assert run(["review", "tic_tac_toe", "--questions", "--games", "1", flag, str(tmp_path / name)]) == 2
    output = capsys.readouterr()
    assert told in output.err
    assert output.out == ""


def test_a_file_that_cannot_be_written_is_named_as_it_was_called(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_whole(tmp_path / "nowhere" / "page.html", ["one"])
    assert error.value.filename == str(tmp_path / "nowhere" / "page.html")


def test_a_folder_stands_for_its_logs_in_order_of_name(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "note.txt", ".c.jsonl.7.part"):
        (tmp_path / name).touch()
    assert logs_in(["-", str(tmp_path), "x.jsonl"]) == [
        "-", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "x.jsonl"]


def test_a_folder_without_logs_and_a_name_no_file_can_have_stay_as_they_are(tmp_path: Path) -> None:
    assert logs_in([str(tmp_path), "a\0b"]) == [str(tmp_path), "a\0b"]


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "game.jsonl", ["one", "zwei \N{LATIN SMALL LETTER U WITH DIAERESIS}"])
    assert (tmp_path / "game.jsonl").read_bytes() == b"one\nzwei \xc3\xbc\n"
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


def test_an_interrupted_file_leaves_nothing_behind_and_the_old_one_alone(tmp_path: Path) -> None:
    def interrupted() -> Iterator[str]:
        yield "new"
        raise KeyboardInterrupt

    (tmp_path / "game.jsonl").write_text("old\n")
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "game.jsonl", interrupted())
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("game.jsonl", "old\n")]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links are others there")
def test_what_is_written_again_keeps_its_permissions_and_the_link_to_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "game.rules"
    real.write_text("old\n")
    real.chmod(0o640)
    (tmp_path / "link.rules").symlink_to(real)
    write_whole(tmp_path / "link.rules", ["new"])
    assert (tmp_path / "link.rules").is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new\n", 0o640)
