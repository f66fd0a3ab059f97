"""Rules as somebody would have written them who had noticed nothing that is open: each reading is what it is by default.

`known_constants` says what is always so then, `folding` takes out of trees what can never come, `undeclared_rules`
makes of the rules of a ruleset others in which nothing is declared to be open or settled.
"""
