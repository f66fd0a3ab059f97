"""Everything that is wrong with rules: for every number of players, every option, and in their scenarios."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from referee.analysis.told_secrets import told_secrets
from referee.api.rule_sources import RulesSource
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import Loaded, build
from referee.frontend.loading.core_builder import Built
from referee.frontend.loading.remarks.declared_assumptions import marks, unused
from referee.frontend.loading.remarks.idle_declarations import idle
from referee.frontend.loading.remarks.settled_questions import unquoted
from referee.frontend.names.shapes import Range, Shape, said
from referee.frontend.scenarios.scenario_reader import Scenario, load_scenarios
from referee.system.garbage_collection import uncollected


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at and found: for so many shapes (numbers of players, options), each thing once.

    `inferred`: so many lines are marked as answers that neither the rulebook nor a declared assumption gives.
    `warnings`: what is not wrong, and hardly meant. `built`: the shapes in which nothing is wrong; `scenarios`: all, if
    each can be read.
    """

    loaded: Loaded
    shapes: int
    found: tuple[Diagnostic, ...]
    inferred: int
    warnings: tuple[Diagnostic, ...]
    built: Mapping[Shape, Built]
    scenarios: tuple[Scenario, ...]

    @property
    def players(self) -> str:
        """For how many players the rules are, in words."""
        return said(self.loaded.range.players)


def checked(source: RulesSource, begun: Callable[[Shape], None] = lambda _: None) -> Checked:
    """What is wrong with rules. `begun` is told which shape is looked at. Raises `Problems` for what cannot be read."""
    return checked_rules(source.loaded, begun)


def checked_rules(loaded: Loaded, begun: Callable[[Shape], None] = lambda _: None) -> Checked:
    """What is wrong with rules of which the text was read. `begun` is told which shape is looked at."""
    shapes = list(_shapes(loaded.range))
    built: dict[Shape, Built] = {}
    scenarios: list[Scenario] = []

    def of_shapes() -> Iterator[Diagnostic]:
        for shape in shapes:
            begun(shape)
            try:
                made = build(loaded, shape)
                lower(made.core, passed=True)
                built[shape] = made
            except Problems as problems:
                yield from problems.diagnostics

    def of_scenarios() -> Iterator[Diagnostic]:
        try:
            scenarios.extend(load_scenarios(loaded.files.folder, loaded, built).found)
        except Problems as problems:
            yield from problems.diagnostics

    with uncollected():  # all shapes are kept; an eighth of the time went into looking for what is not
        found = tuple(dict.fromkeys(chain(of_shapes(), of_scenarios(), unused(loaded.trees))))
    told = (one for made in built.values() for one in chain(told_secrets(made.core), unquoted(made.core)))
    warnings = () if found else tuple(dict.fromkeys(chain(told, idle(loaded.trees))))
    return Checked(loaded, len(shapes), found, marks(loaded.trees), warnings, built, tuple(scenarios))


def _shapes(bounds: Range) -> Iterator[Shape]:
    """Every number of players with default options, then each other option value alone with the fewest it is for."""
    for players in bounds.players:
        yield Shape(players)
    for name, values in bounds.options.items():
        players = next((n for n in bounds.players if name in bounds.options_for(n)), bounds.fewest)
        for value in values[1:]:
            yield Shape(players, ((name, value),))
