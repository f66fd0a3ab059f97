"""Ways to take an alternative: the words that they stand as, and the choices of what takes several at once."""
