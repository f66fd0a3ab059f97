"""The engines by name, and what is said of the solver: quick to import."""

from __future__ import annotations

from referee.native.engine_names import AUTO as AUTO
from referee.native.engine_names import ENGINES as ENGINES
from referee.native.engine_names import GENERATED as GENERATED
from referee.native.engine_names import NATIVE as NATIVE
from referee.native.engine_names import REFERENCE as REFERENCE

SOLVER = "solver"
"""The engine that asks Z3."""
TIMEOUT = 300.0
"""Seconds that the solver may take for a log if nothing is said."""
NO_SOLVER = "Z3 is not installed: pip install 'referee[solver]'"
"""What to do about it, wherever referee itself came from."""
