"""Turns beyond one after the other: rounds that are full, a turn that is given, auctions.

`full_rounds` is what `control_statements` asks where a turn passes on; `auctions` writes turns of bidding out.
"""
