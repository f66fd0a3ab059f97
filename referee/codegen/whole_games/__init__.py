"""A whole game in one function: the events of a log one after the other, to the end, with all that the game changes in
local variables. Whatever is unusual ends it without an answer.

Steps: `set_numbers` makes numbers of sets, `set_code` and `at_once` write expressions on them, `spot_effects`
statements, `game_code` the function; `game_source` makes what is kept of it, `whole_game` asks it. The same for games
by lot: `play_code`, `lot_game`.
"""
