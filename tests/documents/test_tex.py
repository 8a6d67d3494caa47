from pathlib import Path

import pytest

from texlift.documents.document import read_document
from texlift.documents.formula import Formula
from texlift.documents.tex import TexReader

SAMPLES = Path(__file__).parent / "samples"


def found(text: str) -> list[str]:
    return [formula.latex for formula in read(text).formulae]


def read(text: str) -> TexReader:
    reader = TexReader()
    reader.read(text)
    return reader


@pytest.mark.parametrize(
    ("text", "formulae"),
    [
        ("a $x$ b $$y$$ c \\(z\\) d \\[w\\]", ["x", "y", "z", "w"]),
        ("$x$$y$", ["x", "y"]),
        ("\\$5 and \\$6", []),
        ("100\\% $x$", ["x"]),
        ("% $x$\n$y$", ["y"]),
        ("\\begin{align*}a&=b\\\\c&=d\\end{align*}", ["a&=b", "c&=d"]),
        ("\\begin{gather}a\\\\[2pt]b\\label{x}\\end{gather}", ["a", "b"]),
        ("\\begin{multline}a\\\\b\\end{multline}", ["a", "b"]),
        ("\\begin{alignat}{2}a&=b\\end{alignat}", ["a&=b"]),
        ("\\[\\begin{cases}a\\\\b\\end{cases}\\\\c\\]", ["\\begin{cases}a\\\\b\\end{cases}", "c"]),
        ("\\begin{itemize}\\item $x$ \\begin{figure}\\caption{$y$}\\end{figure}\\end{itemize}", ["x", "y"]),
        ("\\begin{verbatim}$x$\\end{verbatim}$y$", ["y"]),
        ("\\begin{lstlisting}$x$\\end{lstlisting}\\begin{comment}$x$\\end{comment}", []),
        ("\\verb|$x$| \\verb*+$+ $y$", ["y"]),
        ("$x\\text{ if $y$}z$", ["x\\text{ if $y$}z"]),
        ("\\newcommand{\\a}{$x$} $\\a$", ["\\a"]),
        ("$x$ \\end{document} $y$", ["x"]),
        ("\\iffalse $x$ \\fi $y$", ["y"]),
        ("\\url{a$b%c} $x$", ["x"]),
        ("\\[ % why\n x \\tag{1} \\]", ["x"]),
        ("$ $ $$ $$ \\[\\]", []),
    ],
)
def test_where_math_is(text: str, formulae: list[str]) -> None:
    assert found(text) == formulae


def test_math_that_never_closes_is_reported_and_the_next_paragraph_is_read() -> None:
    reader = read("one $x and more\n\ntwo $y$\n\\begin{equation} z\n")
    assert [formula.latex for formula in reader.formulae] == ["y"]
    assert [problem.line for problem in reader.problems] == [1, 4]
    assert "never closes" in reader.problems[0].message


def test_titles_and_sentence_are_context() -> None:
    text = "\\title{Waves}\\section{Bessel functions}One. Let $J_n$ be of the first kind. Last.\n\n\\section{B} $x$"
    first, second = read(text).formulae
    assert first.context["chapter"] == "Waves"
    assert first.context["section"] == "Bessel functions"
    assert first.context["sentence"] == "Let $J_n$ be of the first kind."
    assert second.context["section"] == "B"


def test_definitions_hold_from_where_they_stand() -> None:
    first, second = read("$\\a$ \\newcommand*{\\a}[1]{J_{#1}} \\DeclareMathOperator{\\li}{li} $\\a{2}$").formulae
    assert not first.definitions
    assert second.definitions["\\a"].arguments == 1
    assert second.definitions["\\li"].body == "\\operatorname{li}"


def test_lines_are_counted() -> None:
    document = read_document(SAMPLES / "paper.tex")
    text = document.parts[0].split("\n")
    for formula in document.formulae:
        if formula.part == 0:
            assert formula.latex.split("\n")[0] in text[formula.line - 1]


@pytest.mark.parametrize(
    "text", ["$" * 50_000, "\\begin{align}" * 5_000, "$" + "\\text{" * 20_000, "\\def\\a{" * 9_000, "$x" * 3_000]
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    formulae: list[Formula] = read(text).formulae
    assert len(formulae) <= len(text)


def formulae(text: str) -> list[str]:
    reader = TexReader()
    reader.read(text)
    return [formula.latex for formula in reader.formulae]


def test_abbreviated_environments() -> None:
    head = "\\def\\be{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}"
    head += "\\newenvironment{eq}{\\begin{align}}{\\end{align}}"
    text = "\\be a=b \\ee text \\begin{eq} c \\\\ d \\end{eq} \\be e \\end{equation} $f$"
    assert formulae(head + text) == ["a=b", "c", "d", "e", "f"]


def test_an_interval_behind_a_new_line_is_no_length() -> None:
    rows = "\\begin{IEEEeqnarray}{rCl} a \\\\ [0,1) \\cup [2,3] \\\\[2pt] b \\\\ [\\baselineskip] c\\end{IEEEeqnarray}"
    assert formulae(rows) == ["a", "[0,1) \\cup [2,3]", "b", "c"]


def test_definitions_of_many_kinds() -> None:
    reader = TexReader()
    reader.read(
        "\\let\\G\\Gamma \\NewDocumentCommand{\\E}{m}{E[#1]} \\NewDocumentCommand{\\q}{s m}{#2}"
        "\\DeclarePairedDelimiter{\\abs}{|}{|} \\DeclareMathOperator*{\\argmax}{argmax} \\newtheorem{notation}{N}"
    )
    assert set(reader.definitions) == {"\\G", "\\E", "\\abs", "\\argmax"}
    assert {"\\q", "\\notation"} <= reader.names


def test_a_formula_keeps_the_definitions_of_its_place() -> None:
    reader = TexReader()
    reader.read("\\def\\a{1}$\\a$\\def\\a{2}$\\a$\\newcommand{\\b}{3}")
    assert [formula.definitions["\\a"].body for formula in reader.formulae] == ["1", "2"]


def test_packages_beside_the_document_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.sty").write_text("\\newcommand{\\R}{\\mathbb{R}} $not of the document$ \\RequirePackage{mine}")
    (tmp_path / "a.tex").write_text("\\usepackage[x]{amsmath,mine}\\begin{document}$\\R$")
    document = read_document(tmp_path / "a.tex")
    assert [formula.latex for formula in document.formulae] == ["\\R"]
    assert "\\R" in document.formulae[0].definitions


def test_links_inside_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "old").mkdir(parents=True)
    (project / "old" / "text.tex").write_text("$a$")
    (tmp_path / "outside.tex").write_text("$b$")
    (project / "text.tex").symlink_to("old/text.tex")
    (project / "far.tex").symlink_to("../outside.tex")
    (project / "main.tex").write_text("\\input{text}\\input{far}")
    document = read_document(project / "main.tex")
    assert [file.path.name for file in document.files] == ["main.tex", "text.tex"]
    assert "--follow-links" in document.problems[0].message
    assert [f.latex for f in read_document(project / "main.tex", links=True).formulae] == ["a", "b"]
