"""The language server: what an editor is told of rules and logs that somebody is writing (extra `lsp`).

Read `rulesets_around` (what belongs together), `background` (whole checks, in a process of their own), `session` (what
is open, and what is shown of it), `server_state` (the protocol), then `names` and `features` (what is offered at a
place).
"""
