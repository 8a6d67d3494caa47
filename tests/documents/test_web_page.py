"""Documents as pages: what is understood has intents, every formula has words, nothing of the document runs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from texlift.documents.document import document_of, read_document
from texlift.documents.lifting import Options, lift
from texlift.documents.web.harmless import harmless
from texlift.documents.web.page import Page, page_of
from texlift.documents.web.standins import StandIns

PANDOC = pytest.mark.skipif(shutil.which("pandoc") is None, reason="needs pandoc")
NOTE = r"""---
title: A note
lang: en-GB
---
# Bessel functions

The Bessel function of the first kind $J_\nu(z)$ solves

$$z^2w''+zw'+(z^2-\nu^2)w=0\tag{B}\label{bessel}$$

by \eqref{bessel}, and the gamma function is

\begin{align}
\Gamma(z+1)&=z\Gamma(z),\label{rec}\\
\Gamma(1)&=1\nonumber\\
\Gamma(n+1)&=n!
\end{align}

see \ref{rec}, `code $x$` and $f^{-1}(x)$.
"""


def page(text: str, name: str = "a.md") -> Page:
    return page_of(lift(document_of(text.encode(), name), Options()), name, 0.7)


def formulae(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(found) for found in re.findall(r"<math.*?</math>", text, re.DOTALL)]


def test_formulae_have_intents_and_words() -> None:
    made = page(NOTE)
    first, *others = formulae(made.text)
    assert first.get("alttext") == "the Bessel function of the first kind of order nu at z"
    assert first.get("display") == "inline"
    assert any(element.get("intent", "").startswith("bessel-function(") for element in first.iter())
    assert all(math.get("alttext") for math in others)
    assert made.formulae == 6


def test_what_is_not_understood_is_shown_without_intents_and_counted() -> None:
    made = page(NOTE)
    last = formulae(made.text)[-1]
    assert not any("intent" in element.attrib for element in last.iter())
    assert last.get("alttext", "").startswith("f superscript minus 1 ")
    assert made.understood < made.formulae
    assert "shown as written" in made.text


def test_what_is_sure_in_a_formula_that_is_not_understood_is_said_and_shown_as_written() -> None:
    (math,) = formulae(page("The gamma function is $f^{-1}(\\Gamma(z))$.").text)
    assert "the gamma function of z" in math.get("alttext", "")
    assert "".join(math.itertext()).startswith("f−1(Γ(z)")


def test_an_uncertain_reading_is_not_asserted() -> None:
    text = "The Bessel function $J_\\nu(z)$ of the first kind."
    sure, unsure = (page_of(lift(document_of(text.encode(), "a.md"), Options(t)), "a.md", t) for t in (0.5, 1.0))
    assert "intent=" in sure.text
    assert "intent=" not in unsure.text
    assert "Bessel function of" not in str(formulae(unsure.text)[0].get("alttext"))


def test_numbers_labels_and_references_are_kept() -> None:
    text = page(NOTE).text
    assert 'id="eq-bessel"' in text and '<span class="number">(B)</span>' in text
    assert '(<a href="#eq-bessel">B</a>)' in text
    assert '<mtr id="eq-rec">' in text and 'see <a href="#eq-rec">1</a>' in text
    numbers = re.findall(r"<mtext>\((\d)\)</mtext>", text)
    assert numbers == ["1", "2"]
    quarto = page("$$x^2=1$$ {#eq-square}\n\nas in @eq-square").text
    assert 'equation (<a href="#eq-square">1</a>)' in quarto


def test_rows_that_go_on_are_said() -> None:
    (math,) = formulae(page("$$\\begin{aligned}x\\end{aligned}$$\n\n\\begin{align*}a&=b\\\\&\\le c\\end{align*}").text)[
        1:
    ]
    assert math.get("alttext") == "a equals b; is less than or equal to c"
    assert [len(row) for row in math.iter("mtr")] == [2, 2]


def test_the_page_has_a_language_a_title_and_one_first_heading() -> None:
    text = page(NOTE).text
    assert '<html lang="en-GB">' in text
    assert "<title>A note</title>" in text
    assert text.count("<h1") == 1
    assert 'name="viewport"' in text
    bare = page("only $x$").text
    assert '<html lang="en">' in bare and "<h1>a.md</h1>" in bare


def test_headings_skip_no_level() -> None:
    text = page("# One\n\n#### Two\n\n##### Three\n\n## Four $x$").text
    assert re.findall(r"<(h\d)", text) == ["h1", "h2", "h3", "h2"]
    assert text.count("</h2>") == 2


def test_code_and_dollars_stay() -> None:
    text = page("`$x$` and ``a $y$ b`` for $5 or $6\n\n    $z$ indented\n\n```\n$w$\n```\n").text
    assert "<code>$x$</code>" in text and "$z$ indented" in text and "$w$" in text
    assert "for $5 or $6" in text


HOSTILE = """# <script>alert(1)</script>

