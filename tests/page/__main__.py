"""Every bundled game's page in a browser: `python -m tests.page [--pictures DIR] [NAME ...]`. It takes minutes.

Needs Chromium, playwright (extra `pages`) and npm, by which axe-core comes into a folder that is gone afterwards. Each
page is stepped to its end by keyboard, in the light, in the dark and on a phone; it may complain of nothing, ask
nobody, be no wider than the window, and break no rule of axe-core. The pages of a judged folder, a rulebook, a review
and proofs are looked at too, and a page of 10,000 events. `--pictures` keeps what was seen, and would be printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import referee
from referee.cli.main import run
from referee.frontend import names
from referee.page.html_file import html_of
from tests.page.browsing import THERE, Visit, browser
from tests.page.drawn import ROOT, document
from tests.page.test_log_pages import PIG, long_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EVENTS = 60
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}  # fmt: skip
SEATS = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ines", "Jon")
AXE = """async () => (await axe.run()).violations.map(
  (one) => `${one.id}: ${one.nodes.length} ${one.nodes[0].html.slice(0, 160)}`)"""


def axe_core(folder: Path) -> str:
    """The text of axe-core, from npm."""
    subprocess.run(["npm", "install", "--silent", "--no-save", "--prefix", str(folder), "axe-core"], check=True)
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


def pages(folder: Path, chosen: list[str]) -> Iterator[tuple[str, Callable[[Path], None]]]:
    """Names of pages, and what writes each."""
    for name in chosen or names():
        yield name, lambda out, name=name: game_page(name, folder, out)  # type: ignore[misc]  # a name of its own each
    if chosen:
        return
    logs = ROOT / "rulesets" / "go_goal" / "logs"
    wrong = sorted((logs / "illegal").glob("*.jsonl"))[0]
    reports = {
        "wrong line": ["show", str(wrong)], "verdicts": ["judge", str(logs / "illegal")],
        "rulebook": ["coverage", "go_goal", "--logs", str(logs / "legal")],
        "review": ["review", "tic_tac_toe", "--questions", "--timeout", "30"],
        "proofs": ["prove", "tic_tac_toe", "--timeout", "5"],
    }  # fmt: skip
    for name, words in reports.items():
        yield name, lambda out, words=words: said(words, out)  # type: ignore[misc]  # words of its own each
    yield "10,000 events", lambda out: put(document(folder, long_game(2_500), PIG), out)


def said(words: list[str], out: Path) -> None:
    run([*words, "--html", str(out)])


def put(page: dict[str, Any], out: Path) -> None:
    out.write_text(html_of(page), encoding="utf-8")


def game_page(name: str, folder: Path, out: Path) -> None:
    """The page of a game by lot."""
    rules = referee.load(name)
    game = rules.new_game(SEATS[: rules.players[0]], seed=1)
    game.play_out(EVENTS)
    put(document(folder, game.log(), name), out)


def looked_at(opened: Browser, file: Path, axe: str, pictures: Path | None, name: str) -> list[str]:
    """What is wrong with a page."""
    wrong: list[str] = []
    for look, options in LOOKS.items():
        visit = Visit(opened, file, **options)
        if visit.page.locator("output").count():
            wrong += stepped(visit, every=look == "light")
        if visit.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{look}: wider than the window")
        wrong += [f"{look}: {one}" for one in visit.troubles]
        if pictures is not None:
            visit.page.screenshot(path=str(pictures / f"{name.replace(' ', '_')}_{look}.png"))
            if look == "light":
                visit.page.emulate_media(media="print")
                visit.page.screenshot(path=str(pictures / f"{name.replace(' ', '_')}_print.png"))
                visit.page.emulate_media(media="screen")
        visit.page.evaluate(axe)  # last: the policy forbids nothing to whoever holds the browser
        wrong += [f"{look}: {one}" for one in visit.page.evaluate(AXE)]
        visit.page.close()
    return wrong


def stepped(visit: Visit, *, every: bool) -> list[str]:
    """Goes to the end by keyboard, a line at a time or ten."""
    data = json.loads(visit.page.inner_text("#document") or visit.page.evaluate(
        "document.getElementById('document').textContent"))
    steps = data["steps"]
    visit.press("Home")
    if not every or len(steps) > 1_000:
        visit.press(*["PageDown"] * min(len(steps) // 10 + 1, 30))
        visit.press("End")
        return [] if visit.about()["line"].startswith(f"line {steps[-1]['line']} ") else ["the end is not reached"]
    for step in steps[1:]:
        about = visit.press("ArrowRight")
        if not about["line"].startswith(f"line {step['line']} ") or about["tables"] != (step["change"] is not None):
            return [f"line {step['line']} is not shown, but {about}"]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="write what was seen into this folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rulesets; all of them, and reports, if none is named")
    chosen = parser.parse_args()
    if not THERE:
        print("no Chromium, or no playwright")
        return 2
    bad = 0
    with TemporaryDirectory() as scratch, browser() as opened:
        folder = Path(scratch)
        axe = axe_core(folder)
        if chosen.pictures is not None:
            chosen.pictures.mkdir(parents=True, exist_ok=True)
        for name, write in pages(folder, chosen.names):
            begun, file = time.monotonic(), folder / "page.html"
            write(file)
            wrong = looked_at(opened, file, axe, chosen.pictures, name)
            bad += bool(wrong)
            figures = f"{file.stat().st_size / 1e6:.2f} MB, {time.monotonic() - begun:.0f} s"
            print(f"{name}: {figures}, {'; '.join(wrong) or 'good'}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
