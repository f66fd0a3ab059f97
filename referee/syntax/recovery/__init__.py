"""What happens when a text does not parse: every error is found, each with a small change that would mend it.

Steps: `error_recovery` goes through the text block by block with a `repair_draft`; `remedies` tries small changes of a
line, and what none of them mends is described by `complaints`.
"""
