"""The names that SymPy code may use, and the functions behind them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from typing import Any

from texlift.targets.table import load_table
from texlift.targets.writers.sympy import SympyBuilder

__all__ = ["namespace"]

_WORDS = """
    Sum Product Integral Limit Derivative Subs Piecewise Add Mul Eq Ne Lt Gt Le Ge And Or Not Contains FiniteSet Mod
    Implies Equivalent Matrix Union Complement Interval Indexed Function Symbol Rational Integer Float pi E I EulerGamma
    oo Order Reals Integers Complexes Naturals Naturals0 Rationals EmptySet Transpose Adjoint Trace Determinant
    KroneckerProduct ConditionSet ImageSet Lambda Intersection ProductSet LaplaceTransform InverseLaplaceTransform
    SymmetricDifference lcm nsimplify legendre_symbol meijerg betainc betainc_regularized det AppliedPredicate Predicate
"""


@cache
def namespace() -> Mapping[str, Any]:
    """The SymPy names that generated code uses."""
    import sympy
    import sympy.stats
    import sympy.vector
    from sympy.physics.quantum import Bra, Commutator, Dagger, Ket
    from sympy.physics.quantum.cg import Wigner3j, Wigner6j, Wigner9j

    from texlift.special import symbolic

    words = set(_WORDS.split())
    words.update(SympyBuilder.operators.values())
    for entry in load_table("sympy").entries.values():
        tree = ast.parse(entry.code.replace("{", "_").replace("}", "_"), mode="eval")
        words.update(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not n.id.startswith("_"))
    names: dict[str, Any] = {"Wigner3j": Wigner3j, "Wigner6j": Wigner6j, "Wigner9j": Wigner9j}
    names |= {"Commutator": Commutator, "Bra": Bra, "Ket": Ket, "Dagger": Dagger}
    for module, classes in (
        (sympy.vector, ("Dot", "Cross", "Gradient", "Divergence", "Curl", "Laplacian")),
        (sympy.stats, ("Expectation", "Variance", "Covariance", "Probability")),
    ):
        names.update((name, getattr(module, name)) for name in classes)
    names |= {name: getattr(symbolic, name) for name in symbolic.__all__}
    numbers = sympy.functions.combinatorial.numbers
    for word in words - set(names):
        known = getattr(sympy, word, None)
        if known is None:
            known = getattr(sympy.S, word, None) if hasattr(sympy.S, word) else getattr(numbers, word)
        names[word] = known
    return names
