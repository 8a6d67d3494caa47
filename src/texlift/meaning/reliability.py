"""How likely what was read from a formula is what its writer meant.

The translator's confidence covers the macros. Reading goes on to decide what is applied and multiplied, indexed and
named; each warning says of such a decision that it may be wrong. This joins both to one probability, calibrated on
ordinary formulae. Reading can only lower a confidence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import Apply, Indexed, Relation, Symbol, Unknown, walk

__all__ = ["doubts", "reliability"]

_ARITHMETIC = frozenset({"plus", "times", "negate", "divide", "power", "sqrt"})
_SUREST = 1e-4  # no confidence counts for more than one of 1 - this


@dataclass(frozen=True, slots=True)
class _Table:
    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    weights: Mapping[str, float]


@cache
def _table() -> _Table:
    data = json.loads(files("texlift.meaning").joinpath("reliability.json").read_text("utf-8"))
    return _Table(tuple((kind, tuple(parts)) for kind, parts in data["kinds"]), data["weights"])


def doubts(reading: Reading, warnings: Sequence[str], confidence: float) -> dict[str, float]:
    """What the probability rests on, by name: kinds of warnings, what stands in the formula, the confidence so far."""
    nodes = [node for statement in reading.statements for node in walk(statement)]
    found = dict.fromkeys((_kind(warning) for warning in warnings if not warning.startswith("unsure")), 1.0)
    heads = {node.head for node in nodes if isinstance(node, Apply)} - _ARITHMETIC
    return {
        **found,
        "nodes": math.log(max(1, len(nodes))),
        "unknown": float(any(isinstance(node, Unknown) for node in nodes)),
        "indexed": float(any(isinstance(node, Indexed) for node in nodes)),
        "words": float(any(isinstance(node, Symbol) and _is_word(node.name) for node in nodes)),
        "heads": float(len(heads)),
        "relations": float(sum(isinstance(node, Relation) for node in nodes) > 1),
        "confidence": -math.log(max(_SUREST, 1.0 - confidence)),
        "always": 1.0,
    }


def reliability(reading: Reading, warnings: Sequence[str], confidence: float) -> float:
    """The probability that the reading is what was meant: at most that of the translation and of every decision."""
    weights = _table().weights
    score = sum(value * weights.get(name, 0.0) for name, value in doubts(reading, warnings, confidence).items())
    decided = [decision.probability for decision in reading.decisions if decision.probability is not None]
    return min(confidence, 1.0 / (1.0 + math.exp(-score)), *decided)


def _kind(warning: str) -> str:
    return next((kind for kind, parts in _table().kinds if any(part in warning for part in parts)), "other")


def _is_word(name: str) -> bool:
    return len(name) > 1 and name[:2].isalpha()
