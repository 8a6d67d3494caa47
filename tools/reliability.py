"""Fit the weights of `texlift.meaning.reliability` on what ordinary formulae came out as when they were first seen.

    python tools/reliability.py collect FILE.jsonl >> research/ordinary/first_looks.jsonl
    python tools/reliability.py fit research/ordinary/first_looks.jsonl

`collect` writes a line for each answer with code: what is doubtful in it, and whether it is right. Do this before
anybody reads the answers: later they are better than those of fresh formulae. `fit` prints how well the probabilities
hold for sets that the weights were not fitted on, and writes src/texlift/meaning/reliability.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import texlift
from texlift.bench.ordinary import judged, read_formulae
from texlift.errors import TexliftError
from texlift.meaning.reliability import doubts

_TABLE = Path(__file__).parent.parent / "src/texlift/meaning/reliability.json"
_ERRORS_COUNT = 1.6  # a confidence too high is worse than one too low
_RIDGE = 1.5


def collect(paths: Sequence[str]) -> None:
    """Print the doubts of each answer and whether it is right."""
    translator = texlift.load()
    for path in paths:
        for outcome in judged(read_formulae(Path(path))).outcomes:
            if not outcome.code:
                continue
            answer = translator.translate(outcome.formula.latex, outcome.formula.context or None)
            try:
                conversion = answer.converted("sympy")
            except TexliftError:
                continue
            if conversion.reading is None:
                continue
            found = doubts(conversion.reading, [*answer.warnings, *conversion.warnings], answer.by_meaning())
            record = {"id": outcome.formula.id, "set": Path(path).stem, "right": outcome.kind == "right"}
            sys.stdout.write(json.dumps(record | {"doubts": {k: round(v, 4) for k, v in found.items()}}) + "\n")


def fit(path: str) -> None:
    """Fit the weights, print what they are worth on sets left out, and write them."""
    records = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    names = sorted({name for record in records for name in record["doubts"]})
    values = np.array([[record["doubts"].get(name, 0.0) for name in names] for record in records])
    right = np.array([record["right"] for record in records])
    groups = np.array([record["set"] for record in records])
    unseen = np.zeros(len(records))
    for group in sorted(set(groups)):
        weights = _fitted(values[groups != group], right[groups != group])
        unseen[groups == group] = _probabilities(values[groups == group], weights)
        high = unseen[groups == group] >= 0.95
        wrong = (~right[groups == group][high]).sum()
        sys.stdout.write(f"{group}: {high.sum()} of {high.size} at 0.95 or more, {wrong} of them wrong\n")
    for low, up in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1)):
        some = (unseen >= low) & (unseen < up)
        share = f"{right[some].mean():.3f} right" if some.any() else ""
        sys.stdout.write(f"{low:.2f} to {up:.2f}: {some.sum()} {share}\n")
    weights = _fitted(values, right)
    table = json.loads(_TABLE.read_text("utf-8"))
    found = dict(zip([*names, "always"], weights.tolist(), strict=True))
    table["weights"] = {name: round(weight, 3) for name, weight in sorted(found.items())}
    _TABLE.write_text(json.dumps(table, indent=2) + "\n", "utf-8")


def _fitted(values: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The weights of the doubts, none above 0, and the constant behind them."""
    counts = np.where(right, 1.0, _ERRORS_COUNT)
    signs = np.where(right, 1.0, -1.0)
    full = np.hstack([values, np.ones((len(values), 1))])  # (records, doubts + 1)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = signs * (full @ weights)
        slope = -signs * counts / (1.0 + np.exp(margin))
        gradient = full.T @ slope
        gradient[:-1] += 2 * _RIDGE * weights[:-1]
        return float((counts * np.logaddexp(0.0, -margin)).sum() + _RIDGE * (weights[:-1] ** 2).sum()), gradient

    bounds = [(None, 0.0)] * values.shape[1] + [(None, None)]
    return minimize(loss, np.zeros(full.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x  # type: ignore[no-any-return]


def _probabilities(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-(values @ weights[:-1] + weights[-1])))  # type: ignore[no-any-return]


if __name__ == "__main__":
    if sys.argv[1] == "collect":
        collect(sys.argv[2:])
    else:
        fit(sys.argv[2])
