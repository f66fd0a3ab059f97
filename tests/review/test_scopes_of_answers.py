"""What other answers read is bound where they read it, in whatever definition, set or choice they were made."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from referee.core.expr import After, Connected, Fold, Let, Local, Split, Where
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Call, Decide, Each, Repeat, Stmt, Unspecified
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


def read_by(block: Block, known: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The locals that a block reads where nobody has bound them, and those that are bound behind it."""
    found: frozenset[str] = frozenset()
    for stmt in block:
        inner = known | {stmt.var} if isinstance(stmt, Each) else known
        blocks = [read_by(part, inner) for part in blocks_of(stmt)]
        own = free(stmt) if not blocks else frozenset().union(*(
            free(part) for part in children(stmt) if not isinstance(part, _STATEMENTS)))
        found = found.union(own - known, *(read for read, _ in blocks))
        match stmt:
            case Bind():
                known |= {stmt.name}
            case Branch():
                known |= blocks[0][1] & blocks[1][1]
            case Call():
                known |= {*stmt.results}
            case Decide():
                known |= {stmt.taken} if stmt.taken is not None else frozenset()
            case Unspecified():
                known |= {stmt.name} if stmt.name is not None else frozenset()
            case _:
                pass
    return found, known


def blocks_of(stmt: Stmt) -> list[Block]:
    """The blocks of a statement."""
    match stmt:
        case Branch():
            return [stmt.yes, stmt.no]
        case Each() | Repeat():
            return [stmt.body]
        case Decide():
            return [stmt.otherwise or ()]
        case _:
            return []


_STATEMENTS = get_args(Stmt)


def unbound(core: Core) -> dict[str, frozenset[str]]:
    """The locals that conditions and blocks read and nobody binds: neither they themselves nor the action."""
    found = {}
    for name, action in core.actions.items():
        known = frozenset({"me", *(param.name for param in action.params)})
        found[name] = read_by(action.body, known)[0].union(*(free(guard.cond) - known for guard in action.guards))
    for name, made in core.procedures.items():
        found[name] = read_by(made.body, frozenset(param for param, _ in made.params))[0]
    return {name: left for name, left in {**found, core.name: read_by(core.main, frozenset())[0]}.items() if left}


@pytest.mark.parametrize("name", by_lot(sorted(RULES), "scopes of answers", 12))
def test_conditions_and_blocks_read_what_is_bound(name: str) -> None:
    loaded = parsed(find(str(RULES[name])))
    assert unbound(build_with_others(loaded, Shape(loaded.range.fewest))[0]) == {}


def test_a_place_is_named_as_the_action_names_it_where_a_definition_has_its_own_name() -> None:
    """A local of a definition is bound within it alone."""
    loaded = parsed(find(str(RULES["which_set_nothing_else_there"])))
    assert unbound(build_with_others(loaded, Shape())[0]) == {}


def test_a_step_that_names_what_stands_above_it_is_no_step_of_another_action(tmp_path: Path) -> None:
    """What `let` binds in one action is not there in another, which would do the step too."""
    path = tmp_path / "game.rules"
    path.write_text("""\
game "Trade" for 2 players ana and ben

kind Card is 1..6

components
  1 of each Card in market

zones
  market: line of Card, open
  hand of player: bag of Card, open

play
  turns from ana, to the left
    turn player must take one of give, exchange

action give(card: Card in my hand)
  move card to market

action exchange(card: Card in my hand)
  let got = the top card of market
  move got from market to hand of me  [S-2]
  move card to market
""")
    loaded = parsed(find(str(path)))
    assert unbound(build_with_others(loaded, Shape())[0]) == {}


@pytest.mark.parametrize("name", ["lines_on_boards", "rolled_at_once"])
def test_filters_over_cells_and_draws_at_once_have_other_answers(name: str) -> None:
    """The other answers of a line of which a part is no player or element, and of one that several draw at once."""
    loaded = parsed(find(str(ROOT / "tests" / "language" / "constructs" / f"{name}.rules")))
    core, others = build_with_others(loaded, Shape())
    assert others
    assert unbound(core) == {}


def test_a_single_card_that_all_draw_at_once_in_an_action_has_other_answers(tmp_path: Path) -> None:
    path = tmp_path / "game.rules"
    path.write_text("""\
game "Once" for 2 players ana and ben

kind Card is 1..3

components
  9 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

setup
  shuffle deck

play
  turns from ana, to the left, until deck is empty
    turn player must gather
  nobody wins

action gather
  simultaneously: each player draws 1 from deck to hand of me
""")
    core, others = build_with_others(parsed(find(str(path))), Shape())
    assert others
    assert unbound(core) == {}
