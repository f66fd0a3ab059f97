"""Other answers about pieces and places: where they go, which of them count, what they are worth."""
