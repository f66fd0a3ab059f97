"""What happens by itself is put where it can happen; what nobody put into an order is asked of the table.

Each module has one construct. Read `insert_checks` (behind which statements something is put), then `triggers`,
`end_conditions`, `hooks`; `commutation` says whether an order can matter, `unordered_loops` what is done if it can.
`placed_readings`, `action_costs` and `refilled_places` write syntax trees out, before anything is lowered.
"""
