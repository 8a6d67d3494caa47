"""Two expressions with values: numbers, functions of letters, matrices.

Equal by a proof (the same rational function) or by agreement at many points of the whole domain to many digits;
different by a point where balls prove the values apart.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint

from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol, free_symbols, walk
from texlift.verify.balls import NoBallError
from texlift.verify.equality.evaluation import Evaluator, UndefinedError, overlapping, shown_ball
from texlift.verify.equality.numerals import point_values
from texlift.verify.equality.polynomial import TooLargeError, bare, quotients, rational
from texlift.verify.equality.result import Equality, different, equal_because, undecided
from texlift.verify.equality.setting import Setting, is_complex
from texlift.verify.values import Point, shown_point

__all__ = ["NOT_COMPUTED", "same_values"]

NOT_COMPUTED = "values that balls do not compute"
"""How the reason of a comparison starts that a worker process may still decide."""

_POINTS = 40
_ENOUGH = 14  # points that must agree
_CONFIRMED = 2  # of them to many digits
_BITS = 96
_LADDER = (96, 384, 1600)
_MOST_BITS = 40_000
_GOOD = 48  # bits of accuracy that make an agreement one
_UNIT = "unit:"
_BOLD = re.compile(r"\\(?:mathbf|boldsymbol|bm|hat|mathsf)\{[A-Z]\}")
_PATIENCE = 400  # points of expressions that are seldom defined


def same_values(a: Expression, b: Expression, setting: Setting) -> Equality:
    """Compare two expressions."""
    a, b = bare(a), bare(b)
    tolerance = setting.options.tolerance
    numbers = rational(a), rational(b)
    if numbers[0] is not None and numbers[1] is not None:
        return _numbers(numbers[0], numbers[1], tolerance)
    if a == b and _is_defined_somewhere(a):
        return equal_because("the same expression")
    if _noncommuting(a) or _noncommuting(b):
        return undecided("products of matrices or operators, whose order counts")
    try:
        p, q = quotients([a, b])
        if p.above == q.above and p.below == q.below:
            return equal_because("both are the same rational function" if p.kernels else "the same number")
    except ZeroDivisionError:
        return undecided("a division by zero")
    except TooLargeError:
        pass
    return _Sampling(a, b, setting).run()


def _numbers(a: Fraction, b: Fraction, tolerance: float) -> Equality:
    if a == b:
        return equal_because("the same number")
    example = {"point": {}, "a": _shown_fraction(a), "b": _shown_fraction(b)}
    if not tolerance:
        return different("different numbers", example)
    gap, allowed = abs(a - b), Fraction(str(tolerance))
    return _within(gap <= allowed, gap <= allowed * max(abs(a), abs(b)), tolerance, example)


def _within(absolute: bool, relative: bool, tolerance: float, example: dict[str, Any]) -> Equality:
    if absolute and relative:
        return equal_because(f"the same within {tolerance:g}")
    if absolute or relative:
        which = "absolute" if absolute else "relative"
        return undecided(f"only the {which} difference is within {tolerance:g}")
    return different(f"further apart than {tolerance:g}", example)


def _shown_fraction(value: Fraction) -> str:
    text = str(value) if max(value.numerator.bit_length(), value.denominator.bit_length()) < 200 else ""
    if text and value.denominator != 1:
        scaled = value * 10**6
        return str(float(value)) if scaled.denominator == 1 and abs(value) < 10**9 else text
    return text or f"{value.numerator.bit_length()} bits over {value.denominator.bit_length()} bits"


def _is_defined_somewhere(node: Expression) -> bool:
    """Whether there is no division by an obvious zero."""
    return not any(
        isinstance(part, Apply) and part.head == "divide" and rational(part.arguments[1]) == 0 for part in walk(node)
    )


@dataclass(slots=True)
class _Tally:
    """What one convention about odd roots says."""

    agreeing: int = 0
    counterexample: dict[str, Any] | None = None
    outside: bool = False  # values differ where only one side is real


@dataclass(slots=True)
class _Side:
    value: Any
    nonreal: bool
    negative_root: bool
    failed: str = field(default="")


class _Sampling:
    """Values of two expressions at points of their domain."""

    def __init__(self, a: Expression, b: Expression, setting: Setting) -> None:
        self.a, self.b = a, b
        self.setting = setting
        self.tolerance = setting.options.tolerance
        self.letters = tuple(dict.fromkeys((*free_symbols(a), *free_symbols(b))))
        self.complex = is_complex((a, b))
        self.tallies = {True: _Tally(), False: _Tally()}
        self.undefined = ""
        self.convention = False  # an odd root of a negative number was met
        self.only_one = 0  # points at which one side alone is defined

    def run(self) -> Equality:
        if unknown := _unknown(self.a, self.b):
            return undecided(unknown)
        old = flint.ctx.prec
        try:
            return self._run()
        except NoBallError as error:
            return undecided(f"{NOT_COMPUTED}: {error}")
        finally:
            flint.ctx.prec = old

    def _run(self) -> Equality:
        conditions = self.setting.conditions()
        if conditions.ignored:
            return undecided(f"a condition was not understood: {conditions.ignored[0]}")
        bits = self._bits_needed()
        custom = self.setting.by_custom((self.a, self.b))
        found = self._sampled(bits, False)
        if found.verdict == "equal" or not custom:
            if found.verdict == "equal" and custom and self._differs_by_custom():
                return undecided("equal for real numbers, but not for complex ones; declare what the letters are")
            return found
        if found.verdict == "different":
            self._again()
            if self._sampled(bits, True).verdict == "equal":
                names = ", ".join(sorted(custom))
                return undecided(f"equal only if {names} is an integer; say so with a declaration or a condition")
        return found

    def _again(self) -> None:
        self.tallies = {True: _Tally(), False: _Tally()}
        self.undefined, self.only_one = "", 0

    def _differs_by_custom(self) -> bool:
        """Whether complex values of letters such as z tell the sides apart."""
        self._again()
        for point in self.setting.points((self.a, self.b), 16, custom=True):
            self._look(point, self.complex or any(not value.is_real for value in point.values()))
            if all(tally.counterexample for tally in self.tallies.values()):
                return True
        return False

    def _sampled(self, bits: int, custom: bool) -> Equality:
        most = _POINTS if self.letters else 1
        points = self.setting.points((self.a, self.b), _PATIENCE, custom) if self.letters else iter([{}])
        for tried, point in enumerate(points, 1):
            self.setting.checked()
            self._look(point, self.complex)
            if all(tally.counterexample for tally in self.tallies.values()):
                break
            if tried >= most and max(t.agreeing for t in self.tallies.values()) >= (_ENOUGH if self.letters else 1):
                break
        return self._verdict(bits, custom)

    def _verdict(self, bits: int, custom: bool) -> Equality:
        rooted, principal = self.tallies[True], self.tallies[False]
        if rooted.counterexample and principal.counterexample:
            if self.tolerance:
                return self._beyond(principal)
            return different("the values differ", principal.counterexample)
        good = max((t for t in (rooted, principal) if not t.counterexample), key=lambda t: t.agreeing)
        if principal.counterexample and not self.convention:
            return different("the values differ", principal.counterexample)
        if rooted.counterexample:
            return undecided("the sides differ unless odd roots of negative numbers are complex")
        needed = _ENOUGH if self.letters else 1
        if good.agreeing < needed:
            where = "no value could be computed" if not good.agreeing else "too few points have values"
            reason = f"{where}: {self.undefined}" if self.undefined else where
            return undecided(reason if self.undefined else f"{reason} (are the conditions contradictory?)")
        if self.tolerance:
            return equal_because(f"the same within {self.tolerance:g}")
        confirmed = self._confirmed(bits, custom)
        if confirmed is not None:
            return confirmed
        places = f"at {good.agreeing} points" if self.letters else "computed"
        note = "; odd roots of negative numbers are taken as real" if principal.counterexample else ""
        return equal_because(f"the same values {places}, to {int(bits * 0.3)} digits{note}")

    def _beyond(self, tally: _Tally) -> Equality:
        assert tally.counterexample is not None
        example = dict(tally.counterexample)
        kind = example.pop("only", "")
        if kind:
            return undecided(f"only the {kind} difference is within {self.tolerance:g}")
        return different(f"further apart than {self.tolerance:g}", example)

    # -- one point -----------------------------------------------------------------------------------------

    def _look(self, point: Point, is_complex: bool) -> None:
        for rooted, tally in self.tallies.items():
            if tally.counterexample:
                continue
            sides = self._values(point, rooted)
            if sides is None:
                continue
            a, b = sides
            self.convention = self.convention or a.negative_root or b.negative_root
            if a.nonreal and b.nonreal and self.letters and not is_complex:
                continue  # outside the real domain of both
            if self.tolerance:
                self._tolerant(tally, a.value, b.value, point)
            elif overlapping(a.value, b.value):
                tally.agreeing += 1
            else:
                tally.counterexample = {
                    "point": shown_letters(point),
                    "a": shown_ball(a.value),
                    "b": shown_ball(b.value),
                }

    def _tolerant(self, tally: _Tally, a: Any, b: Any, point: Point) -> None:
        if not isinstance(a, flint.acb) or not isinstance(b, flint.acb):
            raise NoBallError("a tolerance between matrices")
        gap, size = abs(a - b), abs(a).max(abs(b))
        allowed = flint.arb(str(self.tolerance))
        absolute = bool((gap - allowed) <= flint.arb(2) ** -60)
        relative = bool((gap - allowed * size) <= flint.arb(2) ** -60)
        if absolute and relative:
            tally.agreeing += 1
            return
        only = "absolute" if absolute else "relative" if relative else ""
        tally.counterexample = {"point": shown_letters(point), "a": shown_ball(a), "b": shown_ball(b)}
        if only:
            tally.counterexample["only"] = only

    def _values(self, point: Point, rooted: bool) -> tuple[_Side, _Side] | None:
        """Both values, to enough digits to be told apart or to agree; None where one of them has none."""
        for precision in _LADDER:
            flint.ctx.prec = precision
            a, b = (self._side(node, point, rooted) for node in (self.a, self.b))
            if a.failed or b.failed:
                if precision < _LADDER[-1] and not (a.failed and b.failed):
                    continue
                self.undefined = a.failed or b.failed
                self.only_one += bool(a.failed) != bool(b.failed)
                return None
            if not overlapping(a.value, b.value) or (_accurate(a.value) and _accurate(b.value)):
                return a, b
        self.undefined = "the values are not accurate enough"
        return None

    def _side(self, node: Expression, point: Point, rooted: bool) -> _Side:
        evaluator = Evaluator(point_values(point), rooted, self.setting.patient)
        try:
            value = evaluator(node)
        except UndefinedError as error:
            return _Side(None, False, False, str(error))
        except (ValueError, ZeroDivisionError, OverflowError) as error:
            return _Side(None, False, False, str(error) or "no value")
        nonreal = isinstance(value, flint.acb) and not value.imag.contains(0)
        return _Side(value, nonreal or evaluator.left_reals, evaluator.negative_root)

    # -- many digits -----------------------------------------------------------------------------------------

    def _bits_needed(self) -> int:
        """Digits that tell apart what differs by the smallest number that can be made of the numbers written."""
        size = max(_bits(self.a), _bits(self.b))
        return int(min(_MOST_BITS, 400 + 3 * size)) if math.isfinite(size) else _MOST_BITS + 1

    def _confirmed(self, bits: int, custom: bool) -> Equality | None:
        """None where the sides agree to many digits at a few points, else what stands in the way."""
        if bits > _MOST_BITS:
            return undecided("the numbers in it are too large to tell the sides apart")
        rooted = self.tallies[True].counterexample is None
        if any(_costly(part) for node in (self.a, self.b) for part in walk(node)):
            bits = min(bits, 400)
        seen = 0
        for point in self.setting.points((self.a, self.b), _PATIENCE, custom) if self.letters else [{}]:
            self.setting.checked()
            flint.ctx.prec = bits
            a, b = (self._side(node, point, rooted) for node in (self.a, self.b))
            if a.failed or b.failed or ((a.nonreal or b.nonreal) and not self.complex and self.letters):
                continue
            if not overlapping(a.value, b.value):
                example = {"point": shown_letters(point), "a": shown_ball(a.value), "b": shown_ball(b.value)}
                return different("the values differ, though very little", example)
            if not (_accurate(a.value, bits // 4) and _accurate(b.value, bits // 4)):
                continue
            seen += 1
            if seen >= (_CONFIRMED if self.letters else 1):
                return None
        return undecided("the values agree, but not enough digits are known")


def shown_letters(point: Point) -> dict[str, Any]:
    """A point without the units, whose letters stand for the unit itself."""
    return {name: value for name, value in shown_point(point).items() if not name.startswith(_UNIT)}


def _accurate(value: Any, bits: int = _GOOD) -> bool:
    entries = [value] if isinstance(value, flint.acb) else value.entries()
    return all(_small_radius(entry, bits) for entry in entries)


def _small_radius(entry: Any, bits: int) -> bool:
    """Whether the error is small compared with the value, or with one."""
    if entry.is_exact():
        return True
    return bool(entry.rel_accuracy_bits() >= bits or abs(entry).upper() < flint.arb(2) ** -bits)


def _costly(node: Expression) -> bool:
    from texlift.meaning.tree import Integral
    from texlift.verify.balls import SPECIAL

    return isinstance(node, Integral) or (isinstance(node, Apply) and node.head in SPECIAL)


def _bits(node: Expression) -> float:
    """Roughly how many bits the numbers in an expression have, powers and exponentials counted with their size."""
    if isinstance(node, Number):
        value = Fraction(node.value) if len(node.value) < 3000 else None
        return math.inf if value is None else value.numerator.bit_length() + value.denominator.bit_length()
    if isinstance(node, Symbol | Constant):
        return 2
    if not isinstance(node, Apply):
        from texlift.meaning.tree import children

        return 8 + sum(_bits(part) for part in children(node))
    if node.head == "power":
        base, exponent = node.arguments
        number = rational(exponent)
        if number is not None and abs(number) < 10**9:
            return max(1.0, abs(float(number))) * _bits(base)
        inner = _bits(exponent)
        return math.inf if inner > 40 else 4 * _bits(base) * 2.0 ** (inner / 2)
    if node.head in (r"\exp", r"\sinh", r"\cosh", r"\tanh", r"\coth", "factorial", r"\EulerGamma", r"\erfc", r"\erf"):
        inner = _bits(node.arguments[0])
        return math.inf if inner > 40 else 8 * 2.0 ** (inner / 2)
    return sum(_bits(part) for part in node.arguments)


def _noncommuting(node: Expression) -> bool:
    """Whether letters for matrices or operators are multiplied."""
    return any(
        isinstance(part, Apply)
        and part.head in ("times", "power", "divide", "dot", "cross")
        and any(_is_matrix(letter) for letter in walk(part))
        and sum(_is_matrix(letter) for letter in walk(part)) + (part.head == "power") > 1
        for part in walk(node)
    )


def _is_matrix(node: Expression) -> bool:
    return isinstance(node, Symbol) and (node.role in ("matrix", "operator") or _BOLD.fullmatch(node.name) is not None)


def _unknown(*nodes: Expression) -> str:
    """Why two expressions cannot be compared by their values."""
    from texlift.meaning.tree import Dots

    for node in nodes:
        for part in walk(node):
            if isinstance(part, Dots):
                return "an ellipsis, whose meaning is left to the reader"
    return ""
