"""Classes of findings that speak of sentences of the rulebook: their readings, what nobody needs."""
