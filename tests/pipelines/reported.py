"""Logs of every outcome, with names and words that somebody hostile would give them, and what is said of them."""

from __future__ import annotations

from pathlib import Path

from referee.api.folders.first_files import make_ruleset
from tests.changed_text import changed

HEAD = '{"schema": "referee/log/1", "ruleset": "ours", "players": ["first", "second"]}\n'
LOGS = {
    "good.jsonl": '{"by": "first", "do": "take", "with": {"stones": 3}}',
    "bad \u202e<b>&\"'.jsonl": '{"by": "first", "do": "take", "with": {"stones": 4}}',
    "torn.jsonl": '{"by": "first',
    "hole.jsonl": '{"by": "first", "do": "take", "with": {"stones": "?"}}',
    "stops.jsonl": '{"by": "first", "do": "take", "with": {"stones": 2}}',
    "hostile.jsonl": '{"by": "</script>\\u202e\\u001b[31m", "do": "]]>", "with": {}}',
}
WINS, STOPS = "  if left = 0: me wins", '  if left = 8: unspecified "]]> \u202e what <then>?"\n'


def written(folder: Path) -> list[str]:
    """Writes logs and their rules into a folder; the words of the command by which they are judged there."""
    rules = make_ruleset("ours", folder)[0]
    rules.write_text(changed(rules.read_text("utf-8"), {WINS: STOPS + WINS}), "utf-8")
    for name, line in LOGS.items():
        (folder / name).write_text(f"{HEAD}{line}\n", "utf-8")
    (folder / "empty.jsonl").write_text("")
    return ["judge", *sorted([*LOGS, "empty.jsonl", "gone.jsonl"]), "--ruleset", "./ours"]


def reviewed(folder: Path) -> list[str]:
    """Writes rules of which a review finds something; the words of the command that reviews them."""
    rules = make_ruleset("flawed", folder)[0]
    rules.write_text(changed(rules.read_text("utf-8"), {WINS: WINS.replace("0", "11")}), "utf-8")
    return ["review", str(rules), "--games", "2", "--positions", "10", "--only", "dead"]
