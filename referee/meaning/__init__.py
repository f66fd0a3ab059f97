"""From rules text to core and flow: names, types, bounds, lowering. `load` is the way in."""

from referee.meaning.find import find, names
from referee.meaning.load import load, load_flow

__all__ = ["expression", "find", "load", "load_flow", "names"]


def __getattr__(name: str) -> object:
    """`expression` is imported when it is asked for: most logs claim nothing."""
    if name == "expression":
        from referee.meaning.claims import expression

        return expression
    raise AttributeError(name)
