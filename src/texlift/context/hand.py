"""Formulae that come together are taken to be by one hand: who mostly writes as macros print writes so.

A stream of formulae comes from one source. If a hundred of them have `\\left(x\\right)`, as macros print it, then
`C(x)` in plain parentheses is no macro's print; if none has, everybody's call is in plain parentheses. How much a
reading loses that its macro would have printed otherwise is counted: in how many of the other formulae somebody's print
stands, and in how many other macros are read in plain writing. A stream of many hands has both: nothing is lost there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from texlift.context.exactness import EXACT, FONTS
from texlift.context.memory import MACRO
from texlift.context.style import PRINTED, SOMETHING, SYMBOL
from texlift.scorer.encoded import EXACT_COLUMN, Encoded

__all__ = ["unlike_the_hand"]

_MOST: Final = 6.0  # that a reading can lose of its log-score
_PRIOR: Final = 0.2  # formulae in plain writing, and as many as printed, that are added: most hands do one or the other
_READ: Final = -0.7  # log-probability from which on a reading counts as read


def unlike_the_hand(formulae: Sequence[Encoded], log_probabilities: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """(C,): what readings lose that are written otherwise than the others' prints; None if nothing is lost."""
    sizes = [len(formula.reading_fenced) for formula in formulae]
    fenced = np.concatenate([formula.reading_fenced for formula in formulae])
    printed = np.concatenate([formula.reading_features[:, EXACT_COLUMN] for formula in formulae])
    of_formula = np.arange(len(formulae)).repeat(sizes)
    macro = np.concatenate([formula.reading_keys[:, MACRO] for formula in formulae])
    read = log_probabilities > _READ
    loss = np.zeros(len(fenced), np.float32)

    def lose(some: NDArray[np.int64], as_printed: NDArray[np.bool_]) -> None:
        if len(some) and as_printed.any():
            plain = _read_elsewhere(of_formula[some], macro[some], read[some])
            others = as_printed.sum() - as_printed[of_formula[some]]
            rate = (plain + _PRIOR) / (plain + others + 2 * _PRIOR)
            loss[some] = np.maximum(loss[some], np.clip(-np.log(2.0 * rate), 0.0, _MOST))

    plainest = np.array([formula.typed.plainest_left for formula in formulae])
    for kind in range(SYMBOL, SOMETHING + 1):
        lose(np.flatnonzero(fenced == kind), plainest <= kind)
    level = (printed - 1) % (EXACT + 1)
    lose(
        np.flatnonzero((printed > 0) & (level > 0) & (level <= FONTS) & (fenced != PRINTED)),
        np.array([bool(formula.typed.words) for formula in formulae]),
    )
    for word, some in _without_their_font(formulae, sizes).items():
        lose(np.array(some), np.array([word in formula.typed.words for formula in formulae]))
    return loss if loss.any() else None


def _read_elsewhere(
    formula: NDArray[np.int64], macro: NDArray[np.int64], read: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """For each reading, in how many other formulae another macro is read: its own would speak for itself."""
    pairs = set(zip(formula[read].tolist(), macro[read].tolist(), strict=True))
    if not pairs:
        return np.zeros(len(formula))
    per_formula = Counter([number for number, _ in pairs])
    alone = Counter([name for number, name in pairs if per_formula[number] == 1])
    found = []
    for number, name in zip(formula.tolist(), macro.tolist(), strict=True):
        others = len(per_formula) - alone[name]
        here = per_formula[number] > ((number, name) in pairs)
        found.append(others - here)
    return np.array(found, np.float64)


def _without_their_font(formulae: Sequence[Encoded], sizes: Sequence[int]) -> dict[str, list[int]]:
    """The readings whose macro prints a word in a font that the source does not have, by words of some formula."""
    printed = frozenset().union(*(formula.typed.words for formula in formulae))
    found: dict[str, list[int]] = {}
    start = 0
    for formula, size in zip(formulae, sizes, strict=True):
        for reading, word in formula.reading_words:
            if word in printed:
                found.setdefault(word, []).append(start + reading)
        start += size
    return found
