"""Two values: numbers with units, approximate numbers, infinities, antiderivatives, anything that is computed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol, substitute, walk
from texlift.verify.equality.forms import Value
from texlift.verify.equality.polynomial import TooLargeError, quotient, rational
from texlift.verify.equality.primitives import same_primitives, same_up_to_constants
from texlift.verify.equality.result import Equality, Options, different, equal_because, undecided
from texlift.verify.equality.scalars import NOT_COMPUTED, same_values
from texlift.verify.equality.setting import Setting
from texlift.verify.equality.units import BASE

__all__ = ["hundredfold", "rounded_alike", "same_named", "same_quantities", "units_in"]

_FAR = Fraction(1, 50)
_ONE = Number("1")
_FLOATING = range(15, 18)  # digits of a floating-point number
_CURRENCIES = frozenset({"dollar", "euro"})
_BASES = frozenset({"m", "kg", "s", "A", "K", "mol", "cd", "dollar", "euro", "degree Celsius", "degree Fahrenheit"})


def same_named(a: Value, b: Value, setting: Setting) -> Equality:
    named = a.name and b.name and a.name != b.name
    found = same_quantities(a.node, b.node, setting)
    if a.approximate or b.approximate:
        found = _approximately(a, b, found, setting)
    if found.verdict != "equal":
        return found
    if named:
        return undecided(f"the same value, given to {a.name} and to {b.name}")
    if a.name or b.name:
        return equal_because(f"{found.reason}; {a.name or b.name} is its name") if a.name != b.name else found
    return found


def same_quantities(a: Expression, b: Expression, setting: Setting) -> Equality:
    units = units_in(a), units_in(b)
    if units[0] or units[1]:
        return _measured(a, b, units, setting)
    infinite = _infinity(a), _infinity(b)
    if infinite[0] or infinite[1]:
        return _infinities(a, b, infinite)
    primitives = same_primitives(a, b, setting)
    if primitives is not None:
        return primitives
    found = same_values(a, b, setting)
    constants = same_up_to_constants(a, b, setting) if found.verdict == "different" else None
    return found if constants is None else constants


def _approximately(a: Value, b: Value, found: Equality, setting: Setting) -> Equality:
    """An approximate number is only told apart from what is far from it."""
    if found.verdict != "different" or setting.options.tolerance:
        return found
    near = replace(setting, options=Options(tolerance=float(_FAR)))
    if same_values(a.node, b.node, near).verdict == "different":
        return found
    return undecided("an approximate number; give a tolerance")


def _infinity(node: Expression) -> int:
    if isinstance(node, Constant) and node.name == "infinity":
        return 1
    if isinstance(node, Apply) and node.head == "negate":
        return -_infinity(node.arguments[0])
    if isinstance(node, Apply) and node.head == "plus" and len(node.arguments) == 1:
        return _infinity(node.arguments[0])
    return 0


def _infinities(a: Expression, b: Expression, signs: tuple[int, int]) -> Equality:
    if signs[0] == signs[1]:
        return equal_because("both are infinite")
    other = b if signs[0] else a
    if signs[0] and signs[1]:
        return different("infinities of opposite sign", {"point": {}, "a": "oo" if signs[0] > 0 else "-oo",
                                                         "b": "oo" if signs[1] > 0 else "-oo"})  # fmt: skip
    finite = rational(other) is not None or (isinstance(other, Symbol | Constant) and not _infinity(other))
    if finite:
        return different("an infinity and a number", {"point": {}, "a": "infinite" if signs[0] else "finite",
                                                      "b": "infinite" if signs[1] else "finite"})  # fmt: skip
    return undecided(f"{NOT_COMPUTED}: infinity")


def rounded_alike(a: object, b: object, setting: Setting) -> bool:
    """Whether one is a floating-point number with all its digits, and the other is rounded to it."""
    if not isinstance(a, Value) or not isinstance(b, Value):
        return False
    shown = next((f.node.value for f in (a, b) if isinstance(f.node, Number) and "." in f.node.value), "")
    if len(shown.replace(".", "").lstrip("0")) not in _FLOATING:
        return False
    half = 0.5 * 10.0 ** -len(shown.partition(".")[2])
    return same_values(a.node, b.node, replace(setting, options=Options(tolerance=half))).verdict != "different"


def hundredfold(a: object, b: object) -> bool:
    """Whether one number is the hundredfold of the other."""
    numbers = [rational(form.node) if isinstance(form, Value) else None for form in (a, b)]
    if numbers[0] is None or numbers[1] is None:
        return False
    return numbers[0] * 100 == numbers[1] or numbers[1] * 100 == numbers[0]


def units_in(node: Expression) -> frozenset[str]:
    return frozenset(part.name for part in walk(node) if isinstance(part, Symbol) and part.name.startswith(BASE))


def _measured(a: Expression, b: Expression, units: tuple[frozenset[str], frozenset[str]], setting: Setting) -> Equality:
    """Values with units: the same kind of unit, then the numbers in base units."""
    numbers = [substitute(node, dict.fromkeys(found, _ONE)) for node, found in zip((a, b), units, strict=True)]
    if not (units[0] and units[1]):
        nouns = units[0] or units[1]
        if all(_is_noun(name) for name in nouns):
            found = same_values(numbers[0], numbers[1], setting)
            return equal_because(f"{found.reason}; one of them names what is counted") if found.is_equal else found
        if {name.removeprefix(BASE) for name in nouns} <= _CURRENCIES:
            found = same_values(numbers[0], numbers[1], setting)
            if found.is_equal:
                return equal_because(f"{found.reason}; one of them names the currency")
        if rational(numbers[0]) == rational(numbers[1]) == 0:
            return undecided("zero with a unit and without")
        return undecided("only one of them has a unit")
    dimensions = [_dimension(node) for node in (a, b)]
    if dimensions[0] is None or dimensions[1] is None:
        return same_values(a, b, setting)
    if {dimensions[0], dimensions[1]} == {_CELSIUS, _FAHRENHEIT}:
        numbers = [_celsius(number, one) for number, one in zip(numbers, dimensions, strict=True)]
        return same_values(numbers[0], numbers[1], setting)
    if dimensions[0] != dimensions[1]:
        if any(_is_noun(name) for name in units[0] | units[1]):
            return undecided("units or nouns that cannot be compared")
        shown = [_shown_dimension(one) for one in dimensions]
        return different("units of different kinds", {"point": {}, "a": shown[0], "b": shown[1]})
    return same_values(numbers[0], numbers[1], setting)


_CELSIUS, _FAHRENHEIT = ((f"{BASE}degree Celsius", 1),), ((f"{BASE}degree Fahrenheit", 1),)


def _celsius(number: Expression, dimension: tuple[tuple[str, int], ...] | None) -> Expression:
    """A temperature in degrees Celsius."""
    if dimension == _CELSIUS:
        return number
    above = Apply("plus", (number, Apply("negate", (Number("32"),))))
    return Apply("divide", (Apply("times", (Number("5"), above)), Number("9")))


def _is_noun(name: str) -> bool:
    return name.removeprefix(BASE) not in _BASES


def _dimension(node: Expression) -> tuple[tuple[str, int], ...] | None:
    """Powers of the base units in a product; None for anything else."""
    try:
        found = quotient(node)
    except (TooLargeError, ZeroDivisionError):
        return None
    places = [i for i, k in enumerate(found.kernels) if isinstance(k, Symbol) and k.name.startswith(BASE)]
    powers: dict[str, int] = {}
    for polynomial, sign in ((found.above, 1), (found.below, -1)):
        terms = {tuple(int(exponents[place]) for place in places) for exponents in polynomial.to_dict()}
        if len(terms) != 1:
            return None
        for place, power in zip(places, terms.pop(), strict=True):
            kernel = found.kernels[place]
            assert isinstance(kernel, Symbol)
            powers[kernel.name] = powers.get(kernel.name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _shown_dimension(dimension: tuple[tuple[str, int], ...] | None) -> str:
    return " ".join(f"{name.removeprefix(BASE)}^{power}" for name, power in dimension or ()) or "no unit"
