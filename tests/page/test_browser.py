"""A page in a browser: it steps to the end by keyboard, shows what its log says, and complains of nothing.

One game, where Chromium and playwright are installed; `python -m tests.page` looks at the pages of all games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import referee
from referee.page.html_file import html_of
from tests.page.browsing import THERE, Visit, browser
from tests.page.drawn import document

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not THERE, reason="no Chromium, or no playwright (extra `pages`)")
HOSTILE = "<img src=x onerror=alert(1)></script>\u202e"


@pytest.fixture(scope="module")
def opened() -> Iterator[Browser]:
    with browser() as found:
        yield found


def test_the_page_of_a_game_in_a_browser(opened: Browser, tmp_path: Path) -> None:
    rules = referee.load("breakthrough")
    game = rules.new_game([HOSTILE, "Ben"], seed=2)
    game.play_out(6)
    wrong = json.dumps({"by": "Ben", "do": "move", "with": {}})
    page = document(tmp_path, [*game.log(), wrong])
    file = tmp_path / "page.html"
    file.write_text(html_of(page), encoding="utf-8")
    visit = Visit(opened, file, viewport={"width": 390, "height": 800})
    last = len(page["steps"])
    assert visit.about()["line"] == f"line {last} of {last}"
    assert "illegal" in visit.page.inner_text(".badge")
    assert visit.press("Home")["what"] == "the game begins"
    for step in page["steps"][1:]:
        said = visit.press("ArrowRight")
        assert said["what"] == step["text"].replace("\u202e", "\ufffd")
        assert said["tables"] == 1
    assert visit.press("ArrowRight")["line"] == f"line {last} of {last}"
    assert visit.press("ArrowLeft", "ArrowLeft")["what"] == page["steps"][-3]["text"].replace("\u202e", "\ufffd")
    assert visit.about()["wide"] <= 0
    assert visit.page.locator("img").count() == 0
    assert visit.troubles == []


def test_a_wrong_line_behind_those_of_the_page_stands_with_the_verdict(opened: Browser, tmp_path: Path) -> None:
    game = referee.load("breakthrough").new_game(["Ana", "Ben"], seed=2)
    game.play_out(6)
    page = document(tmp_path, [*game.log(), json.dumps({"by": "Cleo", "do": "move"})])
    gone = page["steps"].pop()
    file = tmp_path / "page.html"
    file.write_text(html_of(page | {"left_out": 1}), encoding="utf-8")
    visit = Visit(opened, file)
    assert "Cleo" in visit.page.inner_text(".verdict .refused")
    assert f"Line {gone['line']}:" in visit.page.inner_text(".verdict")
    assert visit.page.locator("button[aria-label='To the wrong line']").count() == 0
