"""Points to test a claim at: values for its letters inside their domains and constraints."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import count, product

from texlift.meaning.tree import Apply, Constant, Expression, Number, walk
from texlift.verify.conditions import Conditions
from texlift.verify.domains import Domain
from texlift.verify.statement import Claim
from texlift.verify.strata import COMPLEX, INTEGER, REAL, complex_value, integer_value, prime_value, real_value
from texlift.verify.values import Point, Value, value_of

__all__ = ["Sampler", "critical_numbers"]

_TOGETHER = 4  # first steps at which all letters are of one stratum
_RELATED = 6  # every so many steps, letters are related to each other
_TRIES = 30
_HOPELESS = 60  # steps without a point that satisfies the constraints
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_MOST_CRITICAL = 24


class Sampler:
    """Draws points; `holds` tests a point against the constraints.

    `sweep` covers the domains stratum by stratum. `gentle` draws small positive numbers first, larger and complex
    ones later.
    """

    def __init__(
        self,
        domains: Mapping[str, Domain],
        conditions: Conditions,
        holds: Callable[[Point], bool],
        seed: int,
        critical: tuple[Fraction, ...] = (),
    ) -> None:
        self.domains = domains
        self.conditions = conditions
        self.holds = holds
        self.random = random.Random(seed)
        ends = {end for domain in domains.values() for end in (domain.low, domain.high) if end is not None}
        self.critical = tuple(sorted({*critical, *ends}))
        self.counters: dict[str, int] = {}  # where the enumeration of integers is
        self.free = [name for name in domains if name not in conditions.defined]

    @property
    def whole(self) -> list[str]:
        """The variables that are integers."""
        return [name for name, domain in self.domains.items() if domain.kind == "integer"]

    def is_generic(self, point: Point) -> bool:
        """Whether all integers are different and at least 2."""
        values = [point[name].real for name in self.whole if name in point]
        return len(set(values)) == len(values) and all(value >= 2 for value in values)

    def beyond_custom(self, point: Point) -> str:
        """An integer that is not positive at this point although nothing says that it may be."""
        for name in self.whole:
            if name in point and not self.domains[name].said and point[name].real < 1:
                return f"{name} = {point[name].real} is no positive integer"
        return ""

    # -- the whole domain ------------------------------------------------------------------------------

    def sweep(self) -> Iterator[Point | None]:
        """Points of all strata, without end; None where no point of a stratum satisfies the constraints."""
        cycles = {name: self._cycle(name) for name in self.free}
        integers = [name for name in self.free if self.domains[name].kind in ("integer", "prime")]
        boxes = _boxes(len(integers))
        seen: set[tuple[tuple[str, Value], ...]] = set()
        for step in count():
            if step > _HOPELESS and not seen:
                return
            if step < _TOGETHER and len(self.free) > 1:
                strata = {name: _strata(self.domains[name])[step] for name in self.free}
            else:
                strata = {name: next(cycles[name]) for name in self.free}
            if any(strata[name] == "next" for name in integers):
                self.counters = dict(zip(integers, next(boxes), strict=True))
            point = self._point(strata, related=step >= _TOGETHER and step % _RELATED == 0)
            if point is not None and tuple(point.items()) in seen:
                point = None
            if point is not None:
                seen.add(tuple(point.items()))
            yield point

    def simple(self) -> Iterator[Point | None]:
        """Points of small integers and simple fractions, at which powers and roots are often real."""
        strata = {name: "special" if _strata(self.domains[name]) is not INTEGER else "few" for name in self.free}
        while True:
            yield self._point(strata, related=self.random.random() < 0.3)

    def _cycle(self, name: str) -> Iterator[str]:
        strata = list(_strata(self.domains[name]))
        while True:
            yield from strata
            if len(self.free) > 1:
                self.random.shuffle(strata)

    def _point(self, strata: Mapping[str, str], related: bool) -> Point | None:
        for attempt in range(_TRIES):
            if attempt > _TRIES // 3:
                strata = {name: self.random.choice(_strata(self.domains[name])) for name in strata}
            point = {name: self._value(name, stratum) for name, stratum in strata.items()}
            if related and attempt <= _TRIES // 2:
                self._relate(point)
            if self.holds(point):
                return point
        return None

    def _value(self, name: str, stratum: str) -> Value:
        domain, draw = self.domains[name], self.random
        choices = self.conditions.choices.get(name)
        if choices:
            return _plain(draw.choice(choices))
        if domain.kind == "integer":
            return self._integer(name, domain, stratum)
        if domain.kind == "prime":
            return Value(Fraction(prime_value(stratum, draw, self.counters.get(name, 0))))
        if domain.kind == "complex":
            return complex_value(stratum, draw, self.critical)
        if domain.kind == "upper":
            return Value(_uniform(draw, -0.6, 0.6), _uniform(draw, 0.6, 2))
        value = real_value(stratum, draw, self.critical, domain.exponent)
        if domain.kind == "unit":
            return value if 0 < value.real < 1 and not value.of_pi else Value(_uniform(draw, 0.05, 0.95))
        if domain.kind == "large":
            return value if value.real > 1 and not value.of_pi else Value(1 + abs(_uniform(draw, 0.05, 3)))
        return self._bounded(value, domain, stratum)

    def _integer(self, name: str, domain: Domain, stratum: str) -> Value:
        least = domain.least
        if domain.low is not None and (least is None or domain.low > least):
            least = -int(-domain.low // 1)  # the ceiling
        if domain.high is not None and least is not None and domain.high - least < 2000:
            return Value(Fraction(least + self.random.randrange(0, int(domain.high - least) + 1)))
        number = integer_value(stratum, self.random, self.counters.get(name, 0), least)
        if least is None and domain.said and stratum == "next":
            number = number // 2 if number % 2 == 0 else -(number // 2) - 1  # 0, -1, 1, -2, 2, ...
        return Value(Fraction(number))

    def _bounded(self, value: Value, domain: Domain, stratum: str) -> Value:
        """A value moved between the bounds that constraints set."""
        low, high = domain.low, domain.high
        if not domain.negative and value.real < 0 and low is None:
            value = Value(-value.real, of_pi=value.of_pi)
        number = complex(value).real
        if (low is None or number >= low) and (high is None or number <= high):
            return value
        if low is not None and high is not None:
            share = _uniform(self.random, 0, 1)
            if stratum.lstrip("-") in ("small", "near", "huge"):
                share = Fraction(1, 10 ** self.random.randrange(2, 7))
                share = 1 - share if stratum.startswith("-") else share
            return Value(low + (high - low) * share)
        size = abs(value.real) if not value.of_pi else Fraction(str(round(abs(number), 6)))
        return Value(low + size if low is not None else (high or 0) - size)

    def _relate(self, point: Point) -> None:
        """Make one letter equal to another, its opposite, its inverse, or what is missing to one."""
        free = [name for name in point if name not in self.conditions.choices]
        names = [name for name in free if self.domains[name].kind in ("real", "complex")]
        if len(names) < 2 or any(point[name].of_pi for name in names):
            names = [name for name in free if self.domains[name].kind == "integer"]
            if len(names) < 2:
                return
            one, other = self.random.sample(names, 2)
            point[one] = point[other]
            return
        one, other = self.random.sample(names, 2)
        if self.domains[one].kind != self.domains[other].kind:
            return
        value = point[other]
        way = self.random.randrange(6)
        if way < 2:
            for name in names if way else (one,):
                point[name] = value
        elif way == 2:
            point[one] = Value(-value.real, -value.imag)
        elif way == 3 and value.is_real and value.real:
            point[one] = Value(1 / value.real)
        elif way == 4:
            point[one] = Value(1 - value.real, -value.imag)
        else:
            point[one] = Value(2 * value.real, 2 * value.imag)

    # -- gentle points ---------------------------------------------------------------------------------

    def gentle(self, stage: int, generic: bool = False, tries: int = 250) -> Point | None:
        """A point for a stage (0 small positive numbers, 1 wider, 2 complex), or None where none was found.

        Integers that are small or equal make sums empty and functions 1; `generic` points avoid them.
        """
        for attempt in range(tries):
            # Constraints such as x > 1 or a < 0 need other ranges: widen as attempts fail.
            point = {n: self._gentle_value(self.domains[n], n, stage, attempt, 2 if generic else 0) for n in self.free}
            if (not generic or self.is_generic(point)) and self.holds(point):
                return point
        return None

    def _gentle_value(self, domain: Domain, name: str, stage: int, attempt: int, above: int) -> Value:
        draw = self.random
        spread = 1 + attempt / 40
        choices = self.conditions.choices.get(name)
        if choices:
            return _plain(draw.choice(choices))
        if domain.kind == "integer":
            least = 1 if domain.least is None else domain.least
            return Value(Fraction(max(least, above) + draw.randrange(0, 4 + stage + attempt // 40)))
        if domain.kind == "prime":
            return Value(Fraction(draw.choice(_PRIMES[: 5 + stage + attempt // 40])))
        if domain.kind == "unit":
            return Value(_uniform(draw, 0.12, 0.62 + 0.2 * min(stage, 1)))
        if domain.kind == "large":
            return Value(_uniform(draw, 1.1, 2.4 + stage))
        if domain.kind == "upper":
            return Value(_uniform(draw, -0.4, 0.4) if stage else Fraction(0), _uniform(draw, 0.7, 1.4))
        if domain.kind == "complex" and stage == 2:
            return Value(_uniform(draw, 0.15, 1.2 * spread), _uniform(draw, -0.8 * spread, 0.8 * spread))
        value = _uniform(draw, 0.11, (0.92 if not stage else 2.7) * (spread if attempt > 20 else 1))
        negative = domain.negative and domain.said and domain.kind == "real"
        if (attempt > 60 and draw.random() < 0.4) or (stage and negative and draw.random() < 0.25):
            value = -value
        return Value(value)


def critical_numbers(claim: Claim) -> tuple[Fraction, ...]:
    """The numbers that a formula mentions, with both signs, and quotients of two."""
    found: dict[Fraction, None] = {}
    for comparison in claim.comparisons:
        for side in (comparison.left, comparison.right):
            for node in walk(side):
                number = _number(node)
                if number is not None and abs(number) <= 10**6:
                    found.update(dict.fromkeys((number, -number)))
    return tuple(sorted(list(found)[:_MOST_CRITICAL]))


def _number(node: Expression) -> Fraction | None:
    if isinstance(node, Number):
        return Fraction(node.value)
    if isinstance(node, Apply) and node.head == "divide":
        above, below = (_number(part) for part in node.arguments)
        return above / below if above is not None and below else None
    return None


def _strata(domain: Domain) -> tuple[str, ...]:
    if domain.kind in ("integer", "prime"):
        return INTEGER
    return COMPLEX if domain.kind == "complex" else REAL


def _boxes(letters: int) -> Iterator[tuple[int, ...]]:
    """All tuples of natural numbers, those with small numbers first."""
    if not letters:
        yield from (() for _ in count())
    for most in count():
        for numbers in product(range(most + 1), repeat=letters):
            if max(numbers) == most:
                yield numbers


def _uniform(draw: random.Random, low: float, high: float) -> Fraction:
    return Fraction(str(round(draw.uniform(low, high), 4)))


def _plain(node: Expression) -> Value:
    if isinstance(node, Number):
        return Value(Fraction(node.value))
    if isinstance(node, Apply) and node.head == "negate":
        inner = _plain(node.arguments[0])
        return Value(-inner.real, -inner.imag)
    if isinstance(node, Apply) and node.head == "divide":
        above, below = (_plain(part) for part in node.arguments)
        return Value(above.real / below.real, above.imag / below.real)
    if isinstance(node, Constant) and node.name == "i":
        return value_of(1j)
    raise ValueError("a choice that is no number")
