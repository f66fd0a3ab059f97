"""The language server as an editor sees it: one server, asked over pipes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.rule_checks import checked
from tests.changed_text import changed
from tests.editors.editor_client import Editor, editing
from tests.editors.written_rules import LOG, STICKS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    with editing(folder, workspace={"codeLens": {"refreshSupport": True}}) as found:
        yield found


@pytest.fixture
def sticks(folder: Path, editor: Editor) -> Iterator[Path]:
    """Rules that are open and right."""
    path = folder / "sticks" / "sticks.rules"
    path.parent.mkdir(exist_ok=True)
    path.write_text(STICKS, "utf-8")
    editor.open(path)
    editor.until_codes(path, [])
    yield path
    editor.send("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})


def replaced(text: str) -> dict[str, object]:
    """A change of all of a text."""
    return {"text": text}


def edit(text: str, old: str, new: str) -> dict[str, object]:
    """A change of one place."""
    before = text[: text.index(old)]
    line, character = before.count("\n"), len(before) - before.rfind("\n") - 1
    return {"text": new, "range": {"start": {"line": line, "character": character},
                                   "end": {"line": line, "character": character + len(old)}}}


def test_what_is_wrong_is_told_with_its_code_while_somebody_writes(editor: Editor, sticks: Path) -> None:
    editor.change(sticks, edit(STICKS, "raise taken", "raise takn"))
    assert editor.codes(sticks) == ["NM01"]
    found, = editor.published[sticks.as_uri()]
    assert found["range"] == {"start": {"line": 13, "character": 8}, "end": {"line": 13, "character": 12}}
    assert found["data"]["hint"] == "did you mean `taken`?"
    editor.change(sticks, replaced(STICKS))
    editor.until_codes(sticks, [])


def test_the_whole_check_finds_what_one_block_does_not_show(editor: Editor, sticks: Path) -> None:
    text = STICKS + '\nassume quick "nobody thinks for long"\n'
    editor.change(sticks, replaced(text))
    sticks.write_text(text, "utf-8")
    cold = [one.code for one in checked(RulesSource(str(sticks))).found]
    editor.until_codes(sticks, cold)
    assert cold == ["AS04"]


def test_rules_of_several_files_are_read_together_and_open_texts_win(editor: Editor, folder: Path) -> None:
    home = folder / "several"
    home.mkdir()
    course = "play\n" + STICKS.partition("play\n")[2]
    (home / "a.rules").write_text(STICKS.partition("play\n")[0], "utf-8")
    (home / "b.rules").write_text(changed(course, {"raise taken by sticks": "raise token by sticks"}), "utf-8")
    editor.open(home / "a.rules")
    editor.until_codes(home / "b.rules", ["NM01"])
    editor.open(home / "b.rules", course)
    editor.until_codes(home / "b.rules", [])
    editor.send("textDocument/didClose", {"textDocument": {"uri": (home / "b.rules").as_uri()}})
    editor.until_codes(home / "b.rules", ["NM01"])


def test_nonsense_is_told_and_the_server_goes_on(editor: Editor, sticks: Path) -> None:
    beyond = {"start": {"line": 99, "character": 9}, "end": {"line": 2**31 - 1, "character": 0}}
    editor.change(sticks, {"text": "", "range": beyond})
    editor.send("textDocument/didChange", {"textDocument": {"uri": "file:///nowhere.rules", "version": 3},
                                           "contentChanges": [{"text": "x"}]})
    editor.send("textDocument/didOpen", {"textDocument": {
        "uri": "untitled:1", "languageId": "referee", "version": 1, "text": "game"}})
    editor.raw(b"{")
    with pytest.raises(AssertionError, match="not open"):
        editor.ask("textDocument/documentSymbol", editor.at(sticks.parent / "none.rules", 0, 0))
    with pytest.raises(AssertionError, match="Invalid Params"):
        editor.ask("textDocument/hover", {"textDocument": sticks.as_uri(), "position": "here"})
    while not all(any(one in said for said in editor.messages) for one in ("nowhere", "untitled")):
        editor.until("window/logMessage")
    editor.change(sticks, replaced(changed(STICKS, {"raise taken": "raise takn"})))
    editor.until_codes(sticks, ["NM01"])


def test_a_log_has_its_verdict_at_its_line_and_hover_explains_it(editor: Editor, sticks: Path) -> None:
    log = sticks.parent / "game.jsonl"
    editor.open(log, LOG)
    assert editor.codes(log) == ["verdict"]
    found, = editor.published[log.as_uri()]
    assert (found["range"]["start"]["line"], found["severity"]) == (3, 1)
    assert "ana may not take sticks 2" in found["message"]
    said = editor.ask("textDocument/hover", editor.at(log, 1, 4))["contents"]["value"]
    assert "take sticks 3" in said
    assert "game.jsonl:2: legal" in said
    editor.change(log, replaced(changed(LOG, {'"sticks": 2': '"sticks": 1'})))
    editor.until_codes(log, [])
    editor.change(log, replaced(changed(LOG, {'"ruleset": "sticks"': '"ruleset": "no_such_rules"'})))
    editor.until_codes(log, ["verdict"])
    assert editor.ask("textDocument/hover", editor.at(log, 1, 4)) is None


def test_a_name_is_renamed_if_the_rules_mean_the_same(editor: Editor, sticks: Path) -> None:
    line = STICKS.split("\n").index("  taken: 0..7 starts 0")
    edits = editor.ask("textDocument/rename", editor.at(sticks, line, 3, newName="gone"))["changes"][sticks.as_uri()]
    assert len(edits) == STICKS.count("taken")
    for there in ("take", "if"):
        with pytest.raises(AssertionError, match="stands here already, as a name or as a word of the language"):
            editor.ask("textDocument/rename", editor.at(sticks, line, 3, newName=there))


def test_a_scenario_is_carried_out_and_says_how_it_went(editor: Editor, sticks: Path) -> None:
    def title() -> str:
        lenses = editor.ask("textDocument/codeLens", {"textDocument": {"uri": sticks.as_uri()}})
        return next(str(one["command"]["title"]) for one in lenses if one["command"]["command"].endswith("runScenario"))

    while title() != "\u2713 passed":
        editor.until("workspace/codeLens/refresh")
    editor.change(sticks, replaced(changed(STICKS, {"expect second wins": "expect first wins"})))
    while not title().startswith("\u2717 line 21"):
        editor.until("workspace/codeLens/refresh")
    uri = {"command": "referee.playFrom", "arguments": [str(sticks), "two take all"]}
    assert editor.ask("workspace/executeCommand", uri)[:2] == ["referee", "play"]


def test_without_the_library_the_command_says_what_to_install() -> None:
    program = "import sys; sys.modules['pygls'] = None; from referee.cli.main import main; main(['lsp'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'referee[lsp]'" in done.stderr
    assert "Traceback" not in done.stderr
