"""Lemmas that say just what a step needs: that what is to hold after it holds, told as something before it."""

from __future__ import annotations

from referee.proofs.lemmas.lemma import Lemma, Side
from referee.proofs.lemmas.slice_facts import remembering
from referee.smt.abstraction.weakest_precondition import PositionBefore
from referee.smt.term import Cond

MOST_STEPS = 4
"""Through so many steps that touch it a lemma is pulled back: through those of a loop it could be for ever."""

EXACT = -0.5
"""The rank of such a lemma among those that are offered: before any guess."""


def pulled_back(shown: Lemma, step: str, bad: Cond, before: PositionBefore) -> Lemma | None:
    """What keeps a step from breaking a lemma. None if nothing that is known before it does.

    `bad`: that the step is possible and breaks it; `step`: what step that is and where it leads, by which lemmas are
    told apart.
    """
    if shown.pulled >= MOST_STEPS:
        return None
    cond = before.excluding(bad)
    if cond is None or isinstance(cond, bool):
        return None
    names = before.names(cond)
    name = f"after {step} ({shown.name})"
    return Lemma(name, (Side(name, remembering(before.reader(cond), names), names),), pulled=shown.pulled + 1)
