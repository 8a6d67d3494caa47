"""A linear model over named features: weights in a JSON file, probabilities by softmax, nothing to install."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["SCALE", "Linear", "packaged"]

SCALE = 100.0
"""Weights are stored as whole numbers: so many to one unit of log-odds."""


@dataclass(frozen=True, slots=True)
class Linear:
    """Classes, and for each feature the weights of the classes that have one."""

    classes: tuple[str, ...]
    weights: Mapping[str, Mapping[int, int]]

    def scores(self, features: Iterable[str]) -> list[float]:
        """The log-odds of the classes, up to a constant."""
        found = [0.0] * len(self.classes)
        for feature in features:
            for index, weight in self.weights.get(feature, {}).items():
                found[index] += weight / SCALE
        return found

    def probabilities(self, features: Iterable[str]) -> dict[str, float]:
        """The probability of each class."""
        scores = self.scores(features)
        highest = max(scores)
        shares = [math.exp(score - highest) for score in scores]
        total = sum(shares)
        return {name: share / total for name, share in zip(self.classes, shares, strict=True)}

    def reasons(self, features: Iterable[str], chosen: str, most: int = 3) -> list[str]:
        """The features that speak most for a class."""
        index = self.classes.index(chosen)
        two = len(self.classes) == 2
        found = []
        for feature in dict.fromkeys(features):
            weights = self.weights.get(feature, {})
            weight = weights.get(index, 0) - (weights.get(1 - index, 0) if two else 0)
            if weight > 0 and feature != "always":
                found.append((weight, feature))
        return [feature for _, feature in sorted(found, key=lambda pair: -pair[0])[:most]]

    def as_json(self) -> str:
        """The text of the file, one line for each feature."""
        lines = [
            f"{json.dumps(name, ensure_ascii=False)}:{_compact(self.weights[name])}" for name in sorted(self.weights)
        ]
        return f'{{"classes":{json.dumps(self.classes)},\n"weights":{{\n' + ",\n".join(lines) + "\n}}\n"

    @classmethod
    def from_json(cls, text: str) -> Linear:
        data = json.loads(text)
        weights = {name: dict(zip(row[::2], row[1::2], strict=True)) for name, row in data["weights"].items()}
        return cls(tuple(data["classes"]), weights)


def _compact(row: Mapping[int, int]) -> str:
    return "[" + ",".join(f"{index},{weight}" for index, weight in sorted(row.items())) + "]"


@cache
def packaged(name: str) -> Linear:
    """The model `name` that ships with texlift."""
    return Linear.from_json(files("texlift.meaning.structure").joinpath(f"{name}.json").read_text("utf-8"))
