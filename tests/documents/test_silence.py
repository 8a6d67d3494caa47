"""A document's letters are read as functions only where the document gives a reason."""

from __future__ import annotations

import pytest

from texlift.documents.choices import Choices
from texlift.documents.document import document_of
from texlift.documents.lifting import Options, lift

_FILLER = " We recall some facts that are used below, and prove them in turn; the reader may skip them at first." * 2


def _macros(text: str, choices: Choices | None = None) -> set[str]:
    outcome = lift(document_of((text + _FILLER).encode(), "note.md"), Options(), choices)
    return {d.macro for item in outcome.lifted if item.state == "translated" for d in item.decisions if d.macro}


@pytest.mark.parametrize(
    ("text", "macro"),
    [
        (r"In a graph, $\Gamma(x)$ is the set of vertices adjacent to the vertex $x$.", r"\EulerGamma"),
        (r"For a homomorphism of groups, $\phi(n+1)=\phi(n)$ holds for every element.", r"\Eulertotientphi"),
        (r"Negation is written $\overline{P}$, and $\overline{P\lor Q}=\overline{P}\land\overline{Q}$.", r"\conj"),
        (r"The solution vanishes identically, $f(t)\equiv 0$, on the whole interval.", r"\equivmod"),
        (r"The sample mean $\overline{X}$ is an unbiased estimator of the mean.", r"\conj"),
    ],
)
def test_what_the_text_does_not_speak_of_is_left_alone(text: str, macro: str) -> None:
    assert macro not in _macros(text)


@pytest.mark.parametrize(
    ("text", "macro"),
    [
        (r"The gamma function satisfies $\Gamma(x+1)=x\Gamma(x)$.", r"\EulerGamma"),
        (r"Euler's totient is multiplicative: $\phi(mn)=\phi(m)\phi(n)$ for coprime $m$ and $n$.", r"\Eulertotientphi"),
        (r"By Fermat's little theorem $a^p\equiv a\pmod{p}$.", r"\equivmod"),
        (r"Since $\frac{dy}{dx}=\cos x$, it is increasing there.", r"\deriv"),
    ],
)
def test_what_the_text_speaks_of_is_read(text: str, macro: str) -> None:
    assert macro in _macros(text)


def test_a_choice_of_the_author_outranks_the_silence() -> None:
    text = r"In a graph, $\Gamma(x)$ is what it is, for a vertex $x$."
    assert r"\EulerGamma" in _macros(text, Choices(readings={r"\Gamma": r"\EulerGamma"}))


def test_an_address_is_no_formula() -> None:
    outcome = lift(document_of(rb"See $http://example.org/astr/phy$." + _FILLER.encode(), "note.md"), Options())
    assert [item.written for item in outcome.lifted] == ["http://example.org/astr/phy"]
