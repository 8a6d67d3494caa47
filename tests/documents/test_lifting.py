import re
from pathlib import Path

import pytest

from texlift.documents.choices import Choices, read_choices, remember
from texlift.documents.document import Document, document_of, read_document
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.loading import unloaded
from texlift.errors import TexliftError
from texlift.grammar.expansion import expand
from texlift.latex.canonical import canonical
from texlift.latex.definitions import expand_definitions

SAMPLES = Path(__file__).parent / "samples"


def lifted(text: str, choices: Choices | None = None, name: str = "a.tex", **options: object) -> Outcome:
    return lift(document_of(text.encode(), name), Options(**options), choices)  # type: ignore[arg-type]


def outside(document: Document) -> list[str]:
    """The text of a document without its math."""
    texts = []
    for number, part in enumerate(document.parts):
        at = 0
        for formula in document.formulae:
            if formula.part == number:
                texts.append(part[at : formula.start])
                at = formula.end
        texts.append(part[at:])
    return texts


@pytest.mark.parametrize("name", ["paper.tex", "notes.md", "notebook.ipynb"])
def test_text_stays_and_math_expands_back(tmp_path: Path, name: str) -> None:
    before = read_document(SAMPLES / name)
    outcome = lift(before, Options(threshold=0.0))
    assert outcome.counts["translated"] >= len(outcome.lifted) / 2
    for source, text in zip(before.files, outcome.texts(), strict=True):
        (tmp_path / source.path.name).write_bytes(source.encoded(text))
    after = read_document(tmp_path / name)
    assert [unloaded(text) for text in outside(after)] == outside(before)
    assert len(after.formulae) == len(before.formulae)
    for old, new in zip(before.formulae, after.formulae, strict=True):
        wanted = canonical(expand_definitions(old.latex, old.definitions)).key
        assert canonical(expand_definitions(expand(new.latex), new.definitions)).key == wanted


def test_unsure_formulae_are_left_alone() -> None:
    text = "The gamma function $\\Gamma(z)$."
    assert lifted(text, threshold=1.0).texts() == [text]
    assert lifted(text, threshold=1.0).lifted[0].state == "uncertain"
    assert lifted(text).texts() == ["The gamma function $\\EulerGamma@{z}$."]


def test_broken_formulae_are_left_alone_and_explained() -> None:
    outcome = lifted("$\\frac{1}$ and $\\Gamma(z)$")
    assert outcome.lifted[0].state == "broken"
    assert "argument" in outcome.lifted[0].message
    assert outcome.texts() == ["$\\frac{1}$ and $\\EulerGamma@{z}$"]


def test_own_macros_are_never_written_out() -> None:
    head = "\\newcommand{\\g}[1]{\\Gamma(#1)}\\def\\half{\\frac12}\\newcommand{\\R}{\\mathbf{R}}\n"
    text = head + "The gamma function $\\g{\\half}$, $\\R_1$, $\\Gamma(\\half)$ and $\\g{\\sin x}$"
    after = lifted(text, threshold=0.3).texts()[0]
    assert after.endswith("$\\g{\\half}$, $\\R_1$, $\\EulerGamma@{\\half}$ and $\\g{\\sin@@{x}}$")


def test_a_name_the_document_uses_itself_is_not_taken() -> None:
    outcome = lifted("\\newcommand{\\EulerGamma}{me} the gamma function $\\Gamma(z)$", threshold=0.3)
    assert outcome.texts()[0].endswith("$\\tlEulerGamma@{z}$")
    assert outcome.renamed == {"\\EulerGamma": "\\tlEulerGamma"}
    other = lifted("In $\\EulerGamma$ and the gamma function $\\Gamma(z)$", threshold=0.3, prefix="my")
    assert other.texts()[0].endswith("$\\myEulerGamma@{z}$")


def test_a_symbol_keeps_its_meaning_through_the_document() -> None:
    legendre = "Let $P_n(x)$ denote the Legendre polynomial of degree $n$. "
    text = legendre + "The Legendre polynomials satisfy $P_n(1)=1$. " * 5 + "\n\nHere $P_{n}(\\cos\\theta)$ decays."
    outcome = lifted(text, threshold=0.0)
    used = set(re.findall(r"\\[A-Za-z]*(?:Legendre|Ferrers)[A-Za-z]*", outcome.texts()[0]))
    assert len(used) == 1


def test_choices_fix_a_reading(tmp_path: Path) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text('[readings]\n"K" = ""\n"P_n" = "\\\\LegendrepolyP"\n[functions]\n"\\\\Gamma" = "my own"\n')
    choices = read_choices(file)
    outcome = lifted("$\\Gamma(z)$ $K(k)$ $P_n(x)$", choices, threshold=0.0)
    assert outcome.texts() == ["$\\Gamma(z)$ $K(k)$ $\\LegendrepolyP{n}@{x}$"]


