"""What machine code does by itself, without a call from Python for each event: every position that games come to.

Read `searching_ir`, then `position_search`.
"""
