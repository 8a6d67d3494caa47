"""Functions that computer algebra for Python lacks: numbers by mpmath, and SymPy functions that evaluate to them.

`texlift.special.numbers` has the functions for mpmath, `texlift.special.symbolic` the classes for SymPy. Code that
texlift writes for SymPy and mpmath names these modules where it needs them.
"""

from __future__ import annotations

__all__: list[str] = []
