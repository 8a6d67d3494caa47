"""A decision about an ambiguous place: what it may mean, how likely each is, what was chosen, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texlift.errors import Span, TexliftError

__all__ = ["KINDS", "NO_CHOICES", "Choices", "Decision", "Option", "parse_choices"]

KINDS: Mapping[str, tuple[str, ...]] = {
    "application": ("application", "product"),
    "constant": ("constant", "variable"),
    "prime": ("derivative", "name"),
    "bars": ("absolute value", "norm", "determinant"),
    "brackets": ("grouping", "interval", "pair", "commutator"),
    "superscript": ("power", "index", "transpose", "adjoint", "name"),
    "subscript": ("index", "label"),
}
"""Kinds of ambiguous places, and what each may mean."""

Choices = Mapping[int, str]
"""What a caller chose, by the place where the decision starts in the source of the tree."""

NO_CHOICES: Choices = MappingProxyType({})
MAX_CHOICES = 1000


@dataclass(frozen=True, slots=True)
class Option:
    """One meaning of a place; the probability is None where a rule decides and nothing is learnt."""

    meaning: str
    probability: float | None = None

    def as_dict(self) -> dict[str, object]:
        return {"meaning": self.meaning, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided at one place of a formula.

    `because` names the evidence: `declared`, `chosen`, the rule, or the features that speak most for it.
    """

    kind: str
    span: Span
    source: str
    chosen: str
    options: tuple[Option, ...]
    because: str

    @property
    def probability(self) -> float | None:
        """The probability of what was chosen, where one is known."""
        return next((option.probability for option in self.options if option.meaning == self.chosen), None)

    @property
    def alternatives(self) -> tuple[Option, ...]:
        """What the place may mean besides."""
        return tuple(option for option in self.options if option.meaning != self.chosen)

    def __str__(self) -> str:
        share = "" if self.probability is None else f" {self.probability:.1%}"
        return f"{self.source}: {self.chosen}{share}, because {self.because}"

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "kind": self.kind,
            "start": self.span[0],
            "end": self.span[1],
            "source": self.source,
            "chosen": self.chosen,
            "probability": self.probability,
            "alternatives": [option.as_dict() for option in self.alternatives],
            "because": self.because,
        }


def parse_choices(texts: list[str]) -> Choices:
    """Choices from texts such as `3=product`: the place where the decision starts, and its meaning."""
    known = sorted({meaning for meanings in KINDS.values() for meaning in meanings})
    found: dict[int, str] = {}
    if len(texts) > MAX_CHOICES:
        raise TexliftError(f"more than {MAX_CHOICES:,} choices")
    for text in texts:
        place, sign, meaning = (part.strip() for part in text.partition("="))
        if not sign or not place.isdecimal() or len(place) > 9:
            raise TexliftError(f"{text!r} is no choice; write PLACE=MEANING, for example '3=product'")
        if meaning not in known:
            raise TexliftError(f"{meaning!r} is no meaning of a place; known are {', '.join(known)}")
        if found.setdefault(int(place), meaning) != meaning:
            raise TexliftError(f"place {place} is chosen twice: {found[int(place)]} and {meaning}")
    return found
