"""The parser proper: the grammar's tables, built once or taken from the cache, and one run of them over a text.

The only module that knows how lark works inside.
"""

from __future__ import annotations

import functools
import pickle
import re
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import PatternRE, PatternStr, TerminalDef, Token

from referee.diagnostics.source import Span
from referee.syntax.layout import CONTINUED
from referee.syntax.packed_tables import packed, unpacked
from referee.syntax.quick_scanner import quicken
from referee.syntax.scanner import indent_of, without_comment
from referee.syntax.syntax_tree import Word, word_of
from referee.syntax.terminals import Vocabulary
from referee.system import bundled_files, disk_cache
from referee.system.garbage_collection import uncollected

_WORD = re.compile(r"[A-Za-z][\w ]*")
_JOINT = "\x0b"
"""What stands where a line goes on in the next: it counts as a blank, with all up to what stands there."""
_JOINED = r"\x0b[ \t]*(?:(?<!\S)#[^\n]*)?(?:\r?\n[ \t]*(?:(?<!\S)#[^\n]*)?)+"
_BLANKS = rf"(?: |{_JOINED})"
_FURTHER = re.compile(_JOINED)
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})
_FIRST = {"_NL": "#\r\n", "__IGNORE_0": f" \t{_JOINT}", "__IGNORE_1": "#"}
"""The characters that can begin what stands between words."""
_TABLES = "3"  # to be raised whenever the tables made of the same grammar change


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where a run ended: the token that could not follow (type "" for a character no terminal begins with).

    `states` is the parser's stack before that token, `before` the token before it.
    """

    type: str
    text: str
    line: int
    column: int
    end_column: int
    states: tuple[int, ...]
    before: Token | None

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, for comparing how far a run came."""
        return (sys.maxsize, 0) if self.type == "$END" else (self.line, self.column)


