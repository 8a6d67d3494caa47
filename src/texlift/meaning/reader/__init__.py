"""Semantic LaTeX to an expression tree."""
