"""Semantic LaTeX to a meaning tree."""