class _Shaper:
    """The post-lexer: puts _INDENT and _DEDENT after line ends."""

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.depths: Mapping[int, int] = {}
        self.ends_line = True

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of a text with its layout."""
        return self._shaped(stream, self.depths, self.ends_line)

    def _shaped(self, stream: Iterator[Token], depths: Mapping[int, int], ends_line: bool) -> Iterator[Token]:
        depth = 0
        token: Token | None = None
        pending: Token | None = None
        for token in stream:
            if token.type != "_NL":
                pending = None
                yield token
                continue
            there = depths.get(token.end_line or 0)
            if pending is not None:
                continue
            if there is None:
                pending = token
                continue
            if token.start_pos:
                yield token
            yield from _steps(token, there - depth)
            depth = there
        if token is not None and ends_line:
            yield pending or Token.new_borrow_pos("_NL", "", token)
            yield from _steps(token, -depth)


def _steps(token: Token, count: int) -> Iterator[Token]:
    """As many _INDENT or _DEDENT as levels are entered or left, at the start of the new line."""
    kind = "_INDENT" if count > 0 else "_DEDENT"
    for _ in range(abs(count)):
        yield Token(kind, "", token.end_pos, token.end_line, token.end_column, token.end_line, token.end_column,
                    token.end_pos)


def _whole_words(terminal: TerminalDef) -> None:
    """Makes a word of the language match whole words only, and win over a name of the same text; a line may go on
    between the words of a phrase.

    Lark matches `in` at the start of `inner` wherever no name may stand.
    """
    terminal.priority *= 2
    if isinstance(terminal.pattern, PatternRE):
        text = terminal.pattern.value.replace(" +", f"{_BLANKS}+").replace(" *", f"{_BLANKS}*")
        text = text.replace("[ \t]+", rf"(?:[ \t]|{_JOINED})+")
        terminal.pattern = PatternRE(text, terminal.pattern.flags)
    if isinstance(terminal.pattern, PatternStr) and _WORD.fullmatch(terminal.pattern.value):
        text = terminal.pattern.value.replace(" ", f"{_BLANKS}+")
        terminal.pattern = PatternRE(rf"{text}(?!\w)")
        terminal.priority += 1


def _joined(text: str, depths: Mapping[int, int], first_line: int) -> str:
    """The text with a sign behind each line that goes on; no column of a word is another one."""
    further = {line for line, depth in depths.items() if depth == CONTINUED}
    lines = text.split("\n") if further else []
    coded = [index for index, line in enumerate(lines) if indent_of(line) is not None]
    for before, index in pairwise(coded):
        if index + first_line in further:
            code = without_comment(lines[before])
            lines[before] = code + _JOINT + lines[before][len(code):]
    return "\n".join(lines) if lines else text


def _parts(token: Token) -> Iterator[Word]:
    """A token as a word, or what of it stands on each of its lines."""
    if _JOINT not in token:
        yield word_of(token, "")
        return
    line, column = token.line or 1, token.column or 1
    start = 0
    for end in [*_FURTHER.finditer(token), None]:
        text = str(token)[start : end.start() if end is not None else None]
        yield Word(token.type, text.strip(), Span("", line, column, line, column + len(text)))
        if end is not None:
            line, start = line + end.group().count("\n"), end.end()
            column = len(end.group()) - end.group().rindex("\n")


def _is_visible(part: Any) -> bool:
    """Whether a part counts for the span of its node: all but line ends and indentation."""
    return not (isinstance(part, Token) and part.type in _LAYOUT)


class Machine:
    """A grammar ready to run."""

    def __init__(self, grammar: str, *, use_cache: bool = True) -> None:
        """Raises lark's errors for a grammar that is none."""
        self.tokens_read = 0
        self._shaper = _Shaper()
        self._lock = threading.Lock()
        self._lark = self._cached(grammar) if use_cache else self._built(grammar)
        lexer: Any = self._lark.parser.lexer.lexer
        lexers = {id(one): one for one in (*lexer.lexers.values(), lexer.root_lexer)}
        quicken(list(lexers.values()), _FIRST, _BLANKS, _JOINT)
        self._states: Mapping[int, Mapping[str, Any]] = self._lark.parser.parser._parse_table.states
        self._starts = frozenset(self._lark.options.start)
        patterns = {t.name: t.pattern.to_regexp().replace(_BLANKS, " ") for t in self._lark.terminals}
        self.vocabulary = Vocabulary(patterns)

    # ------------------------------------------------------------ tables

    def _built(self, grammar: str) -> lark.Lark:
        starts = [name for name in ("start", "claim") if re.search(rf"^{name}\s*:", grammar, re.MULTILINE)]
        with uncollected():  # millions of parts that all stay: a sixth of the time went into looking for others
            return lark.Lark(grammar, parser="lalr", lexer="contextual", start=starts, postlex=self._shaper,
                             propagate_positions=_is_visible, maybe_placeholders=True, edit_terminals=_whole_words)

    def _cached(self, grammar: str) -> lark.Lark:
        key = "grammar-" + disk_cache.key_of(grammar, lark.__version__, sys.version, _TABLES)
        known = disk_cache.read(key)
        if known is not None:
            try:
                return self._loaded(known)
            except Exception:  # whatever is wrong with a cache file, building anew is the answer
                pass
        built = self._built(grammar)
        disk_cache.write(key, packed(built))
        return built

    def _loaded(self, data: bytes) -> lark.Lark:
        with uncollected():
            return unpacked(pickle.loads(data), postlex=self._shaper, propagate_positions=_is_visible)  # noqa: S301

    # ------------------------------------------------------------ running

    def run(self, text: str, depths: Mapping[int, int], first_line: int = 1,
            start: str = "start") -> lark.Tree[Token] | Stuck:
        """Parses a text whose first line has the given number; never raises for any text."""
        return self._run(text, depths, first_line, start, build=True, seen=None)

    def probe(self, text: str, depths: Mapping[int, int], first_line: int = 1, start: str = "start") -> Stuck | None:
        """As `run`, without a tree: None if the text parses."""
        found = self._run(text, depths, first_line, start, build=False, seen=None)
        return found if isinstance(found, Stuck) else None

    def words(self, text: str, depths: Mapping[int, int]) -> list[Word] | Stuck:
        """All tokens of a text that parses, without line ends and indentation; one that goes on in the next line, in
        its parts."""
        seen: list[Token] = []
        found = self._run(text, depths, 1, "start", build=False, seen=seen)
        if isinstance(found, Stuck):
            return found
        return [part for token in seen if _is_visible(token) for part in _parts(token)]

    def _run(self, text: str, depths: Mapping[int, int], first_line: int, start: str, *, build: bool,
             seen: list[Token] | None) -> lark.Tree[Token] | Stuck:
        with self._lock:
            self._shaper.depths = depths
            self._shaper.ends_line = start == "start"
            state: Any = self._lark.parse_interactive(_joined(text, depths, first_line), start).parser_state
            state.lexer.state.line_ctr.line = first_line
            if not build:
                state.parse_conf.callbacks = {}
            return self._drive(state, first_line, seen)

    def _drive(self, state: Any, first_line: int, seen: list[Token] | None) -> lark.Tree[Token] | Stuck:
        before: Token | None = None
        tokens = state.lexer.lex(state)
        while True:
            # A token that does not fit still leads to reductions, after which fewer seem possible: so kept from before.
            stack = tuple(state.state_stack)
            try:
                token = next(tokens, None)
                if token is None:
                    return self._finish(state, before, first_line)
                self.tokens_read += 1
                state.feed_token(token)
                before = token
                if seen is not None:
                    seen.append(token)
            except UnexpectedToken as error:
                return _stuck(error.token, stack, before)
            except UnexpectedCharacters as error:
                return Stuck("", error.char, error.line, error.column, error.column + 1, stack, before)

    def _finish(self, state: Any, before: Token | None, first_line: int) -> lark.Tree[Token]:
        end = Token("$END", "", 0, first_line, 1, first_line, 1, 0)
        tree: lark.Tree[Token] = state.feed_token(Token.new_borrow_pos("$END", "", before) if before else end, True)
        return tree

    # ------------------------------------------------------------ what could have followed

    def accepts(self, states: Iterable[int]) -> frozenset[str]:
        """The terminals that could have been the next token after a stack of states."""
        stack = list(states)
        return frozenset(name for name in self._states[stack[-1]] if name.lstrip("_$").isupper()
                         if self._fits(stack, name))

    def _fits(self, states: list[int], terminal: str) -> bool:
        """Whether a terminal can be shifted after all reductions it asks for."""
        stack = list(states)
        while True:
            action = self._states[stack[-1]].get(terminal)
            if action is None:
                return False
            argument = action[1]
            if not hasattr(argument, "expansion"):
                return True
            size = len(argument.expansion)
            if size:
                del stack[-size:]
            stack.append(self._states[stack[-1]][argument.origin.name][1])
            if terminal == "$END" and self._is_end(stack[-1]):
                return True

    def _is_end(self, state: int) -> bool:
        ends: Mapping[str, int] = self._lark.parser.parser._parse_table.end_states
        return state in ends.values()

    @functools.cached_property
    def operators(self) -> frozenset[str]:
        """The terminals that can follow any value, so that to name them as expected says nothing."""
        return self._after("x_ 1") | self._after("1 1") | self._after("X_ 1")

    @functools.cached_property
    def starters(self) -> frozenset[str]:
        """The terminals that can begin a value."""
        return self._after("]")

    @functools.cached_property
    def values(self) -> frozenset[str]:
        """The terminals of fixed spelling that are a value by themselves, so that a `-` after them subtracts."""
        spelled = {name: self.vocabulary.spelled(name) for name in self.starters}
        return frozenset(name for name, text in spelled.items() if text and "PLUS" in self._after(f"{text} ]"))

    def _after(self, text: str) -> frozenset[str]:
        """What could stand in place of the first wrong token of a claim."""
        found = self.probe(text, {1: 0}, start="claim") if "claim" in self._starts else None
        return self.accepts(found.states) - {"$END"} if found is not None else frozenset()


def _stuck(token: Token, states: tuple[int, ...], before: Token | None) -> Stuck:
    line, column = token.line or 1, token.column or 1
    end = token.end_column or column
    if token.type == "_NL" or token.end_line != line:
        end = column + 1
    return Stuck(token.type, _FURTHER.sub(" ", token), line, column, max(end, column + 1), states, before)


@functools.cache
def machine() -> Machine:
    """The machine for the grammar that comes along, made at its first use."""
    return Machine(bundled_files.grammar_path().read_text(encoding="utf-8"))
