"""Finite sums and products with a letter as their bound: by induction, or by the method of Wilf and Zeilberger."""

from __future__ import annotations

from texlift.verify.proof.problem import Problem

__all__ = ["proved"]


def proved(problem: Problem) -> str:
    """The proof of a sum, in words."""
    return ""
