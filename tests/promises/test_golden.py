"""500 answers on record: whatever changes an answer, a confidence or a warning is seen and looked at by a person."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import golden


def test_answers_are_those_on_record() -> None:
    old = golden.read()
    report: list[str] = []
    changed = 0
    for before, after in zip(old, golden.answers(old), strict=True):
        lines = golden.differences(before, after)
        changed += bool(lines)
        report += lines
    told = "\n".join(report[:120])
    assert changed == 0, f"{changed} of {len(old)} answers changed; if rightly: python tools/golden.py --update\n{told}"


def test_the_record_is_of_all_kinds() -> None:
    records = golden.read()
    assert len(records) >= 500
    assert len({(record["latex"], json.dumps(record.get("context"))) for record in records}) == len(records)
    read = [record for record in records if record["semantic"] not in (None, record["latex"])]
    assert len(read) > len(records) // 2
    assert sum(record["semantic"] == record["latex"] for record in records) > len(records) // 20
    assert sum(bool(record.get("warnings")) for record in records) > len(records) // 20
    assert len({macro for record in read for macro in record["macros"]}) > 150


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"semantic": "y"}, ["  - semantic: x", "  + semantic: y"]),
        ({"confidence": 0.9 + 2 * golden.TOLERANCE}, ["  - confidence: 0.9", "  + confidence: 0.91"]),
        ({"warnings": ["w"]}, ["  - warnings: []", '  + warnings: ["w"]']),
        ({"macros": [r"\cpi"]}, ["  - macros: []", '  + macros: ["\\\\cpi"]']),
    ],
)
def test_a_difference_is_told(change: dict[str, object], told: list[str]) -> None:
    old = {"latex": "x", "semantic": "x", "confidence": 0.9, "macros": [], "warnings": []}
    assert golden.differences(old, old | change) == ["x", *told]
    assert golden.differences(old, old | {"confidence": 0.9 + golden.TOLERANCE / 2}) == []
