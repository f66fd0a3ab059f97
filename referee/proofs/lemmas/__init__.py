"""Lemmas: what holds of slices at a place, so that a step cannot break what is to be shown.

Read `lemma`, `lemma_templates` (what they are made of), `lemma_candidates` (which are tried), `position_samples`.
"""
