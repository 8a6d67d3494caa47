"""Without titles, the sections that a formula looks like say what its symbols are."""

from __future__ import annotations

import numpy as np
import pytest
from entries import ledger, symbols_of

from texlift.context.memory import COLUMNS, LIKELY_COLUMNS, SECTION, Memory
from texlift.context.sections import SectionClassifier
from texlift.train.ledger import Ledger
from texlift.tuning import Tuning

GAMMA = {"chapter": "Gamma Function", "section": "Definitions"}
PRIMES = {"chapter": "Functions of Number Theory", "section": "Prime Numbers"}
DIGAMMA = (
    r"\psi\left(x\right)=\Gamma'\left(x\right)/\Gamma\left(x\right)",
    r"\digamma@{x}=\EulerGamma'@{x}/\EulerGamma@{x}",
)
CHEBYSHEV = (r"\psi\left(x\right)=\sum_{p^{m}\leq x}\ln p", r"\ChebyshevPsi@{x}=\sum_{p^{m}\leq x}\ln@@{p}")
_COLUMNS = [COLUMNS.index(name) for name in LIKELY_COLUMNS]


@pytest.fixture(scope="module")
def book() -> Ledger:
    return ledger((*DIGAMMA, GAMMA), (r"\Gamma\left(z\right)=1", r"\EulerGamma@{z}=1", GAMMA), (*CHEBYSHEV, PRIMES))


def test_a_formula_looks_like_those_of_a_section(book: Ledger) -> None:
    symbols, _ = symbols_of(r"\psi\left(x\right)+\Gamma\left(z\right)", r"\digamma@{x}+\EulerGamma@{z}", {})
    home, _ = symbols_of(*DIGAMMA, GAMMA)
    likely = book.memory().sections.likely([symbols.features])
    assert likely.sections[0][likely.weights[0].argmax()] == home.scope[SECTION]


def test_likely_sections_speak_for_readings(book: Ledger) -> None:
    source, digamma = r"\psi\left(x\right)+\Gamma\left(z\right)", r"\digamma@{x}+\EulerGamma@{z}"
    symbols, gold = symbols_of(source, digamma, {})
    _, other = symbols_of(source, r"\ChebyshevPsi@{x}+\EulerGamma@{z}", {})
    columns = book.memory().columns([symbols])[:, _COLUMNS]
    assert columns[gold[0]].sum() > columns[other[0]].sum()


def test_with_a_section_nothing_is_guessed(book: Ledger) -> None:
    symbols, _ = symbols_of(*CHEBYSHEV, PRIMES)
    assert not book.memory().columns([symbols])[:, _COLUMNS].any()


def test_in_training_a_formula_does_not_lead_to_itself(book: Ledger) -> None:
    symbols, gold = symbols_of(*CHEBYSHEV, PRIMES)
    itself, another = book.remembered([(CHEBYSHEV[0], symbols), ("another formula", symbols)])
    assert itself.untitled[gold[0]].sum() < another.untitled[gold[0]].sum()


def test_a_new_section_is_not_known(book: Ledger) -> None:
    symbols, gold = symbols_of(r"\psi\left(x\right)=\ln p", r"\ChebyshevPsi@{x}=\ln@@{p}", PRIMES)
    (others,) = book.remembered([(r"\psi\left(x\right)=\ln p", symbols)])
    assert others.fresh_untitled[gold[0]].sum() < others.untitled[gold[0]].sum()


def test_nothing_is_known_without_sections() -> None:
    symbols, _ = symbols_of(*DIGAMMA, {})
    for classifier in (SectionClassifier(), SectionClassifier.of([], Tuning())):
        assert not classifier.likely([symbols.features]).sections.any()


def test_tables_are_saved_and_read(book: Ledger) -> None:
    memory = book.memory()
    again = Memory.of_arrays(memory.arrays(), Tuning())
    assert np.array_equal(memory.keys, again.keys) and np.array_equal(memory.counts, again.counts)
    for titles in ({}, GAMMA):
        symbols, _ = symbols_of(*DIGAMMA, titles)
        columns = memory.columns([symbols])
        assert columns.any()
        assert np.array_equal(columns, again.columns([symbols]))
