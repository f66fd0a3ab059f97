"""From core to flow: everything in line, what crosses a point kept in registers, loops as edges back.

Steps: `progress_checks` and `expansion_size` refuse what would never end or grow too large; `lowering` goes through the
core with a `flow_graph`, `straight_line` for what asks nobody, `member_loops` and `commit_groups` for loops and secret
choices with points inside; `register_names` and `register_starts` say what holds the values.
"""
