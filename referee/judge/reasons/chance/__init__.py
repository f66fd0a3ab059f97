"""What chance has to decide, in words, and why it is that: draws, deals and dice.

`chance_words` says for whom and how many; `chance_reasons` what led there; `chance_mistakes` why it is not what a line
says, with `value_sources` for where a number comes from and `member_conditions` for whom a loop leaves out.
"""
