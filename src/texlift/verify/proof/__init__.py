"""The symbolic stage of a check: proofs by normal forms, relations of functions, induction, exact arithmetic."""

from texlift.verify.proof.proving import proof_of

__all__ = ["proof_of"]