[a](javascript:alert(1)) [b](JaVa&#115;cript:alert(1)) <a href=" javascript:alert(1)">c</a> <img src=x onerror=alert(1)>

<iframe src="https://example.com"></iframe><svg onload=alert(1)><style>*{}</style></svg> $<script>alert(2)</script>$

<div onclick="alert(1)" style="position:fixed">text</div></main></body> <form action=x><input></form>

<math><mtext><img src=x onerror=alert(1)></mtext></math> ![x](../../etc/passwd) ![y](https://example.com/y.png)
"""


def test_nothing_of_the_document_runs_or_loads() -> None:
    text = page(HOSTILE, 'a"><script>.md').text
    body = text.partition("<main>")[2]
    assert "default-src 'none'" in text
    assert not re.search(r"<(?:script|iframe|svg|style|form|input|img)", body)
    assert not re.search(r"<[^>]*\s(?:on\w+|style|src)\s*=", body)
    assert not re.search(r'href="\s*(?!https?:|#|mailto:)', body)
    assert body.count("</main>") == 1


def test_harmless_html_is_balanced() -> None:
    made = harmless("<b><i>x</b></i></p><table><tr><td>y <unknown>z</unknown>" + "<div>" * 500, StandIns("q"))
    assert made.startswith("<b><i>x</i></b><table><tr><td>y z")
    assert made.count("<div>") == made.count("</div>") < 300


def test_pictures_of_the_folder_are_put_in(tmp_path: Path) -> None:
    (tmp_path / "in.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "a.md").write_text("![a $x^2$](in.png) ![b](/etc/hostname.png)")
    text = page_of(lift(read_document(tmp_path / "a.md"), Options()), "a.md", 0.7).text
    assert '<img src="data:image/png;base64,iVBORw0KGgo=" alt="a x squared">' in text
    assert "[picture: b]" in text


def test_notebooks_show_text_code_and_output() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Zeta\n", "The Riemann zeta function $\\zeta(s)$"]},
        {"cell_type": "markdown", "source": []},
        {
            "cell_type": "code",
            "source": "print('<b>')",
            "outputs": [
                {"output_type": "stream", "text": ["<b>\n"]},
                {"output_type": "display_data", "data": {"text/html": "<script>1</script>", "text/plain": "plain"}},
                {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo=\n"}},
            ],
        },
        {"cell_type": "markdown", "source": "and $x^2$"},
    ]
    text = page(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}), "a.ipynb").text
    assert [math.get("alttext") for math in formulae(text)] == ["the Riemann zeta function of s", "x squared"]
    assert "print(&#x27;&lt;b&gt;&#x27;)" in text and '<pre class="output">&lt;b&gt;' in text
    assert "plain" in text and "data:image/png;base64,iVBORw0KGgo=" in text
    assert "<script" not in text


@PANDOC
def test_latex_by_pandoc(tmp_path: Path) -> None:
    (tmp_path / "part.tex").write_text("The gamma function is\n\\begin{equation}\\label{eq:g}\\Gamma(z)\\end{equation}")
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\\newcommand{\\R}{\\mathbb{R}}\\title{On $\\Gamma(z)$}\\begin{document}\\maketitle\n"
        "\\section{One}\\input{part}\n\nSee \\eqref{eq:g}, $x\\in\\R$, \\input{/etc/passwd} "
        "\\href{javascript:alert(1)}{bad}\n\\end{document}"
    )
    made = page_of(lift(read_document(tmp_path / "a.tex"), Options()), "a.tex", 0.7)
    assert made.formulae == 3
    assert "<h1>On <math" in made.text and '<h2 id="one">One</h2>' in made.text
    assert '(<a href="#eq-g">1</a>)' in made.text
    assert "javascript" not in made.text and "root:" not in made.text


def test_latex_without_pandoc_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Exception, match=r"needs pandoc .* LaTeXML"):
        page("$x$", "a.tex")


@pytest.mark.skipif(shutil.which("latexmlc") is None, reason="needs LaTeXML")
def test_latex_by_latexml(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(
        "\\documentclass{article}\\title{On $\\Gamma(z)$}\\begin{document}\\maketitle\n"
        "\\section{One}The gamma function\\footnote{Euler's.} is\n"
        "\\begin{equation}\\label{eq:g}\\Gamma(z)\\end{equation}\nSee \\eqref{eq:g}.\n"
        "\\begin{itemize}\\item x\\end{itemize}\n"
        "\\end{document}"
    )
    made = page_of(lift(read_document(tmp_path / "a.tex"), Options()), "a.tex", 0.7, "latexml")
    assert made.formulae == 2
    assert "On <math" in made.text and "One</h2>" in made.text
    assert '(<a href="#eq-g">1</a>)' in made.text
    assert "(Euler’s.)" in made.text and "•" not in made.text
