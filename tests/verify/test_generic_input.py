"""`texlift check` and `texlift convert --latex` on LaTeX as people write it: translated first."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from texlift.cli.check import app as check_app
from texlift.cli.convert import app as convert_app
from texlift.verify import TRUE

runner = CliRunner()


@pytest.mark.parametrize(
    ("latex", "verdict"),
    [
        (r"\Gamma(z)\Gamma(1-z)=\frac{\pi}{\sin(\pi z)}", "proved"),
        (r"J_{-n}(x)=(-1)^n J_n(x)", "verified"),
        (r"\Gamma(z)\Gamma(1-z)=\frac{2\pi}{\sin(\pi z)}", "refuted"),
        (r"x^2+1", "undecided"),
    ],
)
def test_formulae_are_translated_first(latex: str, verdict: str) -> None:
    result = runner.invoke(check_app, [latex, "--seconds", "10"])
    assert "read as" in result.output and verdict in result.output
    assert result.exit_code == (0 if verdict in TRUE else 1)


def test_json_lines_take_generic_latex() -> None:
    lines = [{"latex": r"\Gamma(z+1)=z\Gamma(z)", "constraints": ["z>0"]}, {"latex": "x", "context": 3}]
    text = "\n".join(json.dumps(line) for line in lines)
    result = runner.invoke(check_app, ["--jsonl"], input=text)
    first, second = (json.loads(line) for line in result.output.splitlines())
    assert first["verdict"] == "proved"
    assert second["verdict"] == "undecided" and "context" in second["reason"]


def test_convert_translates_when_told_to() -> None:
    result = runner.invoke(convert_app, [r"J_\nu(z)", "--to", "sympy", "--latex"])
    assert "besselj(nu, z)" in result.output
    plain = runner.invoke(convert_app, [r"J_\nu(z)", "--to", "sympy"])
    assert "--latex" in plain.output
