"""Formulae with known readings under titles, for tests of conventions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from texlift.grammar.induction.alignment import Aligner
from texlift.grammar.readings import Reader
from texlift.latex.canonical import canonical
from texlift.scorer.encoding import Encoded, Encoder
from texlift.train.examples import gold_readings
from texlift.train.ledger import Ledger
from texlift.translate.model import packaged_model


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
