"""Lifted papers for tagged PDF: words for every formula, intents for every macro, and the way back."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from texlift.documents.document import document_of
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.restored import restored_document
from texlift.documents.sidefile import side_text
from texlift.documents.tagging import tagged_texts, untagged

METADATA = "\\DocumentMetadata{uncompress,pdfversion=1.7,lang=en,testphase=phase-II}\n"
PAPER = r"""\documentclass{article}
\usepackage{amsmath}
\title{On the gamma function $\Gamma(z)$}
\begin{document}
\maketitle
\section{The Bessel function $J_\nu(z)$}
The gamma function satisfies
\begin{equation}\label{x} \Gamma(z+1)=z\Gamma(z)\end{equation} see \eqref{x} and
\begin{align}
\sin^2 x+\cos^2 x&=1\\
f^{-1}(x)&\in A.
\end{align}
The Bessel function $J_\nu(z)$ of the first kind\footnote{and $x_1$}.
\begin{tabular}{cc} $a$ & $b$\end{tabular}
\end{document}
"""


def lifted(text: str) -> Outcome:
    return lift(document_of(text.encode(), "a.tex"), Options())


def compiled(text: str, outcome: Outcome, folder: Path, engine: str) -> tuple[bytes, str]:
    """The PDF and what the engine says."""
    if shutil.which(engine) is None:
        pytest.skip(f"needs {engine}")
    if METADATA in text and not shutil.which("kpsewhich"):
        pytest.skip("needs kpsewhich")
    folder.mkdir()
    (folder / "texlift-macros.sty").write_text(side_text("tex", outcome.spellings, tagged=True))
    (folder / "a.tex").write_text(text)
    said = ""
    for _ in range(2):
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "a.tex"], cwd=folder, capture_output=True, timeout=300, check=False
        )
        said = done.stdout.decode("utf-8", "replace")
    assert not re.search(r"^!", said, re.MULTILINE), said[-2000:]
    return (folder / "a.pdf").read_bytes(), said


def test_every_formula_has_its_words_and_the_way_back_is_exact() -> None:
    outcome = lifted(PAPER)
    (text,) = tagged_texts(outcome, 0.7)
    assert r"\texliftsay{the gamma function of z}{$\EulerGamma@{z}$}" in text
    assert text.count(r"\texliftsay{") == 6
    assert text.count(r"\texliftshow{") == 2
    assert "is in capital A}{\\begin{align}" in text
    back = restored_document(document_of(text.encode(), "a.tex"), outcome.spellings)
    assert back.texts == [PAPER]


def test_words_cannot_break_the_source() -> None:
    bad = r"The gamma function $\text{a}b}%{\#}\Gamma(z)$ and $x\text{]\{}$ and $\unknown{\texliftsay{x}{y}}$"
    (text,) = tagged_texts(lifted(bad), 0.7)
    assert all(not set("\\{}%#$&~^_]") & set(words) for words in re.findall(r"^.*?texliftsay\{([^{}]*)\}", text))
    assert untagged(r"\texliftsay{a}{$x$} \texliftsay{never") == r"$x$ \texliftsay{never"


def test_tagged_pdf_has_the_alternative_text(tmp_path: Path) -> None:
    text = METADATA + PAPER
    outcome = lifted(text)
    pdf, _ = compiled(tagged_texts(outcome, 0.7)[0], outcome, tmp_path / "tagged", "lualatex")
    found = [bytes.fromhex(m.decode()).decode("utf-16") for m in re.findall(rb"/Alt\s*<([0-9A-F]+)>", pdf)]
    assert "the Bessel function of the first kind of order nu at z" in found
    assert len(found) == 8


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_without_tagging_the_paper_compiles_and_prints_the_same(engine: str, tmp_path: Path) -> None:
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext")
    outcome = lifted(PAPER)
    compiled(tagged_texts(outcome, 0.7)[0], outcome, tmp_path / "new", engine)
    compiled(PAPER, outcome, tmp_path / "old", engine)
    words = [
        subprocess.run(["pdftotext", "-layout", tmp_path / name / "a.pdf", "-"], capture_output=True, check=True).stdout
        for name in ("old", "new")
    ]
    assert words[0] == words[1]


def test_macros_hand_their_intents_to_the_engine(tmp_path: Path) -> None:
    probe = (
        r"\newcommand\MathMLintent[2]{\typeout{INTENT \detokenize{#1}}#2}"
        r"\newcommand\MathMLarg[2]{\typeout{ARG #1}#2}"
    )
    outcome = lifted(PAPER)
    text = tagged_texts(outcome, 0.7)[0].replace(r"\begin{document}", f"{probe}\n\\begin{{document}}")
    _, said = compiled(text, outcome, tmp_path / "probe", "lualatex")
    assert "INTENT bessel-function($a1,$a2)" in said
    assert "ARG a2" in said
    assert "INTENT sine" not in said  # the sine is squared: its intent alone would be wrong
