"""Do two SymPy codes mean the same? Structure component by component, arithmetic by algebra and by numbers.

What arithmetic does not look into (sums, integrals, derivatives, unknown functions, matrices, expectations) is compared
part by part up to the names of bound variables. Parts that are the same become one letter, and what is left is
arithmetic over letters: expanded, evaluated at points, simplified.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from texlift.bench.normal import is_statement, normal
from texlift.bench.spelling import renamed as _renamed
from texlift.bench.term import CodeError, Term, names, read_code

__all__ = ["same_code", "same_term"]

_BOUND = {"Sum": 1, "Product": 1, "Integral": 1, "Limit": 1, "Subs": 1, "Lambda": 1, "ConditionSet": 0}
"""Heads that bind a variable, and which part it is."""

_ARITHMETIC = frozenset({"Add", "Mul", "Pow", "Mod", "Max", "Min", "Abs", "Piecewise"})
_RELATIONS = {"Eq": "Eq", "Ne": "Ne", "Lt": "Lt", "Le": "Le", "And": "And", "Or": "Or", "Not": "Not"}
_NUMBERS = frozenset({"pi", "E", "I", "oo", "zoo", "nan", "EulerGamma", "Catalan", "GoldenRatio"})
_AGREEING = 4  # points at which two expressions agree before they count as equal
_DIGITS = 30
_CLOSE = 1e-12


def same_code(answer: str, gold: str) -> bool:
    """Whether two codes mean the same. Raises CodeError where one of them is not read."""
    return same_term(normal(read_code(answer)), normal(read_code(gold)))


def same_term(left: Term, right: Term) -> bool:
    """Whether two terms in normal form mean the same."""
    return _Comparison().same(left, right)


class _Comparison:
    """Compares two terms; counts the bound variables it has renamed."""

    def __init__(self) -> None:
        self.bound = 0

    def same(self, left: Term, right: Term) -> bool:
        if left == right:
            return True
        if _is_value(left) and _is_value(right) and (_is_arithmetic(left) or _is_arithmetic(right)):
            return self._equal_values(left, right)
        return self.same_parts(left, right)

    def same_parts(self, left: Term, right: Term) -> bool:
        """The same head with the same parts, whatever arithmetic would make of them."""
        if {left.kind, right.kind} == {"list", "tuple"}:
            return self._in_order(left.parts, right.parts)
        if left.kind != right.kind or left.name != right.name:
            return False
        if not left.parts or not right.parts:
            return left == right
        if left.kind == "list" or (left.kind == "call" and left.name in names()["unordered"]):
            return self._in_any_order(left.parts, right.parts)
        if left.kind == "call" and left.name in _BOUND:
            return self._same_binder(left, right)
        if left.kind == "call" and left.name == "Congruent":
            return self._congruent(left, right)
        return self._in_order(left.parts, right.parts)

    def _in_order(self, left: Sequence[Term], right: Sequence[Term]) -> bool:
        return len(left) == len(right) and all(map(self.same, left, right))

    def _in_any_order(self, left: Sequence[Term], right: Sequence[Term]) -> bool:
        """Sameness is an equivalence, so the first partner that fits will do."""
        waiting = list(right)
        for one in left:
            partner = next((other for other in waiting if self.same(one, other)), None)
            if partner is None:
                return False
            waiting.remove(partner)
        return not waiting

    def _same_binder(self, left: Term, right: Term) -> bool:
        """The bound variable is renamed in the body; bounds, points and sets are outside its scope."""
        place = _BOUND[left.name]
        if len(left.parts) != len(right.parts) or len(left.parts) <= place:
            return False
        self.bound += 1
        fresh = f"bound {self.bound}"
        bodies = 1 - place
        pairs = zip(left.parts, right.parts, strict=True)
        for index, (one, other) in enumerate(pairs):
            if index == place:
                continue
            if index == bodies:
                one = _renamed(one, left.parts[place].name, fresh)
                other = _renamed(other, right.parts[place].name, fresh)
            if not self.same(one, other):
                return False
        return True

    def _congruent(self, left: Term, right: Term) -> bool:
        """a - b and b - a are divisible by the same numbers."""
        if not self.same(left.parts[1], right.parts[1]):
            return False
        negated = Term("call", "Mul", (Term("number", "-1"), right.parts[0]))
        return self.same(left.parts[0], right.parts[0]) or self.same(left.parts[0], negated)

    def _equal_values(self, left: Term, right: Term) -> bool:
        letters = _Letters(self)
        return _equal(letters.expression(left), letters.expression(right))


class _Letters:
    """Terms as SymPy expressions, in which parts that arithmetic does not look into are letters."""

    def __init__(self, comparison: _Comparison) -> None:
        self.comparison = comparison
        self.known: list[tuple[Term, Any]] = []

    def expression(self, term: Term) -> Any:
        import sympy

        if term.kind == "number":
            return sympy.Rational(term.name)
        if term.kind == "symbol":
            return sympy.Symbol(term.name)
        if term.kind == "constant" and term.name in _NUMBERS:
            return getattr(sympy, term.name)
        if _is_call(term, "Determinant") and _is_call(term.parts[0], "Matrix"):
            found = self._determinant(term.parts[0])
            return self._letter(term) if found is None else found
        if _is_call(term, "Piecewise"):
            return self._cases(term)
        if term.kind == "call" and _is_arithmetic(term) and all(map(_is_value, term.parts)):
            values = [self.expression(part) for part in term.parts]
            return self._applied(term, getattr(sympy, term.name), values)
        return self._letter(term)

    def _applied(self, term: Term, function: Any, values: list[Any]) -> Any:
        """A function of its values; of a matrix or of something SymPy refuses it is a letter."""
        if any(not value.is_commutative for value in values) and term.name not in ("Add", "Mul", "Pow"):
            return self._letter(term)
        try:
            return function(*values)
        except (TypeError, ValueError) as error:
            raise CodeError(f"SymPy refuses {term.name}: {error}") from None

    def _letter(self, term: Term) -> Any:
        """The letter of a part; parts that mean the same have the same."""
        import sympy

        for known, letter in self.known:
            if self.comparison.same_parts(known, term):
                return letter
        letter = sympy.Dummy(f"part{len(self.known)}", commutative=not _is_call(term, "Matrix"))
        self.known.append((term, letter))
        return letter

    def _determinant(self, matrix: Term) -> Any | None:
        """The determinant of a small square matrix, computed: the same matrix may be given by its value."""
        import sympy

        size = len(matrix.parts)
        if size > 4 or any(len(row.parts) != size or not all(map(_is_value, row.parts)) for row in matrix.parts):
            return None
        return sympy.Matrix([[self.expression(cell) for cell in row.parts] for row in matrix.parts]).det(
            method="berkowitz"
        )

    def _cases(self, term: Term) -> Any:
        """As cases of SymPy if their conditions are relations between values, else as a letter."""
        import sympy

        branches = []
        for branch in term.parts:
            value, condition = branch.parts
            test = self._condition(condition)
            if test is None or not _is_value(value):
                return self._letter(term)
            branches.append((self.expression(value), test))
        return sympy.Piecewise(*branches, evaluate=False)

    def _condition(self, term: Term) -> Any | None:
        import sympy

        if term == Term("constant", "true"):
            return sympy.true
        if term.kind != "call" or term.name not in _RELATIONS:
            return None
        if term.name in ("And", "Or", "Not"):
            parts = [self._condition(part) for part in term.parts]
            return None if None in parts else getattr(sympy, term.name)(*parts)
        if not all(map(_is_value, term.parts)):
            return None
        try:
            return getattr(sympy, term.name)(*(self.expression(part) for part in term.parts))
        except TypeError:
            return None


def _is_call(term: Term, name: str) -> bool:
    return term.kind == "call" and term.name == name


def _is_value(term: Term) -> bool:
    """Whether a term may be a part of an expression: no statement, no set, no list."""
    if term.kind == "constant":
        return term.name in _NUMBERS
    if term.kind in ("number", "symbol", "unknown"):
        return True
    if term.kind != "call" or is_statement(term):
        return False
    return term.name not in ("Congruent", "Lambda", "ConditionSet", "ImageSet", "FiniteSet", "Interval", "Union",
                             "Intersection", "Complement", "ProductSet", "PowerSet", "Range")  # fmt: skip


def _is_arithmetic(term: Term) -> bool:
    """Whether algebra knows what to do with a term, as opposed to something it only compares."""
    if term.kind == "number" or term.kind == "constant":
        return True
    if term.kind != "call" or term.name in _BOUND or term.name == "Derivative":
        return False
    if _is_call(term, "Determinant"):
        return bool(term.parts) and _is_call(term.parts[0], "Matrix")
    return term.name in _ARITHMETIC or (term.name not in names()["inert"] and term.name not in ("Matrix", "Congruent"))


# -- expressions ---------------------------------------------------------------------------------------


def _equal(left: Any, right: Any) -> bool:
    """Whether two SymPy expressions are equal wherever both have values."""
    import sympy

    if left == right:
        return True
    if left.free_symbols != right.free_symbols:
        return False
    if any(not letter.is_commutative for letter in left.free_symbols):
        return bool(sympy.expand(left - right) == 0)
    if not left.free_symbols and (left.is_infinite or right.is_infinite):
        return False
    agreed = _agreeing(left, right)
    if agreed is not None:
        return agreed
    return bool(sympy.simplify(left - right) == 0)


def _agreeing(left: Any, right: Any) -> bool | None:
    """Whether the values agree at points of the real line, negative and whole numbers too; None if there are none."""
    letters = sorted(left.free_symbols, key=str)
    agreeing = 0
    for point in _points(len(letters)):
        values = dict(zip(letters, point, strict=True))
        one, other = _value(left, values), _value(right, values)
        if one is None or other is None:
            continue
        if abs(one - other) > _CLOSE * max(1e-30, abs(one), abs(other)):
            return False
        agreeing += 1
        if not letters:
            return True
    return True if agreeing >= _AGREEING else None


def _points(count: int) -> list[list[Any]]:
    import sympy

    rng = random.Random(count)

    def drawn(least: int, most: int, below: int) -> list[Any]:
        return [sympy.Rational(rng.randint(least, most), below) for _ in range(count)]

    whole = [[sympy.Integer(value) for value in rng.sample(range(2, 12 + count), count)] for _ in range(3)]
    return [
        *[drawn(20, 250, 97) for _ in range(4)],
        *[drawn(-250, 250, 97) for _ in range(5)],
        *whole,
        *[[sympy.Integer(rng.randint(-3, 3)) for _ in range(count)] for _ in range(4)],
        *[drawn(5, 90, 97) for _ in range(3)],
    ]


def _value(expression: Any, values: dict[Any, Any]) -> Any | None:
    """The complex value at a point; None where there is none."""
    try:
        number = expression.subs(values).evalf(_DIGITS)
        if not number.is_number or number.has(*_undefined()):
            return None
        return complex(number) if abs(number) < 1e200 else None
    except (
        TypeError,
        ValueError,
        ZeroDivisionError,
        OverflowError,
        AttributeError,
        NotImplementedError,
        RecursionError,
    ):
        return None


def _undefined() -> tuple[Any, ...]:
    import sympy

    return (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
