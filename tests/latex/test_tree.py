"""The paper's figures, and every tree back to LaTeX."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.binary import binary_latex, binary_tree, parse_binary
from texlift.latex.signatures import CallSignature, Signatures, generic_signatures
from texlift.latex.tree import PLAIN, Heuristics, Tree, parse_tree
from texlift.latex.treetext import tree_latex

EXAMPLE = r"\frac{2a}{n+\sqrt{2}}+\sqrt{3}"
ALL_SETTINGS = [
    Heuristics(command_end, concat_end, move == "prefix", move == "postfix")
    for command_end in (False, True)
    for concat_end in (False, True)
    for move in ("", "prefix", "postfix")
]
SEMANTIC = generic_signatures().with_calls(
    {
        r"\BesselJ": CallSignature(0, 1, 1),
        r"\LaguerrepolyL": CallSignature(1, 1, 1),
        r"\sin": CallSignature(0, 0, 1),
        r"\Fouriertrans": CallSignature(0, 0, 2),
        r"\cpi": CallSignature(0, 0, 0),
        r"\deriv": CallSignature(1, 2, 0),
    }
)


def bracket(text: str, heuristics: Heuristics = PLAIN) -> str:
    return str(Tree(parse_tree(text, heuristics))).replace("<COMMAND_END>", "<1>").replace("<CONCAT_END>", "<2>")


def test_figure_3_without_heuristics() -> None:
    assert bracket(EXAMPLE) == r"[[\frac [[2 a] [n + [\sqrt 2]]]] + [\sqrt 3]]"


def test_figure_4_with_ends() -> None:
    expected = r"[[\frac [[2 a <2>] [n + [\sqrt 2 <1>] <2>]] <1>] + [\sqrt 3 <1>]]"
    assert bracket(EXAMPLE, Heuristics(command_end=True, concat_end=True)) == expected


def test_figure_5_with_prefix() -> None:
    assert bracket(EXAMPLE, Heuristics(prefix=True)) == r"[+ [\frac [[2 a] [+ n [\sqrt 2]]]] [\sqrt 3]]"


def test_postfix() -> None:
    assert bracket(EXAMPLE, Heuristics(postfix=True)) == r"[[\frac [[2 a] [n [\sqrt 2] +]]] [\sqrt 3] +]"


def test_operators_stay_inside_their_parentheses() -> None:
    assert bracket("-2a(b+c)=d", Heuristics(prefix=True)) == "[- = {} [2 a [( [+ b c] )]] d]"


def test_calls_keep_their_ats() -> None:
    tree = Tree(parse_tree(r"\LaguerrepolyL[\alpha]{n}^{2}@@{x+1}", signatures=SEMANTIC))
    assert str(tree) == r"[\LaguerrepolyL [[] \alpha] n [^ 2] @@ [x + 1]]"


def test_pretty_is_one_line_a_node() -> None:
    assert Tree(parse_tree(r"a\sqrt{2}")).pretty() == "o\n  a\n  o\n    \\sqrt\n    2"


def test_prefix_and_postfix_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="exclude"):
        Heuristics(prefix=True, postfix=True)


def goes_back(text: str, heuristics: Heuristics, signatures: Signatures) -> None:
    tree = parse_tree(text, heuristics, signatures)
    again = tree_latex(tree, heuristics, signatures)
    assert parse_tree(again, heuristics, signatures) == tree, again
    binary = binary_tree(tree)
    assert binary_tree(binary.nary(heuristics, signatures)) == binary
    again = binary_latex(binary, heuristics, signatures)
    assert parse_binary(again, heuristics, signatures) == binary, again


@pytest.mark.parametrize("heuristics", ALL_SETTINGS, ids=str)
@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        "x",
        "",
        "{}_{p}F_{q}",
        "a{bc}",
        "a^1{^2}'",
        r"\sqrt[3]{x}+\sqrt[]{[}",
        r"\left\lbrace a\right.",
        r"\begin{cases}a&b\\{c&d}&\end{cases}",
        r"\begin{array}{ll}1&2\\3&4\end{array}",
        r"{n\choose k}x",
        r"\text{if }x>0",
        r"\text{}",
        r"\mskip-3mu x",
        r"\bigl(a+b\bigr)-c",
        r"a)+(b=-c",
        r"f(a+{b)}+c",
        r"-1",
        r"a==b=",
        r"\\{[}2]",
        r"((x+(1)))[0,1)",
        r"\BesselJ{\nu}@{z}\BesselJ{}{ab}",
        r"\BesselJ{\nu}^{2}@{\sin@@{z}}",
        r"\BesselJ ab",
        r"\Fouriertrans@{f}@{x}",
        r"\LaguerrepolyL[]{n}",
        r"\LaguerrepolyL[\alpha]",
        r"\deriv[2]{w}{z}+\deriv{}{z}",
        r"\unknown@{a}{bc}{d}",
        r"a{\sin}@x",
        r"\cpi x",
        r"\deriv{\sin@{x}}{x}",
        r"\Fouriertrans@{f*g}",
    ],
)
def test_every_tree_goes_back(text: str, heuristics: Heuristics) -> None:
    goes_back(text, heuristics, SEMANTIC if "@" in text or r"\BesselJ" in text else generic_signatures())


TOKENS = list("a2+-=()[]'{},&")
TOKENS += [r"^{", r"_{", r"\\", r"\sqrt{", r"\frac{a}{", r"\left(", r"\right)", r"\sin", r"\bigl("]
TOKENS += [r"\BesselJ{a", r"\LaguerrepolyL[a]{", r"\sin@@{", r"\BesselJ{a}'@{"]
TOKENS += [r"\alpha ", r"\choose ", r"\text{a b}"]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=14), st.sampled_from(ALL_SETTINGS), st.booleans())
def test_any_formula_goes_back(tokens: list[str], heuristics: Heuristics, semantic: bool) -> None:
    if heuristics.prefix or heuristics.postfix:  # a lone parenthesis inside braces moves out of them, nothing else does
        tokens = [{"(": "(a+2)", r"\bigl(": r"\bigl(a\bigr)"}.get(token, token) for token in tokens]
        tokens = [token for token in tokens if token not in list(")[]")]
    text = "".join(tokens)
    text += "}" * (text.count("{") - text.count("}"))
    signatures = SEMANTIC if semantic else generic_signatures()
    try:
        parse_tree(text, heuristics, signatures)
    except FormulaError:
        return
    goes_back(text, heuristics, signatures)


@pytest.mark.skipif("TEXLIFT_DATA" not in os.environ, reason="TEXLIFT_DATA is not set: no corpus")
def test_a_sample_of_the_corpus_goes_back() -> None:
    from texlift.macros.lexicon import lexicon

    semantic = generic_signatures().with_calls(lexicon().call_signatures())
    rows = [json.loads(line) for line in (Path(os.environ["TEXLIFT_DATA"]) / "dlmf.jsonl").open()][::120]
    for heuristics in ALL_SETTINGS:
        for row in rows:
            goes_back(row["generic"], heuristics, generic_signatures())
            goes_back(row["semantic"], heuristics, semantic)
