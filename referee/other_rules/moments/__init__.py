"""Other answers to when something happens: turns broken off, limits, what goes away first, what is exchanged."""
