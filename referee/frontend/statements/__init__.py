"""Statements of the rules become statements of the core, a group of constructs in each module.

Read `state_changes` and `control_statements`, then `decisions`, `draws` and `actions`; `statement_lowering` puts all of
them together.
"""
