"""Results written for people and for programs: `text` and `data`, each result in a module of its own.

What goes to a terminal passes `text/printable`.
"""
