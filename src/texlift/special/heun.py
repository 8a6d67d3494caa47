"""The local Heun function, by its power series, DLMF 31.3."""

from __future__ import annotations

from typing import Any

from mpmath import mp

__all__ = ["heun_hl"]

_TERMS = 3000


def heun_hl(a: Any, q: Any, alpha: Any, beta: Any, gamma: Any, delta: Any, z: Any) -> Any:
    """The solution that is 1 at 0; |z| must be less than |a| and 1."""
    a, q, alpha, beta, gamma, delta, z = map(mp.mpmathify, (a, q, alpha, beta, gamma, delta, z))
    if abs(z) >= min(1, abs(a)):
        raise ValueError("a Heun function outside of the disk of its series")
    epsilon = alpha + beta + 1 - gamma - delta
    before, now = mp.zero, mp.one
    total, power = mp.one, mp.one
    small = 0
    for j in range(_TERMS):
        shift = j * ((j - 1 + gamma) * (1 + a) + a * delta + epsilon) + q
        following = (shift * now - (j - 1 + alpha) * (j - 1 + beta) * before) / (a * (j + 1) * (j + gamma))
        before, now = now, following
        power *= z
        total += now * power
        small = small + 1 if abs(now * power) <= mp.eps * abs(total) else 0
        if small == 4:
            return total
    raise ValueError("the series of a Heun function converges too slowly")
