"""The engines by name: what carries a game out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.core.flow import Flow
    from referee.interpreter.walker import Walker

GENERATED, REFERENCE, NATIVE, AUTO = "generated", "reference", "native", "auto"
ENGINES = (GENERATED, REFERENCE, NATIVE, AUTO)
"""The first is the one that is used if none is named. Their answers are the same."""
NO_LIBRARY = "llvmlite is not installed: pip install 'referee[native]'"


def engine(flow: Flow, name: str = GENERATED, work: int = 0) -> Walker:
    """An engine for a flow; where machine code cannot be had generated code goes in its place, and says so.

    `work`: of so many bytes of logs it is known that they are to be judged, which `auto` weighs.
    `ValueError` for a name that is none of `ENGINES`.
    """
    if name == REFERENCE:
        from referee.interpreter.walker import Walker

        return _noted(Walker(flow), "by the reference engine")
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}")
    from referee.codegen.generated_engine import Generated

    if name == GENERATED:
        return Generated(flow)
    if name == AUTO:
        from referee.native.judging.weighed_engine import Weighed

        return Weighed(flow, work)
    try:
        from referee.native.native_engine import Native
        from referee.native.value_forms import NotNative
    except ModuleNotFoundError:
        return _noted(Generated(flow), f"by generated code: {NO_LIBRARY}")
    try:
        return Native(flow)
    except NotNative as why:
        return _noted(Generated(flow), f"by generated code: no machine code is made of {why}")


def _noted(made: Walker, note: str) -> Walker:
    made.note = note
    return made
