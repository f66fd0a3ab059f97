"""Where a claim is to hold: where somebody is asked outside an action and at the end, or at nodes of its own."""

from __future__ import annotations

from referee.core.flow import Flow, point_of
from referee.proofs.proof_claims import Claim
from referee.proofs.slice_visits import END


def is_meant(flow: Flow, claim: Claim, place: int) -> bool:
    """Whether a claim is to hold at a place of a flow."""
    if claim.at is not None:
        return place in claim.at
    if place == END:
        return True
    point = point_of(flow.nodes[place])
    return point is not None and point.rest
