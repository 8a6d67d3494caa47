"""Functions that authors define in different ways: where the letters do not tell which is meant, a warning says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from texlift.latex.nodes import Call
from texlift.meaning.tree import Apply, Constant, Expression, Number, Symbol, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.scope import Scope

__all__ = ["doubt"]

_OF_MODULUS = frozenset({
    r"\compellintKk", r"\compellintEk", r"\compellintPik", r"\compellintDk", r"\incellintFk", r"\incellintEk",
    r"\incellintPik", r"\incellintDk",
})  # fmt: skip
_MODULI = ("k", r"\kappa", r"\ell", r"\lambda")
_BY_LATTICE, _BY_NOME = r"\unitJacobitheta", r"\Jacobithetaq"


def doubt(scope: Scope, node: Call, variables: Sequence[Expression]) -> None:
    """Warn where the arguments of a call may follow another convention than the DLMF's."""
    if not variables:
        return
    span = (node.start, node.end)
    if node.name in _OF_MODULUS and not _is_modulus(variables[-1]):
        scope.warn(f"{node.name} was read as a function of the modulus k; elsewhere it is one of m = k^2", span)
    elif node.name == _BY_LATTICE and (not _is_zero(variables[0]) or node.scripts):
        scope.warn("a theta function of z and tau was read with the period 1; elsewhere it has the period pi", span)
    elif node.name == r"\EisensteinE":
        scope.warn("E_k(tau) was read as the Eisenstein series with the constant term 1", span)
    elif node.name == _BY_NOME and any(isinstance(part, Constant) and part.name == "i" for part in walk(variables[-1])):
        scope.warn("the last argument of a theta function was read as the nome q; it may be tau", span)


def _is_modulus(node: Expression) -> bool:
    """Whether an argument is written with a letter for moduli, or as the sine of a modular angle."""
    for part in walk(node):
        if isinstance(part, Symbol) and part.name.rstrip("'").partition("_")[0] in _MODULI:
            return True
        if isinstance(part, Apply) and part.head in (r"\sin", r"\cos"):
            return True
    return False


def _is_zero(node: Expression) -> bool:
    return isinstance(node, Number) and node.value == "0"
