"""The work that a call of the library asks of the rooms below: judging, proving, reviewing, inferring, checking."""
