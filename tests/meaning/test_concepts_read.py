"""The vocabulary of ordinary mathematics: every concept is read from each of its notations, and written back."""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest

from texlift.errors import FormulaError, TexliftError
from texlift.grammar.expansion import expand
from texlift.macros.concepts import TAGS, Concept, ConceptNotation, vocabulary
from texlift.macros.lexicon import lexicon
from texlift.macros.own_vocabulary import read_vocabulary
from texlift.meaning.concepts import concept_of, load_vocabulary, meant
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import read
from texlift.meaning.rewriting import by_macros, in_notation
from texlift.meaning.shape import same
from texlift.meaning.writing import LatexWriter
from texlift.targets import convert

WORDS = vocabulary()
NOTATIONS = [(concept, one) for concept in WORDS for one in concept.notations]


def identified(value: object) -> str:
    return value.name if isinstance(value, Concept) else value.latex if isinstance(value, ConceptNotation) else ""


def test_there_are_concepts_of_every_area() -> None:
    assert len(WORDS) >= 250
    assert len({concept.area for concept in WORDS}) >= 10
    assert {tag for concept in WORDS for one in concept.notations for tag in one.tags} <= set(TAGS)


@pytest.mark.parametrize(("concept", "one"), NOTATIONS, ids=identified)
def test_a_notation_is_read_as_its_concept_with_its_parts(concept: Concept, one: ConceptNotation) -> None:
    wanted = read(concept.written()).statements
    declared = Declarations({}, WORDS.declared(concept.name, one.latex) if one.ambiguous else None)
    found = read(concept.written(one), declared=declared).statements
    assert len(found) == len(wanted) == 1
    assert same(found[0], wanted[0])
    node = meant(found[0], WORDS)
    assert node is not None and node.concept.name == concept.name
    assert len(node.parts) == concept.arity


@pytest.mark.parametrize(("concept", "one"), [pair for pair in NOTATIONS if pair[1].ambiguous], ids=identified)
def test_an_ambiguous_notation_is_not_asserted_without_a_declaration(concept: Concept, one: ConceptNotation) -> None:
    wanted = read(concept.written()).statements
    try:
        reading = read(concept.written(one))
    except FormulaError:
        return
    found = reading.statements
    assert len(found) != 1 or not same(found[0], wanted[0]) or reading.warnings  # a guess is a warning


@pytest.mark.parametrize("concept", list(WORDS), ids=identified)
def test_a_concept_is_written_by_its_macro_and_in_all_its_notations(concept: Concept) -> None:
    reading = read(concept.written())
    assert same(read(by_macros(reading)).statements[0], reading.statements[0])
    for tag in sorted({tag for one in concept.notations for tag in one.tags}):
        in_notation(reading, tag)  # refuses what would be read as something else
    assert expand(concept.written())


def test_macros_of_the_vocabulary_are_not_those_of_latex_or_the_dlmf() -> None:
    for name in WORDS.macros:
        assert name not in lexicon()
        assert re.fullmatch(r"\\[a-zA-Z]+", name)


def test_names_are_those_of_the_intent_list_where_it_has_them() -> None:
    folder = os.environ.get("TEXLIFT_DATA", "")
    if not folder or not (Path(folder) / "intent" / "core.yml").exists():
        pytest.skip("needs the intent lists")
    text = "".join((Path(folder) / "intent" / name).read_text("utf-8") for name in ("core.yml", "open.yml"))
    known = set(re.findall(r"concept: *([\w-]+)", text))
    assert sum(concept.name in known for concept in WORDS) >= 200


@pytest.mark.parametrize(
    ("latex", "concept"),
    [
        (r"\nabla f", "gradient"),
        (r"\mathbb{E}[X^2+1]", "expected-value"),
        (r"\operatorname{Var}(aX)", "variance"),
        (r"d\mid n^2", "divides"),
        (r"\int_C\mathbf{F}\cdot\diff{\mathbf{r}}", "line-integral"),
        (r"\operatorname{div}(\rho\mathbf{v})", "divergence"),
        (r"\left(V\cap W\right)^\perp", "orthocomplement"),
        (r"\forall x\in A:\ x^2\geq 0", "for-all"),
        (r"\max_{x\in A}f(x)g(x)", "maximum-over"),
        (r"a\equiv_n b+1", "congruent-modulo"),
        (r"X_n\xrightarrow{d}Z", "converges-in-distribution"),
        (r"\log_{10}(x+1)", "common-logarithm"),
    ],
)
def test_trees_say_what_a_formula_is_about(latex: str, concept: str) -> None:
    reading = read(latex)
    assert concept_of(reading.statements[0]) == concept
    assert reading.as_dict()["statements"][0]["concept"] == concept  # type: ignore[index]


