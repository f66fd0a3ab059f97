"""Why the game stands where it stands: from a replayed step to reasons in the words of the rules.

`past_events` keeps the way; `turning_points` finds the fork that kept the game from where a line would have been asked;
`values` what made a value; `trace_sight` what one player may be told of it; `rule_words` and `told_traces` say it;
`line_reasons` puts it together for verdicts.
"""
