r"""Pairs from LaTeX sources with \newcommands."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift.documents.pairs import pairs_from_tex
from texlift.errors import TexliftError
from texlift.grammar.induction.coverage import measure
from texlift.grammar.induction.induce import induce

PREAMBLE = r"""
\documentclass{article}
\usepackage{amsmath,logic}
\newcommand{\norm}[2][2]{\left\lVert#2\right\rVert_{#1}}
\newcommand{\R}{\mathbb{R}}
\newcommand{\inner}[2]{\langle #1,#2\rangle}
\def\be{\begin{equation}}
\newcommand{\gap}{\,}
\newcommand{\loopy}{\loopy x}
\newcommand{\ping}{\pong}\newcommand{\pong}{\ping}
"""
PACKAGE = r"\newcommand{\Th}[1]{\mathbf{#1}}"


def source(tmp_path: Path, body: str, preamble: str = PREAMBLE) -> Path:
    (tmp_path / "logic.sty").write_text(PACKAGE, "utf-8")
    path = tmp_path / "paper.tex"
    path.write_text(f"{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n", "utf-8")
    return path


def sides(tmp_path: Path, body: str) -> list[tuple[str, str]]:
    return [(pair.generic, pair.semantic) for pair in pairs_from_tex([source(tmp_path, body)]).pairs]


def test_definitions_make_pairs(tmp_path: Path) -> None:
    assert sides(tmp_path, r"Let $x\in\R$.") == [(r"x\in\mathbb{R}", r"x\in\R")]


def test_arguments_without_braces_get_them(tmp_path: Path) -> None:
    assert sides(tmp_path, r"$\inner xy\gap\norm[1]a$") == [
        (r"\langle x,y\rangle\,\left\lVert a\right\rVert_{1}", r"\inner{x}{y}\,\norm[1]{a}")
    ]


def test_packages_beside_the_file_are_read(tmp_path: Path) -> None:
    assert sides(tmp_path, r"$\Th T$") == [(r"\mathbf{T}", r"\Th{T}")]


def test_rows_of_displays_are_formulae(tmp_path: Path) -> None:
    found = sides(tmp_path, r"\begin{align}\inner xy&=\inner yx,\\ a&\in\R.\end{align}")
    assert [semantic.split() for _, semantic in found] == [[r"\inner{x}{y}", r"=\inner{y}{x}"], ["a", r"\in\R"]]


def test_macros_that_cannot_be_expanded_are_reported(tmp_path: Path) -> None:
    result = pairs_from_tex([source(tmp_path, r"$\loopy$ and $\ping$ and $x$")])
    assert [pair.semantic for pair in result.pairs] == ["x"]
    assert [problem.message.split()[0] for problem in result.problems] == [r"\loopy", r"\ping"]


def test_broken_formulae_are_reported_with_their_line(tmp_path: Path) -> None:
    result = pairs_from_tex([source(tmp_path, "$x$\n\n$\\frac{1}$ and $y$")])
    assert [pair.generic for pair in result.pairs] == ["x", "y"]
    assert "paper.tex:" in str(result.problems[0])


def test_macros_can_be_kept_out_of_the_language(tmp_path: Path) -> None:
    result = pairs_from_tex([source(tmp_path, r"$\norm x\in\R$")], expanded=["R"])
    assert [pair.semantic for pair in result.pairs] == [r"\norm{x}\in\mathbb{R}"]


@pytest.mark.parametrize(("way", "words"), [("dollars", r"$x\in\mathbb{R}$"), ("out", "$…$")])
def test_the_sentence_does_not_give_the_answer_away(tmp_path: Path, way: str, words: str) -> None:
    body = "\\section{On $\\R$}\nLet $x\\in\\R$ be small."
    pair = pairs_from_tex([source(tmp_path, body)], way).pairs[-1]
    assert isinstance(pair.context, dict)
    assert words in pair.context["sentence"]
    assert r"\R" not in pair.context["section"]


def test_unknown_ways_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TexliftError, match="dollars"):
        pairs_from_tex([source(tmp_path, "$x$")], "plain")


def test_a_grammar_is_learnt_from_a_paper(tmp_path: Path) -> None:
    body = r"$\norm x\le\norm[1]x$, $\inner xy=\inner yx$, $\Th T\vdash\Th U$, "
    body += r"$\norm{a+b}\in\R$, $\inner{a+b}c$, $\norm[p]{u}$"
    pairs = sides(tmp_path, body)
    grammar = induce(pairs)
    unseen = [(r"\mathbf{V}=\langle f,g\rangle\left\lVert z\right\rVert_{q}", r"\Th{V}=\inner{f}{g}\norm[q]{z}")]
    coverage = measure(grammar, pairs + unseen, grammar.language.calls)
    assert coverage.share("expands") == coverage.share("reads") == 100
