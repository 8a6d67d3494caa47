"""`texlift parse` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from texlift.cli.parse import app
from texlift.errors import FormulaError

RUNNER = CliRunner()


def test_draws_a_tree() -> None:
    result = RUNNER.invoke(app, [r"\sqrt{2}+1"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:4] == ["○", "├─ ○", "│  ├─ \\sqrt", "│  └─ 2"]


def test_binary_brackets_with_ends() -> None:
    result = RUNNER.invoke(app, [r"2a\sqrt{2}", "--binary", "--brackets", "--command-end", "--concat-end"])
    assert result.stdout.strip() == r"[2 [a [\sqrt [2 <COMMAND_END>]]]]"


def test_semantic() -> None:
    result = RUNNER.invoke(app, [r"\BesselJ{\nu}@{z}", "--semantic", "--brackets"])
    assert result.stdout.strip() == r"[\BesselJ \nu @ z]"


def test_svg(tmp_path: Path) -> None:
    assert RUNNER.invoke(app, ["a+b", "--svg", str(tmp_path / "tree.svg")]).exit_code == 0
    assert (tmp_path / "tree.svg").read_text().startswith("<svg")


def test_usage_and_formula_errors() -> None:
    assert RUNNER.invoke(app, ["a", "--prefix", "--postfix"]).exit_code == 2
    result = RUNNER.invoke(app, ["{a"])
    assert isinstance(result.exception, FormulaError)
    with pytest.raises(FormulaError, match="never closed"):
        raise result.exception


def test_meaning_as_text_and_json() -> None:
    shown = RUNNER.invoke(app, ["--meaning", "k(x+1)", "--declare", "k: function"])
    assert shown.stdout.splitlines()[0] == "k (function)"
    data = json.loads(RUNNER.invoke(app, ["--meaning", "--json", "--semantic", r"\BesselJ{\nu}@{z}"]).stdout)
    assert data["statements"][0]["head"] == r"\BesselJ"


def test_meaning_as_a_picture(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, ["--meaning", r"\sum_{k=0}^nx^k", "--svg", str(tmp_path / "tree.svg")])
    assert result.exit_code == 0
    assert "Σ sum" in (tmp_path / "tree.svg").read_text("utf-8")


def test_options_of_the_meaning_need_it() -> None:
    assert RUNNER.invoke(app, ["a", "--json"]).exit_code == 2


def test_ambiguous_places_are_listed_and_chosen() -> None:
    listed = RUNNER.invoke(app, ["--meaning", "--semantic", "--decisions", "f(x+1)"])
    assert "0: f(x+1): application" in listed.stdout
    assert "(or product)" in listed.stdout
    chosen = RUNNER.invoke(app, ["--meaning", "--semantic", "--json", "--choose", "0=product", "f(x+1)"])
    (decision,) = json.loads(chosen.stdout)["decisions"]
    assert (decision["chosen"], decision["because"]) == ("product", "chosen")
    with pytest.raises(FormulaError, match="nothing at place 4"):
        RUNNER.invoke(app, ["--meaning", "--semantic", "--choose", "4=product", "f(x+1)"], catch_exceptions=False)


def test_choices_go_with_the_meaning() -> None:
    assert RUNNER.invoke(app, ["--choose", "0=product", "f(x+1)"]).exit_code == 2
