"""From rules text to core and flow: names, types, bounds, desugaring. `load` is the way in.

Steps, a room each: `loading` (files, declarations, one core for a shape), `names` (what words stand for), `expressions`
and `statements` (one method for each construct), `desugaring` (what happens by itself is put where it can happen),
`undeclared` (rules in which nobody has noticed what is open), `checks` (what is refused afterwards), `scenarios` (small
games told in the rules).
"""

from referee.frontend.loading.loader import load, load_flow
from referee.frontend.loading.ruleset_files import find, names

__all__ = ["expression", "find", "load", "load_flow", "names"]


def __getattr__(name: str) -> object:
    """`expression` is imported when it is asked for: most logs claim nothing."""
    if name == "expression":
        from referee.frontend.loading.outside_expressions import expression

        return expression
    raise AttributeError(name)
