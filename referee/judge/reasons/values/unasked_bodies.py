"""What the course of play carries out at a node without asking anybody."""

from __future__ import annotations

from typing import assert_never

from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run
from referee.core.stmt import Block


def unasked_body(node: Node) -> Block:
    """The statements; none if somebody is asked there, or only the way on is decided."""
    match node:
        case Run(body):
            return body
        case Fork() | Ask() | Gather() | Draw() | Rule():
            return ()
        case _:
            assert_never(node)
