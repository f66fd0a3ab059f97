"""Commands on folders in which rules are written, and not on one ruleset: `new` makes one, `watch` looks after one."""
