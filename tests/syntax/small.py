"""A small grammar of its own, so that these tests say what the parser does, not what the language is."""

from __future__ import annotations

from functools import cache

from referee.diagnostics.diagnostic import Diagnostic, Reporter
from referee.diagnostics.source import Source
from referee.syntax import Parsed, parse
from referee.syntax.lr_parser import Machine

GRAMMAR = r"""
start: _NL? _decl*
claim: value
_decl: setup | zones
setup: "setup" _block
zones: "zones" _eol _INDENT zone+ _DEDENT
zone: NAME ":" PROPER ("," NAME)* _eol
_eol: cite* _NL
cite: CITE
_block: _eol _INDENT _stmt+ _DEDENT
_body: ":" _stmt | _block
_stmt: move | if_ | nothing
move: "move" value ["from" value] "to" value _eol
if_: "if" value _body else_?
else_: "else" _body
nothing: "nothing" _eol
?value: atom | value "+" atom -> plus | value "-" atom -> minus
?atom: NAME -> name | INT -> int | "(" value ")" | "me" -> me | "{" value ("," value)* "}" -> set_of
PROPER: /[A-Z]\w*/
NAME: /[a-z_]\w*/
INT: /\d+/
STRING: /"[^"\n]*"/
CITE: /\[[^\]\n]*\]/
_NL: /((?<!\S)#[^\n]*)?(\r?\n[ \t]*((?<!\S)#[^\n]*)?)+/
%ignore /[ \t]+/
%ignore /(?<!\S)#[^\n]*/
%declare _INDENT _DEDENT
"""


@cache
def engine() -> Machine:
    return Machine(GRAMMAR)


def read(text: str) -> tuple[Parsed, tuple[Diagnostic, ...]]:
    """What is parsed of a text in the small grammar, and everything wrong with it."""
    reporter = Reporter()
    return parse(Source("t", text), reporter, engine()), reporter.found()


def found(text: str) -> list[tuple[int, str]]:
    """Line and code of everything wrong with a text in the small grammar."""
    return [(diagnostic.span.line, diagnostic.code) for diagnostic in read(text)[1]]
