"""Fit the weights of `texlift.meaning.reliability` on ordinary formulae with gold code.

    python tools/reliability.py research/ordinary/retired_2026_11.jsonl

Prints how well the probabilities hold in cross-validation and writes src/texlift/meaning/reliability.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

import texlift
from texlift.bench.ordinary import judged, read_formulae
from texlift.errors import TexliftError
from texlift.meaning.reader.reading import read
from texlift.meaning.reliability import doubts

_TABLE = Path(__file__).parent.parent / "src/texlift/meaning/reliability.json"


def main() -> None:
    translator = texlift.load()
    examples: list[dict[str, float]] = []
    right: list[bool] = []
    for path in sys.argv[1:]:
        for outcome in judged(read_formulae(Path(path))).outcomes:
            if not outcome.code:
                continue
            answer = translator.translate(outcome.formula.latex, outcome.formula.context or None)
            try:
                warnings = [*answer.warnings, *answer.converted("sympy").warnings]
                examples.append(doubts(read(answer.semantic), warnings, answer.confidence))
            except TexliftError:
                continue
            right.append(outcome.kind == "right")
    names = sorted({name for example in examples for name in example} - {"always"})
    values = np.array([[example.get(name, 0.0) for name in names] for example in examples])
    gold = np.array(right)
    fit = LogisticRegression(C=0.5, max_iter=1000)
    unseen = cross_val_predict(fit, values, gold, cv=10, method="predict_proba")[:, 1]
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1)):
        some = (unseen >= low) & (unseen < high)
        share = f"{gold[some].mean():.3f} right" if some.any() else ""
        sys.stdout.write(f"{low:.2f} to {high:.2f}: {some.sum()} {share}\n")
    fit.fit(values, gold)
    table = json.loads(_TABLE.read_text("utf-8"))
    fitted = dict(zip(names, fit.coef_[0], strict=True)) | {"always": fit.intercept_[0]}
    kinds = [kind for kind, _ in table["kinds"]]
    table["weights"] = {name: round(float(fitted.get(name, 0.0)), 3) for name in sorted({*fitted, *kinds, "other"})}
    _TABLE.write_text(json.dumps(table, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
