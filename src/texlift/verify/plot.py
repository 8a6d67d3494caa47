"""Plots of formulae: in files, and in notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from texlift.errors import TexliftError
from texlift.files import write_file
from texlift.meaning.declarations import Declarations
from texlift.translate.answer import Translation
from texlift.verify.declared import words_of
from texlift.verify.lifting import lifted
from texlift.verify.plots.worker import SECONDS, picture

__all__ = ["Plot", "draw", "kind_of", "plot"]

_KINDS = {".svg": "svg", ".png": "png"}


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of a formula that notebooks display."""

    semantic: str
    svg: str
    constraints: tuple[str, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()
    in_colour: bool = False

    def save(self, path: Path | str) -> None:
        """Write it to a file, as SVG or PNG by its suffix."""
        target = Path(path)
        if kind_of(target) == "svg":
            write_file(target, self.svg.encode())
            return
        draw(self.semantic, self.constraints, target, dict(self.declared), self.in_colour)

    def _repr_svg_(self) -> str:
        return self.svg


def plot(
    formula: str | Translation,
    constraints: Sequence[str] = (),
    *,
    context: str = "",
    declare: Mapping[str, str] | Declarations | None = None,
    complex: bool = False,  # as the option of the command line
    seconds: float = SECONDS,
) -> Plot:
    r"""The plot of a formula, LaTeX or an answer: both sides of a statement, or one function.

    `plot(r"\sin x<x", ["x>0"]).save("sine.svg")`; `complex` colours the complex plane instead. Raises TexliftError
    where there is nothing to draw.
    """
    declared = Declarations.of(declare)
    semantic = formula.semantic if isinstance(formula, Translation) else lifted(formula, context, declared)[0]
    said = tuple(lifted(text, context)[0] for text in constraints)
    words = words_of(declared)
    svg = picture(semantic, said, words, "svg", complex, seconds).decode()
    return Plot(semantic, svg, said, tuple(words.items()), complex)


def kind_of(path: Path) -> str:
    """`svg` or `png`, by the suffix. Raises TexliftError for others."""
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        raise TexliftError(f"cannot draw {path}: a plot is .svg or .png")
    return kind


def draw(
    semantic: str,
    constraints: Sequence[str],
    path: Path,
    declared: Mapping[str, str] | None = None,
    in_colour: bool = False,
    seconds: float = SECONDS,
) -> None:
    """Write the plot of a formula in semantic LaTeX; nothing is written unless it is whole."""
    write_file(path, picture(semantic, constraints, declared, kind_of(path), in_colour, seconds))