@pytest.mark.parametrize(
    "latex",
    [r"e^{T}", r"e^{-T}", r"x^{H}", r"O(n)", r"\Box p", r"\delta(x)", r"\mathrm{P}_n(x)", r"a\# b"],
)
def test_what_has_other_meanings_too_is_no_concept(latex: str) -> None:
    try:
        found = read(latex).statements[0]
    except FormulaError:
        return
    assert concept_of(found) in ("", "power", "times")


def test_a_declared_notation_is_obeyed() -> None:
    declared = Declarations.of({"[a,b]": "commutator", r"\hat{x}": "estimated", "n": "integer"})
    assert concept_of(read("[p,q+1]", declared=declared).statements[0]) == "commutator"
    assert concept_of(read(r"\hat\theta", declared=declared).statements[0]) == "estimated"
    assert concept_of(read("[p,q+1]").statements[0]) == "closed-interval"
    with pytest.raises(TexliftError, match="has 2 parts"):
        Declarations.of({"[a,b,c]": "commutator"})
    with pytest.raises(TexliftError, match="not a symbol"):
        Declarations.of({"[a,b]": "nonsense"})


# -- other notations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("semantic", "notation", "latex"),
    [
        (r"\compellintKk@{k}", "wolfram", "K(k^{2})"),
        (r"\compellintKm@{k^2}", "dlmf", r"K\left(k\right)"),
        (r"\incellintFk@{\phi}{\sin@{\alpha}}", "modular-angle", r"F(\phi\backslash \alpha)"),
        (r"\Jacobithetatau{3}@{z}{\tau}", "gradshteyn-ryzhik", r"\vartheta_{3}(z,{\mathrm{e}}^{\pi\mathrm{i}\tau})"),
        (r"\sphharmonicY{l}{m}@{\theta}{\phi}", "physics", r"Y_{lm}(\theta,\phi)"),
        (r"\Kroneckerdelta{m}{n}", "physics", r"\delta_{mn}"),
        (r"\binom{n}{k}", "russian", r"C_{n}^{k}"),
        (r"\hyperF@{a}{b}{c}{z}", "computing", r"{}_{2}F_{1}(a,b,c,z)"),
        (r"\genhyperF{2}{1}@{a,b}{c}{z}", "abramowitz-stegun", r"{}_{2}F_{1}\left(a,b;c;z\right)"),
        (r"\tan@{x+1}", "russian", r"\operatorname{tg}(x+1)"),
        (r"\transposeOf{\left(A+B\right)}", "wikipedia", r"\left(A+B\right)^{\mathsf{T}}"),
    ],
)
def test_a_formula_is_rewritten_in_another_notation(semantic: str, notation: str, latex: str) -> None:
    found = in_notation(read(semantic), notation)
    assert expand(found.semantic, words=found.words).replace(" ", "") == latex.replace(" ", "")


@pytest.mark.parametrize(
    ("semantic", "notation"),
    [
        (r"\compellintKk@{a}", "wolfram"),
        (r"\compellintEm@{a}", "dlmf"),
        (r"\incellintFk@{x}{a}", "wolfram"),
        (r"\incellintEm@{x}{a}", "dlmf"),
        (r"\Jacobiellsnk@{x}{a}", "abramowitz-stegun"),
        (r"\Jacobielldnm@{x}{a}", "gradshteyn-ryzhik"),
        (r"\Jacobithetaq{1}@{x}{a}", "wikipedia"),
        (r"\Jacobithetaq{2}@{x}{a}", "wikipedia"),
        (r"\HermitepolyH{5}@{x}", "probabilist"),
        (r"\dilHermitepolyHe{4}@{x}", "physics"),
    ],
)
def test_transformed_arguments_give_the_same_number(semantic: str, notation: str) -> None:
    pytest.importorskip("mpmath")
    from texlift.verify import check

    found = in_notation(read(semantic), notation)
    assert found.changed
    other = LatexWriter("").statement(found.trees[0])
    assert other != semantic
    assert check(f"{semantic}={other}", ["0<x<1", "0<a<0.5"][: 1 + ("{a}" in semantic)]).verdict in (
        "verified",
        "proved",
    )


