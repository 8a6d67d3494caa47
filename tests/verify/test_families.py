"""The relations of special functions that proofs use hold numerically, each at points of its own."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from mpmath import mp

from texlift.meaning.tree import Apply, Expression, Number, Sequence, Symbol
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.proof.families import FAMILIES, family_of

GENERIC = (0.37, 0.61, 0.83, 1.29, 1.71)
ARGUMENTS = {
    r"\FerrersP[]": 0.3, r"\FerrersQ[]": 0.3, r"\assLegendreP[]": 1.7, r"\assLegendreQ[]": 1.7, r"\logint": 2.3,
    r"\dilog": 0.4, r"\ChebyshevpolyT": 0.3, r"\ChebyshevpolyU": 0.3, r"\LegendrepolyP": 0.3, r"\ultrasphpoly": 0.3,
}  # fmt: skip
WHOLE = {  # parameters that are integers
    r"\polygamma": {0: 2}, r"\BernoullipolyB": {0: 3}, r"\EulerpolyE": {0: 3}, r"\qPochhammer": {2: 3},
    r"\dilHermitepolyHe": {0: 3}, r"\ultrasphpoly": {1: 3}, r"\LaguerrepolyL[]": {1: 3}, r"\HermitepolyH": {0: 3},
    r"\LegendrepolyP": {0: 3}, r"\ChebyshevpolyT": {0: 3}, r"\ChebyshevpolyU": {0: 3},
    r"\sphBesselJ": {0: 2}, r"\sphBesselY": {0: 2}, r"\modsphBesselK": {0: 2}, r"\modsphBesseli{1}": {0: 2},
    r"\modsphBesseli{2}": {0: 2},
}  # fmt: skip
HYPERGEOMETRIC = ("hyper0,1", "hyper1,1", "hyper2,1", "hyper3,2", "hyper1,2")
ARITY = {r"\FerrersP[]": 3, r"\FerrersQ[]": 3, r"\assLegendreP[]": 3, r"\assLegendreQ[]": 3, r"\ultrasphpoly": 3,
         r"\LaguerrepolyL[]": 3, r"\KummerconfhyperU": 3, r"\qPochhammer": 3, r"\LerchPhi": 3}  # fmt: skip
MACROS = [head for head in FAMILIES if head != r"\BesselC"]  # any of J, Y, H


def node(head: str, names: list[str]) -> Expression:
    letters = [Symbol(name) for name in names]
    if head.startswith("hyper"):
        above, below = map(int, head[5:].split(","))
        rows = (Sequence(tuple(letters[:above])), Sequence(tuple(letters[above:-1])))
        return Apply(r"\genhyperF", (Number(str(above)), Number(str(below)), *rows, letters[-1]))
    name, _, kind = head.partition("{")
    return Apply(name, (Number(kind.rstrip("}")), *letters) if kind else tuple(letters))


def points(head: str) -> list[Any]:
    if head.startswith("hyper"):
        above, below = map(int, head[5:].split(","))
        return [*map(mp.mpf, GENERIC[: above + below]), mp.mpf("0.31")]
    family = FAMILIES[head]
    count = ARITY.get(head, family.argument + 1 if not family.shifts else max(family.argument, *family.shifts) + 1)
    values = [mp.mpf(str(number)) for number in GENERIC[:count]]
    values[family.argument] = mp.mpf(str(ARGUMENTS.get(head, 1.3 if head != r"\qPochhammer" else 0.37)))
    for place, number in WHOLE.get(head, {}).items():
        values[place] = mp.mpf(number)
    return values


@pytest.mark.parametrize("head", [*MACROS, *HYPERGEOMETRIC])
def test_relations(head: str) -> None:
    family = family_of(head)
    assert family is not None
    values = points(head)
    names = [f"a{place}" for place in range(len(values))]
    compiled, labels = compile_expression(node(head, names), "", namespace(Trust(), True))

    def value(*args: Any) -> Any:
        return mp.mpmathify(compiled({labels[name]: number for name, number in zip(names, args, strict=True)}))

    def function(*args: Any) -> Any:
        return sympy.Function(head)(*args)

    def number(term: Any) -> Any:
        """A coefficient, whose own functions are computed as those of the table are."""
        term = sympy.sympify(term).replace(
            lambda t: t.func.__name__ in (r"\EulerGamma", r"\polygamma"),
            lambda t: sympy.gamma(*t.args) if t.func.__name__ == r"\EulerGamma" else sympy.polygamma(*t.args),
        )
        return mp.mpmathify(sympy.N(term, 40))

    def exact(args: list[Any]) -> list[Any]:
        return [sympy.Rational(str(mp.nstr(a, 12))) for a in args]

    def slope(args: list[Any]) -> Any:
        place = family.argument
        return mp.diff(lambda t: value(*args[:place], t, *args[place + 1 :]), args[place])

    def basis(args: list[Any]) -> list[Any]:
        """The basis; its further functions follow from the derivatives of the first."""
        first = value(*args)
        inner = family.size - family.rest
        if inner == 1:
            return [first, mp.one][: family.size]
        if inner == 3:
            z = args[-1]
            once = z * slope(args)
            twice = mp.diff(lambda t: value(*args[:-1], t), z, 2) * z**2 + once
            return [first, once, twice]
        row = [number(term) for term in family.derivative(*exact(args))[0]]
        rest = row[2] if family.rest else 0
        return [first, (slope(args) - row[0] * first - rest) / row[1], mp.one][: family.size]

    with mp.workdps(30):
        here = basis(values)
        for place, (direction, rule) in family.shifts.items():
            there = [*values[:place], values[place] + direction, *values[place + 1 :]]
            matrix = rule(*exact(values))
            for row, expected in zip(matrix, basis(there), strict=True):
                found = sum(number(term) * part for term, part in zip(row, here, strict=True))
                assert abs(found - expected) < 1e-8 * max(1, abs(expected)), (place, row)
        if family.derivative is not None:
            matrix = family.derivative(*exact(values))
            place = family.argument
            for k, row in enumerate(matrix):
                expected = mp.diff(
                    lambda t, k=k: basis([*values[:place], t, *values[place + 1 :]])[k], values[place], h=mp.mpf("1e-6")
                )
                found = sum(number(term) * part for term, part in zip(row, here, strict=True))
                assert abs(found - expected) < 1e-4 * max(1, abs(expected)), (k, row)
