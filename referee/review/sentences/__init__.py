"""Classes of findings that speak of sentences of the rulebook: their readings, and what nobody needs."""
