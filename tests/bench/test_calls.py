"""One formula takes a bounded number of function calls: a count that no busy machine disturbs."""

from __future__ import annotations

from texlift.bench.translator import calls_of


def test_one_new_formula_takes_at_most_five_thousand_calls() -> None:
    assert calls_of(r"J_\nu(z)", r"\Gamma(z)") <= 5000
