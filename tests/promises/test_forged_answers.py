"""The translator never returns what does not print the formula: it tries the next reading, or says that none passes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from forgery import FORGERIES

import texlift
from texlift.latex.canonical import Row, canonical_key
from texlift.translate.rendering import Renderer
from texlift.translate.translator import Translator

Forge = Callable[[str], str]
FORMULA = r"2J_\nu'(z)+J_\nu^2(x)+\Gamma(z-1)=e^{i\pi}K(k)"
REFUSED = "no reading expands back to the input; left as it is"


@pytest.fixture(scope="module")
def translator() -> Translator:
    return texlift.load()


def forge_rendering(monkeypatch: pytest.MonkeyPatch, forge: Forge, times: int) -> list[str]:
    """Let the first `times` formulae that are written be forged; the forged texts."""
    written = Renderer.formula
    forged: list[str] = []

    def formula(self: Renderer, root: Row) -> str:
        right = written(self, root)
        if len(forged) >= times:
            return right
        forged.append(forge(right))
        return forged[-1]

    monkeypatch.setattr(Renderer, "formula", formula)
    return forged


def expanded(answer: str) -> str:
    return canonical_key(texlift.expand(answer))


@pytest.mark.parametrize("kind", FORGERIES, ids=lambda kind: str(kind.__name__))
def test_forged_readings_are_not_returned(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, kind: Callable[[str], Iterator[str]]
) -> None:
    honest = translator.translate(FORMULA, "Bessel functions", 0).semantic
    assert r"\BesselJ{\nu}'@{z}+\BesselJ{\nu}^{2}@{x}" in honest
    assert next(kind(honest)) != honest

    def forge(text: str) -> str:
        return next(kind(text), r"\EulerGamma@{forged}")

    forged = forge_rendering(monkeypatch, forge, 10_000)
    answer = translator.translate(FORMULA, "Bessel functions", 3)
    assert len(forged) > 3
    assert answer.semantic == FORMULA
    assert answer.confidence == 0
    assert REFUSED in answer.warnings
    assert answer.alternatives == answer.decisions == ()


@pytest.mark.parametrize("alternatives", [0, 4])
@pytest.mark.parametrize("times", [1, 2])
def test_the_next_reading_is_tried(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, alternatives: int, times: int
) -> None:
    forged = forge_rendering(monkeypatch, lambda text: text.replace("z", "\\heartsuit "), times)
    answer = translator.translate(FORMULA, "Bessel functions", alternatives)
    assert len(forged) == times
    assert "heartsuit" not in answer.semantic
    assert REFUSED not in answer.warnings
    assert answer.confidence > 0
    assert expanded(answer.semantic) == canonical_key(FORMULA)


def test_alternatives_are_certified_each_for_itself(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = translator.translate(FORMULA, "Bessel functions", 6)
    assert len(honest.alternatives) > 2
    liar = honest.alternatives[0].semantic
    forge_rendering(monkeypatch, lambda text: text.replace("z", "\\heartsuit ") if text == liar else text, 10_000)
    answer = translator.translate(FORMULA, "Bessel functions", 6)
    assert answer.semantic == honest.semantic
    texts = [other.semantic for other in answer.alternatives]
    assert texts
    assert liar not in texts
    assert all(expanded(text) == canonical_key(FORMULA) for text in texts)


def test_a_formula_without_readings_is_certified_too(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is decided in it, but font commands may be left out."""
    latex = r"\mathit{3j}"
    assert translator.translate(latex).semantic == "3j"
    forge_rendering(monkeypatch, lambda text: text.replace("3", "4"), 10_000)
    assert translator.translate(latex).semantic == latex


def test_the_lines_of_a_stream_are_certified(translator: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    forge_rendering(monkeypatch, lambda text: text.replace("z", "\\heartsuit "), 10_000)
    for together in (True, False):
        asked = [(rf"\Gamma(z+{number})", "Gamma function") for number in range(5)]
        for answer, (latex, _) in zip(translator.translate_many(asked, together=together), asked, strict=True):
            assert not isinstance(answer, Exception)
            assert answer.semantic == latex
            assert REFUSED in answer.warnings
