"""One comparison to be proved: its sides, and the domains of its letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from texlift.meaning.tree import Expression
from texlift.verify.domains import Domain

__all__ = ["Problem", "least_of"]


@dataclass(frozen=True, slots=True)
class Problem:
    """`left operator right`, modulo `modulus` where it is a congruence."""

    operator: str
    left: Expression
    right: Expression
    modulus: Expression | None
    domains: Mapping[str, Domain]


def least_of(domain: Domain) -> int | None:
    """The least integer that a letter may be; None where there is none."""
    ends = [end for end in (domain.least, None if domain.low is None else ceil(domain.low)) if end is not None]
    return max(ends, default=None)
