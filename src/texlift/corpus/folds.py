"""Folds for cross-validation: by formula, and by section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b

from texlift.corpus.pair import Pair
from texlift.errors import TexliftError

__all__ = ["FOLDS", "assign_folds", "check_folds", "formula_fold", "section_fold", "split_fold"]

FOLDS = 10
"""The paper's 10-fold cross-validation."""


def formula_fold(generic: str, folds: int = FOLDS) -> int:
    """The fold of a generic formula: equal formulae, up to spaces, always share one, in every run and file."""
    return _bucket("formula:" + "".join(generic.split()), folds)


def section_fold(section: str, folds: int = FOLDS) -> int:
    """The fold of a section: the honest test for new material, because titles and neighbours do not leak."""
    return _bucket("section:" + section, folds)


def assign_folds(pairs: Iterable[Pair], folds: int = FOLDS, anew: bool = False) -> list[Pair]:
    """The pairs with both folds filled in; folds that are there already stay unless `anew`.

    Pairs without a section are sections of their own by formula. Raises TexliftError if the folds that were
    there put one generic formula into two folds.
    """
    known: dict[str, int] = {}
    pairs = list(pairs)
    if not anew:
        check_folds(pairs)
        known = {pair.generic: pair.fold for pair in pairs if pair.fold is not None}
    assigned = []
    for pair in pairs:
        fold = known.get(pair.generic)
        by_section = None if anew else pair.section_fold
        if by_section is None:
            by_section = section_fold(pair.section or pair.generic, folds)
        assigned.append(
            replace(pair, fold=formula_fold(pair.generic, folds) if fold is None else fold, section_fold=by_section)
        )
    return assigned


def check_folds(pairs: Iterable[Pair]) -> None:
    """Raise TexliftError if a generic formula stands in two folds: its translation would leak into the test."""
    seen: dict[str, Pair] = {}
    for pair in pairs:
        if pair.fold is None:
            continue
        other = seen.setdefault(pair.generic, pair)
        if other.fold != pair.fold:
            raise TexliftError(
                f"the same formula stands in two folds: {other.id} in {other.fold}, {pair.id} in {pair.fold}: "
                f"{pair.generic[:80]}"
            )


def split_fold(pairs: Sequence[Pair], held_out: int, by_section: bool = False) -> tuple[list[Pair], list[Pair]]:
    """(the other folds, the fold held out); pairs without a fold are assigned one first."""
    complete = pairs if all(_fold(pair, by_section) is not None for pair in pairs) else assign_folds(pairs)
    rest = [pair for pair in complete if _fold(pair, by_section) != held_out]
    return rest, [pair for pair in complete if _fold(pair, by_section) == held_out]


def _fold(pair: Pair, by_section: bool) -> int | None:
    return pair.section_fold if by_section else pair.fold


def _bucket(text: str, folds: int) -> int:
    """A hash that is the same in every process (Python's own is salted)."""
    if folds < 2:
        raise TexliftError(f"cross-validation needs at least 2 folds, not {folds}")
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") % folds
