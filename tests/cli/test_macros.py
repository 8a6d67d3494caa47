"""`texlift macros`: what a person sees and what a program reads."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from texlift.cli.macros import app

runner = CliRunner()


def test_words_give_a_table_with_calls_looks_and_addresses() -> None:
    result = runner.invoke(app, ["bessel", "second", "kind"])
    assert result.exit_code == 0
    row = next(line for line in result.stdout.splitlines() if line.startswith(r"\BesselY{"))
    assert r"Y_{#1}\left(#2\right)" in row
    assert "Bessel function of the second kind" in row
    assert "https://dlmf.nist.gov/10.2#E3" in row


def test_a_name_shows_every_form() -> None:
    result = runner.invoke(app, [r"\LaguerrepolyL"])
    assert result.exit_code == 0
    assert "1 optional, 1 parameter, 1 variable" in result.stdout
    assert r"\LaguerrepolyL[#1]{#2}#'@{#3}" in result.stdout
    assert r"L_{#1}#'\left(#2\right)" in result.stdout


def test_a_macro_whose_arity_depends_on_a_parameter_says_so() -> None:
    assert "6 for 1, 7 for 2" in runner.invoke(app, ["AppellF"]).stdout


def test_a_synonym_names_the_macro_to_use() -> None:
    assert r"\JacobipolyP" in runner.invoke(app, ["JacobiP"]).stdout


def test_json_is_the_entry_with_its_address() -> None:
    result = runner.invoke(app, ["EulerGamma", "--json"])
    (entry,) = json.loads(result.stdout)
    assert entry["name"] == r"\EulerGamma"
    assert entry["url"] == "https://dlmf.nist.gov/5.2#E1"
    assert entry["templates"][r"\EulerGamma#'@{#1}"] == r"\Gamma#'\left(#1\right)"


def test_nothing_found_shows_near_misses_and_fails() -> None:
    result = runner.invoke(app, ["hurwiz"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert r"\Hurwitzzeta" in result.stderr
    assert json.loads(runner.invoke(app, ["hurwiz", "--json"]).stdout) == []


def test_long_tables_are_cut_and_say_so() -> None:
    result = runner.invoke(app, ["function", "--limit", "5"])
    assert len(result.stdout.splitlines()) == 6
    assert "more: give more words" in result.stderr
    assert len(runner.invoke(app, ["function", "--limit", "0"]).stdout.splitlines()) > 150


def test_no_words_list_everything() -> None:
    assert len(runner.invoke(app, []).stdout.splitlines()) > 650


def test_a_lexicon_of_the_users_own_is_looked_up_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    entry = {
        "name": r"\Planck",
        "meaning": "Planck constant",
        "options": 0,
        "parameters": 0,
        "variables": 0,
        "ats": [0],
        "dlmf": "",
        "templates": {r"\Planck": "h"},
    }
    path.write_text(json.dumps({"macros": [entry]}))
    assert "Planck constant" in runner.invoke(app, ["planck", "--lexicon", str(path)]).stdout


def test_definitions_for_latex_katex_and_mathjax(tmp_path: Path) -> None:
    result = runner.invoke(app, ["--sty", "-o", str(tmp_path / "texlift-macros.sty")])
    assert result.exit_code == 0
    assert "\\protected\\def\\BesselJ{" in (tmp_path / "texlift-macros.sty").read_text()
    assert "texliftMacros" in runner.invoke(app, ["--katex"]).stdout
    assert "CommandMap" in runner.invoke(app, ["--mathjax"]).stdout
    assert runner.invoke(app, ["--mathjax", "--katex"]).exit_code == 2
    assert runner.invoke(app, ["--sty", "bessel"]).exit_code == 2
