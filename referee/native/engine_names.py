"""The engines by name: what carries a game out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.flow import Flow
    from referee.interpreter.walker import Walker

GENERATED, REFERENCE, NATIVE = "generated", "reference", "native"
ENGINES = (GENERATED, REFERENCE, NATIVE)
"""The first is the one that is used if none is named. Their answers are the same."""


def engine(flow: Flow, name: str = GENERATED) -> Walker:
    """An engine for a flow; where machine code cannot be had generated code goes in its place, and says so.

    `ValueError` for a name that is none of `ENGINES`.
    """
    if name == REFERENCE:
        from referee.interpreter.walker import Walker

        return Walker(flow)
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}")
    from referee.codegen.generated_engine import Generated

    if name == GENERATED:
        return Generated(flow)
    try:
        from referee.native.native_engine import Native
        from referee.native.value_forms import NotNative
    except ModuleNotFoundError:
        return _instead(Generated(flow), "llvmlite is not installed: pip install 'referee[native]'")
    try:
        return Native(flow)
    except NotNative as why:
        return _instead(Generated(flow), f"no machine code is made of {why}")


def _instead(made: Walker, why: str) -> Walker:
    made.note = f"by generated code: {why}"
    return made
