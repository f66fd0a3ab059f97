"""Games once more in plain Python, written from what people know of them, to compare the rules with."""
