"""What other answers read is bound where they read it, in whatever definition, set or choice they were made."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.expr import After, Connected, Fold, Let, Local, Split, Where
from referee.core.ruleset import Core
from referee.core.traverse import children
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.other_rules.every_other_rule import build_with_others
from tests.sample_sizes import by_lot

ROOT = Path(__file__).parents[2]
RULES = {path.parent.name: path for path in (Path(__file__).parent / "questions").glob("*/game.rules")} | {
    path.stem: path for path in (ROOT / "rulesets" / "classics").glob("*.rules") if path.stem not in ("chess", "go")}
"""With chess and go so many answers make rules that are too large at once."""


def free(node: object) -> frozenset[str]:
    """Every local that an expression reads and does not bind itself where it is read."""
    if isinstance(node, Local):
        return frozenset({node.name})
    if isinstance(node, Let):
        return free(node.value) | (free(node.body) - {node.var})
    if isinstance(node, After):
        return frozenset()  # what a block binds, statements after it read
    found = frozenset[str]().union(*(free(part) for part in children(node)))
    if isinstance(node, Connected):
        return found - {node.var, node.here}
    if isinstance(node, Fold | Where):
        return found - {node.var}
    return found - {node.rest} if isinstance(node, Split) else found


def unbound(core: Core) -> dict[str, frozenset[str]]:
    """The locals that conditions of actions read and nobody binds: neither they themselves nor the action."""
    return {name: left for name, action in core.actions.items() for guard in action.guards
            if (left := free(guard.cond) - {"me", *(param.name for param in action.params)})}  # fmt: skip


@pytest.mark.parametrize("name", by_lot(sorted(RULES), "scopes of answers", 12))
def test_conditions_read_what_is_bound(name: str) -> None:
    loaded = parsed(find(str(RULES[name])))
    assert unbound(build_with_others(loaded, Shape(loaded.range.fewest))[0]) == {}


def test_a_place_is_named_as_the_action_names_it_where_a_definition_has_its_own_name() -> None:
    """A local of a definition is bound within it alone."""
    loaded = parsed(find(str(RULES["which_set_nothing_else_there"])))
    assert unbound(build_with_others(loaded, Shape())[0]) == {}
