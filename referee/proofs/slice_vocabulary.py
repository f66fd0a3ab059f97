"""What a slice tells apart: groups of classes, and the arrays that are kept at one component."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from referee.core.expr import At, Fold, FoldKind, Let, Only, Place, Where
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, point_of
from referee.core.read_write_sets import places_of, reads, variables_of
from referee.core.ruleset import Role
from referee.core.stmt import Branch, Each, Merge, Move, Put, Swap
from referee.core.traverse import walk
from referee.core.types import COMPONENT, Elem
from referee.game.state import Layout
from referee.proofs.lemmas.forked_classes import told_apart
from referee.proofs.lemmas.looked_up_spots import asked_spots
from referee.proofs.lemmas.loop_rounds import rounds_left
from referee.proofs.proof_claims import Claim
from referee.smt import term
from referee.smt.abstraction.class_groups import Groups, admitted
from referee.smt.abstraction.kept_spots import has_spots
from referee.smt.abstraction.place_filters import filters_of, one_asked_for, selected, static_mask
from referee.smt.abstraction.slices import SMALL, SPOTS, Slice

LEVELS = (1, 2, 3)
"""The sizes of slices; the widest keeps the most."""
MOST_GROUPS = 16
"""Groups of components that a slice tells apart: what would make more is left out."""
FEW_CLASSES = 6
"""Where a zone admits no more classes, each is told from the others."""


def _single(layout: Layout) -> frozenset[str]:
    return frozenset(name for name, var in layout.defs.items() if not var.keys or var.role is Role.REGISTER)


def slice_for(flow: Flow, layout: Layout, claim: Claim, level: int, more: frozenset[str] = frozenset()) -> Slice:
    """What is kept for a claim. Level 1: what it reads, and single variables; 2: where that comes from; 3: all but
    large arrays. `more`: variables, zones and spots of zones (`SPOTS`) that are kept besides."""
    wide = level > 1 or bool(more)
    said = [(i.premises, i.body) for i in claim.instances]
    effects = [part for node in flow.nodes for part in _effects(node)]
    zones, variables = _kept(layout, said, effects, level)
    by_spot = {n.removesuffix(SPOTS) for n in more if n.endswith(SPOTS)}
    zones, variables = zones | (more & layout.zones.keys()) | by_spot, variables | (more & layout.vars.keys())
    masks: list[frozenset[int]] = []
    admit = [admitted(layout.core, layout.core.zones[name]) for name in sorted(zones)]
    folds = level > 1 or claim.focused
    moved = _masks(layout, effects, zones, folds) if wide or claim.focused else ()
    alone = places_of(tuple(walk(tuple(said), Only))) | frozenset(_asked_by_class(said)) | (more & layout.zones.keys())
    single = _one_by_one(layout, alone)
    spoken = places_of(tuple(said))
    inside = frozenset().union(*admit)
    tested = [*(_tested(layout, effects, spoken) if wide else ()),
              *(told_apart(layout, flow, spoken, inside) if more else ())]
    for mask in dict.fromkeys([*_masks(layout, said, zones), *admit, *tested, *moved, *single]):
        if len(Groups(layout.core, [*masks, mask])) <= MOST_GROUPS:
            masks.append(mask)
    focus = term.unknown_number("any component") if claim.focused else None
    placed = frozenset(_placed(layout, said if level < 2 else [*said, *effects, *_guards(flow)], zones)) | by_spot
    small = frozenset(name for name in variables if layout.vars[name].count <= SMALL)
    asked = (*asked_spots(effects, placed, small), *rounds_left(effects, small | zones))
    slice_ = Slice(layout, Groups(layout.core, masks, focus), variables, zones, placed, asked)
    if focus is not None:
        kinds = [i.kind for i in claim.instances if i.kind is not None]
        lo, hi = min(k.lo for k in kinds), max(k.hi for k in kinds)
        slice_.true.extend((term.at_most(lo, focus), term.at_most(focus, hi)))
    return slice_


def _effects(node: Node) -> Iterator[object]:
    """What a node does by itself, and what it depends on which way the game goes there."""
    match node:
        case Run():
            yield node.body
        case Fork():
            yield node.cond
        case Ask() | Gather() | Draw() | Rule():
            return
        case _:
            assert_never(node)


def _placed(layout: Layout, parts: Sequence[object], zones: frozenset[str]) -> Iterator[str]:
    """The zones of few spots of which some spot is asked for by itself."""
    asked = [one.place for one in walk(tuple(parts), At)]
    for place in (*asked, *(one for one in walk(tuple(parts), Place) if one.spot is not None)):
        if place.zone in zones and has_spots(layout.core.zones[place.zone]):
            yield place.zone


def _guards(flow: Flow) -> list[object]:
    """What is asked at points before somebody may do something."""
    return [node for node in flow.nodes if point_of(node) is not None]


def _asked_by_class(said: Sequence[object]) -> Iterator[str]:
    """The zones of which it is asked whether one class lies there, or how often, that is found only in a position."""
    for one in walk(tuple(said), Fold):
        found = filters_of(one.source)
        if found is not None and one_asked_for(one, found) is not None:
            yield found.place.zone


def _one_by_one(layout: Layout, zones: Iterable[str]) -> Iterator[frozenset[int]]:
    """The classes of zones that admit few, of which it is asked which one lies there: each is told from the others."""
    for name in sorted(zones):
        classes = admitted(layout.core, layout.core.zones[name])
        if len(classes) <= FEW_CLASSES:
            yield from (frozenset((c,)) for c in sorted(classes))


def _kept(
    layout: Layout, said: Sequence[object], effects: Sequence[object], level: int
) -> tuple[frozenset[str], frozenset[str]]:
    """The zones and variables that are kept."""
    if level >= 3:
        return frozenset(layout.core.zones), frozenset(layout.defs)
    zones, named = set(places_of(tuple(said))), set(variables_of(tuple(said)))
    if level == 2:
        more = frozenset(_sources(effects, zones, named))
        zones |= more & layout.zones.keys()
        named |= more - layout.zones.keys()
    return frozenset(zones), _single(layout) | named


def _sources(effects: Sequence[object], zones: set[str], named: set[str]) -> Iterator[str]:
    """Where components of zones come from, and what is read to change variables."""
    for one in walk(tuple(effects), Move, Merge, Swap, Put):
        match one:
            case Move():
                yield from (one.source.zone,) if one.to.zone in zones else ()
            case Merge():
                yield from (source.zone for source in one.sources if one.to.zone in zones)
            case Swap():
                between = {one.one.zone, one.other.zone}
                yield from () if between.isdisjoint(zones) else between
            case Put():
                yield from reads(one.value) if one.var in named else ()


def _tested(layout: Layout, effects: Sequence[object], zones: frozenset[str]) -> Iterator[frozenset[int]]:
    """The classes of which it is asked whether a component is one, where it hangs on that what is moved to zones."""
    for branch in walk(tuple(effects), Branch):
        if not any(one.to.zone in zones for one in walk((branch.yes, branch.no), Move)):
            continue
        for one in walk(branch.cond, Let):
            if isinstance(kind := one.value.type, Elem) and kind.domain == COMPONENT:
                mask = static_mask(layout, one.body, one.var, frozenset(range(kind.lo, kind.hi + 1)))
                if mask:
                    yield mask


def _masks(
    layout: Layout, parts: Iterable[object], zones: frozenset[str], folds: bool = True
) -> Iterator[frozenset[int]]:
    """The classes that are moved together somewhere and, with `folds`, those that are counted."""
    for part in walk(tuple(parts), Fold, Each, Where):
        match part:
            case Fold(kind=FoldKind.COUNT | FoldKind.ANY | FoldKind.ALL, source=source) if folds:
                extra = [(part.var, e) for e in (part.where, part.body) if e is not None]
            case Each(source=source):
                extra = []
            case Where(source=source):
                extra = [(part.var, part.where)] if part.where is not None else []
            case Fold():
                continue
        found = filters_of(source)
        if found is None or found.place.zone not in zones:
            continue
        mask = selected(layout, layout.core.zones[found.place.zone], (*found.filters, *extra))
        if mask:
            yield mask
