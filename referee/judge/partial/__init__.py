"""Logs with holes: every way to fill them that the lines allow.

Few ways are followed one by one: `enumeration`, `possible_states`, `possible_worlds`. Many are told by conditions:
`lifted` carries hidden values through the rules, `constraints` asks whether the conditions can hold together.
"""
