"""Ambiguous places of a formula as decisions: what they may mean, how likely each is, and why one was chosen."""
