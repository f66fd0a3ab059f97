"""What lies where, for whoever looks at it: positions laid out from what the rules declare, without a word on colours.

`scene` says what a scene is made of, `board_plans` how the boards of rules are laid out, `arrangement` makes the scene
of a position.
"""
