"""The function of a flow's whole games, written: its code, and what it has to be told of a position."""

from __future__ import annotations

import ast
import marshal
import warnings
from collections.abc import Sequence
from types import CodeType
from typing import assert_never

from referee.codegen.often.local_entries import PlainNames, entry_name
from referee.codegen.source_text import Objects, TooLong
from referee.codegen.trusted_variables import doubt
from referee.codegen.value_bounds import BoundProver
from referee.codegen.whole_games.game_code import GameCode
from referee.codegen.whole_games.game_function import GameFunction
from referee.codegen.whole_games.play_code import PlayCode
from referee.codegen.whole_games.set_code import WIDEST, is_set
from referee.codegen.whole_games.set_scope import AsItLies, NotWhole
from referee.core.flow import Flow, asks
from referee.core.intervals import of_type
from referee.core.ruleset import Form, Zone
from referee.core.types import Bool, size
from referee.game.state import Layout

MOST_NODES, MOST_LINES = 150, 1_500
"""Of a larger flow, or with more lines, most of a function would never be needed, and to make it takes its time."""
MOST_CLASSES, MOST_BAGS = 16, 16
"""With more classes of components spots are no sets and bags no counts; with more bags in a zone they are none."""


class GameSource:
    """Writes the function of whole games of a flow from a point on, or of games by lot. Raises `NotWhole` for a flow of
    which none is made."""

    def __init__(self, flow: Flow, layout: Layout, start: int, *, by_lot: bool = False) -> None:
        if len(flow.nodes) > MOST_NODES:
            raise NotWhole("there are too many nodes")
        self._layout = layout
        self._start = start
        self._coder: type[GameCode] = PlayCode if by_lot else GameCode
        self._spots, self._counted = _spots(layout), _bags(layout)
        prover = BoundProver(layout)
        doubt(flow, prover)
        _trusted(layout, prover)
        try:
            code, self.text, objects = self._written(flow, prover)
        except (TooLong, RecursionError) as why:
            raise NotWhole("the function would be too long") from why
        variables = [(var.type, layout.vars[name].entries) for name, var in layout.defs.items()]
        places = {at: number for number, (at, used) in enumerate(code.places)
                  if used and asks(flow.nodes[at]) is not None}
        self.function = GameFunction(
            marshal.dumps(self._compiled(self.text)), objects.named, code.kinds, code.width, places,
            tuple(at for kind, entries in variables if is_set(kind) for at in entries),
            tuple(at for kind, entries in variables if kind == Bool() for at in entries),
            tuple(_sets_of(layout, name) for name in self._spots), self._counts, len(layout.core.components))

    @property
    def _counts(self) -> tuple[int, ...]:
        """The entries that are bags of which it is kept how many of each class lie there."""
        return tuple(at for name in self._counted for at in self._layout.zones[name].entries)

    def _written(self, flow: Flow, prover: BoundProver) -> tuple[GameCode, str, Objects]:
        """The source. Zones of which it is asked spot by spot are left as they are."""
        carried = 0
        while True:
            objects = Objects()
            code = self._coder(flow, self._layout, objects, prover, {
                name: f"z{self._layout.zones[name].base}_" for name in self._spots}, self._counted, carried)
            try:
                text = code.text(self._start)
            except AsItLies as why:
                (self._spots if why.zone in self._spots else self._counted).remove(why.zone)
                continue
            if text.count("\n") > MOST_LINES:
                raise NotWhole("the function would be too long")
            if code.carried | carried == carried:
                return code, text, objects
            carried |= code.carried

    def _compiled(self, text: str) -> CodeType:
        """The function, with its plain entries in local variables."""
        tree = ast.parse(text)
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        spots = {self._layout.zones[name].base for name in self._spots}
        naming = PlainNames(_plain(self._layout) - spots - {*self._counts})
        body = [naming.visit(one) for one in function.body]
        used = {one.id for part in body for one in ast.walk(part) if isinstance(one, ast.Name)}
        written = {one.id for part in body for one in ast.walk(part)
                   if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        kept = [f"s[{at}] = {entry_name(at)}" for at in sorted(_plain(self._layout)) if entry_name(at) in written]
        kept += [f"s[{at}] = z{at}_, e{at}_" for at in sorted(spots) if f"e{at}_" in used]
        body = _EntriesTold(kept).visit(ast.Module(body, [])).body
        begun = ["s = s.copy()", *(f"s[{at}] = s[{at}].copy()" for at in self._counts)] if "s" in used else []
        begun += [f"{entry_name(at)} = s[{at}]" for at in sorted(_plain(self._layout)) if entry_name(at) in used]
        begun += [f"z{at}_, e{at}_ = s[{at}]; z{at}_ = z{at}_.copy()" for at in sorted(spots)
                  if {f"z{at}_", f"e{at}_"} & used]
        function.body = [*ast.parse("\n".join(begun)).body, *body]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # a constant compared with a constant
            return compile(ast.fix_missing_locations(tree), "<generated>", "exec")


class _EntriesTold(ast.NodeTransformer):
    """Writes entries back where they are told."""

    def __init__(self, kept: Sequence[str]) -> None:
        self._kept = kept

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.AST]:
        match node.value:
            case ast.Tuple(elts=[*_, ast.Name(id="s")]):
                return [*ast.parse("\n".join(self._kept)).body, node]
            case _:
                return node


def _plain(layout: Layout) -> frozenset[int]:
    """The entries that stand by themselves: no function looks for them by a key."""
    entries = [one for some in (layout.vars, layout.zones) for one in some.values() if not one.sizes]
    return frozenset((*(one.base for one in entries), *layout.rulings.values())) & frozenset(range(layout.fixed))


def _spots(layout: Layout) -> list[str]:
    """The zones of which the spots can be sets."""
    if len(layout.core.components) > MOST_CLASSES:
        return []
    return [zone.name for zone in layout.core.zones.values() if _on_spots(zone)]


def _on_spots(zone: Zone) -> bool:
    return zone.form.on_spots and zone.spots is not None and not zone.keys and zone.limit is None and (
        zone.capacity >= size(zone.spots)) and 0 <= zone.spots.lo <= zone.spots.hi <= WIDEST


def _trusted(layout: Layout, prover: BoundProver) -> None:
    """Raises `NotWhole` if a variable may hold a set that is none by its number."""
    for name, var in layout.defs.items():
        if is_set(var.type) and (name in prover.doubtful or not of_type(var.type).members_inside(0, WIDEST)):
            raise NotWhole("a variable may hold a set with members that are too small or too large")


def _bags(layout: Layout) -> list[str]:
    """The bags of which it can be kept how many of each class lie there."""
    if len(layout.core.components) > MOST_CLASSES:
        return []
    return [zone.name for zone in layout.core.zones.values()
            if _counted(zone.form) and layout.zones[zone.name].count <= MOST_BAGS]


def _counted(form: Form) -> bool:
    """Whether only how many of each class lie somewhere makes a difference."""
    match form:
        case Form.BAG:
            return True
        case Form.LINE | Form.SLOTS | Form.PILE:
            return False
        case _:
            assert_never(form)


def _sets_of(layout: Layout, name: str) -> tuple[int, int, int]:
    """Where a zone on spots lies, and its first and last spot."""
    zone = layout.core.zones[name]
    assert zone.spots is not None
    return layout.zones[name].base, zone.spots.lo, zone.spots.hi
