"""Invariants over all games: proved by induction on slices, refuted by a game, or honestly neither.

Steps: `proof_claims` (what is to be shown), `counterexamples` (games that break it), `induction_rounds` (sizes of
slices, time), `induction` (one attempt), `sliced_steps` and `step_questions` (one kind of step), `vacuity` (what is
proved and says nothing). `lemmas` holds what else is shown on the way; `prover` is the way in.
"""
