"""Without titles, the sections that a formula may be from tell what its symbols are."""

from __future__ import annotations

import numpy as np
import pytest
from entries import encoded, ledger

from texlift.context.memory import KINDRED_COLUMNS, Conventions
from texlift.context.sections import Kindred, features_of
from texlift.scorer.encoded import CONVENTION_COLUMNS
from texlift.train.ledger import Ledger

GAMMA = {"chapter": "Gamma Function", "section": "Definitions"}
PRIMES = {"chapter": "Functions of Number Theory", "section": "Prime Numbers"}
DIGAMMA = (
    r"\psi\left(x\right)=\Gamma'\left(x\right)/\Gamma\left(x\right)",
    r"\digamma@{x}=\EulerGamma'@{x}/\EulerGamma@{x}",
)
CHEBYSHEV = (r"\psi\left(x\right)=\sum_{p^{m}\leq x}\ln p", r"\ChebyshevPsi@{x}=\sum_{p^{m}\leq x}\ln@@{p}")
_COLUMNS = slice(KINDRED_COLUMNS.start - CONVENTION_COLUMNS.start, KINDRED_COLUMNS.stop - CONVENTION_COLUMNS.start)


@pytest.fixture(scope="module")
def book() -> Ledger:
    return ledger((*DIGAMMA, GAMMA), (r"\Gamma\left(z\right)=1", r"\EulerGamma@{z}=1", GAMMA), (*CHEBYSHEV, PRIMES))


def test_a_formula_is_like_those_of_a_section(book: Ledger) -> None:
    formula, _ = encoded(r"\psi\left(x\right)+\Gamma\left(z\right)", r"\digamma@{x}+\EulerGamma@{z}", {})
    home, _ = encoded(*DIGAMMA, GAMMA)
    likely = book.table().kindred.likely([formula])
    assert likely.sections[0][likely.weights[0].argmax()] == home.context_keys[1]


def test_likely_sections_tell_readings(book: Ledger) -> None:
    source, digamma = r"\psi\left(x\right)+\Gamma\left(z\right)", r"\digamma@{x}+\EulerGamma@{z}"
    formula, gold = encoded(source, digamma, {})
    _, other = encoded(source, r"\ChebyshevPsi@{x}+\EulerGamma@{z}", {})
    columns = book.table().columns([formula])[:, _COLUMNS]
    assert columns[gold[0]].sum() > columns[other[0]].sum()


def test_with_a_section_nothing_is_guessed(book: Ledger) -> None:
    formula, _ = encoded(*CHEBYSHEV, PRIMES)
    assert not book.table().columns([formula])[:, _COLUMNS].any()


def test_a_formula_does_not_lead_to_itself(book: Ledger) -> None:
    formula, gold = encoded(*CHEBYSHEV, PRIMES)
    itself, another = book.told([(CHEBYSHEV[0], formula), ("another formula", formula)])
    assert itself.untitled[gold[0]].sum() < another.untitled[gold[0]].sum()


def test_a_new_section_is_not_known(book: Ledger) -> None:
    formula, gold = encoded(r"\psi\left(x\right)=\ln p", r"\ChebyshevPsi@{x}=\ln@@{p}", PRIMES)
    (told,) = book.told([(r"\psi\left(x\right)=\ln p", formula)])
    assert told.fresh_untitled[gold[0]].sum() < told.untitled[gold[0]].sum()


def test_nothing_is_known_without_sections() -> None:
    formula, _ = encoded(*DIGAMMA, {})
    assert not Kindred().likely([formula]).sections.any()
    assert not Kindred.of([]).likely([formula]).sections.any()


def test_tables_are_saved_and_read(book: Ledger) -> None:
    table = book.table()
    again = Conventions.of_arrays(table.arrays())
    formula, _ = encoded(*DIGAMMA, {})
    assert np.array_equal(table.columns([formula]), again.columns([formula]))
    assert len(features_of(formula))
