"""Ordinary formulae as SymPy objects that are then used: `doit`, `solve`, `dsolve`, `lambdify`.

The formulae, what is done with them and what must come out are `objects.jsonl`. They were written with the program at
hand; the tests use the same file.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from texlift.bench.figure import Figure
from texlift.bench.runnable import limited
from texlift.errors import TexliftError

__all__ = ["cases", "outcome", "surviving"]

_SECONDS = 10.0
_CLOSE = 1e-9


def cases() -> list[dict[str, Any]]:
    """All formulae."""
    text = files("texlift.bench").joinpath("objects.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def surviving() -> Iterator[Figure]:
    """The share of formulae that give what they should."""
    rows = cases()
    good = sum(map(_survives, rows))
    yield Figure("objects", len(rows), "", "", "formulae with what SymPy should make of them")
    yield Figure("objects_surviving_percent", round(100 * good / max(1, len(rows)), 2), "%", ">= 97")


def _survives(case: dict[str, Any]) -> bool:
    try:
        with limited(_SECONDS):
            found = outcome(case)
    except TexliftError:
        return bool(case["do"] == "refuse")
    except Exception:  # noqa: BLE001  whatever SymPy throws, the object does not survive
        return False
    if case["do"] == "lambdify":
        return bool(abs(found - case["expect"]) < _CLOSE)
    return bool(found == case.get("expect"))


def outcome(case: dict[str, Any]) -> Any:
    """What comes of a formula: a number for `lambdify`, else text. Refused formulae raise TexliftError."""
    import sympy

    import texlift

    translation = texlift.translate(case["latex"], alternatives=0, declare=case.get("declare"))
    if case["do"] == "lambdify":
        function = translation.lambdify(arguments=list(case["at"]))
        return float(function(*case["at"].values()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", texlift.ConversionWarning)
        found = translation.sympy()
    if case["do"] == "doit":
        value = found.doit()
        if isinstance(value, sympy.MatrixBase):
            return f"Matrix({value.tolist()})"
        return str(value) if str(value) == case["expect"] else str(sympy.simplify(value))
    if case["do"] == "solve":
        letters = _letters(found)
        name = case.get("for", "")
        wanted = [letter for letter in letters if str(letter) == name] if name else letters
        return str(sympy.solve(found, wanted[0] if name else wanted))
    if case["do"] == "solveset":
        return str(sympy.solveset(found, _letters(found)[0], sympy.S.Reals))
    if case["do"] == "dsolve":
        return str(sympy.dsolve(found))
    return str(found).replace("\n", "")


def _letters(found: Any) -> list[Any]:
    parts = found if isinstance(found, list) else [found]
    return sorted(set().union(*(part.free_symbols for part in parts)), key=str)
