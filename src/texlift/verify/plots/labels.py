"""Labels of plots: LaTeX as Matplotlib's mathtext can typeset it, or plain words."""

from __future__ import annotations

import re

from texlift.errors import TexliftError
from texlift.grammar.expansion import expand

__all__ = ["formula_label", "name_label"]

_LONGEST = 90
_SMALL = re.compile(r"[\^_]\{[^}]*\\frac|\\frac[^+=]*\\frac")  # fractions in fractions and exponents
_TALL = re.compile(r"\\(?:frac|sum|prod|int|binom)(?![A-Za-z])")
_REPLACED = (
    (re.compile(r"\\[td]frac\b"), r"\\frac"),
    (re.compile(r"\\(?:displaystyle|textstyle|nolimits|limits|mathstrut|mathord|mathop)\b\s*"), ""),
    (re.compile(r"\\(?:left|right|middle)\s*\."), ""),
    (re.compile(r"\\[lr]vert\b"), "|"),
    (re.compile(r"\\(?:Re|realpart)\b"), r"\\mathrm{Re}"),
    (re.compile(r"\\(?:Im|imagpart)\b"), r"\\mathrm{Im}"),
    (re.compile(r"\\(?:mathrm|operatorname)\*?\{([A-Za-z]+)\}"), r"\\operatorname{\1}"),
    (re.compile(r"\\(iint|iiint|int|sum|prod)\s*_"), r"\\\1_"),
    (re.compile(r"\\(?:mathrm\{d\}|differential|diff)"), r"\\mathrm{d}"),
    (re.compile(r"~"), " "),
)


def formula_label(semantic: str, fallback: str) -> str:
    """A part of a formula for a legend; the fallback where it is too long or cannot be typeset."""
    try:
        latex = expand(semantic) if semantic else ""
    except TexliftError:
        latex = semantic
    return _typeset(latex) or fallback


def name_label(name: str) -> str:
    """The name of a letter: in TeX where that can be typeset."""
    return _typeset(name) or name.replace("$", "")


def _typeset(latex: str) -> str:
    if not latex.strip() or len(latex) > _LONGEST or "$" in latex or "@" in latex:
        return ""
    for pattern, new in _REPLACED:
        latex = pattern.sub(new, latex)
    if not _TALL.search(latex):
        latex = re.sub(r"\\(?:left|right)\s*(?=[()\[\]|])", "", latex)
    if not _SMALL.search(latex):
        latex = latex.replace(r"\frac", r"\dfrac")
    label = f"${latex.strip()}$"
    from matplotlib.mathtext import MathTextParser

    try:
        MathTextParser("path").parse(label)
    except (ValueError, RuntimeError, RecursionError):
        return ""
    return label
