"""Expressions from outside the rules: what a log claims about the state.

They are read by what the rules declare, which is read from their files once more; it is kept by what was found in them.
Whoever has rules whose files are no more as they were gets `RulesChanged`, a `Problems`, not a claim in other words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from referee.core.expr import Expr, Get, Place
from referee.core.naming import quoted, written
from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Source, Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.assembly import build, kept_words, parsed, shape_of
from referee.frontend.loading.claim_wording import Misquoted, Wording, how_written, wording
from referee.frontend.loading.ruleset_files import Files, RulesChanged
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.shapes import Shape
from referee.frontend.names.timed_modifiers import base_of
from referee.frontend.names.tree_access import ErrorReported, node
from referee.syntax.parser import parse_expression
from referee.syntax.size_limits import LINE_LENGTH
from referee.syntax.syntax_tree import Node
from referee.system.file_observations import holds

_Found = TypeVar("_Found")
_WORDS: ContextVar[Sequence[tuple[Core, ExpressionLowering]]] = ContextVar("_WORDS", default=())
"""The words of rules that stand in no file as they are."""
SHOWN = "claim"
"""The path under which a claim's text is shown in diagnostics."""


@contextmanager
def read_by(words: Sequence[tuple[Core, ExpressionLowering]]) -> Iterator[None]:
    """Within it what is outside of these rules is read by these words, not by what stands in their files."""
    before = _WORDS.set(words)
    try:
        yield
    finally:
        _WORDS.reset(before)


def expression(core: Core, text: str, players: tuple[str, ...]) -> Expr:
    """The expression that a text stands for in a ruleset, with the players by name. Raises Problems."""
    return _read(core, text, players, lambda values, term, scope: values.terms.value(term, scope))


def place(core: Core, text: str, players: tuple[str, ...]) -> Place:
    """The zone (or spot of it) that a text names, in the words of the rules. Raises Problems."""
    return _read(core, text, players, lambda values, term, scope: values.terms.place(term, scope).place)


def counter(core: Core, text: str, players: tuple[str, ...]) -> Get:
    """The counter that a text names, in the words of the rules. Raises Problems."""
    return _read(core, text, players, counter_of)


def counter_of(values: ExpressionLowering, term: Node, scope: Scope) -> Get:
    """The counter that a phrase names: its base, whatever modifies it now. Raises Wrong."""
    found = base_of(values.terms.meaning(term, scope))
    if not isinstance(found, Get):
        raise values.symbols.wrong("VR01", "this cannot be set: it is no counter", term.span)
    return found


def _read(
    core: Core, text: str, players: tuple[str, ...], reading: Callable[[ExpressionLowering, Node, Scope], _Found]
) -> _Found:
    reporter = Reporter()
    try:
        said = wording(core, players, text)
    except Misquoted as why:
        at = Span(SHOWN, 1, why.column, 1, why.column + 1)
        hint = how_written(core, players, text) or why.hint
        raise Problems((Diagnostic("NM01", why.message, at, hint=hint),)) from None
    tree = parse_expression(said.text, SHOWN, reporter)
    if not isinstance(tree, Node) or reporter.failed:
        raise _problems(reporter, said, core, players, text)
    values = next((values for told, values in _WORDS.get() if told is core), None) or _values(
        core.name, core.sources, shape_of(core), core.record)
    values.symbols.begin(reporter)
    rules = (source for source in values.symbols.sources if source.path != SHOWN)
    values.symbols.sources = (*rules, Source(SHOWN, said.text))
    names = {name: Bound(typed_operators.member(seat, values.symbols.player)) for name, seat in said.bare.items()}
    try:
        found = reading(values, node(tree.parts[0]), Scope(names, owner=SHOWN, seats=said.seats))
    except ErrorReported:
        raise _problems(reporter, said, core, players, text) from None
    _share(values, core)
    return found


def _problems(reporter: Reporter, said: Wording, core: Core, players: tuple[str, ...], text: str) -> Problems:
    """What is wrong with a claim, in the columns and names of the claim itself."""
    if len(said.text) > LINE_LENGTH:  # where a line of rules would be told to go on in the next
        at = said.column(LINE_LENGTH + 1)
        return Problems((Diagnostic("SY04", f"it has {len(text)} characters, and at most {LINE_LENGTH} are read",
                                    Span(SHOWN, 1, at, 1, at + 1), hint="take it apart: each entry says one thing"),))
    hint = how_written(core, players, text)
    return Problems(tuple(_shown(one, said, core, players, hint) for one in reporter.found()))


def _shown(found: Diagnostic, said: Wording, core: Core, players: tuple[str, ...], hint: str | None) -> Diagnostic:
    column = said.column(found.span.column)
    end = max(said.column(found.span.end_column), column + 1)
    message, other = found.message, hint or found.hint or ""
    for standing, seat in said.seats.items():
        name = written(core, players, seat)
        message, other = message.replace(quoted(standing), name), other.replace(quoted(standing), name)
    return replace(found, message=message, hint=other or None, span=Span(SHOWN, 1, column, 1, end))


def _share(values: ExpressionLowering, core: Core) -> None:
    """Constant tables that only the claim needed become the core's: they hold nothing but geometry and labels."""
    assert isinstance(core.tables, dict)
    assert isinstance(core.domains, dict)
    for name, table in values.symbols.tables.items():
        core.tables.setdefault(name, table)
    for name, domain in values.symbols.domains.items():
        core.domains.setdefault(name, domain)


@lru_cache(maxsize=16)
def _values(name: str, sources: tuple[str, ...], shape: Shape, record: bytes) -> ExpressionLowering:
    """What the words of rules stand for. `record`: what was found in the files. Raises `RulesChanged`."""
    paths = tuple(Path(s) for s in sources)
    try:
        found = kept_words(name, sources, shape, record) or _made(Files(name, paths[0].parent, paths), shape)
    except Problems:  # the rules were without an error
        raise RulesChanged(name, sources[0]) from None
    if not holds(record):
        raise RulesChanged(name, sources[0])
    return found


def _made(files: Files, shape: Shape) -> ExpressionLowering:
    loaded = parsed(files)
    unlike = tuple((option, value) for option, value in shape.options if value != loaded.range.options[option][0])
    return build(loaded, replace(shape, options=unlike)).values
