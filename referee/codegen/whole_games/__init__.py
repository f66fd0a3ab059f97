"""A whole game in one function, with all that the game changes in local variables.

The events of a log are taken one after the other, to the end. Whatever is unusual ends it without an answer.

Steps: `set_numbers` makes numbers of sets, `set_memory` remembers what was found out of them, `set_code` and `at_once`
write expressions on them, `spot_effects` statements, `found_values` knows what was found before, `game_code` writes the
function; `game_source` makes what is kept of it, `whole_game` asks it. The same for games by lot: `play_code` with
`ways_code` and `ways_listed`, `lot_game`.
"""
