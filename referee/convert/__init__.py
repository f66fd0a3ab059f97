"""Games written down in other formats, made logs of: readers of formats, mappings to the labels of rules.

`mapping` says how the steps of a format are called by some rules, `step_text` and `movetext` read files, `conversion`
follows the rules with each step. Formats may name games here, and nowhere else.
"""
