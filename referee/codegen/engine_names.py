"""The engines by name: what carries a game out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.flow import Flow
    from referee.interpreter.walker import Walker

GENERATED, REFERENCE = "generated", "reference"
ENGINES = (GENERATED, REFERENCE)
"""The first is the one that is used if none is named. Their answers are the same."""


def engine(flow: Flow, name: str = GENERATED) -> Walker:
    """An engine for a flow. `ValueError` for a name that is none of `ENGINES`."""
    from referee.interpreter.walker import Walker

    if name == REFERENCE:
        return Walker(flow)
    if name != GENERATED:
        raise ValueError(f"there is no engine {name!r}")
    from referee.codegen.generated_engine import Generated

    return Generated(flow)
