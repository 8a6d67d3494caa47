"""Both sides of an equation and their difference, drawn over one variable."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from texlift.errors import TexliftError
from texlift.extras import require
from texlift.files import write_file
from texlift.verify.curves import curves

__all__ = ["draw"]

_SECONDS = 20.0


def draw(semantic: str, constraints: list[str], path: Path) -> None:
    """Draw the first comparison of a formula; variables but one are fixed at a sampled point."""
    found = curves(semantic, constraints, _SECONDS)
    pairs = [
        (place, a, b)
        for place, a, b in zip(found.places, found.left, found.right, strict=True)
        if a is not None and b is not None
    ]
    if not pairs:
        raise TexliftError("nothing to draw: no point has values on both sides")
    fixed = ", ".join(f"${name} = {value}$" for name, value in found.fixed.items())
    places, first, second = (list(column) for column in zip(*pairs, strict=True))
    _figure(places, first, second, found.variable, fixed, path)


def _figure(
    points: list[float], first: list[complex], second: list[complex], variable: str, fixed: str, path: Path
) -> None:
    """Two panels: the sides above, the size of their difference below."""
    require("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 6), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 2))
    above.plot(points, [a.real for a in first], label="left", linewidth=3, alpha=0.5)
    above.plot(points, [b.real for b in second], "--", label="right", color="black", linewidth=1)
    if any(abs(v.imag) > 1e-12 for v in (*first, *second)):
        above.plot(points, [a.imag for a in first], label="left, imaginary part", linewidth=3, alpha=0.5)
        above.plot(points, [b.imag for b in second], ":", label="right, imaginary part", color="gray", linewidth=1)
    above.legend()
    above.set_title(fixed or "both sides", fontsize=9)
    below.semilogy(points, [max(abs(a - b), 1e-18) for a, b in zip(first, second, strict=True)], color="firebrick")
    below.set_ylabel("difference")
    below.set_xlabel(f"${variable}$" if variable else "")
    picture = BytesIO()
    try:
        figure.savefig(picture, format=path.suffix[1:] or None)
    except ValueError as error:  # a suffix that is no format, a name that it cannot typeset
        raise TexliftError(f"cannot draw {path}: {error}") from None
    write_file(path, picture.getvalue())
