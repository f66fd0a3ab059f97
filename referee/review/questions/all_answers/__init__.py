"""All other answers of one shape: made, tried, and put together into questions.

`answer_batches` has the cores in which they stand, `core_trials` what tries and tells those of one core,
`answer_counts` what became of those that are no question; `equal_answers` says which are proved to say nothing else.
`question_groups` says which of the rest are one question, and `stale_answers` which lines of the rules answer a
question that cannot be asked. `checks/unasked_questions` puts them together.
"""
