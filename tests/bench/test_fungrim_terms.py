"""Fungrim's symbolic form is parsed and computed; nothing of it is executed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("mpmath")

from mpmath import mp

from texlift.bench.fungrim_numbers import compared
from texlift.bench.fungrim_terms import NoValueError, parse_term, value_of


@pytest.mark.parametrize(
    ("text", "env", "value"),
    [
        ("Add(1, Mul(2, x), Neg(y))", {"x": 3, "y": 4}, 3),
        ("Sum(Pow(k, 2), For(k, 1, 4))", {}, 30),
        ("Product(k, For(k, 1, 5))", {}, 120),
        ("Integral(Pow(t, 2), For(t, 0, 3))", {}, 9),
        ("ComplexDerivative(Pow(z, 3), For(z, 2, 1))", {}, 12),
        ("Cases(Tuple(1, Less(x, 0)), Tuple(2, Otherwise))", {"x": 5}, 2),
        ("Where(Add(a, 1), Equal(a, 6))", {}, 7),
        ("EllipticK(Div(1, 2))", {}, mp.ellipk(0.5)),
        ("GCD(12, 18)", {}, 6),
        ("LCM(4, 6)", {}, 12),
        ("Fibonacci(10)", {}, 55),
        ("Totient(12)", {}, 4),
        ("PartitionsP(5)", {}, 7),
        ("DivisorSigma(1, 6)", {}, 12),
        ("PrimeNumber(5)", {}, 11),
    ],
)
def test_values(text: str, env: dict[str, int], value: float) -> None:
    found = value_of(parse_term(text), {name: mp.mpf(number) for name, number in env.items()})
    assert mp.almosteq(found, value, 1e-10)


def test_theta_functions_have_the_period_one() -> None:
    env = {"z": mp.mpf("0.3"), "tau": mp.mpc("0.1", "1.2")}
    one, other = (value_of(parse_term(f"JacobiTheta(3, {z}, tau)"), env) for z in ("z", "Add(z, 1)"))
    assert mp.almosteq(one, other, 1e-10)


@pytest.mark.parametrize("text", ["", "Add(1", "Add(1))", "1+1", "(" * 5000, "f(" * 5000, "x.y"])
def test_what_is_no_term_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_term(text)


@pytest.mark.parametrize(
    "text", ['__import__("os")', "open(x)", "Unheard(1)", "Sum(k, For(k, 1, 9999999))", "Set(1, 2)"]
)
def test_what_has_no_number_says_so(text: str) -> None:
    with pytest.raises(NoValueError):
        value_of(parse_term(text), {"x": mp.mpf(1)})


def test_translations_are_compared_as_numbers(tmp_path: Path) -> None:
    rows = [
        ("a", r"\sin(2 x) = 2 \sin(x) \cos(x)", "Equal(Sin(Mul(2, x)), Mul(2, Sin(x), Cos(x)))", ["x"]),
        ("b", r"\sin(2 x) = 2 \sin(x) \cos(x)", "Equal(Cos(Mul(2, x)), Sub(1, Mul(2, Pow(Sin(x), 2))))", ["x"]),
        ("c", r"G = 1", "Equal(ConstCatalan, ConstCatalan)", []),
        ("d", r"x \in S", "Element(x, S)", ["x"]),
    ]
    path = tmp_path / "fungrim.jsonl"
    keys = ("id", "latex", "expr", "variables")
    lines = [{**dict(zip(keys, row, strict=True)), "assumptions": r"x \in \mathbb{R}"} for row in rows]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    kinds = {outcome.id: outcome.kind for outcome in compared(path).outcomes}
    assert kinds["a"] == "right"
    assert kinds["b"].startswith("wrong")
    assert kinds["c"] == "left as letters"
    assert kinds["d"] == ""  # a statement about a set has no number
