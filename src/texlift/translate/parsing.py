r"""`texlift.parse_latex`: in the place of `sympy.parsing.latex.parse_latex`.

    from texlift import parse_latex
    parse_latex(r"\int_0^1 x^2\,dx")    # Integral(x**2, (x, 0, 1))

The names of symbols are SymPy's (`x_{0}`, `alpha`), symbols carry no assumptions, an equation is an `Eq`. Unlike
SymPy's parser it raises an error where it does not understand, reads `\pi`, `e^x` and `i` as the constants, and knows
the functions of the DLMF.
"""

from __future__ import annotations

import re
import warnings
from typing import Any

from texlift.errors import FormulaError, TexliftError
from texlift.extras import require
from texlift.targets.objects import build
from texlift.translate.answer import ConversionWarning
from texlift.translate.translator import load

require("sympy")

from sympy.parsing.latex.errors import LaTeXParsingError  # noqa: E402  only where SymPy is installed

__all__ = ["LatexParsingError", "parse_latex"]

_LIKELY = 0.95  # probability below which a letter is no special function
_LETTER = re.compile(r"[A-Za-z]|\\mathrm\{[A-Za-z]\}"
                     r"|\\(?:alpha|beta|gamma|delta|(?:var)?epsilon|zeta|eta|(?:var)?theta|iota|kappa|lambda|mu"
                     r"|nu|xi|(?:var)?pi|(?:var)?rho|(?:var)?sigma|tau|upsilon|(?:var)?phi|chi|psi|omega)(?![A-Za-z])"
                     r"|\\(?:Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega)(?![A-Za-z])")  # fmt: skip
_NO_FUNCTIONS = frozenset({"", r"\diff", r"\pdiff", r"\deriv", r"\pderiv", r"\ideriv", r"\ipderiv", r"\iunit", r"\expe",
                           r"\cpi", r"\EulerConstant", r"\conj", r"\transpose"})  # fmt: skip
_BACKENDS = ("texlift", "antlr", "lark")
_PLAIN = re.compile(r"\\?[A-Za-z]+'*(_\{[^{}]*\})?'*")
_LEFT, _RIGHT = re.compile(r"\\left\s*(?=[(\[])"), re.compile(r"\\right\s*(?=[)\]])")
_OPEN_END = re.compile(r"\\(?:left|right)\s*[^(\[)\]\s]|\\middle")
_BARE = re.compile(r"\\?[A-Za-z]+\s*\\left")  # a letter without scripts that became a special function
_ACCENT = re.compile(r"\\(bar|overline|hat|widehat|tilde|widetilde|vec|check|breve|acute|grave)\{(\\?[A-Za-z]+)\}")
_ACCENTS = {"overline": "bar", "widehat": "hat", "widetilde": "tilde"}
_WORD = re.compile(r"\\(?:mathrm|mathit|text|operatorname)\{([A-Za-z0-9 ]+)\}")


class LatexParsingError(FormulaError, LaTeXParsingError):  # type: ignore[misc]
    """A formula that has no SymPy object, with the place; also SymPy's own LaTeXParsingError."""


def parse_latex(s: str, strict: bool = False, backend: str = "texlift") -> Any:
    r"""The SymPy object of a formula in LaTeX; a list of objects for several statements.

    What was guessed is reported as a ConversionWarning; `strict` refuses a formula in which something was. `backend` is
    there for programs written for SymPy's function: "antlr" and "lark" are accepted and make no difference. Raises
    LatexParsingError, both a TexliftError and SymPy's LaTeXParsingError, for what is not understood.
    """
    if backend not in _BACKENDS:
        raise NotImplementedError(f"there is no backend {backend!r}; the backends are {', '.join(_BACKENDS)}")
    if not isinstance(s, str):
        raise TypeError("parse_latex takes a string of LaTeX")
    try:
        objects = build(_semantic(s), assume=False, spelling=_spelling)
    except FormulaError as error:
        raise LatexParsingError(error.message, error.source, error.span, error.hint, error.code) from None
    except TexliftError as error:
        raise LatexParsingError(str(error), s, (0, len(s))) from None
    doubts = list(objects.warnings)
    if any(tex == "I" for tex, _ in objects.letters):
        doubts.append("I was read as a variable, not as the imaginary unit")
    if strict and doubts:
        raise LatexParsingError(doubts[0], s, (0, len(s)), "strict refuses what is guessed", "guessed")
    for text in doubts:
        warnings.warn(text, ConversionWarning, stacklevel=2)
    return objects.whole


def _semantic(latex: str) -> str:
    r"""The meaning of a formula without a context: a letter that may be a special function stays one of its own.

    SymPy's users expect the unknown function theta of `\theta(x)`, and there are no words that speak of Airy functions.
    """
    translator = load()
    answer = translator.translate(latex, alternatives=0)
    if any(decision.macro not in _NO_FUNCTIONS and _BARE.match(decision.source) for decision in answer.decisions):
        latex = _unstretched(latex)
        answer = translator.translate(latex, alternatives=0)
    doubtful = {
        decision.span: ""
        for decision in answer.decisions
        if min(decision.probability, answer.confidence) < _LIKELY
        and decision.macro not in _NO_FUNCTIONS
        and _LETTER.match(decision.source)
    }
    return translator.translate(latex, alternatives=0, choices=doubtful).semantic if doubtful else answer.semantic


def _unstretched(latex: str) -> str:
    r"""The formula without `\left` and `\right` before brackets: SymPy prints them always, so they say nothing."""
    if len(_LEFT.findall(latex)) != len(_RIGHT.findall(latex)) or _OPEN_END.search(latex):
        return latex
    return _RIGHT.sub("", _LEFT.sub("", latex))


def _spelling(tex: str, label: str) -> str:
    r"""The name that SymPy's parser gives to a symbol: `x_{0}` for `x_0`, `alpha` for `\alpha`."""
    word = _WORD.fullmatch(tex)
    if word:
        return word[1]
    accent = _ACCENT.match(tex)
    if accent is not None:  # SymPy prints xbar as \bar{x}
        tex = f"{accent[2]}{_ACCENTS.get(accent[1], accent[1])}{tex[accent.end() :]}"
    plain = _WORD.sub(r"\1", tex)
    return plain.replace("\\", "") if _PLAIN.fullmatch(plain) else label
