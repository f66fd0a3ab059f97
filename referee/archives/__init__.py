"""Logs wherever they lie, one after another, in a memory that does not grow with them.

They may be many in a file, in folders, packed, in archives or behind URLs.

Steps: `found_files` makes files of what was named, `byte_streams` opens one, `unpacking` unpacks it within bounds,
`tar_members` and `zip_members` go through archives, `byte_sources` puts that together; `log_splitting` tells where a
log begins, `log_places` names it, and `log_walk` gives one log after the other. `log_opening` opens a single one.
"""
