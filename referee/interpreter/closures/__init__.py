"""Expressions and statements of the core as Python functions, made once for each layout.

One case for each kind, in the order of `core/expr.py` and `core/stmt.py`: `expression_closures`, `operator_closures`,
`fold_closures`, `source_closures`, `statement_closures`; `zone_moves` says how each form of zone is taken from.
"""
