"""Pages of logs and reports, made for programs and commands, and written as files."""
