"""What comes often has one function for all of it: an event, what comes behind it, and what is to hold then.

Steps: `event_code` writes it, `local_entries` puts its plain entries into local variables, `event_moves` knows which
events of a table come often.
"""
