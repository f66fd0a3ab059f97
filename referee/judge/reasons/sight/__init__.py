"""What of a trace, of a step and of a refusal a player may see."""
