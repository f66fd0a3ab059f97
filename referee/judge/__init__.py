"""Recorded games against the rules: the first line that cannot stand, by which rule, with which values.

Steps: `log_run` opens a log and finds its rules, `judge` takes its lines one by one, `refusal_reports` says what was
wrong, `nearest_events` what would have been legal, `verdict` is what comes of it. Rooms: `open_settings` (readings,
rulings, parameters that the header leaves open), `partial` (logs with holes), `records` (several records of one game),
`whole_logs` (short ones that are legal, judged without looking at each line), `line_by_line` (all others).
"""
