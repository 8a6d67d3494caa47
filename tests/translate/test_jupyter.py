"""The cell magic, in a real IPython shell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("IPython")

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


@pytest.fixture
def shell() -> Iterator[Any]:
    found = InteractiveShell()
    found.run_line_magic("load_ext", "texlift")
    yield found
    found.run_line_magic("unload_ext", "texlift")


def test_a_cell_keeps_its_answer_in_a_variable(shell: Any) -> None:
    answer = shell.run_cell_magic("texlift", "bessel --context 'Bessel functions'", "J_\\nu(z)\n")
    assert answer.semantic == r"\BesselJ{\nu}@{z}"
    assert shell.user_ns["bessel"] is answer


def test_each_line_is_a_formula_and_environments_go_on(shell: Any) -> None:
    cell = "x^2 % a comment\n\n\\begin{pmatrix}1&2\\\\\n3&4\\end{pmatrix}\na+\\\nb\n"
    answers = shell.run_cell_magic("texlift", "", cell)
    assert [answer.latex for answer in answers] == ["x^2", "\\begin{pmatrix}1&2\\\\ 3&4\\end{pmatrix}", "a+ b"]


def test_code_and_declarations(shell: Any) -> None:
    with capture_output() as shown:
        shell.run_cell_magic("texlift", "--to sympy -d 'k: function' --quiet", "k(x+1)")
    assert shown.stdout == "Function('k')(x + 1)\n"


def test_checks(shell: Any) -> None:
    pytest.importorskip("mpmath")
    with capture_output() as shown:
        shell.run_cell_magic("texlift", "-q --check -d 'x: positive'", r"\sqrt{x^2}=x")
    assert shown.stdout.startswith("proved")


@pytest.mark.parametrize(
    ("line", "cell"),
    [("--wrong", "x"), ("", "\n"), ("", r"\frac{1"), ("J_0(x)", "x"), ("-d x", "x"), ("'", "x"), ("--to basic", "x")],
)
def test_mistakes_are_shown_without_a_traceback(shell: Any, line: str, cell: str) -> None:
    with pytest.raises(UsageError):
        shell.run_cell_magic("texlift", line, cell)


def test_braces_of_a_line_are_not_python(shell: Any) -> None:
    shell.user_ns["x"] = 5
    assert shell.run_line_magic("texlift", r"\frac{x}{2}").semantic == r"\frac{x}{2}"
