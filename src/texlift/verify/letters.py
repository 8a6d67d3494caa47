"""What letters mean where a formula does not say it: free variables, customary and standing definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.verify.statement import Claim

__all__ = ["AMBIGUOUS", "customary_definitions", "is_variable", "standing_definitions"]

AMBIGUOUS = frozenset({"e", "i", "j"})
"""Letters that as often are constants as variables."""

_ELLIPTIC = ("ellint", "Jacobi", "Weierstrass", "Carlson", "AGM")
_VARIABLE_WORDS = (
    "variable",
    "parameter",
    "integer",
    "real",
    "complex",
    "modulus",
    "base",
    "nome",
    "degree",
    "order",
    "argument",
    "constant",
    "angle",
    "positive",
    "number",
    "coordinate",
    "nonnegative",
    "non-negative",
    "prime",
)
_DEFINED_WORDS = (
    "change of",
    "coefficient",
    "function",
    "solution",
    "small",
    "expansion",
    "point",
    "null space",
    "zero",
    "root of",
    "remainder",
    "arbitrary small",
    "large",
    "local",
    "matrix",
    "lattice",
    "vector",
    "locally",
)

_GOLDEN = Apply("divide", (Apply("plus", (Number("1"), Apply("sqrt", (Number("5"),)))), Number("2")))
_CONSTANTS: dict[str, Expression] = {
    "e": Constant("e"),
    "i": Constant("i"),
    "j": Constant("i"),
    r"\gamma": Constant("gamma"),
    r"\varphi": _GOLDEN,
    r"\phi": _GOLDEN,
}
"""Constants that letters may stand for."""


def is_variable(meaning: str) -> bool:
    """Whether a described symbol is free to take values."""
    text = meaning.lower()
    if "’s constant" in text or "'s constant" in text or "catalan" in text:
        return False
    return any(word in text for word in _VARIABLE_WORDS) and not any(word in text for word in _DEFINED_WORDS)


def customary_definitions(claim: Claim, excerpt: bool = False) -> list[dict[str, Expression]]:
    """Meanings that letters often have beside each other, to be tried where the letters alone fail.

    Of an excerpt from a text, also those that only a text would give.
    """
    names = set(claim.variables)
    x, y, r, theta, k, i = Symbol("x"), Symbol("y"), Symbol("r"), Symbol(r"\theta"), Symbol("k"), Constant("i")
    constants = {name: value for name, value in _CONSTANTS.items() if name in names}
    found: list[dict[str, Expression]] = [{name: value} for name, value in constants.items()]
    if len(constants) > 1:
        found.append(dict(constants))
    if {"x", "y"} <= names:
        found.extend({z: Apply("plus", (x, Apply("times", (i, y))))} for z in ("z", "s") if z in names)
    if "z" in names and {"r", r"\theta"} <= names:
        found.append({"z": Apply("times", (r, Apply("power", (Constant("e"), Apply("times", (i, theta))))))})
    if "s" in names and {r"\sigma", "t"} <= names:
        found.append({"s": Apply("plus", (Symbol(r"\sigma"), Apply("times", (i, Symbol("t")))))})
    if "x" in names and r"\theta" in names and excerpt:
        found.append({"x": Apply(r"\cos", (theta,))})
    if "k" in names and excerpt:
        quarter = Apply(r"\compellintKk", (k,))
        other = Apply(r"\ccompellintKk", (k,))
        values: dict[str, Expression] = {"K": quarter, "K'": other, "E": Apply(r"\compellintEk", (k,)),
                                         "E'": Apply(r"\ccompellintEk", (k,))}  # fmt: skip
        nome = Apply("negate", (Apply("divide", (Apply("times", (Constant("pi"), other)), quarter)),))
        values["q"] = Apply("power", (Constant("e"), nome))
        values |= {r"\tau": Apply("divide", (Apply("times", (i, other)), quarter))}
        if names & set(values):
            found.append({name: value for name, value in values.items() if name in names})
    if "q" in names and r"\tau" in names:
        found.append({"q": Apply("power", (Constant("e"), Apply("times", (i, Constant("pi"), Symbol(r"\tau")))))})
    return found


def standing_definitions(claim: Claim) -> dict[str, Expression]:
    """What the DLMF fixes once for a chapter: k' = sqrt(1-k²) beside elliptic functions."""
    found: dict[str, Expression] = {}
    if "k'" in claim.variables and any(part in macro for macro in claim.macros for part in _ELLIPTIC):
        square = Apply("power", (Symbol("k"), Number("2")))
        found["k'"] = Apply("sqrt", (Apply("plus", (Number("1"), Apply("negate", (square,)))),))
    return found
