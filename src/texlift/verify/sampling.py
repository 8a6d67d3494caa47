"""Points to test a claim at: values for its variables inside their domains and constraints."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from texlift.targets.expression import Apply, Constant, Expression, Number, Symbol
from texlift.verify.conditions import INTEGERS, Conditions
from texlift.verify.statement import Claim, Comparison

__all__ = ["Domain", "Sampler", "domains_of"]

_MODULUS = ("ellintKk", "ellintEk", "ellintDk", "ellintPik", "ellintFk", "Jacobiell", "Jacobiam", "JacobiEpsilon",
            "JacobiZeta", "aJacobiell", "ellintKk", "Bulirsch")  # fmt: skip
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_COMPLEX = frozenset({"z", "w", "s", r"\zeta"})


@dataclass(frozen=True, slots=True)
class Domain:
    """`kind` is integer, prime, real, unit (between 0 and 1), large (above 1), complex or upper (half-plane).

    Integers start at `least`.
    """

    kind: str
    least: int = 0
    negative: bool = False  # whether real values below zero belong to it


def domains_of(claim: Claim, conditions: Conditions, known: Mapping[str, str]) -> dict[str, Domain]:
    """The domain of each free variable: said, constrained, or customary."""
    moduli = _moduli(claim.comparisons)
    congruence = any(comparison.modulus is not None for comparison in claim.comparisons)
    result: dict[str, Domain] = {}
    for name in claim.variables:
        kind = conditions.kinds.get(name, "")
        meaning = known.get(name, "").lower()
        least = conditions.least.get(name, 1)
        if "prime" in meaning or (congruence and name == "p" and not meaning and not kind):
            result[name] = Domain("prime")
        elif congruence or kind == "integer" or ("integer" in meaning and "half" not in meaning):
            if name not in conditions.least and meaning:
                least = 0 if "nonnegative" in meaning else 1
            result[name] = Domain("integer", least)
        elif name in moduli.get("modulus", ()) or name in moduli.get("nome", ()) or name == "q":
            result[name] = Domain("unit")
        elif name in moduli.get("half-plane", ()):
            result[name] = Domain("upper")
        elif name in moduli.get("beyond one", ()):
            result[name] = Domain("large")
        elif ("real" in meaning and "complex" not in meaning) or kind == "real":
            result[name] = Domain("real", negative=True)
        elif "complex" in meaning or kind == "complex":
            result[name] = Domain("complex")
        elif not meaning and name in INTEGERS:
            result[name] = Domain("integer", least)
        elif name in _COMPLEX:
            result[name] = Domain("complex")
        else:
            result[name] = Domain("real")
    return result


def _moduli(comparisons: tuple[Comparison, ...]) -> dict[str, set[str]]:
    """Symbols that stand where a modulus, a nome or a point of the upper half-plane is expected."""
    from texlift.targets.expression import walk

    found: dict[str, set[str]] = {"modulus": set(), "nome": set(), "half-plane": set(), "beyond one": set()}
    for comparison in comparisons:
        for side in (comparison.left, comparison.right):
            for node in walk(side):
                if not isinstance(node, Apply) or node.head[0] != "\\" or not node.arguments:
                    continue
                last = node.arguments[-1]
                if isinstance(last, Symbol):
                    if any(part in node.head for part in _MODULUS):
                        found["modulus"].add(last.name)
                    elif "assLegendre" in node.head:
                        found["beyond one"].add(last.name)
                    elif "thetaq" in node.head or node.head in (r"\qexp", r"\qGamma"):
                        found["nome"].add(last.name)
                    elif ("tau" in node.head and "theta" in node.head) or node.head in (
                        r"\Dedekindeta", r"\modularlambdatau", r"\KleincompinvarJtau"
                    ):  # fmt: skip
                        found["half-plane"].add(last.name)
                if node.head == r"\qPochhammer" and isinstance(node.arguments[1], Symbol):
                    found["nome"].add(node.arguments[1].name)
    return found


class Sampler:
    """Draws points: first small positive reals, later larger and complex ones.

    `holds` tests a point against the constraints; a definite False rejects it.
    """

    def __init__(
        self,
        domains: Mapping[str, Domain],
        conditions: Conditions,
        holds: Callable[[dict[str, complex]], bool],
        seed: int,
    ) -> None:
        self.domains = domains
        self.conditions = conditions
        self.holds = holds
        self.random = random.Random(seed)

    @property
    def whole(self) -> list[str]:
        """The variables that are integers."""
        return [name for name, domain in self.domains.items() if domain.kind == "integer"]

    def draw(self, stage: int, generic: bool = False, tries: int = 250) -> dict[str, complex] | None:
        """A point for a stage (0 gentle, 1 wider, 2 complex), or None where none was found.

        Integers that are small or equal make sums empty and functions 1; `generic` points avoid them.
        """
        for attempt in range(tries):
            # Constraints such as x > 1 or a < 0 need other ranges: widen as attempts fail.
            point = {
                n: self._value(d, n, stage, attempt, 2 if generic else 0)
                for n, d in self.domains.items()
                if n not in self.conditions.defined
            }
            if (not generic or self.is_generic(point)) and self.holds(point):
                return point
        return None

    def is_generic(self, point: Mapping[str, complex]) -> bool:
        """Whether all integers are different and at least 2."""
        values = [point[name] for name in self.whole if name in point]
        return len(set(values)) == len(values) and all(complex(value).real >= 2 for value in values)

    def _value(self, domain: Domain, name: str, stage: int, attempt: int, above: int) -> complex:
        draw = self.random
        spread = 1 + attempt / 40
        choices = self.conditions.choices.get(name)
        if choices:
            return _plain(draw.choice(choices))
        if domain.kind == "integer":
            return max(domain.least, above) + draw.randrange(0, 4 + stage + attempt // 40)
        if domain.kind == "prime":
            return draw.choice(_PRIMES[: 5 + stage + attempt // 40])
        if domain.kind == "unit":
            return round(draw.uniform(0.12, 0.62 + 0.2 * min(stage, 1)), 4)
        if domain.kind == "large":
            return round(draw.uniform(1.1, 2.4 + stage), 4)
        if domain.kind == "upper":
            return complex(round(draw.uniform(-0.4, 0.4), 4) if stage else 0.0, round(draw.uniform(0.7, 1.4), 4))
        if domain.kind == "complex" and stage == 2:
            return complex(round(draw.uniform(0.15, 1.2 * spread), 4), round(draw.uniform(-0.8, 0.8) * spread, 4))
        value = round(draw.uniform(0.11, 0.92 if not stage else 2.7) * (spread if attempt > 20 else 1), 4)
        if (attempt > 60 and draw.random() < 0.4) or (stage and domain.negative and draw.random() < 0.25):
            value = -value
        return value


def _plain(node: Expression) -> complex:
    if isinstance(node, Number):
        return float(node.value)
    if isinstance(node, Apply) and node.head == "negate":
        return -_plain(node.arguments[0])
    if isinstance(node, Apply) and node.head == "divide":
        return _plain(node.arguments[0]) / _plain(node.arguments[1])
    if isinstance(node, Constant) and node.name == "i":
        return 1j
    raise ValueError("a choice that is no number")
