"""Questions that the wording of a rulebook raises by itself: no line of the rules and no game is needed."""
