"""What is tried before a flow is sought.

`class_counts` and `implied_counts` refute by what is known of single classes, `exchanges` finds classes that are almost
those that were there.
"""
