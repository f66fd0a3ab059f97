"""Where values come from: what wrote them last, what kept a write away, and what declares those that nothing changed.

`last_writes` looks back over a game; `untouched_values` words what no event has changed; `definition_reasons` tells the
definitions that a claim uses; `argument_sentences` says which values an argument could have.
"""
