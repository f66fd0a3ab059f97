"""Parsing: a rules text to a generic tree, with every error of the text reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.syntax import layout
from referee.syntax.syntax_tree import Node, Part, TooDeep, convert
from referee.syntax.text_reader import is_text
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    import lark

    from referee.syntax.lr_parser import Machine


@dataclass(frozen=True, slots=True)
class Parsed:
    """What could be read of a text.

    `tree` holds the blocks that parse; None if nothing was read at all. `broken_names` are the names that stand in
    blocks that do not: they may well be declared there, so nobody should complain that they are unknown.
    """

    tree: Node | None
    broken_names: frozenset[str] = frozenset()


def parse(source: Source, reporter: Reporter, engine: Machine | None = None) -> Parsed:
    """Reads a rules text and reports everything that is wrong with it; takes bounded time for any text."""
    if not is_text(source, reporter):
        return Parsed(None)
    plan = layout.plan(source, reporter)
    if plan.hopeless:
        return Parsed(None)
    if not plan.lines:
        reporter.error("SY03", "there are no rules in this text", source.whole(),
                       hint='rules begin with a line such as  game "Sticks" for 2 players')
        return Parsed(None)
    return _by_block(source, plan, engine, reporter)


def parse_expression(text: str, path: str, reporter: Reporter, engine: Machine | None = None) -> Node | Part:
    """Reads one condition or value, as in a claim of a log; None, and the reason reported, if it is none."""
    source = Source(path, text)
    if not is_text(source, reporter):
        return None
    plan = layout.plan(source, reporter)
    if plan.hopeless:
        return None
    if not plan.lines or len(plan.texts) > 1:
        reporter.error("SY03", "a claim is one line with a condition or a value", source.whole())
        return None
    from referee.syntax.single_expression import read_claim

    tree = read_claim(plan, path, reporter, engine)
    return None if tree is None else _converted(tree, path, reporter)


def _by_block(source: Source, plan: layout.Plan, engine: Machine | None, reporter: Reporter) -> Parsed:
    from referee.syntax.lr_parser import machine  # lark is slow to import, and of no use before this
    from referee.syntax.recovery.error_recovery import Mender

    mender = Mender(source, plan, engine or machine(), reporter)
    mender.run()
    shallow = frozenset(found.span.line for found in reporter.found() if found.code == "SY13")
    plan.complain_of_depth(reporter, shallow)
    if mender.broken and not reporter.failed:
        reporter.error("SY33", "this text cannot be read", source.whole())
    converted = [_converted(tree, source.path, reporter) for tree in mender.trees]
    parts = tuple(part for node in converted if node is not None for part in node.parts)
    span = parts[0].span.to(parts[-1].span) if parts and parts[0] and parts[-1] else source.whole()
    return Parsed(Node("start", parts, span), frozenset(mender.broken_names))


def _converted(tree: lark.Tree[lark.Token], path: str, reporter: Reporter) -> Node | None:
    try:
        return convert(tree, path)
    except TooDeep as error:
        reporter.error("SY05", "this is nested too deeply", error.span,
                       hint="give parts of it names, with `define` or `let`")
        return None
