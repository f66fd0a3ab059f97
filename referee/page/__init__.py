"""Pages: what is known of a log or of rules, as one HTML file that asks nobody for anything.

`log_page` makes the document of a log, from `known_lines` (what somebody knew of each line) and `scene_changes` (what
lies where, told by differences); `html_file` puts a document into the page of `static`, which draws it. What a document
holds is said by `referee.report.data.page_schema`.
"""
