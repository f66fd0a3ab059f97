"""Whether tokens can have classes so that all conditions hold, where these are bounds on numbers of components: a flow.

What is drawn from a pile, lies in a hand and leaves it again are numbers of a class in a group of tokens. Bounds on
such numbers are a flow if they fall into two families, in each of which of two bounds that concern the same number one
concerns all the numbers of the other. (Edmonds, "Submodular functions, matroids, and certain polyhedra", 1970.)
"Nothing of some kind" leaves out numbers and so never stands in the way. One more condition of any kind is decided as
well: by the flow in which it is at its greatest. Of several more a sum of them, each so many times, that is too small
in every flow is a proof; a flow in which all hold is sought by weighing anew those that do not, at last case by case.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import mul

from referee.judge.partial.constraints.alike_tokens import AlikeTokens, GroupRow, Impossible, WeightedRow
from referee.judge.partial.constraints.bounded_flow import MANY, Circulation
from referee.judge.partial.constraints.coarse_groups import CoarseGroups
from referee.judge.partial.constraints.flow_splits import Splits
from referee.judge.partial.constraints.hidden_values import Sum, members
from referee.system.deadline import Deadline

MOST_WEIGHED = 12
"""More conditions that are no flow are left to others."""
MUCH = 1_024
"""How much a condition that does not hold counts at first, where several conditions that are no flow are weighed."""
MOST_TURNS, FEW_TURNS = 8, 4
"""So often they are weighed anew, at first and in each case."""
MOST_CASES = 500
"""So many cases are looked at one by one."""


class FlowUndecided(Exception):
    """Flows do not tell whether the conditions can hold together. `near`: classes with which many of them do."""

    def __init__(self, near: dict[int, int]) -> None:
        super().__init__()
        self.near = near


class _Bounds:
    """How many members of some groups may be of some classes (both as bits)."""

    __slots__ = ("groups", "least", "mask", "most")

    def __init__(self, groups: int, mask: int, least: int, most: int) -> None:
        self.groups = groups
        self.mask = mask
        self.least = least
        self.most = most


def concerned(conditions: Sequence[Sum], wrong: Sequence[Sum]) -> list[Sum]:
    """The conditions that have something to do with some of them, by tokens that they share."""
    tokens: set[int] = set()
    found: list[Sum] = []
    more, rest = list(wrong), [total for total in conditions if all(total is not one for one in wrong)]
    while more:
        for total in more:
            tokens.update(total.weights)
        found += more
        more, rest = ([one for one in rest if tokens.isdisjoint(one.weights) is apart] for apart in (False, True))
    return found


def flowing(domains: Mapping[int, int], conditions: Sequence[Sum], near: Mapping[int, int],
            deadline: Deadline) -> dict[int, int] | None:
    """Classes with which all conditions hold, like others nearby; None if there are none.

    Raises `FlowUndecided` and `OutOfTime`.
    """
    deadline.check()
    try:
        alike = AlikeTokens(domains, conditions)
        return _Flow(alike, deadline).witness(near, lambda: _Flow(CoarseGroups(alike), deadline))
    except Impossible:
        return None


class _Flow:
    """The bounds as a circulation: from a root to each group, on to the classes of its members, and back."""

    def __init__(self, alike: AlikeTokens | CoarseGroups, deadline: Deadline) -> None:
        self._alike = alike
        self._deadline = deadline
        self._order = list(alike.sizes)
        self._at = {group: index for index, group in enumerate(self._order)}
        self._live = [alike.domains[group] for group in self._order]
        self._having = _transposed(self._live)
        self._weighted = list(alike.weighted)
        self._bounds: dict[tuple[int, int], _Bounds] = {}
        for row in alike.rows:
            self._bound(row)
        self._exhaust()
        self._flow = Circulation()
        self._cells: dict[tuple[int, int], int] = {}
        self._paths: dict[tuple[int, int], list[int]] = {}
        self._build()

    # --- bounds

    def _bound(self, row: GroupRow) -> None:
        times = {group: number for group, number in row.times.items() if self._live[self._at[group]] & row.mask}
        if not times:
            if row.const < 0:
                raise Impossible
            return
        signs = set(times.values())
        if len(signs) > 1 or not signs <= {1, -1}:
            self._weighted.append(_weighted(row))
            return
        groups = sum(1 << self._at[group] for group in times)
        sizes = sum(self._alike.sizes[group] for group in times)
        one = self._bounds.setdefault((groups, row.mask), _Bounds(groups, row.mask, 0, sizes))
        if signs == {1}:
            one.least = max(one.least, -row.const)
        else:
            one.most = min(one.most, row.const)
        if one.least > one.most:
            raise Impossible

    def _exhaust(self) -> None:
        """Leaves out what cannot be there because all there is room for is known, until nothing more is left out."""
        news = True
        while news:
            needed: dict[int, list[_Bounds]] = {}
            for bounds in self._bounds.values():
                if bounds.least > 0 and bounds.mask.bit_count() == 1:
                    needed.setdefault(bounds.mask, []).append(bounds)
            wide = [bounds for bounds in self._bounds.values()
                    if bounds.mask.bit_count() > 1 or bounds.most == 0 or bounds.mask in needed]
            news = sum(self._full(bounds, needed) for bounds in wide) > 0

    def _full(self, bounds: _Bounds, needed: Mapping[int, Sequence[_Bounds]]) -> bool:
        """Where the least there must be is the most there may be, nothing else may be there. Whether that is news."""
        inside: list[_Bounds] = []
        for one in members(bounds.mask):
            own = [other for other in needed.get(1 << one, ()) if not self._outside(other, bounds)]
            if not own:
                continue
            apart = sum(other.groups for other in own) == _union(own)
            inside += own if apart else [max(own, key=lambda other: other.least)]
        least = sum(other.least for other in inside)
        if least > bounds.most:
            raise Impossible
        if least < bounds.most or (len(inside) == 1 and inside[0] is bounds):
            return False
        news = False
        for other in inside:
            news |= other.most > other.least
            other.most = other.least
        for group in members(bounds.groups):
            kept = sum(other.mask for other in inside if other.groups >> group & 1)
            gone = self._live[group] & bounds.mask & ~kept
            if gone:
                news = True
                self._live[group] &= ~gone
                for one in members(gone):
                    self._having[one] &= ~(1 << group)
        return news

    def _outside(self, one: _Bounds, other: _Bounds) -> bool:
        """Whether some number that bounds concern is not concerned by others."""
        having = self._having
        for each in members(one.mask):
            groups = having.get(each, 0) & one.groups
            if groups and (not other.mask >> each & 1 or groups & ~other.groups):
                return True
        return False

    def _crossing(self, one: _Bounds, other: _Bounds) -> bool:
        """Whether both concern some number, and each one that the other does not."""
        groups = one.groups & other.groups
        shared = any(self._having.get(each, 0) & groups for each in members(one.mask & other.mask)) if groups else False
        return shared and self._outside(one, other) and self._outside(other, one)

    # --- the circulation

    def _build(self) -> None:
        """Single classes lead back to the root; several classes of one group come after it. The others are weighed."""
        classes: dict[int, list[_Bounds]] = {}
        several: dict[int, list[_Bounds]] = {}
        for bounds in self._bounds.values():
            self._put(bounds, classes, several)
        flow, root = self._flow, self._flow.node()
        heads: dict[tuple[int, int], tuple[int, list[int]]] = {}
        for one, own in classes.items():
            self._lead_back(root, one, own, heads)
        for index, group in enumerate(self._order):
            node, size = flow.node(), self._alike.sizes[group]
            first = flow.arc(root, node, size, size)
            tails = dict.fromkeys(members(self._live[index]), (node, [first]))
            for bounds in sorted(several.get(index, ()), key=lambda one: -(one.mask & self._live[index]).bit_count()):
                covered = bounds.mask & self._live[index]
                if covered:
                    before, path = tails[covered.bit_length() - 1]
                    inner = flow.node()
                    arc = flow.arc(before, inner, bounds.least, bounds.most)
                    tails.update(dict.fromkeys(members(covered), (inner, [*path, arc])))
                elif bounds.least > 0:
                    raise Impossible
            for one, (tail, path) in tails.items():
                head, back = heads.get((index, one), (root, []))
                cell = self._cells[group, one] = flow.arc(tail, head, 0, MANY)
                self._paths[group, one] = [cell, *path, *back]

    def _put(self, bounds: _Bounds, classes: dict[int, list[_Bounds]], several: dict[int, list[_Bounds]]) -> None:
        groups = [group for group in members(bounds.groups) if self._live[group] & bounds.mask]
        if not groups:
            if bounds.least > 0:
                raise Impossible
            return
        union = 0
        for group in groups:
            union |= self._live[group] & bounds.mask
        if union.bit_count() == 1:
            own = classes.setdefault(union.bit_length() - 1, [])
            if not any(self._crossing(bounds, other) for other in own):
                own.append(bounds)
                return
        if len(groups) == 1:
            own = several.setdefault(groups[0], [])
            if not any(self._crossing(bounds, other) for other in own):
                own.append(bounds)
                return
        named = {self._order[group]: dict.fromkeys(members(bounds.mask), 1) for group in groups}
        if bounds.least > 0:
            self._weighted.append(WeightedRow(named, -bounds.least))
        self._weighted.append(WeightedRow({group: dict.fromkeys(own, -1) for group, own in named.items()}, bounds.most))

    def _lead_back(self, root: int, one: int, own: list[_Bounds],
                   heads: dict[tuple[int, int], tuple[int, list[int]]]) -> None:
        """From the widest bounds to the narrowest: each leads to those around it."""
        def wide(bounds: _Bounds) -> int:
            return sum(1 for group in members(bounds.groups) if self._live[group] >> one & 1)

        for bounds in sorted(own, key=wide, reverse=True):
            groups = [group for group in members(bounds.groups) if self._live[group] >> one & 1]
            around, back = heads.get((groups[0], one), (root, []))
            node = self._flow.node()
            arc = self._flow.arc(node, around, bounds.least, bounds.most)
            heads.update(dict.fromkeys(((group, one) for group in groups), (node, [arc, *back])))

    # --- classes

    def witness(self, near: Mapping[int, int], coarse: Callable[[], _Flow] | None = None) -> dict[int, int] | None:
        """Classes of the tokens; None if there are none. `coarse`: a flow that is there if this one is.

        Raises `FlowUndecided`, `OutOfTime` and (while `coarse` is made) `Impossible`.
        """
        flow = self._flow.flow
        for group, own in self._alike.numbers(near).items():
            for one, number in own.items():
                if number > 0 and (group, one) in self._paths:
                    for arc in self._paths[group, one]:
                        flow[arc] += number
        if not self._flow.feasible():
            return None
        if not self._weighted:
            return self._named(near)
        self._counted = [(arc, counted) for (group, one), arc in self._cells.items()
                         if any(counted := tuple(row.weights.get(group, {}).get(one, 0) for row in self._weighted))]
        if len(self._weighted) > MOST_WEIGHED and any(found < 0 for found in self._values()):
            raise FlowUndecided(self._named(near))
        times = [MUCH if found < 0 else 0 for found in self._values()]
        found = self._weighed(times, MOST_TURNS)
        if found is None and coarse is not None:
            try:
                if coarse().witness(near) is None:
                    return None
            except FlowUndecided:
                pass
        if found is None:
            self._left = MOST_CASES
            splits = Splits(self._flow, self._cells, self._weighted, self._single())
            found = self._found(times, splits, near)
        return self._named(near) if found else None

    def _found(self, times: list[int], splits: Splits, near: Mapping[int, int]) -> bool:
        """Whether there is a flow in which all conditions hold: then `flow` is one. Raises `FlowUndecided`."""
        found = self._weighed(times, FEW_TURNS)
        if found is not None:
            return found
        cases = list(splits.cases())
        for limits in cases:
            self._left -= 1
            if self._left < 0:
                break
            before = [(arc, *self._flow.limits(arc)) for arc, _, _ in limits]
            for arc, least, most in limits:
                self._flow.limit(arc, least, most)
            if self._flow.feasible() and self._found(list(times), splits, near):
                return True
            for arc, least, most in before:
                self._flow.limit(arc, least, most)
        else:
            if cases:
                return False
        self._flow.feasible()
        raise FlowUndecided(self._named(near))

    def _weighed(self, times: list[int], turns: int) -> bool | None:
        """Whether there is a flow in which all conditions hold; None if it was not found out by weighing them. `times`,
        to begin with, are changed."""
        for turn in range(turns):
            if self._climbed(times):
                return True
            found = self._values()
            if sum(map(mul, times, found)) < 0:
                return False
            step = 2 * MUCH / (2 + turn) / max(map(abs, found))
            times[:] = [max(0, round(often - step * one)) for often, one in zip(times, found, strict=True)]
        return None

    def _single(self) -> dict[int, Hashable]:
        """The classes of which there is one component at most, with what bounds say of each."""
        live: dict[int, int] = {}
        for group, one in self._cells:
            live[one] = live.get(one, 0) | 1 << self._at[group]
        said: dict[int, list[Hashable]] = {one: [] for one in live}
        single: set[int] = set()
        for bounds in self._bounds.values():
            several = bounds.mask.bit_count() > 1
            for one in members(bounds.mask):
                groups = live.get(one, 0) & bounds.groups
                if groups:
                    said[one].append((groups, bounds.least, bounds.most, bounds.mask if several else 0))
                    if bounds.most <= 1 and groups == live[one]:
                        single.add(one)
        return {one: frozenset(said[one]) for one in single}

    def _named(self, near: Mapping[int, int]) -> dict[int, int]:
        return {**near, **self._alike.classes(self._numbers(), near)}

    def _climbed(self, times: Sequence[int]) -> bool:
        """Whether a flow is met in which all conditions hold, on the way to where some of them, each so many times, are
        at their greatest together. Raises `OutOfTime`."""
        arcs = self._flow.priced({arc: sum(map(mul, times, own)) for arc, own in self._counted})
        self._deadline.check()
        while True:
            if all(found >= 0 for found in self._values()):
                return True
            if not self._flow.improve(arcs):
                return False

    def _values(self) -> list[int]:
        """What the conditions are that are no flow."""
        found, flow = [row.const for row in self._weighted], self._flow.flow
        for arc, own in self._counted:
            number = flow[arc]
            if number:
                found = [value + number * weight for value, weight in zip(found, own, strict=True)]
        return found

    def _numbers(self) -> dict[int, dict[int, int]]:
        found: dict[int, dict[int, int]] = {group: {} for group in self._order}
        for (group, one), cell in self._cells.items():
            if self._flow.flow[cell]:
                found[group][one] = self._flow.flow[cell]
        return found


def _weighted(row: GroupRow) -> WeightedRow:
    own = {group: dict.fromkeys(members(row.mask), times) for group, times in row.times.items()}
    return WeightedRow(own, row.const)


def _transposed(masks: Sequence[int]) -> dict[int, int]:
    """For each class the groups (bits) that may have members of it."""
    found: dict[int, int] = {}
    for group, mask in enumerate(masks):
        for one in members(mask):
            found[one] = found.get(one, 0) | 1 << group
    return found


def _union(bounds: Sequence[_Bounds]) -> int:
    found = 0
    for one in bounds:
        found |= one.groups
    return found
