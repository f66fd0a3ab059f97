"""What can be said of rules without playing them: places, cases, guards, what is left once values are known."""