def test_macros_of_the_choices_file(tmp_path: Path) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text('[macros]\n"\\\\bes" = "J_{#1}(#2)"\n')
    assert lifted("$\\bes{n}{\\sin x}$", read_choices(file), threshold=0.3).texts() == ["$\\bes{n}{\\sin@@{x}}$"]


def test_remembered_answers_keep_the_rest_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text('# mine\n[readings]\n"K" = ""\n\n[functions]\n"f" = "flux"\n')
    remember(file, "P", "\\LegendrepolyP")
    remember(file, "K", "\\compellintKk")
    choices = read_choices(file)
    assert choices.readings == {"P": "\\LegendrepolyP", "K": "\\compellintKk"}
    assert choices.functions == {"f": "flux"}
    assert file.read_text().startswith("# mine\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[readings", "texlift.toml"),
        ("[other]", "unknown table"),
        ('[readings]\n"P" = "\\\\LegendrPolyP"', "LegendrepolyP"),
        ("[readings]\nP = 1", "texts only"),
        ('[readings]\n"{" = "\\\\BesselJ"', "not a symbol"),
        ('[macros]\n"a" = "b"', "not the name"),
        ('[macros]\n"\\\\a" = "{b"', "braces"),
        ('[readings]\n"AB" = "\\\\BesselJ"', "not one symbol"),
        ('[readings]\n"P_n" = "\\\\LegendrepolyP"\n"P_m(x)" = ""', "same symbol"),
        ('[readings]\n"P_n" = "\\\\LegendrepolyP"\n[functions]\n"P" = "mine"', "same symbol"),
    ],
)
def test_mistakes_in_the_choices_file_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text(text)
    with pytest.raises(TexliftError, match=message):
        read_choices(file)


@pytest.mark.parametrize(
    ("text", "document", "message"),
    [
        ('[readings]\n"x" = "\\\\BesselJ"', "$x+1$", "no formula of the document can be read so"),
        ('[readings]\n"\\\\Gamma" = "\\\\BesselJ"', "$\\Gamma(z)$", "no formula of the document can be read so"),
        ('[macros]\n"\\\\R" = "r"', "\\newcommand{\\R}{\\mathbb{R}}$x\\in\\R$", "defines it itself"),
    ],
)
def test_choices_that_cannot_be_applied_are_errors(tmp_path: Path, text: str, document: str, message: str) -> None:
    file = tmp_path / "texlift.toml"
    file.write_text(text)
    with pytest.raises(TexliftError, match=message):
        lifted(document, read_choices(file))
    assert lifted("$y$", read_choices(file)).counts == {"plain": 1}  # a symbol that does not occur is no mistake


@pytest.mark.parametrize(
    "definition",
    [
        r"\newcommand{\mine}{\mine x}",
        r"\newcommand{\mine}{\other}\newcommand{\other}{\mine}",
        r"\def\mine{\futurelet\next\minestep}",
        r"\makeatletter\def\mine{\@ifnextchar[{a}{b}}",
        r"\newcommand{\mine}[2]{#1/#2}",
        r"\newcommand{\mine}{\ifmmode a\else b\fi}",
    ],
)
def test_macros_that_cannot_be_expanded_are_opaque(definition: str) -> None:
    outcome = lifted(definition + "\n$\\Gamma(z)+\\mine$ and $\\zeta(s)$", threshold=0.0)
    assert [item.state for item in outcome.lifted] == ["translated", "translated"]
    assert r"$\EulerGamma@{z}+\mine$" in outcome.texts()[0] or r"\mine x" in outcome.texts()[0]


def test_labels_and_full_stops_of_a_document_stay() -> None:
    text = "\\begin{equation}\\label{a}\\Gamma(z).\\end{equation} $\\zeta(s),$"
    assert lifted(text, threshold=0.0).texts() == [
        "\\begin{equation}\\label{a}\\EulerGamma@{z}.\\end{equation} $\\Riemannzeta@{s},$"
    ]


def test_code_and_worker_processes() -> None:
    text = "The gamma function $\\Gamma(z)$. " * 300
    outcome = lifted(text, target="sympy", jobs=2)
    assert {item.code for item in outcome.lifted} == {"gamma(z)"}


def test_html_in_formulae_stays_text_in_the_report() -> None:
    from texlift.documents.report import report_html

    page = report_html(lifted("$<script>alert(1)</script>$ $\\Gamma(z)$"), "<b>title</b>")
    assert "<script" not in page
    assert "<b>title" not in page
    assert "\\EulerGamma@{z}" in page


def test_endless_formulae_are_left_alone() -> None:
    outcome = lifted("$" + "W" * 20_000 + "$ and $\\zeta(s)$", threshold=0.3)
    assert [item.state for item in outcome.lifted] == ["broken", "translated"]
