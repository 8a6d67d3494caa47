"""Functions found in Fungrim's formulae: somebody else's notation, never trained on.

`fungrim.json` says which macros stand for a Fungrim symbol. Recall: of the symbols in a formula that have a macro, how
many does the translation name? Precision: of the macros a translation names that stand for some Fungrim symbol, how
many does the formula have?
"""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from pathlib import Path

from texlift.errors import FormulaError
from texlift.translate.translator import load

__all__ = ["found_functions"]


def found_functions(path: Path) -> tuple[float, float, str]:
    """Recall and precision in per cent, and the functions missed most often."""
    table = json.loads(files("texlift.bench").joinpath("fungrim.json").read_text("utf-8"))
    macros_of = {symbol: set(names.split()) for symbol, names in table.items()}
    known = set().union(*macros_of.values())
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    wanted = found = named = right = 0
    missed: Counter[str] = Counter()
    results = load().translate_many((row["latex"], None) for row in rows)
    for row, result in zip(rows, results, strict=True):
        macros = set() if isinstance(result, FormulaError) else {d.macro for d in result.decisions if d.macro}
        symbols = [symbol for symbol in row["symbols"] if symbol in macros_of]
        for symbol in symbols:
            wanted += 1
            if macros & macros_of[symbol]:
                found += 1
            else:
                missed[symbol] += 1
        meant = set().union(*(macros_of[symbol] for symbol in symbols)) if symbols else set()
        named += len(macros & known)
        right += len(macros & known & meant)
    note = "missed: " + ", ".join(f"{name} {count}" for name, count in missed.most_common(6))
    return 100.0 * found / max(wanted, 1), 100.0 * right / max(named, 1), note
