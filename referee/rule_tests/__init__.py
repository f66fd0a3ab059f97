"""Tests that live beside rules: scenarios carried out, and which statements of the rulebook the rules encode."""
