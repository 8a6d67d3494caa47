"""The page of limits is true: what it calls refused is refused, and what it calls guessed carries a warning."""

import re
from pathlib import Path

import pytest

from texlift import FormulaError, load

TEXT = (Path(__file__).parents[2] / "docs" / "limits.md").read_text("utf-8")


def written(heading: str) -> list[str]:
    """The formulae in the first column of the table below a heading."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.+?) \|", section, re.MULTILINE)
    return [formula for cell in cells for formula in re.findall(r"`(.+?)`", cell)]


@pytest.mark.parametrize("formula", written("What is refused"))
def test_what_is_refused(formula: str) -> None:
    with pytest.raises(FormulaError):
        load().translate(formula).converted("sympy")


@pytest.mark.parametrize("formula", written("What is guessed, with a warning"))
def test_what_is_guessed(formula: str) -> None:
    answer = load().translate(formula)
    assert answer.warnings or answer.converted("sympy").warnings


def test_the_tables_are_found() -> None:
    assert len(written("What is refused")) > 10
    assert len(written("What is guessed, with a warning")) > 8
