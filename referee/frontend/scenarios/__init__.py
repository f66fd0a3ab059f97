"""Scenarios: small games told in the rules, read into events, refusals and expectations."""
