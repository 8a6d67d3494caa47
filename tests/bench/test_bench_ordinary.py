"""`texlift bench ordinary`: outcomes, crashes, the table and the list."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from texlift.bench import ordinary
from texlift.bench.ordinary import Formula, judged, read_formulae
from texlift.cli.bench import app
from texlift.errors import TexliftError

runner = CliRunner()
LINES = [
    {"id": "a-1", "area": "a", "latex": r"\frac{x+1}{2}", "gold": ["(1 + x)/2"]},
    {"id": "a-2", "area": "a", "latex": r"\frac{x+1}{2", "gold": ["REFUSE"]},
    {"id": "b-1", "area": "b", "latex": "x^2", "gold": ["x**3"]},
    {"id": "b-2", "area": "b", "latex": "x^{", "gold": ["x"]},
]
# answers each line with a code of its own; the line that says "die" ends it
STAND_IN = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["latex"] == "die":
        sys.exit(1)
    print(json.dumps({"code": asked["latex"], "confidence": 0.5, "warnings": []}), flush=True)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "ordinary.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)) + "\n", "utf-8")
    return path


def test_outcomes(data: Path) -> None:
    result = judged(read_formulae(data))
    assert [outcome.kind for outcome in result.outcomes] == ["right", "right", "wrong without warning", "refused"]
    assert result.areas["a"] == {"right": 2}
    assert result.outcomes[2].code == "x**2"


def test_table_json_and_list(data: Path) -> None:
    shown = runner.invoke(app, ["ordinary", "--data", str(data), "--list"])
    assert shown.exit_code == 3  # one of four is wrong
    assert "b-1: wrong without warning" in shown.stdout
    assert "a-1" not in shown.stdout
    record = json.loads(runner.invoke(app, ["ordinary", "--data", str(data), "--json"]).stdout)
    assert record["right"] == 50.0
    assert record["areas"]["b"]["refused"] == 1


def test_a_formula_that_ends_the_process_is_a_crash_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordinary, "_COMMAND", [sys.executable, "-c", STAND_IN])
    texts = ["x", "y", "die", "z", "die", "x", "y"]
    result = judged([Formula(str(n), "a", text, "", (text,), False) for n, text in enumerate(texts)])
    assert [o.kind for o in result.outcomes] == ["crashed" if text == "die" else "right" for text in texts]


def test_warnings_and_internal_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        {"code": "y", "confidence": 0.99, "warnings": ["unsure"]},
        {"code": None, "error": {"code": "internal", "message": "KeyError"}},
        {"semantic": None, "error": {"code": "syntax", "message": "no"}},
    ]
    monkeypatch.setattr(ordinary, "_answers", lambda formulae: answers)
    result = judged([Formula(str(n), "a", "x", "", ("x",), False) for n in range(3)])
    assert [o.kind for o in result.outcomes] == ["wrong with warning", "crashed", "refused"]
    assert result.high == (1, 1)


def test_gold_that_is_not_read_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({**LINES[0], "gold": ["open('x')"]}) + "\n", "utf-8")
    with pytest.raises(TexliftError, match="line 1"):
        read_formulae(path)
    with pytest.raises(TexliftError):
        runner.invoke(app, ["ordinary", "--data", str(tmp_path / "none")], catch_exceptions=False)
