"""Two rulesets held against each other: what one of them allows, asks or decides otherwise than the other.

In the order of reading: `correspondence` (what the two call the same things), `side` (a game as one of them has it, in
the words of both), `lockstep` (both games beside each other), `search` (the games that are looked at), `telling` (what
each of them says of a difference), `log_changes` (which verdicts change).
"""
