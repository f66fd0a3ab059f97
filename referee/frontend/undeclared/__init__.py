"""Rules as they would be if nobody had noticed what is open: each reading is what it is by default.

`folding` takes out of trees what can never come then, `undeclared_rules` makes of a ruleset one in which nothing is
declared to be open, settled or assumed.
"""
