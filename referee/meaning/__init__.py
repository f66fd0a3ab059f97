"""From rules text to core and flow: names, types, bounds, lowering. `load` is the way in."""

from referee.meaning.load import find, load, names

__all__ = ["expression", "find", "load", "names"]


def __getattr__(name: str) -> object:
    """`expression` is imported when it is asked for: most logs claim nothing."""
    if name == "expression":
        from referee.meaning.claims import expression

        return expression
    raise AttributeError(name)
