"""Short logs that lie in memory whole, and say nothing but what is legal: judged without looking at each line.

Whatever is unusual about a log is the judge's, from its first line on: the verdict is the same, only sooner. Steps:
`line_reading` makes lines numbers, `known_header` follows them, `whole_logs` knows the headers.
"""
