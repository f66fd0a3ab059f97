"""Rules that are broken or meant to do harm: each is answered with a code, a place and exit code 3, in time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.attack.bounded import Ending, complains, run, started

RULES = 3
CODE = r"\[?[A-Z]{2}\d\d"

GAME = """\
game "Toy" for 2 players x and o

kind Mark of player

board square: columns a..c, rows 1..3

components
  5 Mark of each player in supply of owner

zones
  supply of player: bag of Mark, open
  grid: slots of Mark on square, open

counters
  turns_taken: 0..9 starts 0

play
  turns from x, to the left
    turn player must mark

action mark(cell: square)
  needs "the cell is free": grid at cell is empty
  move Mark of me from supply of me to grid at cell

end as soon as grid is full: nobody wins
"""


def checked(folder: Path, content: str | bytes) -> Ending:
    (folder / "toy.rules").write_bytes(content if isinstance(content, bytes) else content.encode())
    return run(folder, "check", "toy.rules")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def changed(old: str, new: str) -> str:
    assert GAME.count(old) == 1
    return GAME.replace(old, new)


def test_the_toy_is_sound_in_a_process_of_its_own_too(tmp_path: Path) -> None:
    ending = checked(tmp_path, GAME)
    assert ending.code == 0, ending.text
    other = started(tmp_path, "check", "toy.rules")  # what comes of it on two streams, one after the other
    assert (other.code, sorted(other.text.splitlines())) == (0, sorted(ending.text.splitlines()))


# name -> (rules, the line to be named, or the first and the last of those that would do)
BROKEN: dict[str, tuple[str | bytes, int | tuple[int, int]]] = {
    "empty": ("", 1),
    "blank": ("\n \n\n", 1),
    "nothing but a comment": ("# rules\n", 1),
    "binary": (bytes(range(256)) * 50, (1, 2)),
    "zero bytes": (GAME.encode().replace(b"play\n", b"pl\x00ay\n"), 17),
    "another encoding": (GAME.encode("utf-16"), 1),
    "tabs": (changed("    turn player must mark", "\t\tturn player must mark"), 19),
    "5 MB of one letter": ("a" * 5_000_000, 1),
    "5 MB of one capital": ("A" * 5_000_000, 1),
    "5 MB of digits": ("game \"G\" for " + "9" * 5_000_000 + " players\n", 1),
    "5 MB of blanks": (" " * 5_000_000, 1),
    "a string that never ends": ('game "' + "x" * 1_000_000, 1),
    "20,000 open brackets": (changed("grid at cell is empty", "(" * 20_000), 22),
    "20,000 brackets, all closed": (changed("grid at cell is empty", "(" * 20_000 + "yes" + ")" * 20_000), 22),
    "20,000 open braces": (changed("grid at cell is empty", "{" * 20_000), 22),
    "50,000 times not": (changed("grid at cell is empty", "not " * 50_000 + "grid at cell is empty"), 22),
    "50,000 times of": (changed("grid at cell is empty", "me is " + "opponent of " * 50_000 + "me"), 22),
    "1,500 levels of indentation": (
        "play\n" + "".join("  " * i + "if yes\n" for i in range(1, 1500)) + "  " * 1500 + "nothing\n", (1, 1502)),
    "an import of itself": (GAME + '\nimport "toy.rules"\n', 27),
    "statements from itself": (GAME + '\nstatements from "toy.rules"\n', 27),
    "statements from elsewhere": (GAME + '\nstatements from "../../../../../../etc/passwd"\n', 27),
    "statements from a device": (GAME + '\nstatements from "/dev/zero"\n', 27),
    "a loop without a decision": (changed("play\n", "play\n  repeat until turns_taken = 9\n    nothing\n"), 18),
    "a procedure that plays itself": (
        changed("play\n", "play\n  play again\n") + "\nprocedure again\n  play again\n", (28, 30)),
    "two procedures that play each other": (
        changed("play\n", "play\n  play ping\n")
        + "\nprocedure ping\n  play pong\n\nprocedure pong\n  play ping\n", (28, 33)),
    "a definition by itself": (GAME + "\ndefine age of player p: 0..9 = age of p\n", 27),
    "two definitions by each other": (
        GAME + "\ndefine one of player p: 0..9 = two of p\n\ndefine two of player p: 0..9 = one of p\n", (27, 29)),
    "a name used twice": (changed("  grid: slots", "  grid: bag of Mark, open\n  grid: slots"), (13, 14)),
    "one name for two things": (changed("  turns_taken: 0..9", "  grid: 0..9"), 15),
    "two actions of one name": (GAME + "\naction mark(cell: square)\n  nothing\n", 27),
    "a language word as a name": (changed("turns_taken: 0..9", "if: 0..9"), 15),
    "another language word as a name": (changed("turns_taken: 0..9", "opponent: 0..9"), 15),
    "a word of the language for a player": (changed("players x and o", "players me and you"), 1),
    "a reserved player": (changed("players x and o", "players x and fate"), 1),
    "a table with a missing cell": (GAME + "\ntable worth of player: 0..9\n  x | 1\n", (27, 28)),
    "a table with a missing column": (
        GAME + "\ntable worth of player and square: 0..9\n  - | a1 | b1\n  x | 1\n  o | 1 | 2\n", (27, 30)),
    "a table with a row twice": (GAME + "\ntable worth of player: 0..9\n  x | 1\n  x | 2\n  o | 1\n", (27, 29)),
    "a table with a value out of range": (GAME + "\ntable worth of player: 0..9\n  x | 1\n  o | 10\n", 29),
    "a range upside down": (changed("turns_taken: 0..9", "turns_taken: 9..0"), 15),
    "a start out of range": (changed("starts 0", "starts 10"), 15),
    "a counter beyond all bounds": (changed("0..9 starts 0", "0.." + "9" * 5000 + " starts 0"), 15),
    "a board as large as the world": (changed("columns a..c, rows 1..3", "columns 1..100000, rows 1..100000"), 5),
    "a hundred million players": (changed("for 2 players x and o", "for 100000000 players"), 1),
    "a hundred million components": (changed("5 Mark of", "100000000 Mark of"), 8),
    "a sum of 100,000 terms": (changed("grid at cell is empty", "1" + " + 1" * 100_000 + " = 1"), 22),
    "products beyond all bounds": (
        changed("grid at cell is empty", "turns_taken" + " * 1000000000" * 2000 + " = 1"), 22),
    "a number of a million digits": (changed("starts 0", "starts " + "1" * 1_000_000), (1, 15)),
    "brackets just as deep as allowed, and deeper": (
        changed("grid at cell is empty", "(" * 300 + "yes" + ")" * 300), 22),
    "a long chain of not": (changed("grid at cell is empty", "not " * 450 + "grid at cell is empty"), 22),
    "a long chain of of": (changed("grid at cell is empty", "me is " + "opponent of " * 150 + "me"), 22),
    "a long sum": (changed("grid at cell is empty", "1" + " + 1" * 450 + " = 1"), 22),
    "a long product": (changed("grid at cell is empty", "turns_taken" + " * 999999999999" * 100 + " = 1"), 22),
    "490 lines of garbage": ("".join(f"{'(a' * 900}\n" for _ in range(490)), (1, 490)),
    "30,000 wrong lines": ("define d = = 1\n" * 30_000, (1, 30_000)),
    "30,000 wrong lines in one block": ("play\n" + "  x = = 1\n" * 30_000, (1, 30_001)),
    "a counter for every four cells": (
        changed("rows 1..3", "rows 1..300").replace("  turns_taken:", "  turns_taken of square and square and square:"),
        (15, 15)),
    "a zone for every three cells": (
        changed("rows 1..3", "rows 1..300").replace("  grid: slots", "  grid of square and square and square: slots"),
        (5, 22)),
    "an unknown verb": (changed("move Mark of me", "mvoe Mark of me"), 23),
    "an unknown name": (changed("grid at cell is empty", "gird at cell is empty"), 22),
    "a number for a condition": (changed("grid at cell is empty", "turns_taken"), 22),
    "no game": (GAME.split("\n", 1)[1], 1),
    "two games": (GAME + '\ngame "Toy" for 2 players\n', 27),
    "nothing is played": (changed("play\n  turns from x, to the left\n    turn player must mark\n", ""), 1),
    "an unknown action is asked for": (changed("must mark", "must marc"), 19),
    "an end within a declaration": (GAME.rstrip("\n").rsplit(":", 1)[0], (25, 26)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_rules_that_cannot_be_loaded(tmp_path: Path, name: str) -> None:
    content, line = BROKEN[name]
    first, last = line if isinstance(line, tuple) else (line, line)
    ending = checked(tmp_path, content)
    complains(ending, RULES, CODE, "toy.rules")
    assert any(first <= int(n) <= last for n in re.findall(r"toy\.rules:(\d+)", ending.text)), ending.text[:3000]


def test_50_errors_are_50_reports(tmp_path: Path) -> None:
    scenarios = "".join(f'\nscenario "{i}"\n  x marc a1\n  expect nobody wins\n' for i in range(50))
    blocks = "".join(f"\ndefine d{i} of player p = gird at a{i}\n" for i in range(50))
    for text in (GAME + scenarios, GAME + blocks):
        ending = checked(tmp_path, text)
        assert ending.code == RULES
        found = set(re.findall(r"toy\.rules:(\d+)", ending.text))
        wrong = {str(n) for n, line in enumerate(text.splitlines(), 1) if "marc" in line or "gird" in line}
        assert wrong <= found, sorted(wrong - found)


def test_syntax_errors_are_all_reported(tmp_path: Path) -> None:
    text = GAME + "".join(f"\ndefine d{i} of player p = = {i}\n" for i in range(50))
    ending = checked(tmp_path, text)
    assert ending.code == RULES
    assert len(set(re.findall(r"toy\.rules:(\d+)", ending.text))) >= 50


def test_a_directory(tmp_path: Path) -> None:
    (tmp_path / "toy.rules").mkdir()
    complains(run(tmp_path, "check", "toy.rules"), RULES, CODE, "toy.rules")


@pytest.mark.parametrize(
    "name", ["no_such_game", "no/such/file.rules", "../../etc/passwd", "", "\\", "tic_tac_tow", "-"])
def test_no_such_ruleset(tmp_path: Path, name: str) -> None:
    ending = run(tmp_path, "check", "--", name)
    assert ending.code in {2, RULES}
    assert ending.text.strip()


def test_an_endless_file(tmp_path: Path) -> None:
    (tmp_path / "toy.rules").symlink_to("/dev/zero")
    complains(run(tmp_path, "check", "toy.rules"), RULES, CODE, "toy.rules")


def test_a_log_judged_by_broken_rules(tmp_path: Path) -> None:
    (tmp_path / "toy.rules").write_text(GAME.replace("grid at cell", "gird at cell"), encoding="utf-8")
    header = '{"schema": "referee/log/1", "ruleset": "toy", "players": ["x", "o"]}\n'
    (tmp_path / "game.jsonl").write_text(header, encoding="utf-8")
    complains(run(tmp_path, "judge", "game.jsonl", "--ruleset", "toy.rules"), RULES, CODE, "toy.rules:22")


ENDLESS = {
    "nested loops in the set-up": GAME.replace("rows 1..3", "rows 1..90").replace("play\n", (
        "setup\n  for each a in square\n    for each b in square\n      for each c in square\n"
        "        for each d in square\n          set turns_taken to 1\n\nplay\n"), 1),
    "a billion rounds of nothing": GAME.replace("play\n", (
        "play\n  rounds i from 1 to 1000000000\n    set turns_taken to 1\n"), 1),
    "a die with a billion sides": GAME.replace("play\n", "play\n  fate rolls 1..1000000000 as die\n", 1),
    "a condition over every five cells": GAME.replace("rows 1..3", "rows 1..90").replace("grid at cell is empty", (
        "every a in square: every b in square: every c in square: every d in square: every e in square: a = a")),
    "half of forty cards": GAME.replace("5 Mark", "40 Mark").replace("supply of player: bag", "supply of player: line")
    .replace("    turn player must mark", "    turn player chooses exactly 20 Mark in supply of turn player as some"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_rules_that_would_take_for_ever(tmp_path: Path, name: str) -> None:
    """Refused, or stopped with a diagnostic, or bounded by construction; but never on and on."""
    (tmp_path / "toy.rules").write_text(ENDLESS[name], encoding="utf-8")
    play = run(tmp_path, "play", "toy.rules", "--random", "1", "--seed", "1", "--max-events", "20", "--out", "logs")
    assert play.code in {0, 1, RULES, 5}, play.text
    assert play.text.strip()
    header = '{"schema": "referee/log/1", "ruleset": "toy", "players": ["x", "o"]}\n'
    (tmp_path / "game.jsonl").write_text(header + '{"by": "x", "do": "mark", "with": {"cell": "a9999"}}\n', "utf-8")
    judged = run(tmp_path, "judge", "game.jsonl", "--ruleset", "toy.rules")
    assert judged.code in {1, RULES, 5}, judged.text


def test_10_000_sound_lines_are_checked_in_time(tmp_path: Path) -> None:
    text = GAME + "".join(f"\ndefine d{i} of player p: 0..9 = {i % 10}\n" for i in range(5_000))
    assert checked(tmp_path, text).code == 0


def test_play_outs_that_would_not_end(tmp_path: Path) -> None:
    text = GAME.replace("end as soon as grid is full: nobody wins\n", "").replace(
        "  move Mark of me from supply of me to grid at cell\n", "  nothing\n")
    (tmp_path / "toy.rules").write_text(text, encoding="utf-8")
    ending = run(tmp_path, "play", "toy.rules", "--random", "1", "--seed", "1", "--max-events", "100", "--out", "logs")
    assert ending.code in {0, 5}, ending.text
    assert len((tmp_path / "logs").iterdir().__next__().read_text("utf-8").splitlines()) <= 103
