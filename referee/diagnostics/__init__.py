"""What is wrong, where, and what to do: sources and spans, stable codes, exit codes, suggestions.

Knows nothing of rules or games; everything else may use it. Read `source`, `diagnostic`, `codes`; then
`frontend_codes` (the codes that only the front end uses), `suggestions`, `exit_codes`.
"""
