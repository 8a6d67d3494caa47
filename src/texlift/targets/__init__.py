"""From semantic LaTeX to computer algebra.

from texlift.targets import convert
convert(r"\\BesselJ{\\nu}@{z}", "sympy").code   # "besselj(nu, z)"
"""

from texlift.targets.conversion import TARGETS, Conversion, convert

__all__ = ["TARGETS", "Conversion", "convert"]
