"""Presentation MathML with intents: well-formed, its references resolve, invisible operators say what is meant."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from texlift.errors import FormulaError
from texlift.macros.lexicon import lexicon
from texlift.targets import convert
from texlift.targets.writers.intent import concept

APPLY, TIMES, SEPARATOR = "\u2061", "\u2062", "\u2063"
_TOKEN = re.compile(r"\$[A-Za-z][\w.-]*|[A-Za-z_][\w.-]*|[0-9]+|[(),]")


class Intent:
    """A parser for the grammar of intents: names, numbers, references, applications."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        assert "".join(self.tokens) == text, text
        self.references: list[str] = []
        self.term()
        assert not self.tokens, text

    def term(self) -> None:
        head = self.tokens.pop(0)
        assert head not in "(),"
        if head[0] == "$":
            self.references.append(head[1:])
        while self.tokens and self.tokens[0] == "(":
            self.tokens.pop(0)
            self.term()
            while self.tokens[0] == ",":
                self.tokens.pop(0)
                self.term()
            assert self.tokens.pop(0) == ")"


def _argument(element: ElementTree.Element, name: str) -> bool:
    """Whether a reference resolves: arguments inside other intents or arguments are not seen."""
    for child in element:
        if child.get("arg") == name:
            return True
        if child.get("arg") is None and child.get("intent") is None and _argument(child, name):
            return True
    return False


def checked(semantic: str) -> ElementTree.Element:
    """The element; every intent in it is well-formed and resolves."""
    root = ElementTree.fromstring(convert(semantic, "intent").code)
    for element in root.iter():
        if (intent := element.get("intent")) is not None:
            for name in Intent(intent).references:
                assert _argument(element, name), (semantic, intent)
    return root


def shown(semantic: str) -> str:
    return "".join(checked(semantic).itertext())


def intents(semantic: str) -> list[str]:
    return [element.attrib["intent"] for element in checked(semantic).iter() if "intent" in element.attrib]


def test_a_macro_has_its_concept_and_its_layout() -> None:
    assert intents(r"\BesselJ{\nu}@{z}") == ["bessel-function($a1,$a2)"]
    assert shown(r"\BesselJ{\nu}@{z}") == f"Jν{APPLY}(z)"
    assert intents(r"\sin^{2}@@{x}") == ["power(sine($a1),$s1)"]
    assert intents(r"\BesselJ{\nu}'@{z}") == ["derivative(bessel-function($a1,$a2),$a2,1)"]
    assert intents(r"\deriv[2]{w}{z}") == ["derivative($a2,$a3,$a1)"]


def test_application_and_product_are_told_apart() -> None:
    assert shown("f(x)=a(b+c)") == f"f{APPLY}(x)=a{TIMES}(b+c)"
    assert shown(r"2x\sin@@{y}") == f"2{TIMES}x{TIMES}sin{APPLY}y"
    assert shown("a_{mn}") == f"am{SEPARATOR}n"


def test_the_layout_of_the_author_stays() -> None:
    assert shown("x_{1}+\\dots+x_{n}") == "x1+…+xn"
    assert shown(r"x=\pm\sqrt{a}") == "x=±a"
    assert "<mfrac>" in convert(r"\frac{a}{b}", "intent").code
    assert "<mfrac>" not in convert("a/b", "intent").code
    assert shown("[a+b]") == "[a+b]"


@pytest.mark.parametrize(
    ("semantic", "intent"),
    [
        ("|x|", "absolute-value($a1)"),
        (r"x\in[0,1)", "closed-open-interval($a1,$a2)"),
        (r"x\in(0,1)", "open-interval($a1,$a2)"),
        ("A^{\\top}", "transpose($a1)"),
        ("(a)_{n}", "pochhammer($a1,$a2)"),
        ("e^{x}", "exponential-e"),
        (r"\lfloor x\rfloor", "floor($a1)"),
        (r"\binom{n}{k}", "binomial-coefficient($a1,$a2)"),
        (r"\{1,2\}", "set($a1,$a2)"),
    ],
)
def test_what_signs_mean_is_said(semantic: str, intent: str) -> None:
    assert intent in intents(semantic)


def test_what_is_not_understood_is_refused() -> None:
    with pytest.raises(FormulaError):
        convert("x+", "intent")
    with pytest.raises(FormulaError):
        convert("x\ue001", "intent")


def test_hostile_text_stays_text() -> None:
    root = checked(r"x<y\text{ or }y<\mathrm{a}")
    assert "<" in "".join(root.itertext())
    assert all(element.tag in ("math", "mrow", "mi", "mo", "mtext") for element in root.iter())


def test_every_macro_has_a_name_of_the_grammar() -> None:
    for macro in lexicon():
        name = concept(macro.name)
        assert not name or re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", name), macro.name


def test_names_are_those_of_the_lists_where_they_have_the_concept() -> None:
    folder = os.environ.get("TEXLIFT_DATA")
    if not folder or not (Path(folder) / "intent" / "open.yml").exists():
        pytest.skip("needs the lists of intent concepts in TEXLIFT_DATA")
    texts = [(Path(folder) / "intent" / name).read_text("utf-8") for name in ("core.yml", "open.yml")]
    known = {match for text in texts for match in re.findall(r"- concept: (\S+)", text)}
    for name in (r"\sin", r"\BesselJ", r"\EulerGamma", r"\binom", r"\abs", r"\Riemannzeta", r"\LegendrepolyP"):
        assert concept(name) in known


def test_equations_of_the_corpus_are_well_formed() -> None:
    folder = os.environ.get("TEXLIFT_DATA")
    if not folder or not (Path(folder) / "dlmf.jsonl").exists():
        pytest.skip("needs the corpus in TEXLIFT_DATA")
    count = 0
    with (Path(folder) / "dlmf.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in [row for row in rows if row["kind"] == "equation"][::40]:
        try:
            checked(row["semantic"])
        except FormulaError:
            continue
        count += 1
    assert count > 190


@pytest.mark.parametrize(
    ("latex", "intents"),
    [
        (r"\mathbb{E}[X^2]", ["expected-value($a1)"]),
        (r"E[\operatorname{Var}(X\mid Y)]", ["expected-value($a1)", "conditional-variance($a1,$a2)"]),
        (r"\Pr(A\mid B)=\frac{P(A)}{P(B)}", ["conditional-probability($a1,$a2)"] + 2 * ["probability($a1)"]),
        (r"\nabla f+\nabla^2 g", ["gradient($a1)", "laplacian($a1)"]),
        (r"\det A", ["determinant($a1)"]),
        (r"[A,B]", ["commutator($a1,$a2)"]),
        (r"a+b!", []),
        (r"A\cup B", []),  # the sign says it
    ],
)
def test_concepts_of_ordinary_mathematics_have_intents(latex: str, intents: list[str]) -> None:
    found = [element.get("intent", "") for element in checked(latex).iter()]
    assert [intent for intent in found if intent] == intents


def test_parts_of_a_concept_are_named() -> None:
    root = checked(r"\operatorname{Cov}(X+1,Y)")
    (concept,) = root
    named = {element.get("arg"): "".join(element.itertext()) for element in concept.iter() if element.get("arg")}
    assert named == {"a1": "X+1", "a2": "Y"}


def test_no_invisible_product_beside_a_relation_of_the_lexicon() -> None:
    assert TIMES not in convert(r"a\divides b", "intent").code
