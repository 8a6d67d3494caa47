"""The functions of this package for code that computes with mpmath."""

from __future__ import annotations

from texlift.special.heun import heun_hl
from texlift.special.lame import lame_a, lame_b, lame_ec, lame_es
from texlift.special.mathieu import mathieu_a, mathieu_b, mathieu_ce, mathieu_lambda, mathieu_me, mathieu_se
from texlift.special.residues import jacobi_symbol
from texlift.special.spheroidal import spheroidal_lambda, spheroidal_ps

__all__ = [
    "heun_hl",
    "jacobi_symbol",
    "lame_a",
    "lame_b",
    "lame_ec",
    "lame_es",
    "mathieu_a",
    "mathieu_b",
    "mathieu_ce",
    "mathieu_lambda",
    "mathieu_me",
    "mathieu_se",
    "spheroidal_lambda",
    "spheroidal_ps",
]
