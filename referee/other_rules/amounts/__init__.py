"""Other answers about numbers: what is too much, what is paid, what is noted or worked out."""
