"""Semantic LaTeX: calls are read, and printed as they were."""

from __future__ import annotations

import pytest

from texlift.errors import FormulaError
from texlift.latex.nodes import Call, Leaf, Scripted
from texlift.latex.printing import print_nodes
from texlift.macros.lexicon import lexicon
from texlift.macros.semantic import comparable, parse_semantic, semantic_row


def call(source: str) -> Call:
    (node,) = parse_semantic(source)
    assert isinstance(node, Call)
    return node


def test_parts_of_a_call() -> None:
    node = call(r"\LaguerrepolyL[\alpha]{n}'^{2}@{x}")
    assert node.name == r"\LaguerrepolyL"
    assert [print_nodes([part]) for part in node.arguments] == [r"\alpha", "n", "x"]
    assert [script.kind for script in node.scripts] == ["'", "^"]
    assert [(ats, len(variables)) for ats, variables in node.segments] == [(1, 1)]


def test_two_runs_of_ats() -> None:
    assert [ats for ats, _ in call(r"\Fouriertrans@@{f}@{x}").segments] == [2, 1]


def test_number_of_variables_depends_on_a_parameter() -> None:
    assert len(call(r"\AppellF{1}@{a}{b}{c}{d}{x}{y}").variables) == 6
    assert len(call(r"\AppellF{2}@{a}{b}{c}{d}{e}{x}{y}").variables) == 7


def test_scripts_behind_a_call_without_ats_belong_to_the_row() -> None:
    (node,) = parse_semantic(r"\BesselJ{\nu}^{2}")
    assert isinstance(node, Scripted)
    assert isinstance(node.base, Call)


def test_unknown_macro_with_an_at_is_a_call() -> None:
    assert call(r"\nosuchmacro@{x}{y}").name == r"\nosuchmacro"
    assert isinstance(parse_semantic(r"\nosuchmacro{x}")[0], Leaf)


@pytest.mark.parametrize(
    ("source", "uniform"),
    [
        (r"\BesselJ{\nu} @{ z }", r"\BesselJ{\nu}@{z}"),
        (r"\sin@@ {x}", r"\sin@@{x}"),
        (r"\BesselJ{{\nu}}@{{z}}", r"\BesselJ{\nu}@{z}"),
        (r"\deriv[2]{w}{z}", r"\deriv[2]{w}{z}"),
        (r"\assLegendreP[]{n}", r"\assLegendreP[]{n}"),
        (r"\frac{\cpi}2", r"\frac{\cpi}{2}"),
    ],
)
def test_comparable(source: str, uniform: str) -> None:
    assert comparable(source) == uniform


def test_calls_that_differ_have_different_keys() -> None:
    sources = [
        r"\BesselJ{\nu}@{z}", r"\BesselJ{\nu}@@{z}", r"\BesselY{\nu}@{z}", r"\BesselJ{\nu}'@{z}", r"\BesselJ{}@{z}",
        r"\BesselJ{\nu}", r"\assLegendreP[]{n}@{z}", r"\assLegendreP[m]{n}@{z}",
    ]  # fmt: skip
    assert len({semantic_row(source).key for source in sources}) == len(sources)


@pytest.mark.parametrize("source", [r"\BesselJ{\nu", r"\sin@{x", r"\sin@{x}}", r"\deriv[2{w}{z}"])
def test_errors_have_a_place(source: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_semantic(source)
    assert "^" in str(caught.value)


def test_every_template_is_read_and_printed_without_loss() -> None:
    for macro in lexicon():
        for written, _ in macro.templates:
            text = written.replace("#'", "")
            assert print_nodes([call(text)]) == text


def test_corpus_is_read_and_printed_without_loss(corpus_sides: list[tuple[str, str]]) -> None:
    broken = 0
    for _, semantic in corpus_sides:
        try:
            row = semantic_row(semantic)
        except FormulaError:
            broken += 1
            continue
        assert semantic_row(comparable(semantic)).key == row.key
    assert broken <= 5
