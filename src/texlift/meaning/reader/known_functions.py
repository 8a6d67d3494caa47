r"""Special functions in other books' letters: `j_l(x)`, `Y_{lm}(\theta,\varphi)`, `\zeta(s,a)`, `F(\varphi,k)`.

The translator reads the DLMF's notations. What Gradshteyn and Ryzhik, Abramowitz and Stegun or physicists write is read
here, by letter, number of scripts and arguments, and by what stands beside it; each such reading is a warning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Script
from texlift.meaning.reader.census import letters_of
from texlift.meaning.tree import Apply, Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["applied", "bare"]

_ANGLES = frozenset({r"\theta", r"\vartheta", r"\phi", r"\varphi"})
_ORDERS = frozenset(["l", "n", "m", "k", r"\ell", r"\nu"])
_MODULI = frozenset({"k", r"\kappa", "k'"})
_BOLD = {r"\mathbf{K}": r"\compellintKk", r"\mathbf{E}": r"\compellintEk", r"\boldsymbol{K}": r"\compellintKk",
         r"\boldsymbol{E}": r"\compellintEk"}  # fmt: skip
_SPHERICAL = {"j": r"\sphBesselJ", "n": r"\sphBesselY", "y": r"\sphBesselY"}
_HARMONIC = (r"\digamma", r"\EulerConstant", r"\frac{1}{k}", r"\frac1k", r"\frac{1}{n}", r"\frac1n", r"\frac12")


@dataclass(frozen=True, slots=True)
class _Written:
    """A letter before arguments: its scripts as they stand, and what else is in the formula."""

    name: str
    lower: tuple[Expression, ...]
    upper: tuple[Expression, ...]
    bracketed: bool  # the superscript stands in parentheses
    arguments: tuple[Expression, ...]
    source: str


def applied(
    row: Row, name: str, scripts: list[Script], arguments: tuple[Expression, ...], span: Span
) -> Expression | None:
    """The special function that a letter with scripts is of its arguments; None where it is none."""
    if name not in _READERS or any(script.kind == "'" for script in scripts):
        return None
    lower, upper, bracketed = _scripts(row, scripts)
    found = _READERS[name](_Written(name, lower, upper, bracketed, arguments, row.scope.source))
    if found is None:
        return None
    head, parts, words = found
    row.scope.warn(f"{name} was read as {words}", span)
    return Apply(head, parts, span)


def bare(row: Row, name: str, indices: tuple[Expression, ...], label: str, span: Span) -> Expression | None:
    """`H_n` beside a digamma function or a sum of reciprocals: a harmonic number; None for other letters."""
    if name != "H" or not any(sign in row.scope.source for sign in _HARMONIC):
        return None
    if not any(sign in row.scope.source for sign in _HARMONIC[:2]) and r"\sum" not in row.scope.source:
        return None
    index = indices[0] if len(indices) == 1 else Symbol(label[2:-1], span) if label.startswith("_{") else None
    if index is None:
        return None
    row.scope.warn("H was read as a harmonic number", span)
    return Apply("harmonic-number", (index,), span)


def _scripts(row: Row, scripts: list[Script]) -> tuple[tuple[Expression, ...], tuple[Expression, ...], bool]:
    from texlift.meaning.reader import atom

    found: dict[str, tuple[Expression, ...]] = {"_": (), "^": ()}
    bracketed = False
    for script in scripts:
        if script.argument is None:
            continue
        span = (script.start, script.end)
        letters = letters_of(script.argument) or []
        if len(letters) > 1 and script.kind == "_":
            found["_"] = tuple(Symbol(letter, span) for letter in letters)
            continue
        inner = type(row)(row.scope, [script.argument], span)
        if script.kind == "^" and atom.parenthesised(script.argument):
            bracketed = True
            inner = inner.part(1, inner.count - 1) if inner.count > 2 else inner
        found[script.kind] = inner.expressions()
    return found["_"], found["^"], bracketed


_Found = tuple[str, tuple[Expression, ...], str] | None


def _is_order(node: Expression) -> bool:
    """Whether a subscript is a degree: l, n, a number, or one of these with something added."""
    if isinstance(node, Apply) and node.head == "plus":
        return _is_order(node.arguments[0])
    return isinstance(node, Number) or (isinstance(node, Symbol) and node.name in _ORDERS)


def _letter(node: Expression) -> str:
    return node.name if isinstance(node, Symbol) else ""


def _spherical_bessel(one: _Written) -> _Found:
    if len(one.lower) != 1 or len(one.arguments) != 1 or one.upper or not _is_order(one.lower[0]):
        return None
    if one.name != "j" and "j_" not in one.source:
        return None
    return _SPHERICAL[one.name], (*one.lower, *one.arguments), "a spherical Bessel function"


def _spherical_hankel(one: _Written) -> _Found:
    kinds = {"1", "2"}
    kind = one.upper[0].value if len(one.upper) == 1 and isinstance(one.upper[0], Number) else ""
    if len(one.lower) != 1 or len(one.arguments) != 1 or kind not in kinds or not one.bracketed:
        return None
    return r"\sphHankelh", (*one.upper, *one.lower, *one.arguments), "a spherical Hankel function"


def _neumann(one: _Written) -> _Found:
    if len(one.lower) != 1 or len(one.arguments) != 1 or one.upper or r"\BesselJ" not in one.source:
        return None
    return r"\BesselY", (*one.lower, *one.arguments), "the Bessel function of the second kind"


def _spherical_harmonic(one: _Written) -> _Found:
    orders = (*one.lower, *one.upper)
    if len(orders) != 2 or len(one.arguments) != 2 or one.bracketed or _letter(one.arguments[0]) not in _ANGLES:
        return None
    return r"\sphharmonicY", (*orders, *one.arguments), "a spherical harmonic"


def _hurwitz(one: _Written) -> _Found:
    if one.lower or one.upper or len(one.arguments) != 2:
        return None
    return r"\Hurwitzzeta", one.arguments, "the Hurwitz zeta function"


def _gegenbauer(one: _Written) -> _Found:
    if len(one.lower) != 1 or len(one.upper) != 1 or len(one.arguments) != 1 or not _is_order(one.lower[0]):
        return None
    return r"\ultrasphpoly", (*one.upper, *one.lower, *one.arguments), "a Gegenbauer polynomial"


def _laguerre(one: _Written) -> _Found:
    if len(one.lower) != 1 or len(one.upper) != 1 or len(one.arguments) != 1 or not _is_order(one.lower[0]):
        return None
    return r"\LaguerrepolyL[]", (*one.upper, *one.lower, *one.arguments), "a Laguerre polynomial"


def _elliptic(one: _Written) -> _Found:
    if one.lower or one.upper or len(one.arguments) != 2 or _letter(one.arguments[0]) not in _ANGLES:
        return None
    angle, other = one.arguments
    letter = "FE"[one.name == "E"]
    words = f"the elliptic integral {one.name}"
    if r"\backslash" in one.source:
        modulus = Apply(r"\sin", (other,), other.span)
        return rf"\incellint{letter}k", (angle, modulus), f"{words} of the modular angle"
    if _letter(other) in _MODULI:
        return rf"\incellint{letter}k", one.arguments, f"{words} of the modulus"
    if _letter(other) == "m":
        return rf"\incellint{letter}m", one.arguments, f"{words} of the parameter"
    return None


def _complete(one: _Written) -> _Found:
    if one.lower or one.upper or len(one.arguments) != 1 or _letter(one.arguments[0]) not in _MODULI:
        return None
    return _BOLD[one.name], one.arguments, "a complete elliptic integral of the modulus"


def _incomplete_beta(one: _Written) -> _Found:
    if len(one.lower) != 1 or one.upper or len(one.arguments) != 2 or _letter(one.lower[0]) not in ("x", "z", "p"):
        return None
    head, words = (r"\incBeta", "the") if one.name == "B" else (r"\normincBetaI", "the regularized")
    return head, (*one.lower, *one.arguments), f"{words} incomplete beta function"


_READERS = {
    "j": _spherical_bessel, "n": _spherical_bessel, "y": _spherical_bessel, "h": _spherical_hankel, "N": _neumann,
    "Y": _spherical_harmonic, r"\zeta": _hurwitz, "C": _gegenbauer, "L": _laguerre, "F": _elliptic, "E": _elliptic,
    "B": _incomplete_beta, "I": _incomplete_beta, **dict.fromkeys(_BOLD, _complete),
}  # fmt: skip