def test_a_notation_that_would_be_misread_is_refused() -> None:
    with pytest.raises(FormulaError, match="read as something else"):
        in_notation(read(r"\determinantOf{A}+\magnitudeOf{v}"), "iso")
    with pytest.raises(TexliftError, match="there is no notation"):
        in_notation(read("x"), "klingon")


# -- a vocabulary of one's own -----------------------------------------------------------------------------------------

OWN = r"""
area = "thesis"
[[concept]]
name = "reproducing-kernel"
notations = ['K(#1,#2)', { latex = 'k_{#2}(#1)', tags = ['thesis'] }]
[[concept]]
name = "stochastic-order"
level = "relation"
shape = 'relation:stochastic-order(#1,#2)'
notations = ['#1\preceq_{\mathrm{st}}#2']
"""


def test_an_entry_of_ones_own_works_at_once(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    words = load_vocabulary(path)
    declared = Declarations.of(None, words)
    reading = read("K(x,y)^2", declared=declared)
    assert concept_of(reading.statements[0].arguments[0], words) == "reproducing-kernel"  # type: ignore[union-attr]
    assert convert("K(x,y)^2", "concepts", declared).code == r"\reproducingKernel{x}{y}^{2}"
    assert expand(r"\reproducingKernel{x}{y}", words=words) == "K(x,y)"
    assert in_notation(reading, "thesis").semantic == "k_{y}(x)^{2}"
    assert concept_of(read(r"X\preceq_{\mathrm{st}}Y", declared=declared).statements[0], words) == "stochastic-order"
    assert "reproducing-kernel" not in WORDS
    as_json = tmp_path / "own.json"
    as_json.write_text(json.dumps({"concept": [{"name": "flux", "notations": ["\\Phi[#1]"]}]}))
    assert read_vocabulary(as_json).find("flux").macro == r"\fluxOf{#1}"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('name = "a b"', "entry 1: the name 'a b'"),
        ('name = "ab"', "entry 1: ab: needs at least one of notations"),
        ('name = "ab"\nnotations = ["x#1"]\ncolour = "red"', "unknown field 'colour'"),
        ('name = "ab"\nnotations = ["#1 #2"]', "nothing but holes"),
        ('name = "ab"\nnotations = [\'#1\\oo#2\']', "give its level"),
        ('name = "ab"\nnotations = [\'\\frac{#1\']', "is not LaTeX"),
        ('name = "ab"\nnotations = ["x(#1)"]\nshape = "f(#1,#2)"', "different holes"),
        ('name = "ab"\nnotations = ["x(#1)"]\nshape = "f(#1"', "never closed"),
        ('name = "ab"\nnotations = ["x(#1)"]\nmacro = \'\\frac{#1}\'', "is a command of LaTeX"),
        ('name = "ab"\nnotations = [5]', "a notation is a text"),
        ('name = "ab"\nnotations = ["x(#1)"]\n[[concept]]\nname = "ab"\nnotations = ["y(#1)"]', "entry 2: ab stands"),
    ],
)  # fmt: skip
def test_errors_name_the_file_the_entry_and_what_is_wrong(tmp_path: Path, entry: str, message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"[[concept]]\n{entry}\n")
    with pytest.raises(TexliftError, match=re.escape(message)) as caught:
        load_vocabulary(path)
    assert str(path) in str(caught.value)


def test_a_file_with_too_many_entries_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"concept": [{"name": f"c{n}", "notations": ["x"]} for n in range(10_001)]}))
    with pytest.raises(TexliftError, match="at most 10,000"):
        load_vocabulary(path)
    path.write_text("[1]")
    with pytest.raises(TexliftError, match="is not a vocabulary"):
        load_vocabulary(path)


@pytest.mark.parametrize("latex", ["[" * 60, r"\forall x" * 60, r"\max_{x}" * 300, r"\langle a," * 80, "K(" * 200])
def test_hostile_formulae_end_in_an_answer_or_an_error(latex: str) -> None:
    with contextlib.suppress(TexliftError):
        read(latex + "x")
