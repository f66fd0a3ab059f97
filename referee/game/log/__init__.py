"""The log format: one JSON object a line, read strictly and in constant memory.

Read `log_reader` (line by line; `line_blocks` gives it the lines), `strict_json`, `log_header` and `log_lines`; then
`header_setting` and `header_position`, which need the ruleset.
"""
