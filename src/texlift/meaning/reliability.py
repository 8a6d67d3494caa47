"""How likely what was read from a formula is what its writer meant.

The translator says how likely each macro is. Reading goes on to decide what is applied and multiplied, indexed and
named; each warning says of such a decision that it may be wrong. Both are joined to one probability, calibrated on what
ordinary formulae came out as when they were first seen. It is about meanings: two spellings of one meaning count as
one, so `X^T` is certain to be a transpose whatever macro the handbook writes for it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from texlift.errors import FormulaError
from texlift.macros.concepts import vocabulary
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.shape import same, shapes
from texlift.meaning.tree import Apply, Relation, walk

__all__ = ["doubts", "likely", "reliability"]

_ARITHMETIC = frozenset({"plus", "times", "negate", "divide", "power", "sqrt", "root", "factorial"})
_ELEMENTARY = frozenset({
    "abs", r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc", r"\asin", r"\acos", r"\atan", r"\sinh", r"\cosh",
    r"\tanh", r"\exp", r"\ln", r"\genlog", r"\binom",
})  # fmt: skip
_KINDS = ("Unknown", "Indexed", "Derivative", "Substitution", "Limit", "Cases", "Matrix", "Interval", "Sequence",
          "Series", "Integral")  # fmt: skip
_DRESSED = re.compile(
    r"\\(?:(?:wide)?hat|bar|(?:wide)?tilde|vec|over(?:line|rightarrow)|underline|operatorname"
    r"|math(?:bf|cal|scr|frak|rm|bb|sf)|boldsymbol)(?![A-Za-z])"
)
_CERTAIN = 0.99  # above it nobody asks whether what competes means the same
_FAINT = 0.005
_SURE = 0.999
_DOUBTFUL = 0.95
_MOST = 2.0  # no doubt counts for more than this, as a logarithm


@dataclass(frozen=True, slots=True)
class _Table:
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    weights: Mapping[str, float]


@cache
def _table() -> _Table:
    data = json.loads(files("texlift.meaning").joinpath("reliability.json").read_text("utf-8"))
    return _Table(tuple((kind, tuple(parts)) for kind, parts in data["kinds"]), data["weights"])


@cache
def _areas() -> Mapping[str, str]:
    """The area of mathematics that an operator belongs to."""
    found: dict[str, str] = {}
    for concept in vocabulary():
        for made in shapes(concept.shape):
            if made.kind == "apply":
                found.setdefault(made.name, concept.area)
    return found


def likely(call: str, probability: float, competing: Iterable[tuple[str, float]]) -> float:
    """The probability of a reading and of all that compete with it and mean the same, each with its text."""
    if probability < _CERTAIN:
        probability += sum(share for text, share in competing if share > _FAINT and _mean_the_same(call, text))
    return min(1.0, probability)


@lru_cache(maxsize=4096)
def _mean_the_same(one: str, other: str) -> bool:
    for frame in ("{}", "a{} b"):  # a sign stands between operands
        try:
            trees = [read(frame.replace("{}", text)).statements for text in (one, other)]
            break
        except FormulaError:
            continue
    else:
        return False
    return len(trees[0]) == len(trees[1]) and all(same(*pair) for pair in zip(*trees, strict=True))


def doubts(reading: Reading, warnings: Sequence[str], macros: Sequence[float]) -> dict[str, float]:
    """What the probability rests on, by name: kinds of warnings, what stands in the formula, how likely macros are."""
    nodes = [node for statement in reading.statements for node in walk(statement)]
    found = dict.fromkeys((_kind(warning) for warning in warnings if not warning.startswith("unsure")), 1.0)
    heads = {node.head for node in nodes if isinstance(node, Apply)} - _ARITHMETIC - _ELEMENTARY
    functions = "functions" if all(share > _SURE for share in macros) else "functions, not sure"
    areas = {functions if head[0] == "\\" else _areas().get(head, "elsewhere") for head in heads}
    shown = {type(node).__name__ for node in nodes} & {*_KINDS}
    found |= dict.fromkeys((f"area {area}" for area in areas), 1.0) | dict.fromkeys(shown, 1.0)
    found |= {
        "several statements": float(len(reading.statements) > 1),
        "several relations": float(sum(isinstance(node, Relation) for node in nodes) > 1),
        "dressed letters": float(_DRESSED.search(reading.source) is not None),
        "macros": min(_MOST, -sum(math.log(max(1e-6, share)) for share in macros)),
        "a doubtful macro": float(any(share < _DOUBTFUL for share in macros)),
    }
    return {name: value for name, value in found.items() if value}


def reliability(reading: Reading, warnings: Sequence[str], macros: Sequence[float] = ()) -> float:
    """The probability that the reading is what was meant: at most that of every decision.

    `macros` are the probabilities of what the translator decided, by meaning (see `likely`).
    """
    weights = _table().weights
    score = weights["always"]
    for name, value in doubts(reading, warnings, macros).items():
        score += value * weights.get(name, 0.0)
    decided = [decision.probability for decision in reading.decisions if decision.probability is not None]
    return min([1.0 / (1.0 + math.exp(-score)), *decided, *macros])


def _kind(warning: str) -> str:
    kind = next((kind for kind, parts in _table().kinds if any(part in warning for part in parts)), "other")
    return f"warning {kind}"
