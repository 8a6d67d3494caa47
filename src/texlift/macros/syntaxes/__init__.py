"""Semantic sides that are not LaTeX: one small parser and printer for each syntax, and how they become macros."""
