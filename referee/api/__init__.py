"""The library: `import referee`, then `referee.load(...)`. `spec/api.md` describes it.

Read `ruleset` first, then `game`, `results.verdicts` and `errors`. The command line is written on this room.
"""
