"""What is refused once the core of a shape is there: work without bound, words that mean two things in logs."""
