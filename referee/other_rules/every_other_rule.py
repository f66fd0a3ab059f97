"""All other answers of a ruleset: those of lowering, and those that are made on the core, one sort after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from referee.core.ruleset import Core, Role
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import REMEMBERED
from referee.frontend.desugaring.strict_comparisons import with_equal_values
from referee.frontend.loading.assembly import Loaded, build_asking
from referee.frontend.names.other_answers import MOST_ANSWERS, OtherAnswer, OtherAnswers
from referee.frontend.names.shapes import Shape
from referee.frontend.names.tree_access import head, nodes
from referee.other_rules.amount_answers import with_amounts_added_up, with_halves
from referee.other_rules.component_values import ComponentValues
from referee.other_rules.counter_answers import with_repetition, with_surplus_carried_over
from referee.other_rules.destinations import Destinations
from referee.other_rules.empty_piles import EmptyPiles
from referee.other_rules.guard_answers import with_fewer_guards, with_unset_apart
from referee.other_rules.kept_facts import with_facts_worked_out
from referee.other_rules.moved_piece import without_the_moved
from referee.other_rules.newcomers import Newcomers
from referee.other_rules.paid_prices import comparisons_with_prices, with_prices_only_needed
from referee.other_rules.place_answers import PlaceAnswers
from referee.other_rules.player_answers import with_himself, with_the_next_alone
from referee.other_rules.player_rounds import with_steps_by_all, with_the_start_passed_on
from referee.other_rules.repeated_actions import with_actions_once_a_turn
from referee.other_rules.sibling_guards import with_conditions_of_siblings
from referee.syntax.syntax_tree import Node

_KINDS = ("compare", "equal", "is_", "is_not", "need", "forbidden", "move", "move_all", "define")


def build_with_others(loaded: Loaded, shape: Shape, first: int = 1, most: int = MOST_ANSWERS
                      ) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The core of a shape in which other answers stand behind the variable `SELECTOR`, and what they are.

    `first`, `most`: only so many stand in it, from this one on; all that there are are told. While the selector is
    `THE_RULES` a game goes as without them. Raises Problems, also if the rules become too large with so many.
    """
    others = OtherAnswers(True, first, most)
    core = build_asking(loaded, shape, others)
    return _that_begin_anywhere(with_other_rules(core, others, loaded.trees), core), others.found()


def _that_begin_anywhere(core: Core, rules: Core) -> Core:
    """The rules so that games begin in any position: what other answers remember starts as at the beginning, and is not
    to be told. `rules`: before other answers were made on them."""
    added = {name: replace(var, role=Role.STATE) for name, var in core.vars.items() if var.role is Role.REGISTER
             and (name not in rules.vars or name.startswith(REMEMBERED))}  # fmt: skip
    return replace(core, vars={**core.vars, **added})


def with_other_rules(core: Core, others: OtherAnswers, trees: Sequence[Node]) -> Core:
    """The rules of some trees with every other answer that is made of guards, moves, sets, players and counters."""
    written = _written(trees)
    core = with_equal_values(core, others, written["compare"] - comparisons_with_prices(core))
    core = with_unset_apart(core, others, written)
    core = with_fewer_guards(core, others, written)
    core = without_the_moved(core, others)
    core = with_himself(core, others, written["define"])
    core = with_the_next_alone(core, others)
    core = with_surplus_carried_over(core, others)
    core = with_repetition(core, others, written["need"] | written["forbidden"])
    core = with_conditions_of_siblings(core, others, written)
    core = with_prices_only_needed(core, others)
    core = with_facts_worked_out(core, others)
    core = ComponentValues(core, others).made()
    core = PlaceAnswers(core, others).made()
    core = with_amounts_added_up(core, others)
    core = with_halves(core, others)
    core = with_actions_once_a_turn(core, others)
    core = Destinations(core, others, written).made()
    core = EmptyPiles(core, others).made()
    core = Newcomers(core, others).made()
    return with_the_start_passed_on(with_steps_by_all(core, others), others)


def _written(trees: Sequence[Node]) -> Mapping[str, frozenset[Span]]:
    """Where constructs are written in rules, by their kind; those of several lines by their first."""
    found: dict[str, set[Span]] = {kind: set() for kind in _KINDS}
    open_ = [decl for tree in trees for decl in nodes(tree) if decl.kind != "scenario"]
    while open_:
        one = open_.pop()
        if one.kind in found:
            found[one.kind].add(head(one) if one.kind in ("need", "forbidden") else one.span)
        open_.extend(nodes(one))
    return MappingProxyType({kind: frozenset(spans) for kind, spans in found.items()})
