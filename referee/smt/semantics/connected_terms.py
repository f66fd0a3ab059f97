"""What steps lead to from a member, as terms: which members are next to which, which may be come to, which are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from referee.smt import term
from referee.smt.term import Cond
from referee.smt.value import Unencodable

MOST_PARTS = 200_000
"""So many times a step between two members may stand in the terms for what is come to."""


@dataclass
class Web:
    """What may be come to.

    `first`: under which condition a member is the start; `steps`: from each to those next to it; `passes`: under which
    condition one that is met is gone to.
    """

    first: dict[int, Cond]
    steps: dict[int, list[tuple[int, Cond]]] = field(default_factory=dict)
    passes: dict[int, Cond] = field(default_factory=dict)

    def met(self, found: Mapping[int, Cond]) -> dict[int, Cond]:
        """Under which condition each member is next to one that is come to."""
        parts: dict[int, list[Cond]] = {one: [] for one in self.passes}
        for here, beside in self.steps.items():
            for one, next_to in beside:
                parts[one].append(term.both(found.get(here, False), next_to))
        return {one: term.disj(conds) for one, conds in parts.items()}

    def is_known(self) -> bool:
        """Whether nothing hangs on what is not known."""
        conds = [*self.first.values(), *self.passes.values(), *(c for beside in self.steps.values() for _, c in beside)]
        return all(isinstance(cond, bool) for cond in conds)


def exactly(web: Web) -> dict[int, Cond]:
    """Under which condition each member is come to: in as many rounds as there are members. Raises `Unencodable`."""
    before: dict[int, list[tuple[int, Cond]]] = {}
    for here, beside in web.steps.items():
        for one, next_to in beside:
            before.setdefault(one, []).append((here, next_to))
    found = dict(web.first)
    new, parts = set(found), 0
    for _ in range(len(web.passes) + 1):
        changed: dict[int, Cond] = {}
        asked = sorted({one for here in new for one, _ in web.steps.get(here, ())})
        for one in asked:
            if found.get(one, False) is True or web.passes[one] is False:
                continue
            parts += len(before[one])
            if parts > MOST_PARTS:
                raise Unencodable("what may be connected with what is too much")
            led = term.disj(term.both(found.get(here, False), next_to) for here, next_to in before[one])
            cond = term.disj((web.first.get(one, False), term.both(web.passes[one], led)))
            if cond is not False:
                changed[one] = cond
        found.update(changed)
        new = set(changed)
        if not new or (web.is_known() and not changed):
            break
    return found


def facts(web: Web, found: Mapping[int, Cond]) -> Sequence[Cond]:
    """What holds of what is come to, and maybe of more: each has a reason to be in it, and whatever it leads to is."""
    met = web.met(found)
    members = {**web.first, **met}
    true = []
    for one in members:
        first, passes, here = web.first.get(one, False), web.passes.get(one, False), found.get(one, False)
        led = term.both(passes, met.get(one, False))
        true.append(term.same(here, term.disj((first, led))))
    return true
