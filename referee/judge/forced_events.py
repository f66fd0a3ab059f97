"""Carries out an event in spite of the conditions that it fails, so that the lines after it can be looked at."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.interpreter.walker import Walker


def without_guards(flow: Flow) -> Walker:
    """A walker by the same rules without a condition on any action. Its states are those of the flow."""
    return Walker(replace(flow, nodes=tuple(_bare(node) for node in flow.nodes)))


def _bare(node: Node) -> Node:
    match node:
        case Ask():
            return replace(node, alternatives=tuple(_free(one) for one in node.alternatives))
        case Gather():
            return replace(node, parts=tuple((actors, _free(one)) for actors, one in node.parts))
        case Draw():
            return replace(node, alternative=_free(node.alternative))
        case Run() | Fork() | Rule():
            return node
        case _:
            assert_never(node)


def _free(alternative: Alternative) -> Alternative:
    return replace(alternative, guards=())
