"""What is no question: an other answer that words of the rulebook, a number or the author have settled.

`settling` says so of one answer, with why; `clear_answers` has those that nobody asks about although nothing settles
them. `line_sorts` are the lines of the rules that these look for, `word_stems` what a line and a sentence are about.
"""
