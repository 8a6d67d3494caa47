"""Words for quantifiers, for families (`the union over i of A sub i`) and for concepts by their name."""

from __future__ import annotations

from texlift.meaning.concepts import meant
from texlift.meaning.tree import Apply, Expression, Relation
from texlift.targets.words.binders import Binders
from texlift.targets.words.operators import split_words
from texlift.targets.words.phrase import Level, Phrase

__all__ = ["Families"]

_QUANTIFIERS = {
    "for-all": ("for all", ", "),
    "there-exists": ("there exists", " such that "),
    "there-exists-uniquely": ("there exists exactly one", " such that "),
    "there-does-not-exist": ("there does not exist", " such that "),
}
_FAMILIES = {
    "union-over": "union", "intersection-over": "intersection", "disjoint-union-over": "disjoint union",
    "direct-sum-over": "direct sum", "tensor-product-over": "tensor product", "conjunction-over": "conjunction",
    "disjunction-over": "disjunction", "maximum-over": "maximum", "minimum-over": "minimum",
    "supremum-over": "supremum", "infimum-over": "infimum", "argument-of-the-maximum": "argument of the maximum",
    "argument-of-the-minimum": "argument of the minimum", "sum-over-primes": "sum over primes",
    "product-over-primes": "product over primes",
    "union-from-to": "union", "intersection-from-to": "intersection", "direct-sum-from-to": "direct sum",
    "tensor-product-from-to": "tensor product",
}  # fmt: skip
_LIMITS = {"limit-superior": "limit superior", "limit-inferior": "limit inferior"}
_UNSPOKEN = {"in": "in", "<": "less than", ">": "greater than", "<=": "at most", ">=": "at least"}


class Families(Binders):
    """Phrases for what ranges over letters without being a sum, and for the concepts of the vocabulary."""

    def concept(self, node: Apply) -> Phrase | None:
        """The phrase of a concept that has no words of its own elsewhere; None for other heads."""
        head, arguments = node.head, node.arguments
        if head in _QUANTIFIERS and len(arguments) == 2:
            name, joint = _QUANTIFIERS[head]
            return Phrase(f"{name} {self._range(arguments[0])}{joint}{self.phrase(arguments[1]).text}", Level.LOGIC)
        if head in _FAMILIES and len(arguments) in (2, 3):
            name = _FAMILIES[head]
            word = "" if name.endswith("primes") else " over"
            text = f"the {name}{word} {self._range(arguments[0])}"
            if len(arguments) == 3:
                text = f"the {name} from {self.phrase(arguments[0]).text} to {self.middle(arguments[1]).text}"
            return self.body(text, arguments[-1], name.split()[-1])
        if head in ("field-extension", "ring-extension"):
            named = " and ".join(self.middle(part).text for part in arguments[1:])
            return Phrase(f"the {head.split('-')[0]} {self.phrase(arguments[0]).text} adjoined with {named}")
        if head == "degree-of-extension":
            above, below = (self.middle(part).text for part in arguments)
            return Phrase(f"the degree of {above} over {below}")
        if head in _LIMITS and len(arguments) == 3:
            variable, point = self.phrase(arguments[1]).text, self.middle(arguments[2]).text
            return self.body(f"the {_LIMITS[head]} as {variable} tends to {point}", arguments[0], "limit")
        return None

    def named(self, node: Apply) -> str:
        """What an operator without words of its own is called."""
        found = meant(node)
        words = found.concept.words if found is not None and found.complete else split_words(node.head)
        return words if words in ("true", "false") else f"the {words.replace('-', ' ')}"

    def _range(self, bound: Expression) -> str:
        """The letters of a family with what is said of them: `x in the real numbers`."""
        if isinstance(bound, Relation) and len(bound.operators) == 1 and bound.operators[0] in _UNSPOKEN:
            left, right = bound.operands
            return f"{self.phrase(left).text} {_UNSPOKEN[bound.operators[0]]} {self.middle(right).text}"
        return self.phrase(bound).text
