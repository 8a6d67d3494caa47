"""Every answer, alternatives included, expands back to the formula that was asked, through the public expander."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import texlift
from texlift.cli.app import app
from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.translate.answer import Translation
from texlift.translate.translator import Translator

PARTS = files("texlift.corpus").joinpath("handbook_parts")
SEMANTIC = "this looks like semantic LaTeX"


@pytest.fixture(scope="module")
def translator() -> Translator:
    return texlift.load()


def unfaithful(answer: Translation) -> list[str]:
    """The texts of an answer that print something else than the formula; macros in it stand for what they print."""
    has_macros = any("macro of semantic LaTeX" in warning for warning in answer.warnings)
    wanted = canonical_key(texlift.expand(answer.latex) if has_macros else answer.latex)
    texts = [answer.semantic, *(other.semantic for other in answer.alternatives)]
    return [text for text in texts if canonical_key(texlift.expand(text)) != wanted]


ODD = [
    r"{}_2F_1(a,b;c;z)",
    r"_2F_1(a,b;c;z)",
    r"{}_{p}F_{q}\left({a\atop b};z\right)",
    r"{}_{}J_{\nu}(z)",
    r"{}^t A",
    r"{}^tA\sin x",
    r"^tA",
    r"{}'J_\nu(z)",
    r"{}_tA^{-1}+\Gamma(z)",
    r"\sideset{_2}{_1}F(a,b;c;z)",
    r"\prescript{}{2}{F}_1(a,b;c;z)",
    r"{J_\nu}^2(z)",
    r"{{J_\nu}'}^2(z)",
    r"J_{\nu}{}(z)",
    r"J_\nu(z)_{}",
    r"\sin^{}x",
    r"\sin{}x",
    r"x^\pi_\Gamma(z)",
    r"{a\sin}x",
    r"\log{c\log{x}}",
    r"\ln{a+b}",
    r"\wombat{\Gamma(z)}+\wombat\Gamma(z)",
    r"\text{zeros of $J_\nu(z)$ and $\Gamma(z)$}",
    r"\text{a@b}+\Gamma(z)",
    r"\begin{array}{@{}c@{}}\Gamma(z)\end{array}",
    "% a@b\n\\Gamma(z)",
    r"\begin{cases}\Gamma(z)&z>0\\\sin z&\text{else}\end{cases}",
    r"\mathit{3j}+\mathrm{Ai}(x)+\mathbf{J}_\nu(z)",
    r"\left.\Gamma(z)\right|_{z=1}",
    r"\bigl|\Gamma(z)\bigr|^{2}",
    r"x>0$ and $\Gamma(y)>0",
    r"\overset{\Gamma}{=}+\underbrace{\sin x}_{\Gamma(z)}",
    r"{n\choose k}+{\Gamma(n)\over\Gamma(k)}",
    r"\newcommand{\J}[1]{J_{#1}}\J\nu(z)+\J{n}'(x)",
    r"$$\Gamma(z)\label{a@b}$$",
    r"\abs{x}+\sin x",
    r"\expe^{x}\Gamma(z)",
    r"\int f(x)\diff{x}",
    r"\digamma+\EulerGamma(z)",
]


@pytest.mark.parametrize("latex", ODD)
def test_odd_formulae(translator: Translator, latex: str) -> None:
    assert unfaithful(translator.translate(latex, alternatives=5)) == []


@pytest.mark.parametrize("part", sorted(part.name for part in PARTS.iterdir() if part.name.endswith(".jsonl")))
def test_formulae_of_the_handbook(translator: Translator, part: str) -> None:
    rows = [json.loads(line) for line in PARTS.joinpath(part).read_text("utf-8").splitlines()][::12]
    asked = [(row["generic"], row.get("context")) for row in rows]
    for answer in translator.translate_many(asked, alternatives=2):
        assert isinstance(answer, Translation)
        assert unfaithful(answer) == [], answer.latex


@given(st.data())
def test_random_formulae(
    translator: Translator,
    formulae: st.SearchStrategy[str],
    token_soup: st.SearchStrategy[str],
    data: st.DataObject,
) -> None:
    latex = data.draw(st.one_of(formulae, token_soup))
    try:
        answer = translator.translate(latex, alternatives=2)
    except FormulaError:
        return
    assert unfaithful(answer) == []


@pytest.mark.parametrize(
    ("latex", "place"),
    [
        (r"\sin@{x+y}", 4),
        (r"\sin@@{x}", 4),
        (r"\BesselJ{\nu}@{z}", 13),
        (r"\Gamma(z)@", 9),
        (r"\Gamma(z)^@", 10),
        (r"x\sin@ y", 5),
        (r"\sin_@ x", 5),
        ("a@b", 1),
        (r"$\sin@{x}$", 5),
        (r"\newcommand{\a}{@}\sin\a{x}", 4),
        (r"\ln\abs x", 3),
    ],
)
def test_semantic_latex_is_no_question(translator: Translator, latex: str, place: int) -> None:
    with pytest.raises(FormulaError, match=SEMANTIC) as caught:
        translator.translate(latex)
    assert (caught.value.code, caught.value.span[0]) == ("semantic", place)


def test_semantic_macros_are_named_in_a_warning(translator: Translator) -> None:
    for latex in (r"\abs{x}+\sin x", r"\digamma"):
        answer = translator.translate(latex)
        macro = latex.partition("{")[0]
        assert f"{macro} is taken for the macro of semantic LaTeX" in answer.warnings
    assert translator.translate(r"\abs{x}+\sin x").semantic == r"\abs{x}+\sin@@{x}"


def test_on_the_command_line() -> None:
    """`texlift expand` takes what `texlift translate` gives."""
    runner = CliRunner()
    formulae = [latex for latex in ODD if "\n" not in latex and "newcommand" not in latex and "$$" not in latex]
    asked = "".join(json.dumps({"latex": latex}) + "\n" for latex in formulae)
    translated = runner.invoke(app, ["translate", "--jsonl", "-k", "0"], input=asked)
    assert translated.exit_code == 0
    answers = [json.loads(line) for line in translated.stdout.splitlines()]
    back = "".join(json.dumps({"semantic": answer["semantic"]}) + "\n" for answer in answers)
    expanded = runner.invoke(app, ["expand", "--jsonl"], input=back)
    assert expanded.exit_code == 0
    shown = [json.loads(line)["latex"] for line in expanded.stdout.splitlines()]
    assert [canonical_key(text) for text in shown] == [canonical_key(texlift.expand(latex)) for latex in formulae]


def test_the_command_line_names_semantic_latex() -> None:
    result = CliRunner().invoke(app, ["translate", r"\sin@{x+y}"])
    assert result.exit_code == 1
    assert SEMANTIC in result.output


@pytest.mark.parametrize(
    ("latex", "kept"),
    [
        (r"\ln{a+b}", "{a+b}"),
        (r"\sin{xy}z", "{xy}"),
        (r"\log{c\log{x}}", r"{c\log"),
        (r"\cos{\theta t}+1", r"{\theta t}"),
    ],
)
def test_what_the_author_put_in_braces_stays_together(translator: Translator, latex: str, kept: str) -> None:
    answer = translator.translate(latex, alternatives=9)
    for text in (answer.semantic, *(other.semantic for other in answer.alternatives)):
        assert kept in text
