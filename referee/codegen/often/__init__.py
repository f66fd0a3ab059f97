"""What comes often has one function for all of it: an event, what comes behind it, and what is to hold then.

Steps: `event_code` writes it, `local_entries` puts its plain entries into local variables, `event_moves` knows which
events of a table come often. `kept_claims` writes what is asked of each of a few, `conserved_counts`
knows which claims nothing has touched, `worked_out` what hangs on no position; `drawn_games` plays by lot;
`value_functions` gives single expressions to whoever asks them of very many positions.
"""
