"""What rules leave open, forget or contradict, each with a game that shows it.

Begin with `finding`, what is found, and `class_meanings`, what each class of it is. `subject` gathers games and
positions, `detectors` lists the checks in their order, `review` runs them for every number of players.

`checks` has the classes of findings, several in a module where they are found by the same look (`stuck_games`,
`unordered_choices`); those that speak of sentences of the rulebook are in `sentences`. `questions` has what the rules
could say otherwise, `text_questions` what the wording leaves open by itself; `checks/unasked_questions` puts all of it
together, with what stands here: what the table would rule at a point (`open_rulings`), what no game came to
(`unseen_answers`), what readers seldom found worth asking (`judged_kinds`), and positions in which a question shows
(`way_scenes`). `covered_parts` says to which parts of the rules games come, `proved_checks` asks for proofs.
"""
