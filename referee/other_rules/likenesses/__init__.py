"""Other answers to what like things have in common: effects, conditions and costs of like actions, kinds, choices."""
