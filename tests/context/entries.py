"""Formulae with known readings under titles, for tests of memory and sections."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texlift.context.memory import Symbols
from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.scorer.encoding import Encoder
from texlift.train.examples import gold_readings
from texlift.train.ledger import Ledger
from texlift.translate.model import packaged_model
from texlift.tuning import Tuning


def symbols_of(generic: str, semantic: str, titles: dict[str, str]) -> tuple[Symbols, NDArray[np.int32]]:
    """What a formula under titles asks memory about, and the gold reading of each of its places."""
    model = packaged_model()
    forest = Reader(model.grammar).read(canonical(generic))
    gold = gold_readings(forest, semantic, Aligner(model.grammar.rules))
    assert gold is not None
    encoded = Encoder(model.vocabulary, model.numbers).encode(forest, generic, titles)
    return encoded.symbols, np.array([gold.get((id(p.row), p.position), -1) for p in encoded.at], np.int32)


def ledger(*formulae: tuple[str, str, dict[str, str]]) -> Ledger:
    """A ledger of formulae: generic, semantic and titles of each."""
    book = Ledger(Tuning())
    for generic, semantic, titles in formulae:
        book.enter(generic, *symbols_of(generic, semantic, titles))
    return book
