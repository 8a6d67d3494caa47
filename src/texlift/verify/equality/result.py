"""What comes out of a comparison, and what counts in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from texlift.errors import TexliftError

__all__ = ["Equality", "Options", "different", "equal_because", "undecided"]

_TRUTHS = ("form", "order")


@dataclass(frozen=True, slots=True)
class Equality:
    """The outcome: `equal`, `different` or `undecided`, and why.

    `counterexample` holds what shows a difference: a point and both values there, or what only one side has.
    """

    verdict: str
    reason: str = ""
    counterexample: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of `texlift equal --jsonl`."""
        return asdict(self)

    @property
    def is_equal(self) -> bool:
        """Whether the verdict is `equal`; both others are not."""
        return self.verdict == "equal"


@dataclass(frozen=True, slots=True)
class Options:
    """What counts: the form of an expression, the order of a list, a tolerance between numbers."""

    form: bool = False
    order: bool = False
    tolerance: float = 0.0

    @classmethod
    def of(cls, given: Any) -> Options:
        """Options from the fields of a JSON object. Raises TexliftError for what is none."""
        if given is None:
            return cls()
        if isinstance(given, cls):
            return given
        if not isinstance(given, dict):
            raise TexliftError('"options" must be an object with "form", "order" or "tolerance"')
        unknown = set(given) - {*_TRUTHS, "tolerance"}
        if unknown:
            raise TexliftError(f'unknown option {min(map(str, unknown))!r}; there are "form", "order" and "tolerance"')
        if not all(isinstance(given.get(name, False), bool) for name in _TRUTHS):
            raise TexliftError('"form" and "order" are true or false')
        tolerance = given.get("tolerance", 0.0)
        if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < 1:
            raise TexliftError('"tolerance" is a number from 0 to 1, such as 0.01')
        return cls(bool(given.get("form", False)), bool(given.get("order", False)), float(tolerance))


def equal_because(reason: str) -> Equality:
    return Equality("equal", reason)


def different(reason: str, counterexample: dict[str, Any] | None = None) -> Equality:
    return Equality("different", reason, counterexample)


def undecided(reason: str) -> Equality:
    return Equality("undecided", reason)
