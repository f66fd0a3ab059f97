"""`python -m tests.dashboard.like_with_like NAME`: a ruleset reduced to what the trial says, and what that left out.

The games of the trial have one number of players, no options, no invariants, no assumptions. A ruleset is cut down to
one choice of its options, that of the kept games of another program, without looking at what it says: tests of the
options and of the number of players are what they are then, what cannot come any more goes, and so do names that
nothing speaks of. What is the same throughout such a game, a definition that is one word or a counter that nothing
changes, is said as what it is, a procedure that one line carries out stands there; which way turns go round is not said
of two. A test judges the kept games by what is left, with the same verdicts.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLASSICS = ROOT / "rulesets" / "classics"
FOREIGN = ROOT / "tests" / "foreign"
_OPEN = re.compile(r"(?:[-,+*=<>]|\b(?:and|or|not|is|where|then))$")
_CITE = re.compile(r"\s*\[[\w ./-]+\]$")
_ENDS = re.compile(r"^(?!if |else|when |end |otherwise).*?(?:\bwins?|ties: (?:all|nobody) wins|^winners are .*)$")
_NAMED = re.compile(r"^(?:option|define|procedure|action|table|type|given|parameter) (\w+)")
_WRITTEN = re.compile(r"^(?:set|raise|lower|clear) (\w+)\b")
_NEVER = re.compile(
    r'(?:needs|forbidden) .*, when no$|when no:|(?:board|map) \w+ when no:|needs "[^"]*": yes$|forbidden "[^"]*": no$')
_FLAG = "yes_or_no"
_WORD = re.compile(r"^define (\w+) = (\w+)$")
_STARTS = re.compile(r"^(\w+): (?:(yes or no)|(\w+) or none|(\d+)\.\.\w+|([A-Z]\w*))(?: starts (\w+))?$")
_CHANGES = re.compile(r"^(?:.*: )?(?:raise|lower|clear|swap) (\w+)\b|\binto (\w+)\b|^(?:.*: )?set (\w+) to (.*)$")
_BID = re.compile(r", (?:higher|lower) than (.*?)(?:, logged as .*)?$")
_SETTLED = re.compile(r"(?<![-+*] )\b(\d+) ([<=>]) (\d+)\b(?! [-+*])")
_CHANGED = re.compile(r"\b(?:set|raise|lower|clear|swap|with|from|into|than|then) (\w+)\b")
_FOR_EACH = re.compile(r"^(\w+) of \w+: \d+\.\.\w+ starts (\d+)$")
_LISTS = ("counters", "zones")
_GONE = ("assume ", "always ", "accept ", "settled ", "alike ", "scenario ")


@dataclass
class Line:
    """A line, and the lines below it that are indented more."""

    text: str
    below: list[Line] = field(default_factory=list)

    def walk(self) -> Iterator[Line]:
        yield self
        for one in self.below:
            yield from one.walk()


@dataclass
class Reduction:
    """What is left of a ruleset, and what was left out. `chosen`: option -> value; `players`: how many there are."""

    chosen: Mapping[str, str]
    players: int
    out: list[str] = field(default_factory=list)
    members: tuple[str, ...] = ()

    def of(self, text: str) -> str:
        """The reduced text."""
        self.members = tuple(name for kind in re.findall(r"^type \w+ is ([a-z][\w, ]*)$", text, re.MULTILINE)
                             for name in kind.split(", "))
        lines = self._block([one for one in _tree(text) if not self._left_out(one, one.text.startswith(_GONE))])
        while True:
            before = "".join(_written(lines))
            while (fewer := self._used(lines)) is not lines:
                lines = fewer
            self.chosen = dict(self.chosen) | self._fixed(lines)
            lines = self._in_line(lines) or self._block(lines)
            if "".join(_written(lines)) == before:
                return before

    def _left_out(self, line: Line, gone: bool) -> bool:
        if gone and not line.text.startswith("scenario "):
            self.out.append(line.text)
        return gone

    # ------------------------------------------------------------------ what is known
    def _known(self, text: str) -> str:
        """A line with what options and the number of players are."""
        if text.startswith("game "):
            return re.sub(r"for \d+(?:\.\.| or )\d+ players", f"for {self.players} players", text)
        if self.players == 2:
            text = re.sub(r"^(turns from .*?), to the (?:left|right)", r"\1", text)
        text = re.sub(r"\b([a-z]\w*) is (not )?([a-z]\w*)\b", self._compared, text)
        for name, value in self.chosen.items():
            text = re.sub(rf"\b{name} is not {value}\b", "no", text)
            text = re.sub(rf"\b{name} is {value}\b", "yes", text)
            text = re.sub(rf"\b{name} is not \w+", "yes", text)
            text = re.sub(rf"\b{name} is \w+", "no", text)
        text = re.sub(r"number of players(?= [<=>] \d)", str(self.players), text)
        text = _SETTLED.sub(lambda found: "yes" if {
            "<": int(found[1]) < int(found[3]), "=": found[1] == found[3], ">": int(found[1]) > int(found[3]),
        }[found[2]] else "no", text)
        text, before = text.replace("yes or no", _FLAG), ""
        while text != before:
            before = text
            text = re.sub(r"\((yes|no)\)", r"\1", text)
            text = re.sub(r"\((?:no and [^()]*|[^()]* and no)\)", "no", text)
            text = re.sub(r"\((?:yes or [^()]*|[^()]* or yes)\)", "yes", text)
            text = re.sub(r"\bnot (yes|no)\b", lambda found: "no" if found[1] == "yes" else "yes", text)
            text = re.sub(r"\byes and | and yes\b|\bno or | or no\b(?! \w)", "", text)
            text = re.sub(r"\bor no and [^():]*?(?= or |:)", "or no", text)
            text = re.sub(r", skipping players where no(?=,|$)|\b(?<=player) where yes| where yes$", "", text)
            text = re.sub(r"\b(if|when|where) [^:]* and no(?=:| then)", r"\1 no", text)
            text = re.sub(r"\b(if|when) no and [^:]*?(?=:| then)", r"\1 no", text)
            text = re.sub(r"\b(if|when) yes or [^:]*?(?=:| then)", r"\1 yes", text)
            text = re.sub(r"\b(if|when) [^:]*? or yes(?=:| then)", r"\1 yes", text)
            text = _either(text)
        return text.replace(_FLAG, "yes or no")

    def _compared(self, found: re.Match[str]) -> str:
        """A test of two members that are both known."""
        known = set(self.members)
        if found[1] in known and found[3] in known:
            return "yes" if (found[1] == found[3]) is (found[2] is None) else "no"
        return found[0]

    # ------------------------------------------------------------------ what is the same throughout
    def _fixed(self, lines: list[Line]) -> dict[str, str]:
        """Definitions of one word, and counters that are never anything but what they start with, put in where they
        stand; with what they are."""
        fixed = {found[1]: found[2] for line in lines if (found := _WORD.match(line.text)) and found[2] != found[1]}
        members = {found[1]: found[2] for line in lines if (found := re.match(r"type (\w+) is (\w+),", line.text))}
        written: dict[str, set[str]] = {}
        for line in (one for top in lines for one in top.walk()):
            for found in _CHANGES.finditer(line.text):
                written.setdefault(found[1] or found[2] or found[3], set()).add(found[4] or "")
            for name in re.findall(r"\w+", bid[1]) if (bid := _BID.search(line.text)) else ():
                written.setdefault(name, set()).add("")
        for line in (one for top in lines if top.text == "counters" for one in top.below):
            found = _STARTS.match(line.text)
            if found is None:
                continue
            _, flag, may_be, lowest, kind, starts = found.groups()
            start = starts or ("no" if flag else "none" if may_be else lowest or members.get(kind, ""))
            if start and written.get(found[1], {start}) <= {start}:
                fixed[found[1]] = start
        changed = {name for top in lines for one in top.walk() for name in _CHANGED.findall(one.text)}
        alike = {found[1]: found[2] for line in lines if line.text == "counters" for one in line.below
                 if (found := _FOR_EACH.match(one.text)) and found[1] not in changed}
        for one in (one for top in lines if top.text not in _LISTS for one in top.walk()):
            for name, value in alike.items():
                one.text = re.sub(rf"\(?(?<!in )\b{name} of (?:it|me)\b\)?", value, one.text)
        for top in lines:
            top.below = self._with(top.below, fixed)
            top.text = top.text if _WORD.match(top.text) else _said(top.text, fixed)
        return fixed

    def _with(self, lines: list[Line], fixed: Mapping[str, str]) -> list[Line]:
        """Lines with what is fixed put in; without those that set it to what it is, and where it is declared."""
        left = []
        for line in lines:
            setting = re.match(r"set (\w+) to \w+$", line.text)
            declared = re.match(r"(\w+): ", line.text)
            if (setting and setting[1] in fixed) or (declared and declared[1] in fixed):
                self.out.append(line.text)
            else:
                left.append(Line(_said(line.text, fixed), self._with(line.below, fixed)))
        return left

    def _in_line(self, lines: list[Line]) -> list[Line] | None:
        """With a procedure in the place of the only line that carries it out, if it says its own names; None if there
        is none such."""
        all_lines = [one for line in lines for one in line.walk()]
        for made in lines:
            head = re.match(r"^procedure (\w+)(?:\(([^)]*)\))?$", made.text)
            if head is None:
                continue
            names = ", ".join(re.findall(r"(\w+):", head[2] or ""))
            calls = [one for one in all_lines if re.search(rf"\b{head[1]}\b", one.text) and one is not made]
            said = calls[0].text if len(calls) == 1 else ""
            found = re.search(rf"(?:^|: )carry out {head[1]}(?:\(([\w, ]*)\))?$", said)
            if found is None or (found[1] or "") != names:
                continue
            self.out += [made.text, calls[0].text]
            return _instead([one for one in lines if one is not made], calls[0], made.below)
        return None

    # ------------------------------------------------------------------ blocks
    def _block(self, lines: list[Line]) -> list[Line]:
        left: list[Line] = []
        decided: bool | None = None
        over = False
        for line in lines:
            text = self._known(line.text)
            if over:
                self.out.append(text)
                continue
            if text.startswith("else"):
                if decided is True:
                    self.out.append(text)
                    continue
                if decided is False:
                    text = re.sub(r"^else ?(?=if )", "", text) if text.startswith("else if ") else text
                    text = re.sub(r"^else: ?", "if yes: ", text) if text.startswith("else:") else text
                    text = "if yes" if text == "else" else text
            decided = None
            if re.match(r"if yes(?=:|$)", text):
                decided = True
                rest = re.sub(r"^if yes:? ?", "", text)
                left += self._block([Line(rest, line.below)] if rest else line.below)
                over = bool(left) and bool(_ENDS.match(left[-1].text))
                continue
            if re.match(r"if no(?=:|$)", text):
                decided = False
                self.out.append(line.text)
                continue
            if _NEVER.match(text):
                self.out.append(line.text)
                continue
            text = re.sub(r", when yes$", "", re.sub(r"^((?:board|map) \w+) when yes:", r"\1:", text))
            if text.startswith("when yes:"):
                text, over = text.replace("when yes:", "otherwise:"), True
            below = self._block(line.below)
            if line.below and not below:
                if not text.startswith(("action", "procedure")):
                    self.out.append(text)
                    continue
                below = [Line("nothing")]
            if text.startswith("repeat until") and below and _ENDS.match(below[-1].text):
                self.out.append(text)
                left += below
                over = True
                continue
            if text.startswith("define ") and len(below) == 1 and below[0].text.startswith("otherwise:"):
                text, below = f"{text} = {below[0].text.removeprefix('otherwise: ')}", []
            left.append(Line(text, below))
            over = over or (bool(_ENDS.match(text)) and not line.below)
        return left

    # ------------------------------------------------------------------ names that nothing speaks of
    def _used(self, lines: list[Line]) -> list[Line]:
        """Without the first names that nothing speaks of; the same if there are none."""
        all_lines = [one for line in lines for one in line.walk()]
        words = [re.findall(r"\w+", re.sub(r'"[^"]*"', "", one.text)) for one in all_lines]
        named = [line for line in lines if _NAMED.match(line.text)]
        for line in named:
            name = _NAMED.match(line.text)[1]  # type: ignore[index]
            own = sum(re.findall(r"\w+", re.sub(r'"[^"]*"', "", one.text)).count(name) for one in line.walk())
            if line.text.startswith("option") or sum(found.count(name) for found in words) == own:
                self.out.append(line.text)
                return [one for one in lines if one is not line]
        for group in lines:
            for entry in group.below if group.text in _LISTS else ():
                name = entry.text.split(" ")[0].strip(":")
                uses = [one for one, found in zip(all_lines, words, strict=True) if name in found and one is not entry]
                plain = all((said := _WRITTEN.match(one.text)) is not None and said[1] == name
                            and one.text.split().count(name) == 1 for one in uses)
                if not uses or (group.text == "counters" and plain):
                    self.out += [entry.text, *(one.text for one in uses)]
                    return _without(lines, [entry, *uses])
        return lines


def _said(text: str, fixed: Mapping[str, str]) -> str:
    """A line with what is fixed in the place of its names, outside of texts in quotes."""
    parts = re.split(r'("[^"]*")', text)
    for name, value in fixed.items():
        parts = [part if part[:1] == '"' else re.sub(rf"(?<!\.)\b{name}\b(?!\()", value, part) for part in parts]
    return "".join(parts)


def _either(text: str) -> str:
    """The first `if yes then A else B`, or `if no ...`, as what it is."""
    found = re.search(r"\bif (yes|no) then ", text)
    if found is None:
        return text
    depth, at, other = 0, found.end(), None
    while at < len(text):
        depth += (text[at] in "({") - (text[at] in ")}")
        if depth < 0:
            break
        if depth == 0 and other is None and text.startswith(" else ", at):
            other = at
        at += 1
    assert other is not None, text
    value = text[found.end() : other] if found[1] == "yes" else text[other + len(" else ") : at]
    start, end = found.start(), at
    if start and text[start - 1] == "(" and end < len(text) and re.fullmatch(r"\w+", value):
        start, end = start - 1, end + 1
    return text[:start] + value + text[end:]


def _tree(text: str) -> list[Line]:
    """The lines of a ruleset, those that go on in one, without remarks and cites."""
    whole: list[tuple[int, str]] = []
    for raw in text.splitlines():
        said = re.sub(r"(?:^|\s)#.*$", "", raw).rstrip()
        if not said.strip():
            continue
        said = _CITE.sub("", said)
        last = whole[-1] if whole else None
        if last is not None and (_OPEN.search(last[1]) or last[1].count("(") > last[1].count(")")):
            whole[-1] = (last[0], f"{last[1]} {said.strip()}")
        else:
            whole.append((len(said) - len(said.lstrip()), said.strip()))
    top = Line("")
    stack = [(-1, top)]
    for depth, said in whole:
        while stack[-1][0] >= depth:
            stack.pop()
        line = Line(said)
        stack[-1][1].below.append(line)
        stack.append((depth, line))
    return top.below


def _without(lines: list[Line], gone: list[Line]) -> list[Line]:
    left = []
    for line in lines:
        if any(line is one for one in gone):
            continue
        below = _without(line.below, gone)
        if below or not line.below:
            left.append(Line(line.text, below))
        elif line.text.startswith(("action", "procedure")):
            left.append(Line(line.text, [Line("nothing")]))
    return left


def _instead(lines: list[Line], call: Line, body: list[Line]) -> list[Line]:
    """Lines with a body where it is carried out: in the place of that line, or below what stands before it there."""
    left: list[Line] = []
    for line in lines:
        if line is not call:
            left.append(Line(line.text, _instead(line.below, call, body)))
        elif line.text.startswith("carry out "):
            left += body
        else:
            left.append(Line(line.text.rsplit(": carry out ", 1)[0], body))
    return left


def _written(lines: list[Line], depth: int = 0) -> Iterator[str]:
    for line in lines:
        if depth == 0:
            yield "\n"
        yield f"{'  ' * depth}{line.text}\n"
        yield from _written(line.below, depth + 1)


def reduction(name: str) -> tuple[str, list[str]] | None:
    """The reduced text of a classic, and what was left out; None without kept games."""
    kept = sorted((FOREIGN / name / "right").glob("*.jsonl"))
    if not kept:
        return None
    header = json.loads(kept[0].read_text("utf-8").split("\n", 1)[0])
    text = (CLASSICS / f"{name}.rules").read_text("utf-8")
    first = dict(re.findall(r"^option (\w+): (\w+)", text, re.MULTILINE))
    made = Reduction({**first, **header.get("options", {})}, len(header["players"]))
    return made.of(text), made.out


if __name__ == "__main__":
    for given in sys.argv[1:]:
        found = reduction(given)
        assert found is not None, f"no games of {given} are kept"
        left, out = found
        print(left)
        print("# left out:", *out, sep="\n#   ")
