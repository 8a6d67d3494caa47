"""What other formulae make of a symbol is told to a reading, and a formula never hears of itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from texlift.grammar.alignment import Aligner
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.training.translator_data import gold_readings
from texlift.translate.conventions import SECTION_CONVENTIONS, Ledger, title_keys
from texlift.translate.encoded import CONVENTION_COLUMNS
from texlift.translate.encoding import Encoded, Encoder
from texlift.translate.model import packaged_model

HERE = {"chapter": "Orthogonal Polynomials", "section": "Legendre"}
THERE = {"chapter": "Orthogonal Polynomials", "section": "Continued Fractions"}
ELSEWHERE = {"chapter": "Random Walks", "section": "Steps"}
_SUITING = -1  # the last column is told by the company, not by titles


def encoded(generic: str, semantic: str, titles: dict[str, str]) -> tuple[Encoded, NDArray[np.int32]]:
    """A formula under titles, and the gold reading of each of its places."""
    model = packaged_model()
    forest = Reader(model.grammar).read(canonical(generic))
    gold = gold_readings(forest, semantic, Aligner(model.grammar.rules))
    assert gold is not None
    found = Encoder(model.vocabulary, model.numbers).encode(forest, generic, titles)
    return found, np.array([gold.get((id(p.row), p.position), -1) for p in found.places], np.int32)


def ledger(*formulae: tuple[str, str, dict[str, str]]) -> Ledger:
    book = Ledger()
    for generic, semantic, titles in formulae:
        book.enter(generic, *encoded(generic, semantic, titles))
    return book


LEGENDRE = (r"P_{n}\left(x\right)=1", r"\LegendrepolyP{n}@{x}=1", HERE)
LETTERS = (r"P_{n}(x)=A_{n}", r"P_{n}(x)=A_{n}", THERE)


def told(book: Ledger, generic: str, semantic: str, titles: dict[str, str]) -> tuple[list[int], list[int]]:
    """What gold's reading of the first symbol is told, and what the literal one is."""
    formula, gold = encoded(generic, semantic, titles)
    columns = book.table().columns([formula])
    return columns[int(gold[0])].tolist(), columns[0].tolist()


def test_sections_have_conventions_of_their_own() -> None:
    book = ledger(LEGENDRE, LETTERS)
    here, literal_here = told(book, r"P_{m}\left(t\right)", r"\LegendrepolyP{m}@{t}", HERE)
    there, literal_there = told(book, r"P_{m}\left(t\right)", r"\LegendrepolyP{m}@{t}", THERE)
    column = SECTION_CONVENTIONS[0] - CONVENTION_COLUMNS.start
    assert here[column] > literal_here[column]
    assert there[column] < literal_there[column]


def test_under_unknown_titles_nothing_is_told() -> None:
    book = ledger(LEGENDRE, LETTERS)
    own, literal = told(book, r"P_{m}\left(t\right)", r"\LegendrepolyP{m}@{t}", ELSEWHERE)
    assert not any(own[:_SUITING]) and not any(literal[:_SUITING])


def test_a_formula_does_not_hear_of_itself() -> None:
    book = ledger(LEGENDRE)
    formula, _ = encoded(*LEGENDRE)
    ((known, fresh),) = book.told([(LEGENDRE[0], formula)])
    assert not known[:, :_SUITING].any() and not fresh[:, :_SUITING].any()
    ((known, _),) = book.told([("another formula", formula)])
    assert known[:, :_SUITING].any()


def test_in_a_new_section_only_other_sections_count() -> None:
    book = ledger(LEGENDRE, LETTERS)
    formula, _ = encoded(r"P_{m}\left(t\right)", r"\LegendrepolyP{m}@{t}", HERE)
    ((known, fresh),) = book.told([(r"P_{m}\left(t\right)", formula)])
    section = SECTION_CONVENTIONS[0] - CONVENTION_COLUMNS.start
    assert known[:, section].any()
    assert not fresh[:, section].any()
    assert (known[:, 0] == fresh[:, 0]).all()  # what the chapter's other sections do


def test_company_tells() -> None:
    r"""\psi beside \Gamma is the digamma function, beside primes Chebyshev's."""
    digamma = (r"\psi\left(z\right)=\Gamma'\left(z\right)", r"\digamma@{z}=\EulerGamma'@{z}", HERE)
    chebyshev = (r"\psi\left(z\right)=\sum_{p}\ln p", r"\ChebyshevPsi@{z}=\sum_{p}\ln@@{p}", THERE)
    book = ledger(digamma, chebyshev)
    own, _ = told(book, r"\psi\left(1\right)+\Gamma\left(1\right)", r"\digamma@{1}+\EulerGamma@{1}", {})
    other, _ = told(book, r"\psi\left(1\right)+\Gamma\left(1\right)", r"\ChebyshevPsi@{1}+\EulerGamma@{1}", {})
    assert own[_SUITING] > other[_SUITING]


@pytest.mark.parametrize("context", [None, "", "Legendre polynomials", {}, {"sentence": "the polynomial $P$"}])
def test_no_titles_no_keys(context: str | dict[str, str] | None) -> None:
    assert title_keys(context) == (0, 0, 0)
