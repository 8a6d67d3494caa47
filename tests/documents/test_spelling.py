"""A lifted document keeps its author's spelling: what is written can be restored byte for byte."""

import os
from pathlib import Path

import pytest

from texlift.documents.document import Document, document_of, read_document
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.package import package_of, read_package
from texlift.documents.restored import restored_document
from texlift.documents.restoring import Restorer
from texlift.documents.spelling import Spelling, filled
from texlift.errors import TexliftError

DATA = os.environ.get("TEXLIFT_DATA", "")


def lifted(text: str, name: str = "a.tex") -> Outcome:
    return lift(document_of(text.encode(), name), Options(threshold=0.3))


def round_trip(outcome: Outcome, folder: Path) -> str:
    """The first file of a lifted document, written, read and restored with nothing but what was written."""
    (folder / "texlift-macros.sty").write_text(package_of(outcome.spellings), "utf-8")
    source = outcome.document.files[0]
    (folder / source.path.name).write_bytes(source.encoded(outcome.texts()[0]))
    read = read_document(folder / source.path.name)
    return restored_document(read, read_package(folder / "texlift-macros.sty")).texts[0]


@pytest.mark.parametrize(
    "formula",
    [
        r"\Gamma(z)",
        r"\Gamma \left( z \right)",
        r"\Gamma\bigl(z\bigr)",
        r"J_\nu(z)+J_{\nu}(z)+J_{\nu+1} (z)",
        r"J_ 0(x) J_0'(x) J_\nu^2(x)",
        r"\sin x+\sin  x+\sin{x}+\sin(x)+\sin\theta+\sin^2 x+\sin ^{2}\theta",
        r"\int_0^1 f\,dx+\int g\,d x+\int h\,\mathrm{d}x+\int k {\rm d}x",
        r"\frac{d^2y}{dx^2}+\frac{d^{2} y}{dx^{2}}+{d^2 y\over dx^2}+\frac{dy}{dx}",
        r"\frac{\partial^n u}{\partial x^n}",
        r"x^\pi+e^{i\pi}+\frac\pi2+2e",
        r"{n \choose k}+\binom{n}{k}+\binom nk",
        r"x\in\mathbb R^n, \mathbb{R}_+",
        r"\Gamma(\sin(J_0(x)))^{\cos x}",
        "\\Gamma(z % the argument\n) + \\zeta( s )",
        r"|x|+\left|x\right|+\Re z+\Im{z}",
        r"{}_2F_1(a,b;c;z)+{}_2F_1\left(a,b;c;z\right)",
    ],
)
def test_every_spelling_comes_back(tmp_path: Path, formula: str) -> None:
    text = f"\\documentclass{{article}}\n\\begin{{document}}\nThe gamma function ${formula}$.\n\\end{{document}}\n"
    assert round_trip(lifted(text), tmp_path) == text


def test_the_usual_spelling_of_a_document_needs_no_mark() -> None:
    bessel = "The Bessel function $J_\\nu(z)$. "
    outcome = lifted(bessel * 3 + "Also $J_\\nu\\left(z\\right)$.")
    assert outcome.texts()[0].count("$\\BesselJ{\\nu}@{z}$") == 3
    assert outcome.texts()[0].endswith("$\\spelt{a}\\BesselJ{\\nu}@{z}$.")


def test_calls_that_the_author_adds_are_spelt_like_the_others() -> None:
    restorer = Restorer(lifted("The Bessel function $J_\\nu(z)$ and $J_{n+1}(z)$.").spellings)
    assert restorer.restored(r"\BesselJ{0}@{x}") == "J_0(x)"
    assert restorer.restored(r"\BesselJ{n+2}'@{x}") == "J_{n+2}'(x)"
    assert restorer.restored(r"\BesselJ{n}") == "J_{n}"  # the standard notation, where the document has none


def test_a_macro_of_the_author_is_no_call() -> None:
    restorer = Restorer([Spelling("\\EulerGamma#'@{#1}", "\\EulerGamma", "\\Gamma#'(#1)")])
    assert restorer.restored(r"\abs{x}+\diff{\sin x}+\EulerGamma@{z}") == r"\abs{x}+\diff{\sin x}+\Gamma(z)"


def test_blanks_keep_words_apart() -> None:
    assert filled(r"\sin#'#1", {"1": "x"}) == r"\sin x"
    assert filled(r"\sin#'#1", {"1": r"\theta"}) == r"\sin\theta"
    assert filled("J_#1(#2)", {"1": "n+1", "2": "x"}) == "J_{n+1}(x)"


@pytest.mark.parametrize("line", ["%: {", '%: {"form": 1}', '%: {"form": "x", "name": "\\\\x", "text": ""}', "%: []"])
def test_a_damaged_package_is_an_error_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "texlift-macros.sty").write_text(line)
    with pytest.raises(TexliftError, match="line 1"):
        read_package(tmp_path / "texlift-macros.sty")


def test_line_ends_and_encodings_come_back(tmp_path: Path) -> None:
    head = "\\documentclass{article}\r\n\\usepackage[latin1]{inputenc}\r\n"
    text = head + "\\begin{document}\r\né $\\Gamma(z)$ gamma function\r\n"
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.tex").write_bytes(text.encode("latin-1"))
    outcome = lift(read_document(tmp_path / "in" / "a.tex"), Options())
    assert "\\EulerGamma@{z}" in outcome.texts()[0]
    assert round_trip(outcome, tmp_path) == text


@pytest.mark.skipif(not DATA, reason="TEXLIFT_DATA is not set: the articles are not here")
def test_real_articles_come_back_byte_for_byte(tmp_path: Path) -> None:
    articles = sorted((Path(DATA) / "texts").rglob("*.tex"))[::12]
    different = []
    for path in articles:
        document: Document = read_document(path)
        if round_trip(lift(document, Options()), tmp_path) != document.files[0].text:
            different.append(path.name)
    assert articles
    assert different == []


def test_an_alignment_mark_goes_into_no_argument() -> None:
    outcome = lifted("\\begin{align} \\cos&x \\\\ \\cos x & =\\sin\\begin{pmatrix}a&b\\end{pmatrix}\\end{align}")
    assert "\\cos&x" in outcome.texts()[0]
    assert "\\cos@@{x} &" in outcome.texts()[0]


def test_a_document_with_a_macro_of_the_name_spelt() -> None:
    rest = "and $\\Gamma\\left(z\\right)$, $\\spelt{a}$."
    outcome = lifted("\\newcommand{\\spelt}[1]{#1}The gamma function $\\Gamma(z)$, $\\Gamma(s)$ " + rest)
    assert outcome.texts()[0].endswith("$\\EulerGamma@{z}$, $\\EulerGamma@{s}$ " + rest)
    assert "\\let\\spelt" not in package_of(outcome.spellings)
