"""The parts of the check: exact values, comparison at rising precision, domains, points, regions, curves."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest
from mpmath import mp

from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Relation
from texlift.verify import TRUE
from texlift.verify.checker import check_here, reconsidered
from texlift.verify.conditions import Conditions, conditions_of
from texlift.verify.curves import curves
from texlift.verify.decision import DEEP, USUAL, Sample, decide, decide_exactly
from texlift.verify.domains import domains_of
from texlift.verify.evaluation import Trust, compile_expression, namespace
from texlift.verify.exact import NotExactError, exact_value, jacobi_symbol, residue
from texlift.verify.sampling import Sampler
from texlift.verify.setting import Setting
from texlift.verify.statement import claim_of
from texlift.verify.values import Value


def exact(text: str, **values: int) -> Fraction:
    (node,) = read(text).statements
    return exact_value(node, {name: Fraction(value) for name, value in values.items()})


def domains(text: str, *constraints: str) -> dict[str, str]:
    conditions = conditions_of(list(constraints))
    return {name: domain.kind for name, domain in domains_of(claim_of(text), conditions, {}).items()}


# -- exact values ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\frac{1}{3}+\frac{1}{6}", Fraction(1, 2)),
        (r"2^{100}-2^{100}+1", 1),
        (r"\sqrt{\frac{4}{9}}", Fraction(2, 3)),
        (r"5!-\binom{5}{2}", 110),
        (r"\sum_{k=1}^{10}k^{2}", 385),
        (r"\floor{-\frac{1}{2}}+\ceiling{\frac{1}{2}}", 0),
        (r"|-3|+0.25", Fraction(13, 4)),
        (r"\gcd(12,18)", 6),
    ],
)
def test_exact_values(text: str, value: Fraction) -> None:
    assert exact(text) == value


@pytest.mark.parametrize("text", [r"\sqrt{2}", r"\pi", r"\sin@@{1}", r"2^{10^{9}}", r"\sqrt{-4}", r"(10^{6})!"])
def test_what_is_not_rational_or_too_large_has_no_exact_value(text: str) -> None:
    with pytest.raises(NotExactError):
        exact(text)


def test_symbols_and_remainders() -> None:
    assert [jacobi_symbol(Fraction(a), Fraction(7)) for a in range(7)] == [0, 1, 1, -1, 1, -1, -1]
    (node,) = read(r"3^{10^{20}}+1").statements
    assert residue(node, {}, 7) == (pow(3, 10**20, 7) + 1) % 7


# -- comparison --------------------------------------------------------------------------------------------


def test_exact_comparisons_are_strict() -> None:
    one, more = Fraction(10**40), Fraction(10**40 + 1)
    assert decide_exactly("=", one, more).holds is False
    assert decide_exactly("<", one, one).holds is False and decide_exactly("<=", one, one).holds
    assert decide_exactly("<", one, more).holds and decide_exactly("!=", one, more).holds


def test_a_difference_is_resolved_at_rising_precision() -> None:
    near = decide("=", lambda: Sample(mp.sqrt(2), mp.sqrt(2) + mp.mpf(10) ** -50, top=1), DEEP)
    assert near.holds is False
    same = decide("=", lambda: Sample(mp.sqrt(8), 2 * mp.sqrt(2)), DEEP)
    assert same.holds and same.digits > 500


def test_the_smallest_term_counts() -> None:
    def sides() -> Sample:
        large = mp.exp(300)
        return Sample(large, large + 1, spread=433, top=433)

    assert decide("=", sides, USUAL).holds is False


def test_cancellation_is_no_difference() -> None:
    def sides() -> Sample:
        large = mp.cosh(500) ** 2
        return Sample(large - mp.sinh(500) ** 2, mp.mpf(1), top=1442)

    assert decide("=", sides, USUAL).holds


def test_an_equality_that_is_not_exact_leaves_a_strict_inequality_open() -> None:
    found = decide("<", lambda: Sample(mp.sqrt(8), 2 * mp.sqrt(2)), USUAL)
    assert found.holds is None and found.order == 0


# -- domains and points ------------------------------------------------------------------------------------


def test_domains_by_role_custom_and_constraint() -> None:
    assert domains(r"\sin@@{x}=x") == {"x": "real"}
    assert domains(r"n!=\sin@@{x}") == {"n": "integer", "x": "real"}
    assert domains(r"\sum_{j=1}^{N}j=N+1") == {"N": "integer"}
    assert domains(r"\conj{u}=u") == {"u": "complex"}
    assert domains(r"\sin@@{z}=z") == {"z": "complex"}
    assert domains(r"x+y>z")["z"] == "real"
    assert domains(r"\sin@@{z}=z", r"z\in\Reals") == {"z": "real"}
    assert domains(r"\sin@@{n}=n", r"n\in\Reals") == {"n": "real"}
    assert set(domains(r"a\equivmod b\pmod{c}").values()) == {"integer"}


def test_words_are_conditions() -> None:
    found = conditions_of([r"n\text{ odd}", r"p\text{ is prime}", r"a,b\text{ positive integers}"])
    assert found.kinds == {"n": "integer", "p": "prime", "a": "integer", "b": "integer"}
    assert len(found.tests) == 3 and not found.ignored


def points(text: str, count: int, *constraints: str) -> list[dict[str, Value]]:
    setting = Setting(text, claim_of(text), constraints, {}, seed=3)
    return [point for point in islice(setting.sampler.sweep(), count) if point is not None]


def test_the_sweep_reaches_all_parts_of_the_real_line() -> None:
    values = [complex(point["x"]).real for point in points(r"\sin@@{x}=x", 120)]
    for low, high in ((-1e9, -100), (-3, -1), (-1, 0), (0, 1e-2), (0.1, 1), (1, 3), (3, 12), (100, 1e9)):
        assert any(low < value < high for value in values), (low, high)
    assert 0.0 in values and any(value == int(value) and value < 0 for value in values)


def test_all_small_integers_are_tried() -> None:
    values = {int(point["n"].real) for point in points(r"n!=n", 200)}
    assert set(range(60)) <= values and max(values) > 10**6


def test_signs_of_several_letters_are_mixed() -> None:
    signs = {(point["a"].real > 0, point["b"].real > 0) for point in points(r"\sin@{a}=b\sin@{a+b}", 60)}
    assert len(signs) == 4
    assert any(point["a"] == point["b"] for point in points(r"\sin@{a}=b\sin@{a+b}", 120))


def test_points_satisfy_the_constraints() -> None:
    for point in points(r"\sin@@{x}=x", 60, "2<x<3"):
        assert 2 < complex(point["x"]).real < 3
    assert points(r"\sin@@{x}=x", 200, "x>1", "x<0") == []


def test_constants_have_one_point() -> None:
    sampler = Sampler({}, Conditions(), lambda point: True, seed=1)
    assert next(iter(sampler.sweep())) == {}


# -- operators ---------------------------------------------------------------------------------------------


def value(text: str) -> tuple[mp.mpf, Trust]:
    trust = Trust()
    (node,) = read(text).statements
    code, _ = compile_expression(node, text, namespace(trust))
    return code({}), trust


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\int_{-1}^{2}|x|\diff{x}", 2.5),
        (r"\int_{0}^{1}x^{-0.7}\diff{x}", 1 / 0.3),
        (r"\int_{3}^{1}\diff{x}", -2),
        (r"\lim_{x\to0}\frac{1-\cos@@{x}}{x^{2}}", 0.5),
        (r"\sqrt[3]{-8}", -2),
        (r"\frac{1+1}{3}", 2 / 3),
    ],
)
def test_numbers(text: str, expected: float) -> None:
    found, trust = value(text)
    assert abs(found - expected) < 1e-11 and trust.error < 1e-11


@pytest.mark.parametrize(
    "text",
    [
        r"\int_{-1}^{2}\frac{1}{x}\diff{x}",
        r"\int_{0}^{1}\frac{1}{x}\diff{x}",
        r"\int_{1}^{\infty}\frac{1}{x}\diff{x}",
        r"\sum_{n=1}^{\infty}\frac{1}{n}",
        r"\sum_{n=0}^{\infty}(-1)^{n}",
    ],
)
def test_what_does_not_converge_has_no_value(text: str) -> None:
    with pytest.raises((ValueError, ZeroDivisionError)):
        value(text)


def test_complex_values_of_real_numbers_are_noted() -> None:
    assert value(r"\ln@{-1}")[1].nonreal and value(r"(-2)^{1/2}")[1].nonreal
    assert not value(r"\ln@{2}")[1].nonreal and not value(r"(-2)^{3}")[1].nonreal


# -- answers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("semantic", "holds"),
    [
        (r"|x|=x", "x >= 0"),
        (r"x<3", "x < 3"),
        (r"x^{2}<4", "-2 < x < 2"),
        (r"\max(a,b)=a", "a >= b"),
        (r"(-1)^{n}=1", "n is even"),
        (r"\sum_{k=1}^{n}k\geq3n", "n >= 5"),
    ],
)
def test_where_a_statement_holds(semantic: str, holds: str) -> None:
    verdict = check_here(semantic)
    assert verdict.verdict == "refuted" and verdict.holds == holds


@pytest.mark.parametrize("semantic", [r"\ln@{x^{2}}=2\ln@@{x}", r"\sqrt{ab}=\sqrt{a}\sqrt{b}", r"\sqrt{n^{2}}=n"])
def test_failures_at_points_that_may_not_count_are_left_open(semantic: str) -> None:
    verdict = check_here(semantic)
    assert verdict.verdict == "undecided" and verdict.counterexample is not None
    assert "not real" in verdict.reason or "no positive integer" in verdict.reason


def test_what_letters_are_decides() -> None:
    assert check_here(r"\sqrt{n^{2}}=n", [r"n\in\Integers"]).verdict == "refuted"
    assert check_here(r"\sqrt{n^{2}}=n", [r"n\geq0"]).verdict in TRUE
    assert check_here(r"\ln@{z^{2}}=2\ln@@{z}").verdict == "refuted"


def test_an_uncertain_reading_is_not_proven() -> None:
    wrong = r"\sin@@{x}=2\sin@@{x}"
    assert check_here(wrong).certain
    doubtful = check_here(wrong, sure=0.5)
    assert not doubtful.certain and "probability of 50%" in doubtful.reason
    product = check_here(r"\sin@{x}=u(x+1)^{2}\sin@{x}")
    assert not product.certain


def test_another_reading_that_holds_is_said() -> None:
    reciprocity = r"\left(\frac{p}{q}\right)\left(\frac{q}{p}\right)=(-1)^{\frac{p-1}{2}\frac{q-1}{2}}"
    assert check_here(reciprocity).verdict in TRUE  # of odd primes, and of different ones
    assert check_here(reciprocity.replace("=(", "=-(")).verdict == "refuted"
    assert check_here(r"e^{j\omega t}=\cos@@{\omega t}+j\sin@@{\omega t}").verdict in TRUE
    refuted = check_here(r"\sin@@{x}=\cos@@{x}")
    again = reconsidered(refuted, [r"\sin@{-x}=-\sin@@{x}"], [], 2.0)
    assert again.verdict == "undecided" and r"\sin@{-x}" in again.reason
    assert reconsidered(refuted, [r"\sin@@{x}=2"], [], 2.0) == refuted


def test_conditions_in_the_formula() -> None:
    assert check_here(r"x>1\implies x^{2}>x").verdict in TRUE
    assert check_here(r"x>0\implies x^{2}>x").verdict == "refuted"
    assert check_here(r"x^{2}>x,\quad x>1").verdict in TRUE
    assert check_here(r"x^{2}>x\iff x>1").verdict == "refuted"


def test_a_remainder_is_no_congruence() -> None:
    assert check_here(r"7\bmod3=4").verdict == "refuted"
    assert check_here(r"7\equiv4\pmod{3}").verdict in TRUE


@pytest.mark.parametrize(
    ("semantic", "constraints"),
    [
        (r"\sin@@{x}<x", ["x>0"]),
        (r"\frac{\sin@@{x}}{x}<1", [r"x\neq0"]),
        (r"x-\frac{x^{3}}{6}<\sin@@{x}", ["x>0"]),
        (r"\tan@@{x}>x", [r"0<x<\pi/2"]),
        (r"e^{x}>1+x", [r"x\neq0"]),
        (r"\tanh@@{x}<1", []),
        (r"\erf@@{x}<1", []),
        (r"\frac{x}{1+x}<\ln@{1+x}", ["x>0"]),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_inequalities_that_are_tight_at_a_limit(semantic: str, constraints: list[str], seed: int) -> None:
    assert check_here(semantic, constraints, seed=seed).verdict in TRUE


@pytest.mark.parametrize(
    "semantic", [r"\sin@@{x}<1", r"x^{2}+3>2\sqrt{3}x", r"x^{2}+1>2x", r"\cos@@{x}<1", r"e^{x}>1+x"]
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_strict_inequalities_fail_where_the_sides_are_equal(semantic: str, seed: int) -> None:
    assert check_here(semantic, seed=seed).verdict == "refuted"


def test_both_sides_of_a_limit() -> None:
    assert check_here(r"\lim_{x\to0}\frac{|x|}{x}=1").verdict == "refuted"
    assert check_here(r"\lim_{x\to0^{+}}\frac{|x|}{x}=1").verdict in TRUE


def test_curves_show_where_a_statement_fails() -> None:
    found = curves(r"|x|=x", [])
    assert found.variable == "x" and min(found.places) < 0 < max(found.places)
    differences = [abs(a - b) for a, b in zip(found.left, found.right, strict=True) if a is not None and b is not None]
    assert max(differences) > 1
    assert min(curves(r"\sqrt{x}=x", ["x>2"]).places) >= 2


def test_relations_are_read_as_before() -> None:
    (statement,) = read("x<3").statements
    assert isinstance(statement, Relation)
