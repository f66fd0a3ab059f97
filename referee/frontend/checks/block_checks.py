"""One declaration that was rewritten, looked at with the names of rules that were loaded before: its names and types.

What all of the rules have to be looked at for is not found, and a finding may be wrong that hangs on another
declaration: this is for who is still writing. `assembly.build` has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import partial

from referee.core.ruleset import Core, Role
from referee.diagnostics.diagnostic import Diagnostic, Reporter
from referee.diagnostics.source import Source, Span
from referee.frontend.desugaring.action_costs import costs_written_out
from referee.frontend.desugaring.placed_readings import readings_apart
from referee.frontend.desugaring.refilled_places import refills_written_out
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.expressions.positions import declare_position
from referee.frontend.loading.assembly import Loaded, shape_of
from referee.frontend.loading.carried_texts import texts_carried_out
from referee.frontend.loading.core_builder import Builder, Built
from referee.frontend.loading.declarations import declare_table, declare_var, declare_zone
from referee.frontend.loading.remarks.declared_assumptions import check_citations
from referee.frontend.loading.rulebook_statements import Statement
from referee.frontend.loading.ruleset_files import Files
from referee.frontend.names.bindings import Meaning, Scope
from referee.frontend.names.shapes import Range
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import all_tried, node, nodes, tried, word
from referee.frontend.scenarios.scenario_reader import read_scenario
from referee.frontend.statements.actions import Acting
from referee.frontend.statements.statement_lowering import StatementLowering
from referee.frontend.statements.turns.auctions import bids_written_out
from referee.syntax.syntax_tree import Node

Watch = Callable[[Node, Meaning], None]
"""Is told what each phrase means."""


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What rules declare, for one shape. It can be sent to another process."""

    symbols: Symbols
    core: Core
    range: Range
    statements: Mapping[str, Statement]
    assumptions: frozenset[str]

    @classmethod
    def of(cls, built: Built, loaded: Loaded) -> KnownNames:
        """Those of a shape that was built."""
        symbols = built.values.symbols
        symbols.begin(Reporter())
        return cls(symbols, built.core, loaded.range, loaded.statements, frozenset(symbols.assumptions))


class BlockCheck:
    """Looks at one declaration."""

    def __init__(self, known: KnownNames, files: Files, source: Source, declared: Set[str] = frozenset(),
                 watch: Watch | None = None) -> None:
        """`source`: the text in which the declaration stands, with what stands above it; `declared`: further names that
        may be meant to exist, so that nobody complains that they are unknown."""
        self._known = known
        self._files = files
        self._source = source
        self._declared = declared
        self._watch = watch
        self._reporter = Reporter()

    def found(self, decl: Node, lines: range) -> tuple[Diagnostic, ...]:
        """What is wrong with a declaration that stands at these lines, where other text may have stood before."""
        path = decl.span.path
        symbols = self._known.symbols.copied(self._reporter, lambda at: at.path == path and at.line in lines)
        others = (one for one in symbols.sources if one.path != path)
        symbols.sources = (self._source, *others)
        symbols.broken |= {name for name in self._declared if not symbols.declared(name)}
        cited = {*self._known.assumptions, *([word(decl.parts[0]).text] if decl.kind == "assume" else [])}
        check_citations([decl], self._known.statements, cited, self._reporter)
        if decl.kind == "scenario":
            self._scenario(symbols, decl)
            return self._reporter.found()
        values = self._values(symbols)
        apart = bids_written_out(texts_carried_out(symbols, readings_apart([decl])), self._reporter)
        written = refills_written_out(symbols, costs_written_out(apart))
        for one in written:
            tried(partial(self._declaration, symbols, values, one))
        return self._reporter.found()

    def _values(self, symbols: Symbols) -> ExpressionLowering:
        values = ExpressionLowering(symbols)
        values.terms.watched = self._watch
        return values

    def _scenario(self, symbols: Symbols, decl: Node) -> None:
        built = Built(self._known.core, self._values(symbols))
        loaded = Loaded(self._files, (self._source,), (), self._known.range, self._known.statements)
        read_scenario(loaded, decl, {shape_of(built.core): built}, self._reporter)

    def _declaration(self, symbols: Symbols, values: ExpressionLowering, decl: Node) -> None:
        lowered = StatementLowering(values)
        acting, statements = Acting(symbols, values, lowered), lowered.statements
        match decl.kind:
            case "action":
                symbols.action_nodes[symbols.claim(word(decl.parts[0]))] = decl
                acting.action(decl)
            case "procedure" if not any(True for part in nodes(decl, "proc_params") for _ in nodes(part, "proc_case")):
                name = symbols.claim(word(decl.parts[0]))
                acting.procedure_head(name, decl)
                acting.procedure(name, decl)
            case "define":
                self._definition(symbols, values, decl)
            case "always":
                acting.invariant(decl)
            case "score":
                acting.score(decl)
            case "setup" | "play":
                statements.block(decl, Scope(owner=decl.kind))
            case "turns" | "turns_in_order":
                statements.block(Node("play", (decl,), decl.span), Scope(owner="play"))
            case "trigger":
                tried(partial(values.terms.condition, node(decl.parts[0]), Scope(owner="when")))
                statements.body(decl.parts[-1], Scope(owner="when"))
            case "position":
                declare_position(symbols, values.terms, decl)
            case "zones":
                all_tried(partial(declare_zone, symbols, one) for one in nodes(decl, "zone"))
            case "counters":
                all_tried(partial(declare_var, symbols, one, Role.STATE) for one in nodes(decl, "counter"))
            case "given":
                declare_var(symbols, decl, Role.GIVEN)
            case "parameter":
                declare_var(symbols, decl, Role.PARAMETER)
            case "table":
                declare_table(symbols, decl)
            case _:  # what only all of the rules can be looked at for
                pass

    def _definition(self, symbols: Symbols, values: ExpressionLowering, decl: Node) -> None:
        builder = Builder(self._files, (self._source,), (), frozenset(), self._reporter, self._known.statements)
        define = builder.headed(symbols, decl)
        symbols.defines[symbols.claim(word(decl.parts[0]))] = define
        values.definitions.check_definition(define)


def within(span: Span, line: int, column: int) -> bool:
    """Whether a place (from 1) lies in a span, or at its end."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
