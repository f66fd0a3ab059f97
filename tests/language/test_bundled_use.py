"""Every construct of the grammar is used by a bundled game, but for those that are listed here with the reason.

It reads bundled rules until each was found, and games of their own for what is the last of it: some seconds.
"""

from __future__ import annotations

import re
from pathlib import Path

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.syntax.parser import parse
from referee.syntax.syntax_tree import Node

ROOT = Path(__file__).parents[2]
GRAMMAR = (ROOT / "grammar" / "referee.lark").read_text("utf-8")
ALIASED = {"choice", "done", "hook", "just_so", "meant", "subject", "dice_number", "only_one"}
"""Rules of which every form has a name of its own."""
ELSEWHERE = {"claim": "a claim of a log", "string": "a name in quotes in a claim",
             "component": "one of several alike, in a log", "main_turns": "turns without `play`"}
NOT_YET = {
    "between": "no bundled rulebook has somebody choose one or two at once and never none: three cards are passed in "
               "hearts, a card more is given up or none in guild row, dice are kept one by one in smugglers",
    "proc_case": "bundled games say what a component does in its own text (`class NAME of KIND`, `text`), beside its "
                 "columns; a procedure by cases says the same further away",
    "unspecified": "a log stops there unless the table says how it goes on, and what it says has no name: where a "
                   "bundled rulebook is silent the answers can be written down, and `one of` lists them",
}
"""Constructs that only the rulesets of tests use, and why: a game that wants one may take it out of here."""


def used(wanted: set[str]) -> set[str]:
    """The kinds of nodes in bundled rules, small ones first; no more is read once all that are wanted are found."""
    found: set[str] = set()
    for path in sorted((ROOT / "rulesets").rglob("*.rules"), key=lambda one: (one.parent.name != "classics", one)):
        text = path.read_text("utf-8")
        if path.parent.name != "classics":  # what scenarios say is said in the small ones
            text = re.sub(r"^scenario .*\n(?:(?: .*)?\n)*", "", text, flags=re.MULTILINE)
        tree = parse(Source(str(path), text), Reporter()).tree if text.strip() and not wanted <= found else None
        stack = [tree] if tree is not None else []
        while stack:
            one = stack.pop()
            found.add(one.kind)
            stack += [part for part in one.parts if isinstance(part, Node)]
    return found


def test_a_bundled_game_uses_each_construct() -> None:
    kinds = set(re.findall(r"^!?([a-z]\w*):", GRAMMAR, re.MULTILINE)) | set(re.findall(r"-> (\w+)", GRAMMAR))
    wanted = kinds - ALIASED - set(ELSEWHERE) - set(NOT_YET)
    assert wanted - used(wanted) == set()
