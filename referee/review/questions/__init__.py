"""Questions: what the rules say otherwise by another answer, played beside them.

`catalogue` has what can be asked, `noting_selector` and `noted_games` the games of the rules with the places that each
comes to, `parting` what tells two games apart, `trials` each other answer beside the rules, at places that
`tried_places` takes from the whole game. `short_games` looks for a shorter game that shows a difference, `placed_games`
for one in the positions of scenarios. `noise` is what is no question, `telling` the finding that is made of one,
`question_finding` what all of these are made of, `wordings` what could be written for each answer. `all_answers` has
all of it for one shape, `beside_catalogue` the questions that are found in another way.

`lexicon` are words that settle a sentence or leave it open, read by `lexicon_files` from `words` and from files of a
user; `rulebook_text` is the rulebook itself, `sentence_words` both for the sentences that are cited, and
`text_findings` what the text shows by itself.
"""
