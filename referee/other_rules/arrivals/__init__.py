"""Other answers about arriving: what happens where somebody or something comes to, and what else brings it there."""
