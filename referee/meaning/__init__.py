"""From rules text to core and flow: names, types, bounds, lowering. `load` is the way in."""

from referee.meaning.load import find, load, names

__all__ = ["find", "load", "names"]
