"""What is refused once the core of a shape is there: work without bound, words that mean two things in logs; and one
declaration looked at by itself, for who is still writing (`block_checks`)."""
