"""From the files of a ruleset to the core of a shape.

Read `ruleset_files` (which files), `loader` (what is kept between runs), `assembly` (one tree of several files),
`core_builder` (declarations in the order in which they need each other), `declarations`.
"""
