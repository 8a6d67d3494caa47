"""Words for operators, relations, constants and simple fractions."""

from __future__ import annotations

import re

from texlift.meaning.tree import Apply, Expression, Number, Relation
from texlift.targets.words.phrase import Level
from texlift.targets.words.spelling import Speller

__all__ = [
    "AFFIXES",
    "BETWEEN",
    "CONSTANTS",
    "LOGIC",
    "PREFIXES",
    "fraction_words",
    "ordinal",
    "relation_words",
    "split_words",
]

CONSTANTS = {
    "pi": "pi", "e": "e", "i": "i", "gamma": "Euler's constant", "infinity": "infinity", "reals": "the real numbers",
    "integers": "the integers", "complexes": "the complex numbers", "rationals": "the rational numbers",
    "naturals": "the natural numbers", "nonnegative": "the non-negative integers", "emptyset": "the empty set",
}  # fmt: skip
AFFIXES = {
    "factorial": "factorial", "factorial2": "double factorial", "transpose": "transpose",
    "adjoint": "conjugate transpose", "prime": "prime", "even": "is even", "odd": "is odd", "above": "from above",
    "below": "from below", "degrees": "degrees", "complement": "complement", "percent": "percent",
}  # fmt: skip
"""Operators whose word stands behind what they are applied to."""

PREFIXES = {
    "abs": "the absolute value", "norm": "the norm", "floor": "the floor", "ceiling": "the ceiling",
    "det": "the determinant", "trace": "the trace", "rank": "the rank", "min": "the minimum", "max": "the maximum",
    "sup": "the supremum", "inf": "the infimum", "lcm": "the least common multiple", "gradient": "the gradient",
    "divergence": "the divergence", "curl": "the curl", "laplacian": "the Laplacian",
    "expectation": "the expected value", "variance": "the variance", "covariance": "the covariance",
    "commutator": "the commutator", "innerproduct": "the inner product", "braket": "the inner product",
    "cardinality": "the cardinality", "conjugate": "the complex conjugate", "mean": "the mean",
    "sinc": "the sinc function",
    "legendre": "the Legendre symbol", "inverse": "the inverse", "residue": "the residue", "not": "the negation",
    "inverselaplace": "the inverse Laplace transform", "ket": "ket", "bra": "bra", "log": "the logarithm",
}  # fmt: skip
"""Operators whose words stand before `of` and what they are applied to."""

BETWEEN = {
    "dot": ("dot", Level.PRODUCT), "cross": ("cross", Level.PRODUCT), "cartesian": ("cross", Level.SET),
    "compose": ("composed with", Level.PRODUCT), "convolution": ("convolved with", Level.PRODUCT),
    "tensorproduct": ("tensor", Level.PRODUCT), "directsum": ("direct sum", Level.SET), "union": ("union", Level.SET),
    "intersect": ("intersection", Level.SET), "setminus": ("without", Level.SET), "setmod": ("modulo", Level.SET),
    "symmetricdifference": ("symmetric difference", Level.SET), "star": ("star", Level.PRODUCT),
}  # fmt: skip
LOGIC = {"and": "and", "or": "or", "implies": "implies", "iff": "if and only if", "xor": "exclusive or"}
_RELATIONS = {
    "=": "equals", "!=": "is not equal to", "<": "is less than", ">": "is greater than",
    "<=": "is less than or equal to", ">=": "is greater than or equal to", "in": "is in", "notin": "is not in",
    "contains": "contains", "approx": "is approximately", "divides": "divides", "notdivides": "does not divide",
    "mod": "is congruent to", "notmod": "is not congruent to", "subset": "is a subset of",
    "subseteq": "is a subset of or equal to", "superset": "is a superset of",
    "superseteq": "is a superset of or equal to", "propersubset": "is a proper subset of",
    "propersuperset": "is a proper superset of", "<<": "is much less than", ">>": "is much greater than",
    "mapsto": "maps to", "propto": "is proportional to", "colon": "colon", "->": "tends to",
    "~~": "has the asymptotic expansion", "!==": "is not equivalent to",
}  # fmt: skip
_DENOMINATORS = {"2": "half", "3": "third", "4": "quarter", "5": "fifth", "6": "sixth", "7": "seventh", "8": "eighth",
                 "9": "ninth", "10": "tenth"}  # fmt: skip
_NUMERATORS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
               "9": "nine"}  # fmt: skip
_ORDINALS = {"1": "first", "2": "second", "3": "third"}


def relation_words(node: Relation, source: str) -> list[str]:
    """The words of the signs of a chain; a sign that has several meanings is named, not interpreted."""
    found = []
    for operator, left, right in node.links:
        between = source[left.span[1] : right.span[0]] if left.span[1] <= right.span[0] else ""
        if operator == "~" and isinstance(right, Apply) and right.head.endswith("-distribution"):
            found.append("is distributed as")
        elif operator == "~":
            found.append("is asymptotically equal to" if r"\asympeq" in between else "tilde")
        elif operator == "===":
            found.append("is equivalent to")
        elif operator == "->" and "colon" in node.operators:
            found.append("to")
        elif operator == "colon" and "->" in node.operators:
            found.append("maps")
        else:
            found.append(_RELATIONS.get(operator) or Speller("").leaf(operator))
    return found


def fraction_words(above: Expression, below: Expression) -> str:
    """`one half`, `three quarters`; empty for what is no simple fraction of numbers."""
    if not isinstance(above, Number) or not isinstance(below, Number):
        return ""
    part, whole = _NUMERATORS.get(above.value), _DENOMINATORS.get(below.value)
    if part is None or whole is None:
        return ""
    if part == "one":
        return f"one {whole}"
    return f"{part} {'halves' if whole == 'half' else whole + 's'}"


def ordinal(text: str, third: str = "third") -> str:
    """`2` is `second`, `11` is `11th`, `n` is `n-th`."""
    if text in _ORDINALS:
        return third if text == "3" else _ORDINALS[text]
    if not text.isdigit():
        return f"{text}-th"
    tens = text[-2:] in ("11", "12", "13")
    return text + ("th" if tens else {"1": "st", "2": "nd", "3": "rd"}.get(text[-1], "th"))


def split_words(head: str) -> str:
    """The name of an operator without words of its own: `qdiff` stays, `someName` is `some name`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", head).lower().replace("_", " ")
