"""Logs with more ways to fill their holes than can be followed together: some by lot, and any other where they end.

Read `sampled_tracker` (line by line), then `sampled_ways` (which ways), then `single_steps` (what a line makes of one).
"""
