"""Other answers about conditions of actions, and how often one may be done."""
