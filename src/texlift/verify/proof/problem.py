"""One comparison to be proved: its sides, and the domains of its letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texlift.meaning.tree import Expression
from texlift.verify.domains import Domain

__all__ = ["Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """`left operator right`, modulo `modulus` where it is a congruence."""

    operator: str
    left: Expression
    right: Expression
    modulus: Expression | None
    domains: Mapping[str, Domain]
