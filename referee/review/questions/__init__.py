"""Questions: what the rules say otherwise by another answer, played beside them.

`catalogue` has what can be asked, `noted_games` the games of the rules with the places that each comes to, `parting`
what tells two games apart, `trials` each other answer beside the rules, `noise` what is no question, `telling` the
finding that is made of one. `lexicon` are words that settle a sentence or leave it open, `rulebook_text` the rulebook
itself, `sentence_words` both for the sentences that are cited, and `open_words` what the text shows by itself.
"""
