"""Results written for people and for programs.

What one command writes stands in a module of its own, for people in `text`, for programs in `data` (JSON and its
schemas, SARIF, JUnit). What goes to a terminal passes `text/printable`. `proof_report` and `data/count_data` have the
text of their results too, `schema_parts` is what schemas are made of. `verdict_writer` writes verdicts in every format,
`followed_report` those of logs that grow, `verdict_tally` adds many up; `ledger` keeps them in a folder.
"""
