"""The command line: `main` finds the command, turns what escapes it into an exit code.

A command is a module in `commands`; what several share lies here.
"""
