"""Formulae of one document share style and memory; all others are translated independently."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import permutations
from typing import Any

import pytest

from texlift.context.passage import Context
from texlift.translate.answer import Translation
from texlift.translate.translator import Translator, load

# an ambiguous formula, what it is alone, a clear formula of the same document, what it is beside that
DECIDED = [
    (r"\gamma", r"\gamma", r"\psi(1)=-\gamma", r"\EulerConstant"),
    (r"\psi", r"\psi", r"\psi(x)=\frac{\Gamma'(x)}{\Gamma(x)}", r"\digamma"),
    (r"S(x)", r"S(x)", r"C(z)+iS(z)=\int_0^ze^{i\pi t^2/2}dt", r"\Fresnelsinint@{x}"),
    (r"\psi(x)", r"\digamma@{x}", r"\psi(x)=\sum_{p^m\leq x}\ln p", r"\ChebyshevPsi@{x}"),
]


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load()


def translated(
    translator: Translator, *latex: str, context: Context = None, document: bool = True
) -> list[Translation]:
    answers = translator.translate_many([(one, context) for one in latex], document=document)
    return [answer for answer in answers if isinstance(answer, Translation)]


def alike(one: Translation, other: Translation) -> bool:
    """The same answer, but for what rounding makes of it in another batch."""
    return (
        one.semantic == other.semantic
        and one.confidence == pytest.approx(other.confidence, abs=1e-5)
        and [(d.span, d.macro) for d in one.decisions] == [(d.span, d.macro) for d in other.decisions]
        and [d.probability for d in one.decisions] == pytest.approx([d.probability for d in other.decisions], abs=1e-5)
    )


@pytest.mark.parametrize(("ambiguous", "alone", "clear", "beside"), DECIDED)
def test_another_formula_of_the_document_decides(
    translator: Translator, ambiguous: str, alone: str, clear: str, beside: str
) -> None:
    assert translator.translate(ambiguous).semantic == alone
    assert translated(translator, clear, ambiguous)[1].semantic == beside
    # a document in which nothing is said of the symbol
    assert translated(translator, "x+y=1", ambiguous)[1].semantic == alone


@pytest.mark.parametrize(("ambiguous", "alone", "clear", "beside"), DECIDED)
def test_formulae_of_no_document_do_not_count(
    translator: Translator, ambiguous: str, alone: str, clear: str, beside: str
) -> None:
    answers = translated(translator, clear, ambiguous, clear, document=False)
    assert alike(answers[1], translator.translate(ambiguous, alternatives=0))


def test_the_order_of_formulae_does_not_matter(translator: Translator) -> None:
    document = [r"\gamma", r"\psi(1)=-\gamma", r"\psi", r"f\left(x\right)=1"]
    expected = dict(zip(document, translated(translator, *document), strict=True))
    for order in permutations(document):
        for latex, answer in zip(order, translated(translator, *order), strict=True):
            assert alike(answer, expected[latex]), (latex, order)


@pytest.mark.parametrize("latex", ["K", "H(x)", r"\phi(x)", r"\Gamma", "B_n", r"J_{0}\left(z\right)", r"a\sim b"])
def test_a_formula_is_no_witness_of_itself(translator: Translator, latex: str) -> None:
    """Alone in a document it is what it is without one, also if it stands there twelve times."""
    alone = translator.translate(latex, alternatives=0)
    assert translated(translator, latex) == [alone]
    assert all(alike(answer, alone) for answer in translated(translator, *[latex] * 12))


@pytest.mark.parametrize("latex", ["K", "H(x)", r"\phi(x)"])
def test_a_formula_is_no_witness_of_itself_beside_others(translator: Translator, latex: str) -> None:
    once = translated(translator, latex, "a+1")[0]
    assert alike(translated(translator, *[latex] * 12, "a+1")[0], once)


@pytest.mark.parametrize(
    "clear", [r"g(z)RELATION\sum_{n=0}^{\infty}\frac{a_{n}}{z^{n}}", r"n!RELATION\sqrt{2\pi n}(n/e)^{n}"]
)
def test_relations_are_not_remembered(translator: Translator, clear: str) -> None:
    """What `\\sim` means depends on its sides: the next one may be another."""
    with_relation = translated(translator, clear.replace("RELATION", r"\sim "), r"y\sim x")
    assert with_relation[0].decisions[0].probability > 0.9
    without = translated(translator, clear.replace("RELATION", "="), r"y\sim x")
    assert alike(with_relation[1], without[1])


@pytest.mark.parametrize("latex", [r"\Lambda(n)", "p(n)"])
def test_the_style_of_the_document_counts(translator: Translator, latex: str) -> None:
    """Whoever writes `f\\left(x\\right)` and then `p(n)` used no macro there: less likely than in plain writing."""
    plain = translated(translator, latex, "f(x)=1", "g(y)=2")[0]
    left = translated(translator, latex, r"f\left(x\right)=1", r"g\left(y\right)=2")[0]
    assert left.confidence < plain.confidence
    assert left.decisions[0].probability < plain.decisions[0].probability


def test_errors_stay_where_they_are(translator: Translator) -> None:
    answers = list(
        translator.translate_many([("{", None), (r"\gamma", None), (r"\psi(1)=-\gamma", None)], document=True)
    )
    assert not isinstance(answers[0], Translation)
    assert isinstance(answers[1], Translation) and answers[1].semantic == r"\EulerConstant"


def jsonl(*lines: dict[str, str]) -> list[dict[str, Any]]:
    source = "".join(json.dumps(line) + "\n" for line in lines).encode()
    command = [sys.executable, "-m", "texlift.cli", "translate", "--jsonl", "-k", "0"]
    done = subprocess.run(command, input=source, capture_output=True, timeout=120, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_lines_say_which_document_they_are_of() -> None:
    ambiguous, alone, clear, beside = DECIDED[0]
    answers = jsonl(
        {"latex": clear, "document": "first"},
        {"latex": ambiguous, "document": "first"},
        {"latex": ambiguous},
        {"latex": clear},
        {"latex": ambiguous},
        {"latex": clear, "document": "second"},
        {"latex": ambiguous, "document": "third"},
    )
    assert [answers[number]["semantic"] for number in (1, 2, 4, 6)] == [beside, alone, alone, alone]


def test_calls_in_other_formulae_of_a_document_make_a_letter_a_function(translator: Translator) -> None:
    formulae = ("v(x+1)", "v(x)", "v(0)=1", "v(t)")
    alone, beside = (translated(translator, *formulae, document=document)[0] for document in (False, True))
    assert [one.chosen for one in alone.structure] == ["product"]
    assert [one.chosen for one in beside.structure] == ["application"]
    assert beside.to("sympy") == "Function('v')(x + 1)"
    assert beside.tree.statements == beside.converted("words").reading.statements  # type: ignore[union-attr]


def test_other_formulae_of_a_document_count_for_what_kind_a_letter_likely_is(translator: Translator) -> None:
    formulae = ("v+x", "v(x)=x^2", "y=v(t)+1", "v(0)=0")
    alone, beside = (translated(translator, *formulae, document=document)[0].symbols[1] for document in (False, True))
    assert (alone.kind, beside.kind) == ("real", "real")
    assert (alone.probability or 0) + 0.05 < (beside.probability or 0)
