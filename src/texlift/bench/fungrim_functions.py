"""The functions of Fungrim by mpmath, in Fungrim's conventions: K of the parameter m, theta functions of period one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from mpmath import mp

__all__ = ["functions"]

Function = Callable[..., Any]

_SAME_NAME = (
    "Sqrt", "Exp", "Sin", "Cos", "Tan", "Cot", "Sec", "Csc", "Sinh", "Cosh", "Tanh", "Coth", "Sech", "Csch", "Asin",
    "Acos", "Atan", "Acot", "Asinh", "Acosh", "Atanh", "Acoth", "Floor", "Ceil",
)  # fmt: skip


def _whole(value: Any) -> int:
    if mp.im(value) != 0 or mp.re(value) != int(mp.re(value)):
        raise ValueError("an integer was expected")
    return int(mp.re(value))


def _theta(j: Any, z: Any, tau: Any, order: Any = 0) -> Any:
    if mp.im(tau) <= 0:
        raise ValueError("outside the upper half-plane")
    order = _whole(order)
    return mp.pi**order * mp.jtheta(_whole(j), mp.pi * z, mp.expjpi(tau), order)


def _lambda(tau: Any) -> Any:
    return (_theta(2, 0, tau) / _theta(3, 0, tau)) ** 4


def _eta(tau: Any) -> Any:
    if mp.im(tau) <= 0:
        raise ValueError("outside the upper half-plane")
    return mp.expjpi(tau / 12) * mp.qp(mp.expjpi(2 * tau))


def _eisenstein(k: Any, tau: Any) -> Any:
    weight = _whole(k)
    q = mp.expjpi(2 * tau)
    total = mp.nsum(lambda n: n ** (weight - 1) * q**n / (1 - q**n), [1, mp.inf])
    return 1 - 2 * weight / mp.bernoulli(weight) * total


def _zeta(s: Any, order: Any = 0) -> Any:
    return mp.zeta(s, 1, _whole(order)) if order else mp.zeta(s)


def _derived(function: Function) -> Function:
    """A function whose last, optional argument is the order of a derivative."""

    def call(first: Any, second: Any, order: Any = 0) -> Any:
        count = _whole(order)
        return mp.diff(lambda z: function(first, z), second, count) if count else function(first, second)

    return call


def _derived_one(function: Function) -> Function:
    def call(value: Any, order: Any = 0) -> Any:
        return mp.diff(function, value, _whole(order)) if order else function(value)

    return call


def _divisors(n: Any) -> list[int]:
    number = _whole(n)
    if not 0 < number < 100_000:
        raise ValueError("too large")
    return [d for d in range(1, number + 1) if number % d == 0]


def _fibonacci(n: Any) -> Any:
    return mp.fib(_whole(n))


def _partitions(n: Any) -> Any:
    number = _whole(n)
    if not 0 <= number < 2000:
        raise ValueError("too large")
    counts = [1] + [0] * number
    for part in range(1, number + 1):
        for total in range(part, number + 1):
            counts[total] += counts[total - part]
    return mp.mpf(counts[number])


def _totient(n: Any) -> Any:
    number = _whole(n)
    if not 0 < number < 100_000:
        raise ValueError("too large")
    return mp.mpf(sum(math.gcd(k, number) == 1 for k in range(1, number + 1)))


def _sinc(z: Any, order: Any = 0) -> Any:
    return mp.diff(mp.sinc, z, _whole(order)) if order else mp.sinc(z)


def _product(*values: Any) -> Any:
    return reduce(lambda a, b: a * b, values, mp.mpf(1))


@cache
def functions() -> dict[str, Function]:
    """Fungrim's name of each function, and the function."""
    table: dict[str, Function] = {
        "Add": lambda *v: sum(v, mp.mpf(0)),
        "Mul": _product,
        "Sub": lambda a, b: a - b,
        "Div": lambda a, b: a / b,
        "Pow": mp.power,
        "Neg": lambda a: -a,
        "Pos": lambda a: a,
        "Parentheses": lambda a: a,
        "Brackets": lambda a: a,
        "Braces": lambda a: a,
        "Max": lambda *v: max(v),
        "Min": lambda *v: min(v),
        "Log": lambda z, *b: mp.log(z, *b),
        "Abs": abs,
        "Re": mp.re,
        "Im": mp.im,
        "Arg": mp.arg,
        "Conjugate": mp.conj,
        "Sign": mp.sign,
        "Sinc": _sinc,
        "Atan2": mp.atan2,
        "Factorial": mp.factorial,
        "RisingFactorial": mp.rf,
        "FallingFactorial": mp.ff,
        "Binomial": mp.binomial,
        "DigammaFunction": lambda z, m=0: mp.psi(_whole(m), z),
        "LogGamma": mp.loggamma,
        "BetaFunction": mp.beta,
        "RiemannZeta": _zeta,
        "HurwitzZeta": lambda s, a, r=0: mp.zeta(s, a, _whole(r)) if r else mp.zeta(s, a),
        "StieltjesGamma": lambda n, a=1: mp.stieltjes(_whole(n), a),
        "BernoulliB": lambda n: mp.bernoulli(_whole(n)),
        "BernoulliPolynomial": lambda n, x: mp.bernpoly(_whole(n), x),
        "BellNumber": lambda n: mp.bell(_whole(n)),
        "HarmonicNumber": mp.harmonic,
        "Fibonacci": _fibonacci,
        "PartitionsP": _partitions,
        "Totient": _totient,
        "PrimePi": mp.primepi,
        "PrimeNumber": lambda n: mp.mpf(next(_primes(_whole(n)))),
        "DivisorSigma": lambda k, n: sum((mp.mpf(d) ** k for d in _divisors(n)), mp.mpf(0)),
        "GCD": lambda *v: mp.mpf(math.gcd(*map(_whole, v))),
        "LCM": lambda *v: mp.mpf(math.lcm(*map(_whole, v))),
        "JacobiTheta": _theta,
        "ModularLambda": _lambda,
        "ModularJ": lambda tau: 1728 * mp.kleinj(tau),
        "DedekindEta": _eta,
        "EisensteinE": _eisenstein,
        "EllipticPi": mp.ellippi,
        "IncompleteEllipticPi": mp.ellippi,
        "AGM": mp.agm,
        "ChebyshevT": _derived(mp.chebyt),
        "ChebyshevU": _derived(mp.chebyu),
        "LegendrePolynomial": _derived(mp.legendre),
        "Hypergeometric0F1": mp.hyp0f1,
        "Hypergeometric1F1": mp.hyp1f1,
        "Hypergeometric2F1": mp.hyp2f1,
        "HypergeometricU": mp.hyperu,
        "Hypergeometric0F1Regularized": lambda a, z: mp.hyp0f1(a, z) * mp.rgamma(a),
        "Hypergeometric1F1Regularized": lambda a, b, z: mp.hyp1f1(a, b, z) * mp.rgamma(b),
        "Hypergeometric2F1Regularized": lambda a, b, c, z: mp.hyp2f1(a, b, c, z) * mp.rgamma(c),
        "LambertW": lambda z: mp.lambertw(z),
        "BarnesG": mp.barnesg,
        "CoulombF": mp.coulombf,
        "CoulombG": mp.coulombg,
    }
    for name, function in (("AiryAi", mp.airyai), ("AiryBi", mp.airybi), ("Gamma", mp.gamma)):
        table[name] = _derived_one(function)
    for letter in "JYIK":
        table[f"Bessel{letter}"] = _derived(getattr(mp, f"bessel{letter.lower()}"))
    for letter in "CDFGJ":
        table[f"CarlsonR{letter}"] = getattr(mp, f"ellipr{letter.lower()}")
    for name in _SAME_NAME:
        table[name] = getattr(mp, name.lower())
    for name, short in (("EllipticK", "ellipk"), ("EllipticE", "ellipe"), ("IncompleteEllipticF", "ellipf"),
                        ("IncompleteEllipticE", "ellipe")):  # fmt: skip
        table[name] = getattr(mp, short)
    return table


def _primes(n: int) -> Any:
    if not 0 < n < 10_000:
        raise ValueError("too large")
    found, number = 0, 1
    while found < n:
        number += 1
        found += all(number % d for d in range(2, math.isqrt(number) + 1))
    yield number
