"""The answer: semantic LaTeX, how sure, what was decided where and why, and what else it may mean."""

from __future__ import annotations

import html
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from texlift.errors import Span

if TYPE_CHECKING:
    from texlift.targets import Conversion

__all__ = ["Alternative", "ConversionWarning", "Decision", "Reading", "Translation"]


class ConversionWarning(UserWarning):
    """Something was decided in converting a formula that its writer may have meant otherwise."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a place: a macro call, or (macro "") the symbols as they stand."""

    macro: str
    call: str
    meaning: str
    probability: float

    def as_dict(self) -> dict[str, Any]:
        return {"macro": self.macro, "call": self.call, "meaning": self.meaning, "probability": self.probability}


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided at one place of the source, and the readings that competed."""

    span: Span
    source: str
    macro: str
    call: str
    meaning: str
    url: str
    probability: float
    competing: tuple[Reading, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {
            "start": self.span[0],
            "end": self.span[1],
            "source": self.source,
            "macro": self.macro,
            "call": self.call,
            "meaning": self.meaning,
            "url": self.url,
            "probability": self.probability,
            "competing": [reading.as_dict() for reading in self.competing],
        }


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another reading of the whole formula."""

    semantic: str
    confidence: float

    def as_dict(self) -> dict[str, Any]:
        return {"semantic": self.semantic, "confidence": round(self.confidence, 6)}


@dataclass(frozen=True, slots=True)
class Translation:
    """A formula and what it means.

    `semantic` expands back to the presentation of `latex`: this was checked before it was returned.
    """

    latex: str
    semantic: str
    confidence: float
    decisions: tuple[Decision, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    signs: tuple[float, ...] = field(default=(), repr=False)  # what the confidence rests on, see `confidence.SIGNS`
    marks: tuple[str, ...] = field(default=(), repr=False)  # and `confidence.marks`

    def to(self, target: str) -> str:
        """Code for `target`: sympy, mpmath, mathematica, maple, maxima or mathml.

        What was decided on the way is told as a ConversionWarning; `converted` has it as data.
        Raises TexliftError, naming the place, where the target has no such function.
        """
        conversion = self.converted(target)
        for text in conversion.warnings:
            warnings.warn(f"{target}: {text}", ConversionWarning, stacklevel=2)
        return conversion.code

    def converted(self, target: str) -> Conversion:
        """Code for `target` with its warnings and with notes on conventions."""
        from texlift.targets import convert

        return convert(self.semantic, target)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of `texlift translate --jsonl`."""
        return {
            "semantic": self.semantic,
            "confidence": round(self.confidence, 6),
            "decisions": [decision.as_dict() for decision in self.decisions],
            "alternatives": [alternative.as_dict() for alternative in self.alternatives],
            "warnings": list(self.warnings),
        }

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{html.escape(d.source)}</code></td><td><code>{html.escape(d.call)}</code></td>"
            f"<td>{_link(d)}</td><td>{d.probability:.1%}</td></tr>"
            for d in self.decisions
            if d.macro
        )
        return (
            f"<p><code>{html.escape(self.semantic)}</code> &nbsp; {self.confidence:.1%}</p>"
            f"<table><tr><th>in the source</th><th>read as</th><th>meaning</th><th>probability</th></tr>{rows}</table>"
        )


def _link(decision: Decision) -> str:
    meaning = html.escape(decision.meaning)
    return f'<a href="{html.escape(decision.url)}">{meaning}</a>' if decision.url else meaning


def show(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that name a macro, in the order of the source."""
    return sorted((d for d in decisions if d.macro), key=lambda d: d.span)
