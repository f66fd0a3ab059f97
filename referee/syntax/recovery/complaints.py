"""What to say about a place that no small change mends."""

from __future__ import annotations

import re

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Span
from referee.syntax.lr_parser import Machine, Stuck
from referee.syntax.recovery.remedies import ELSEWHERE
from referee.syntax.recovery.repair_draft import Draft
from referee.syntax.scanner import without_comment

_MOST_EXPECTED = 6
"""So many kinds of what could stand there are told; of more, "..."."""
_OPERAND = re.compile(r"\b(?P<beside>and|or|not) +(?P<which>some|no|every)(?: +\w+)?$")
_OF_ONE = re.compile(r"(?P<name>\b[a-z_]\w*) of (?P<key>\w+(?: player)?) $")
_DEFINED = re.compile(r"^define +(?P<name>[a-z_]\w*) *\((?P<params>[^()]*)\)")
_PARAM = re.compile(r" *(?P<name>[a-z_]\w*) *: *(?P<type>[\w.]+(?: +of +\w+)?) *")
_COUNTED = re.compile(r"\b(?:number|sum|highest|lowest) of [^()]*$")
_ROLLED = re.compile(r"\brolls? +[\w(][^;:]*$")
_GOES_ON = re.compile(r" *(?P<operator>and|or|is|then|where|[+*=<>]=?|!=)(?!\w)")
_DIVISION = {
    "/": "`A divided by B, rounded down`, or `rounded up`", "%": "`remainder of A divided by B`",
    "mod": "`remainder of A divided by B`",
}
_ANY_VALUE = frozenset({"NAME", "PROPER", "INT"})
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})


def complain(reporter: Reporter, engine: Machine, path: str, draft: Draft, stuck: Stuck, index: int, *,
             flush: bool = False) -> None:
    """Reports that a line (the one with the index) goes wrong where the parser got stuck.

    `flush`: the next line could be the body that this one lacks, were it indented.
    """
    _Complaint(reporter, engine, path, draft, stuck, index).make(flush)


