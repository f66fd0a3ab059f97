"""Other answers about ends: of the game, of a player's part in it, and what is still there then."""
