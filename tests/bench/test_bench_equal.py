"""`texlift bench equal` counts false verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("flint")

from texlift.bench.equal import measure
from texlift.errors import TexliftError


def test_false_verdicts_are_counted_by_kind(tmp_path: Path) -> None:
    rows = [
        {"id": "right", "area": "numbers", "a": "0.5", "b": "1/2", "gold": "equal"},
        {"id": "wrong", "area": "numbers", "a": "0.5", "b": "1/2", "gold": "different"},
        {"id": "open", "area": "units", "a": "5 cm", "b": "5", "gold": "different"},
    ]
    data = tmp_path / "pairs.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    figures = {figure.name: figure for figure in measure(data)}
    assert figures["false_equal"].value == 1
    assert figures["false_equal"].note == "wrong"
    assert figures["false_different"].value == 0
    assert round(figures["decided"].value) == 67
    assert figures["undecided_units"].value == 1


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TexliftError):
        measure(tmp_path / "none.jsonl")