class _Complaint:
    def __init__(self, reporter: Reporter, engine: Machine, path: str, draft: Draft, stuck: Stuck, index: int) -> None:
        self._reporter = reporter
        self._words = engine.vocabulary
        self._starters = engine.starters
        self._operators = engine.operators | {"CITE"}
        self._path = path
        self._draft = draft
        self._stuck = stuck
        self._line = draft.lines[index]
        self._index = index
        self._accepted = engine.accepts(stuck.states)

    def make(self, flush: bool) -> None:
        stuck = self._stuck
        operator = self._operator_first()
        if operator is not None:  # whatever the parser took it for has no bearing on what is wrong
            self._error("SY33", f"a line here cannot begin with `{operator}`", self._start_of(stuck.line),
                        hint=f"a line goes on after an operator: put `{operator}` at the end of the line above")
        elif stuck.type == "_INDENT":
            self._error("SY12", "this line is indented, but the one above has nothing below it",
                        self._start_of(stuck.line),
                        hint="take two spaces away; a line goes on, indented deeper, after a comma, an operator or an "
                             "open bracket, and its [statement ids] stand where it ends")
        elif self._accepted == {"_INDENT"}:
            self._no_body(flush)
        elif stuck.type in ("_DEDENT", "$END"):
            above = self._draft.parent(self._index)
            head = self._line if above is None else self._draft.lines[above]
            self._error("SY34", "too little stands below this line", self._start_of(head.first),
                        expected=self._expected())
        elif stuck.type == "_NL":
            self._error("SY34", "the line ends too early", self._at(), expected=self._expected())
        elif stuck.type == "":
            ours = ELSEWHERE.get(stuck.text)
            hint = f"write {' or '.join(f'`{our}`' for our in ours)}" if ours else self._otherwise_written()
            self._error("SY22", f"the sign `{stuck.text}` has no meaning here", self._at(), hint=hint)
        else:
            self._unexpected()

    def _no_body(self, flush: bool) -> None:
        if flush:
            self._error("SY13", "this line should be indented: it belongs to the line above",
                        self._start_of(self._draft.lines[self._index + 1].first), hint="put two spaces before it")
        else:
            self._error("SY13", "nothing stands below this line", self._whole_line(),
                        hint="indent what belongs to it by two spaces; write `nothing` if it is to do nothing")

    def _unexpected(self) -> None:
        text = self._stuck.text
        name = text if len(text) <= 40 else text[:40] + "..."
        first = self._draft.physical(self._stuck.line)[: self._stuck.column - 1].strip() == ""
        message = f"a line here cannot begin with `{name}`" if first else f"`{name}` cannot stand here"
        self._error("SY33", message, self._at(), expected=self._expected(), hint=self._otherwise_written())

    def _expected(self) -> tuple[str, ...]:
        telling = self._accepted - self._operators - _LAYOUT
        names = self._words.names(telling or self._accepted - {"_INDENT", "_DEDENT"})
        if self._accepted >= _ANY_VALUE:
            names = ("a value", *self._words.names(telling - self._starters))
        return names if len(names) <= _MOST_EXPECTED else (*names[:_MOST_EXPECTED], "...")

    def _operator_first(self) -> str | None:
        """The operator that the line begins with, as if the one above went on in it."""
        begun = {line.first for line in self._draft.lines[self._index : self._index + 2]}
        if self._index == 0 or self._stuck.line not in begun:
            return None
        goes_on = _GOES_ON.match(self._draft.physical(self._stuck.line))
        return None if goes_on is None else goes_on["operator"]

    def _otherwise_written(self) -> str | None:
        """How it is written here: filters, division, arguments of definitions, several keys, a condition about many
        beside another one."""
        line = self._draft.physical(self._stuck.line)
        if self._stuck.text in ("where", "..") and _COUNTED.search(line[: self._stuck.column - 1]):
            return "where it is compared or added, a value with `where` stands in brackets: `(number of ... where ...)`"
        if self._stuck.text == "dice" and _ROLLED.search(line[: self._stuck.column - 1]):
            return "a number of dice that is worked out stands in brackets: `rolls (n + 1) dice 1..6`"
        if self._stuck.text in _DIVISION:
            return f"write {_DIVISION[self._stuck.text]}"
        defined = _DEFINED.match(line) if self._stuck.text == "(" else None
        if defined is not None:
            params = [_PARAM.fullmatch(one) for one in defined["params"].split(",")]
            said = " and ".join("player p" if one is None else f"{one['type']} {one['name']}" for one in params)
            return f"what it depends on stands after `of`: `define {defined['name']} of {said}`"
        keys = _OF_ONE.search(line[: self._stuck.column - 1]) if self._stuck.text == "and" else None
        if keys is not None:
            return f"with several keys it is `{keys['name']}({keys['key']}, ...)`"
        many = _OPERAND.search(" ".join([*self._above(), line[: self._stuck.end_column - 1].strip()]))
        return None if many is None else f"beside `{many['beside']}` it stands in brackets: `({many['which']} ...)`"

    def _above(self) -> list[str]:
        """What of the line stands above where the parser got stuck, if it goes on there."""
        further = range(self._line.first, self._stuck.line)
        return [without_comment(self._draft.physical(number)).strip() for number in further]

    # ------------------------------------------------------------ places

    def _error(self, code: str, message: str, span: Span, *, expected: tuple[str, ...] = (),
               hint: str | None = None) -> None:
        self._reporter.error(code, message, span, expected=expected, hint=hint)

    def _at(self) -> Span:
        stuck = self._stuck
        return Span(self._path, stuck.line, stuck.column, stuck.line, stuck.end_column)

    def _start_of(self, number: int) -> Span:
        text = self._draft.physical(number)
        start = len(text) - len(text.lstrip())
        return Span(self._path, number, start + 1, number, max(len(text.rstrip()), start + 1) + 1)

    def _whole_line(self) -> Span:
        return self._start_of(self._line.first)
