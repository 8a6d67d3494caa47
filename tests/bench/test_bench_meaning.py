"""`texlift bench meaning` measures what it says, on a folder with a handful of formulae."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("sklearn")
pytest.importorskip("mpmath")

from texlift.bench.meaning import measure
from texlift.cli.bench import app
from texlift.errors import TexliftError

APPLIED, MULTIPLIED = "\u2061", "\u2062"


def write_data(folder: Path) -> None:
    rows = []
    for number in range(40):
        f, n = "fghF"[number % 4], "nkma"[number % 4]
        applied = ["row", [f, 0], APPLIED, ["row", "(", ["x", 1], ")"]]
        product = ["row", [n, 2], MULTIPLIED, ["row", "(", ["row", [n, 2], "+", "1"], ")"]]
        for generic, tree in ((f"{f}(x)", applied), (f"{n}({n}+1)", product)):
            rows.append({
                "section": f"{number % 10}.1", "title": "Functions", "generic": generic, "tree": tree,
                "meanings": ["function", "real variable", "integer"], "section_fold": number % 10,
            })  # fmt: skip
    (folder / "dlmf_structure.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    row = {"id": "a", "latex": "2 + 2 = 4", "expr": "Equal(Add(2, 2), 4)", "variables": [], "assumptions": None}
    (folder / "fungrim_dev.jsonl").write_text(json.dumps(row), "utf-8")


def test_figures_of_a_handful_of_formulae(tmp_path: Path) -> None:
    write_data(tmp_path)
    figures = {figure.name: figure for figure in measure(tmp_path)}
    assert figures["structure_letters_raw"].value == 100.0
    assert figures["structure_letters_majority"].value == 50.0
    assert figures["kinds"].value == 100.0
    assert figures["kinds_majority"].value < 50.0
    assert figures["fungrim_right"].value == 100.0
    assert figures["structure_letters_raw"].reached


def test_json_on_the_command_line_and_a_missing_file(tmp_path: Path) -> None:
    write_data(tmp_path)
    result = CliRunner().invoke(app, ["meaning", "--data", str(tmp_path), "--json"])
    assert json.loads(result.stdout)["fungrim_wrong_without_warning"] == 0.0
    (tmp_path / "fungrim_dev.jsonl").unlink()
    with pytest.raises(TexliftError, match=r"fungrim_dev\.jsonl does not exist"):
        measure(tmp_path)
