"""Positions and events: the state of a game, what happens in it, what each player knows of it.

Read `state` (how a position lies in one flat tuple), `event`, `setting`; then `value_codec` (between core and JSON),
`signatures`, `event_table` (events by numbers), `player_views`. `log` holds the log format.
"""
