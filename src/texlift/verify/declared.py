r"""Declarations as the constraints of a check: `n: positive integer` is `n=1,2,\dots`.

>>> from texlift.meaning.declarations import Declarations
>>> constraints_of(Declarations.of({"n": "natural", "z": "complex"}), {"n", "z"})
['n=0,1,2,\\dots', 'z\\in\\Complexes']
"""

from __future__ import annotations

from collections.abc import Collection

from texlift.meaning.declarations import NUMBERS, Declaration, Declarations

__all__ = ["NotSampledError", "constraints_of", "words_of"]

_NOT_SAMPLED = ("rational", "irrational", "imaginary")
_AMBIGUOUS = frozenset({"i", "j", "e", r"\imath", r"\jmath", r"\pi"})  # constants where nothing is declared
_SIGNS = {"positive": ">0", "negative": "<0", "nonnegative": r"\geq 0", "nonpositive": r"\leq 0", "nonzero": r"\neq 0"}
_CONSTANTS = {"i": "imaginary unit", "e": "euler's number", "pi": "pi", "gamma": "euler's constant"}


class NotSampledError(ValueError):
    """A letter is declared to be something that has no numbers to try; `str()` says what."""


def constraints_of(declared: Declarations, names: Collection[str]) -> list[str]:
    """Constraints for the letters of a formula that something is declared of."""
    return [text for name, one in declared.items() if name in names for text in _constraints(one)]


def words_of(declared: Declarations) -> dict[str, str]:
    """The declarations as names and words, which `Declarations.of` reads again."""
    found: dict[str, str] = {}
    for name, one in declared.items():
        found[name] = _CONSTANTS[one.value] if one.value else str(one).partition(": ")[2]
    return found


def _constraints(one: Declaration) -> list[str]:
    name, traits = one.name, set(one.traits)
    if one.macro or one.value or one.role == "function":
        return []
    if one.role not in NUMBERS:
        raise NotSampledError(f"{name} is declared as a {one.role}; only numbers can be tried")
    if found := [trait for trait in _NOT_SAMPLED if trait in traits]:
        raise NotSampledError(f"{name} is declared to be {found[0]}; such numbers are not tried")
    if one.role == "index":
        traits.add("integer")
    traits.discard("finite")
    if name in _AMBIGUOUS or traits & {"prime", "even", "odd"}:
        known = [word for word in ("real", "complex", *_SIGNS, "even", "odd", "integer", "prime") if word in traits]
        return [rf"{name}\text{{ {' '.join(known)}}}"] if known else []
    signs = [trait for trait in _SIGNS if trait in traits]
    if "integer" in traits:
        if signs == ["positive"] or signs == ["nonnegative"]:
            return [rf"{name}={'1,2' if signs == ['positive'] else '0,1,2'},\dots"]
        kind = [rf"{name}\in\Integers"]
    elif "complex" in traits and set(signs) <= {"nonzero"}:
        kind = [rf"{name}\in\Complexes"]
    elif "real" in traits or set(signs) - {"nonzero"}:
        kind = [rf"{name}\in\Reals"]
    else:
        kind = []
    return kind + [name + _SIGNS[sign] for sign in signs]
