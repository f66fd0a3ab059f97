"""Loading of a ruleset: which files it has, what they declare, and the core for a shape.

Read `ruleset_files` (which files), `loader` (what is kept between runs), `assembly` (one tree of several files),
`core_builder` (declarations in the order in which they need each other), `declarations`.
"""
