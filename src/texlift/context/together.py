"""Formulae under the same titles read together: a symbol mostly means one thing throughout a section.

How likely the other formulae of a section make a reading of the same symbol, written alike, counts beside how likely
the formula itself makes it. A relation means what its sides make of it, so others have no say: one `\\sim` leads to
an expansion, the next to its first term. Of a section that the model was trained on, the table of conventions knows
better; of a new one this is what it would have said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.exactness import EXACT
from texlift.context.memory import MACRO, SECTION
from texlift.grammar.matching import RELATIONS
from texlift.scorer.encoded import BEST_MATCH, PRIMES, SUB, SUPER, Encoded, Ints

__all__ = ["consensus"]

_WEIGHT: Final = 1.0  # of what the others say, beside what the formula itself does
_LEAST: Final = -6.0  # log-probability below which readings are all the same
_PLACE_BITS: Final = 32


def consensus(
    formulae: Sequence[Encoded],
    log_probabilities: NDArray[np.float32],
    reading_place: NDArray[np.int64],
    known: Container[int] = (),
) -> NDArray[np.float32] | None:
    """What the other formulae of their sections add to the scores of readings: (C,); None if there are no others.

    Sections that are `known` have told already.
    """
    named = [formula.context_keys[SECTION] for formula in formulae]
    sections = [0 if section in known else section for section in named]
    if not any(count > 1 for section, count in Counter(sections).items() if section):
        return None
    of_formula = np.arange(len(formulae)).repeat([len(formula.places) for formula in formulae])
    section = np.array(sections, np.int64)[of_formula]
    symbol = np.concatenate([formula.place_keys[:, MACRO] for formula in formulae])
    written = np.concatenate([_written(formula) for formula in formulae])
    group = _numbered(((section << _PLACE_BITS) ^ (symbol << 6)) + written)
    macro = np.concatenate([formula.reading_keys[:, MACRO] for formula in formulae])
    # how likely each place makes each macro, whatever its arguments
    pairs, of_pair = np.unique(reading_place << _PLACE_BITS | macro, return_inverse=True)
    likely = np.log(np.bincount(of_pair, np.exp(log_probabilities.astype(np.float64))) + 1e-30).clip(_LEAST)
    place = pairs >> _PLACE_BITS
    # all places of a group, and those of the formula itself
    everywhere = _numbered(group[place] << _PLACE_BITS | (pairs & 0xFFFFFFFF))
    here = _numbered(everywhere * len(formulae) + of_formula[place])
    own_group = _numbered(group * len(formulae) + of_formula)
    places = (np.bincount(group)[group] - np.bincount(own_group)[own_group])[place]
    have = np.bincount(everywhere)[everywhere] - np.bincount(here)[here]
    said = np.bincount(everywhere, likely)[everywhere] - np.bincount(here, likely)[here]
    added = (said + _LEAST * (places - have)) / (places + 1)
    relation = np.array(
        [place.row.elements[place.position].label in RELATIONS for formula in formulae for place in formula.places]
    )
    added[(section[place] == 0) | relation[place]] = 0.0
    result: NDArray[np.float32] = (_WEIGHT * added).astype(np.float32)[of_pair]
    return result


def _written(formula: Encoded) -> Ints:
    """(P,): which scripts stand at each place, and how nearly a macro would print what stands there."""
    seen = formula.place_features
    scripts = (seen[:, SUB] > 0) + 2 * (seen[:, SUPER] > 0) + 4 * (seen[:, PRIMES] > 1)
    written: Ints = scripts * (EXACT + 1) + (seen[:, BEST_MATCH] - 1) % (EXACT + 1)
    return written


def _numbered(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Equal numbers from 0 for equal values."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
