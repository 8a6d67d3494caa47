"""Arithmetic that notes what happens: how far terms differ in size, where real numbers give complex values.

Generated code adds, divides and raises to powers with Python's operators. Before it is evaluated, `noting` replaces
these by calls of the functions here. They also keep integers exact, and refuse numbers that would fill the memory.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from mpmath import mp

from texlift.verify.trust import Trust

__all__ = ["Arithmetic", "noting"]

_NAMES: dict[type, str] = {ast.Add: "add_", ast.Sub: "subtract_", ast.Div: "divide_", ast.Pow: "power_"}
_MAX_BITS = 100_000  # of an integer power that is kept exact
_MOST_FACTORS = 10**18  # of a power of a matrix, which is squared again and again
_MAX_EXPONENT = 2**256  # natural logarithm of the largest number
_GROWING = frozenset({
    "exp", "sinh", "cosh", "sech", "csch", "erf", "erfc", "erfi", "gamma", "rgamma", "factorial", "fac2", "besseli",
    "besselk", "barnesg",
})  # fmt: skip
_MOST = {"barnesg": 10**3, "primepi": 10**6, "bernoulli": 10**4, "eulernum": 10**3, "stirling1": 10**3,
         "stirling2": 10**3, "bell": 10**3, "bernpoly": 10**3, "eulerpoly": 10**3, "binomial": 10**30}  # fmt: skip


def noting(tree: ast.expr) -> ast.expr:
    """The tree with operators replaced by calls of the functions of `Arithmetic`."""
    changed = _Replacer().visit(tree)
    assert isinstance(changed, ast.expr)
    return changed


class _Replacer(ast.NodeTransformer):
    def __init__(self) -> None:
        self.done: dict[int, tuple[ast.expr, ast.AST]] = {}  # trees share parts; the node keeps its id taken

    def visit(self, node: ast.AST) -> Any:
        known = self.done.get(id(node))
        if known is not None:
            return known[0]
        made = super().visit(node)
        self.done[id(node)] = (made, node)
        return made

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        name = _NAMES.get(type(node.op))
        return ast.Call(ast.Name(name), [left, right], []) if name else ast.BinOp(left, node.op, right)


class Arithmetic:
    """The functions that `noting` calls; `complex_letters` says that a formula speaks of complex numbers."""

    def __init__(self, trust: Trust, complex_letters: bool = False) -> None:
        self.trust = trust
        self.complex_letters = complex_letters

    def names(self) -> dict[str, Callable[..., Any]]:
        return {
            "add_": self.add,
            "subtract_": self.subtract,
            "divide_": divide,
            "power_": self.power,
            "root": self.root,
        }

    def add(self, a: Any, b: Any) -> Any:
        if not self.trust.inside:
            self.trust.note_terms(a, b)
        return a + b

    def subtract(self, a: Any, b: Any) -> Any:
        if not self.trust.inside:
            self.trust.note_terms(a, b)
        return a - b

    def power(self, base: Any, exponent: Any) -> Any:
        """A power by its principal value; integers stay exact."""
        if isinstance(base, int) and isinstance(exponent, int):
            if exponent < 0:
                return 1 / mp.mpf(self.power(base, -exponent))
            if base.bit_length() * exponent <= _MAX_BITS:
                return base**exponent
        if not isinstance(base, int | mp.mpf | mp.mpc):
            if mp.isint(exponent) and abs(exponent) > _MOST_FACTORS:
                raise OverflowError("a power of a matrix that is too large")
            return base ** (int(mp.nint(mp.re(exponent))) if mp.isint(exponent) else exponent)
        if base == 0 and exponent == 0:
            self.trust.convention = "0^0"
        if base == 0 and mp.re(exponent) < 0:
            raise ZeroDivisionError("0 to a negative power")
        if base and abs(exponent) * max(1, abs(mp.mag(base))) > _MAX_EXPONENT:
            raise OverflowError("a power that is too large")
        if isinstance(base, mp.mpc) and not base.imag:
            base = base.real
        if isinstance(base, int) and base < 0:
            base = mp.mpf(base)
        value = mp.power(base, exponent)
        if _is_real(base) and _is_real(exponent) and not _is_real(value):
            self.trust.nonreal = True
        return value

    def root(self, value: Any, degree: Any) -> Any:
        """The n-th root; of a negative real number the real one where n is odd and no letter is complex."""
        odd = mp.isint(degree) and int(mp.nint(mp.mpmathify(degree).real)) % 2 == 1
        if not self.complex_letters and odd and _is_real(value) and mp.re(value) < 0:
            return -self.root(-mp.re(value), degree)
        result = mp.root(value, int(mp.nint(degree))) if mp.isint(degree) else mp.power(value, 1 / mp.mpmathify(degree))
        if _is_real(value) and not _is_real(result):
            self.trust.nonreal = True
        return result

    def noted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which notes complex values of real numbers and refuses poles and numbers too large."""
        most = _MOST.get(name, _MAX_EXPONENT if name in _GROWING else 0)

        def call(*arguments: Any, **options: Any) -> Any:
            if most and any(abs(a) > most for a in arguments if isinstance(a, int | mp.mpf | mp.mpc)):
                if name == "exp" and mp.re(arguments[0]) < -most:
                    return mp.zero
                raise OverflowError(f"{name} of a number that is too large")
            result = function(*arguments, **options)
            if isinstance(result, mp.mpc):
                if result.imag and all(_is_real(a) for a in arguments):
                    self.trust.nonreal = True
            elif isinstance(result, mp.mpf) and mp.isinf(result) and not any(_infinite(a) for a in arguments):
                raise ZeroDivisionError(f"a pole of {name}")
            return result

        return call


def divide(a: Any, b: Any) -> Any:
    """A quotient; Python would make a float of two integers."""
    if isinstance(a, int) and isinstance(b, int):
        return mp.mpf(a) / b
    return a / b


def _is_real(value: Any) -> bool:
    return not isinstance(value, mp.mpc) or not value.imag


def _infinite(value: Any) -> bool:
    return isinstance(value, mp.mpf | mp.mpc) and bool(mp.isinf(value))
