"""`texlift.translate`: one call for one formula, with the translator that ships with texlift."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from texlift.context.passage import Context
from texlift.macros.concepts import Vocabulary
from texlift.meaning.concepts import load_vocabulary
from texlift.meaning.declarations import Declarations
from texlift.translate.answer import Translation
from texlift.translate.translator import load

__all__ = ["translate"]


def translate(
    latex: str,
    context: Context = None,
    alternatives: int = 3,
    *,
    declare: Mapping[str, str] | Declarations | None = None,
    vocabulary: Vocabulary | Path | str | None = None,
    constants: bool = False,
) -> Translation:
    r"""The most likely meaning of a formula. The model is loaded at the first call and kept.

        >>> translate(r"J_\nu(z)", "Bessel functions").semantic
        '\\BesselJ{\\nu}@{z}'

    `context` is whatever is known about the formula: a text, or an object of titles and the sentence around it.
    `declare` says what letters are: `{"n": "integer", "f": "function", "A": "matrix(3,3)"}`, or what a notation means:
    `{"[a,b]": "commutator"}`; `vocabulary` is a file with concepts of your own. Many formulae are faster with
    `texlift.load().translate_many`. Raises FormulaError, with the place, if the formula does not parse.
    """
    words = load_vocabulary(vocabulary) if isinstance(vocabulary, str | Path) else vocabulary
    return load().translate(latex, context, alternatives, constants, declare=Declarations.of(declare, words))
