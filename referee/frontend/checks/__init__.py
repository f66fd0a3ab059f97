"""What is refused once the core of a shape is there.

That is work without bound, and words that mean two things in logs; and one declaration is looked at by itself, for who
is still writing (`block_checks`).
"""
