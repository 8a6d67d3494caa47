"""Elementary terms in normal form: exponentials, logarithms and roots as generators of a field.

Only rules that hold for principal values are used: sin u = (e^{iu}-e^{-iu})/2i, e^{u+v} = e^u e^v, b^u = e^{u log b};
log(ab) = log a + log b and roots of products only where all factors but one are positive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from texlift.verify.proof.quotients import Relation, TooLargeError, vanishes
from texlift.verify.proof.signs import Signs

__all__ = ["NormalForms", "tidied"]

_LARGE = 400  # operations of a term that is expanded
_TURN = sympy.Symbol("exp(i pi)")
_OPAQUE = (sympy.asin, sympy.atan, sympy.asinh, sympy.acosh, sympy.atanh, sympy.Sum, sympy.Product, sympy.Integral)
_SQUARES: dict[str, Callable[[Any], Any]] = {r"\Jacobiellcnk": lambda k: 1, r"\Jacobielldnk": lambda k: k**2}
_HYPERBOLIC = (sympy.sinh, sympy.cosh)


def tidied(term: Any) -> Any:
    """A term whose equal forms look the same, if it is a rational function; as it is where it is large."""
    if not term.args or sympy.count_ops(term) > _LARGE:
        return term
    if term.is_rational_function():
        term = sympy.cancel(term)
    return sympy.expand(term, power_base=False, log=False, power_exp=True, trig=False)


class NormalForms:
    """Normal forms over one domain."""

    def __init__(self, signs: Signs) -> None:
        self.signs = signs
        self.generators: dict[Any, Any] = {}
        self.relations: list[Relation] = []

    def is_zero(self, term: Any) -> bool:
        """Whether the term is shown to vanish wherever it is defined."""
        try:
            return vanishes(self.flat(term), self.relations)
        except (TooLargeError, RecursionError, ZeroDivisionError):
            return False

    # -- terms over generators -------------------------------------------------------------------------

    def flat(self, term: Any) -> Any:
        """The term with generators for all that is not rational."""
        if term.is_Rational:
            return term
        if term.is_Symbol:
            return term
        if term is sympy.I:
            return self._turn(sympy.Rational(1, 2))
        if term is sympy.E:
            return self.exponential(sympy.Integer(1))
        if term.is_NumberSymbol:
            return self._named(term)
        if term.is_Add:
            return sympy.Add(*map(self.flat, term.args))
        if term.is_Mul:
            return sympy.Mul(*map(self.flat, term.args))
        if isinstance(term, sympy.exp):
            return self.exponential(term.exp)
        if term.is_Pow:
            return self._power(term.base, term.exp)
        if isinstance(term, sympy.log):
            return self.flat(self.logarithm(term.args[0], as_atoms=True))
        if isinstance(term, sympy.sin | sympy.cos | sympy.sinh | sympy.cosh):
            return self._wave(term)
        if isinstance(term, sympy.tan):
            return self.flat(sympy.sin(term.args[0]) / sympy.cos(term.args[0]))
        if isinstance(term, sympy.Abs):
            return self._absolute(term.args[0])
        if isinstance(term, sympy.conjugate):
            return self.flat(self._conjugate(term.args[0]))
        if isinstance(term, AppliedUndef):
            return self._function(term.func(*map(tidied, term.args)))
        if isinstance(term, _OPAQUE):
            return self._named(term)
        raise TooLargeError(f"no normal form for {type(term).__name__}")

    def _named(self, key: Any) -> Any:
        if key not in self.generators:
            self.generators[key] = sympy.Symbol(f"g{len(self.generators)}: {str(key)[:60]}")
        return self.generators[key]

    def _function(self, call: Any) -> Any:
        """A special function; of Jacobi's cn and dn the squares are known, DLMF 22.6.1."""
        if call.func.__name__ in _SQUARES and len(call.args) == 2:
            z, k = call.args
            sine = sympy.Function(r"\Jacobiellsnk")(z, k)
            return self._related(call, 2, self.flat(1 - _SQUARES[call.func.__name__](k) * sine**2))
        return self._named(call)

    def _related(self, key: Any, power: int, value: Any) -> Any:
        """A generator of which a power is known."""
        if key not in self.generators:
            generator = self._named(key)
            self.relations.append(Relation(generator, power, value))
        return self.generators[key]

    def _turn(self, half_turns: Any) -> Any:
        """exp(i pi c)."""
        if _TURN not in self.generators:
            self.generators[_TURN] = _TURN
            self.relations.insert(0, Relation(_TURN, 1, None))
        half_turns = half_turns % 2
        return -(_TURN ** (half_turns - 1)) if half_turns >= 1 else _TURN**half_turns

    # -- exponentials and powers -----------------------------------------------------------------------

    def exponential(self, exponent: Any) -> Any:
        """exp of a term."""
        factors = [self._exponential_of(term) for term in sympy.Add.make_args(tidied(exponent))]
        return sympy.Mul(*factors)

    def _exponential_of(self, term: Any) -> Any:
        number, rest = term.as_coeff_Mul()
        if not number.is_Rational:
            raise TooLargeError("a decimal number in an exponent")
        if rest == sympy.I * sympy.pi:
            return self._turn(number)
        if isinstance(rest, sympy.log):
            return self._root(rest.args[0], number)
        turned = sympy.expand(rest / sympy.I)
        for function, angle in ((sympy.asin, turned), (sympy.atan, turned), (sympy.asinh, rest), (sympy.acosh, rest),
                                (sympy.atanh, rest)):  # fmt: skip
            if isinstance(angle, function):
                return self._inverse(function, angle.args[0], number)
        half = sympy.expand(turned / sympy.pi)
        if half.is_integer and half.free_symbols:  # (-1)^n
            key = sympy.Function("sign")(half)
            if key not in self.generators:
                self.relations.append(Relation(self._named(key), 2, sympy.Integer(1)))
            return self.generators[key] ** number
        return self._named(sympy.exp(rest, evaluate=False)) ** number

    def _inverse(self, function: Any, u: Any, number: Any) -> Any:
        """exp of a multiple of an inverse function, which is a power of something algebraic."""
        one, i = sympy.Integer(1), sympy.I
        if function is sympy.asin:
            base = i * u + sympy.sqrt(1 - u**2)
        elif function is sympy.asinh:
            base = u + sympy.sqrt(1 + u**2)
        elif function is sympy.acosh:
            base = u + sympy.sqrt(u - 1) * sympy.sqrt(u + 1)
        elif function is sympy.atan and self.signs.is_real(u):
            base = (1 + i * u) / sympy.sqrt(1 + u**2)
        else:
            above, below = (one + i * u, one - i * u) if function is sympy.atan else (one + u, one - u)
            half = number / 2
            return self._root(above, half) * self._root(below, -half)
        if number.is_Integer:
            return self.flat(base) ** number
        return self._related(("power", base), 1, self.flat(base)) ** number

    def _power(self, base: Any, exponent: Any) -> Any:
        if exponent.is_Integer:
            return self.flat(base) ** exponent
        if base.is_zero:
            raise TooLargeError("a power of zero")
        if exponent.is_Rational:
            return self._root(base, exponent)
        result = sympy.Integer(1)
        logarithm = self.logarithm(base, as_atoms=False)
        for term in sympy.Add.make_args(sympy.expand(exponent)):
            if term.is_Rational:
                result *= self._root(base, term)
            else:
                result *= self.exponential(sympy.expand(term * logarithm))
        return result

    def _root(self, base: Any, exponent: Any) -> Any:
        """base**exponent for a rational exponent."""
        if exponent.is_Integer:
            return self.flat(base) ** exponent
        result = sympy.Integer(1)
        for factor, times in self._split(base):
            if factor.is_Integer and factor > 0:
                for prime, count in sympy.factorint(int(factor), limit=10**6).items():
                    generator = self._related(("power", sympy.Integer(prime)), 1, sympy.Integer(prime))
                    result *= generator ** (count * times * exponent)
            elif factor == -1:
                result *= self._turn(exponent)
            else:
                result *= self._related(("power", factor), 1, self.flat(factor)) ** (times * exponent)
        return result

    def logarithm(self, term: Any, as_atoms: bool) -> Any:
        """log as a sum of logarithms of factors; atoms are opaque symbols, else SymPy's logarithms."""
        total = sympy.Integer(0)
        for factor, times in self._split(term):
            if isinstance(factor, sympy.exp) and self.signs.is_real(factor.exp):
                total += times * factor.exp
            elif factor.is_Integer and factor > 0:
                for prime, count in sympy.factorint(int(factor), limit=10**6).items():
                    total += times * count * self._log(sympy.Integer(prime), as_atoms)
            elif factor == -1:
                total += sympy.I * sympy.pi
            else:
                total += times * self._log(factor, as_atoms)
        return total

    def _log(self, term: Any, as_atoms: bool) -> Any:
        atom = sympy.log(term, evaluate=False)
        return self._named(atom) if as_atoms else atom

    def _split(self, term: Any) -> list[tuple[Any, Any]]:
        """Factors with exponents: positive ones, and at most one more, whose exponent is 1."""
        if term is sympy.E or isinstance(term, sympy.exp):
            return [(sympy.exp(sympy.Integer(1), evaluate=False) if term is sympy.E else term, sympy.Integer(1))]
        factors = _factors(term)
        positive: list[tuple[Any, Any]] = []
        rest = sympy.Integer(1)
        others = 0
        for factor, times in factors:
            if factor.is_Rational and factor > 0:
                parts = ((sympy.Integer(factor.p), times), (sympy.Integer(factor.q), -times))
                positive += [part for part in parts if part[0] != 1]
            elif self.signs.is_positive(factor):
                positive.append((factor, times))
            elif times.is_Integer and times % 2 == 0 and self.signs.is_real(factor):
                positive.append((sympy.Abs(factor), times))
            elif self.signs.of_term(factor) == -1 and factor != -1:
                positive.append((tidied(-factor), times))
                rest *= (-1) ** times
            else:
                rest *= factor**times
                others += 1
        if rest == 1:
            return positive
        if others and rest.is_Mul and rest.args[0] == -1 and len(rest.args) == 2 and rest.args[1].is_Add:
            rest = tidied(rest)
        return [*positive, (tidied(rest) if not rest.is_Rational else rest, sympy.Integer(1))]

    # -- functions -------------------------------------------------------------------------------------

    def _wave(self, term: Any) -> Any:
        hyperbolic = isinstance(term, _HYPERBOLIC)
        unit = sympy.Integer(1) if hyperbolic else sympy.I
        positive = self.exponential(unit * term.args[0])
        if isinstance(term, sympy.sin | sympy.sinh):
            return (positive - 1 / positive) / (2 * self.flat(unit))
        return (positive + 1 / positive) / 2

    def _absolute(self, term: Any) -> Any:
        result = sympy.Integer(1)
        for factor, times in _factors(term):
            sign = self.signs.of_term(factor)
            if factor.is_Rational:
                result *= abs(factor) ** times
            elif sign is not None:
                result *= (sign * self.flat(factor)) ** times
            elif not times.is_Integer:
                raise TooLargeError("the absolute value of a root")
            else:
                other = factor if self.signs.is_real(factor) else self._conjugate(factor)
                result *= self._related(sympy.Abs(factor), 2, self.flat(factor * other)) ** times
        return result

    def _conjugate(self, term: Any) -> Any:
        if term.is_real:
            return term
        if term is sympy.I:
            return -sympy.I
        if term.is_Symbol:
            if term.is_complex is None:
                raise TooLargeError("the conjugate of an unknown number")
            return sympy.Symbol(f"conj({term.name})", complex=True)
        if term.is_Add or term.is_Mul or isinstance(term, sympy.exp | sympy.sin | sympy.cos | sympy.sinh | sympy.cosh):
            return term.func(*map(self._conjugate, term.args))
        if term.is_Pow and term.exp.is_Integer:
            return self._conjugate(term.base) ** term.exp
        if isinstance(term, sympy.conjugate):
            return term.args[0]
        raise TooLargeError("the conjugate of a function")


def _factors(term: Any) -> list[tuple[Any, Any]]:
    """A product as factors with exponents; polynomials are factored."""
    found: list[tuple[Any, Any]] = []
    if sympy.count_ops(term) > _LARGE:
        return [(term, sympy.Integer(1))]
    if term.is_rational_function() and term.free_symbols:
        number, parts = sympy.factor_list(sympy.together(term).as_numer_denom()[0])
        below, lower = sympy.factor_list(sympy.together(term).as_numer_denom()[1])
        found = [*parts, *((factor, -times) for factor, times in lower)]
        number = number / below
    else:
        number, rest = term.as_coeff_Mul()
        for part in sympy.Mul.make_args(rest):
            if part.is_Pow and part.exp.is_Integer:
                found.append((part.base, part.exp))
            elif part != 1:
                found.append((part, sympy.Integer(1)))
    if number.is_Rational and number < 0:
        found.insert(0, (sympy.Integer(-1), sympy.Integer(1)))
        number = -number
    if number != 1:
        found.insert(0, (number, sympy.Integer(1)))
    return [(factor, sympy.Integer(times)) for factor, times in found]
