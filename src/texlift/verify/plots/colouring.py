"""Domain colouring: the argument of a complex function as hue, its modulus as brightness."""

from __future__ import annotations

import cmath
import colorsys
import math
from fractions import Fraction
from typing import Any

from texlift.errors import TexliftError
from texlift.verify.plots.figure import STYLE, saved
from texlift.verify.plots.labels import formula_label, name_label
from texlift.verify.plots.subject import Subject
from texlift.verify.values import Value

__all__ = ["colour_of", "coloured"]

_CELLS, _COSTLY_CELLS = 128, 32
_HALF = 4
_GAP = (0.82, 0.82, 0.82)


def coloured(subject: Subject, kind: str) -> bytes:
    """Each side of a formula over a square of the complex plane, or the half-plane above."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    if subject.is_sequence:
        raise TexliftError(f"nothing to colour: {subject.variable} is an integer")
    low, high = (Fraction(0), Fraction(2)) if subject.domain.kind == "upper" else (Fraction(-_HALF), Fraction(_HALF))
    half = Fraction(1) if subject.domain.kind in ("upper", "unit") else Fraction(_HALF)
    if subject.domain.kind == "unit":
        low, high = Fraction(-1), Fraction(1)
    images = _images(subject, -half, half, low, high)
    sides = subject.sides[: 1 if len(subject.sides) == 1 else 2]
    with rc_context(STYLE):
        figure = Figure(figsize=(5.0 * len(sides) + 0.2, 5.0), layout="constrained")
        for number, side in enumerate(sides):
            axes = figure.add_subplot(1, len(sides), number + 1)
            extent = (float(-half), float(half), float(low), float(high))
            axes.imshow(images[number], origin="lower", extent=extent, interpolation="nearest", gid=f"side-{number}")
            name = name_label(subject.variable)
            axes.set_xlabel(f"Re {name}")
            axes.set_ylabel(f"Im {name}")
            axes.set_title(formula_label(side.source, ("left side", "right side")[number]), fontsize=11)
        if subject.fixed:
            shown = ", ".join(f"{name_label(name)} = {value.shown()}" for name, value in subject.fixed.items())
            figure.suptitle(f"with {shown}", fontsize=10)
        return saved(figure, kind)


def _images(subject: Subject, left: Fraction, right: Fraction, low: Fraction, high: Fraction) -> list[Any]:
    """Rows of colours from below to above, for each side; cells without a value are grey."""
    cells = _COSTLY_CELLS if subject.is_costly else _CELLS
    images: list[list[list[tuple[float, float, float]]]] = [[] for _ in subject.sides]
    found = False
    for row in range(cells):
        lines: list[list[tuple[float, float, float]]] = [[] for _ in subject.sides]
        for column in range(cells):
            place = Value(
                left + (right - left) * Fraction(2 * column + 1, 2 * cells),
                low + (high - low) * Fraction(2 * row + 1, 2 * cells),
            )
            for line, value in zip(lines, subject.values(place, True), strict=True):
                found |= value is not None
                line.append(_GAP if value is None else colour_of(value))
        for image, line in zip(images, lines, strict=True):
            image.append(line)
    if not found:
        raise TexliftError("nothing to colour: no point has a value")
    return images


def colour_of(value: complex) -> tuple[float, float, float]:
    """Positive numbers red, i yellow-green, negative ones cyan; zeros black, poles white, rings at powers of two."""
    if value == 0:
        return (0.0, 0.0, 0.0)
    hue = (cmath.phase(value) / (2 * math.pi)) % 1.0
    size = math.log2(abs(value))
    brightness = 2 / math.pi * math.atan(abs(value) ** 0.4)
    ring = 0.88 + 0.12 * (size - math.floor(size))
    return colorsys.hls_to_rgb(hue, min(0.97, brightness * ring), 0.85)
