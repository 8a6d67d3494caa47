"""Formulae about which nothing is said, put where they seem to be from.

Somebody sends the formulae of a text, one after the other, without a word about them. All together they mostly tell
which sections they look like; a formula is then read as if it stood under the titles of its section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from texlift.context.memory import SECTION, context_keys
from texlift.context.sections import Kindred
from texlift.context.succession import Succession
from texlift.scorer.encoded import Encoded

__all__ = ["Placing", "Titles", "section_titles"]

Titles: TypeAlias = tuple[str, str]
"""Of a chapter and of a section in it."""

_FEWEST: Final = 5  # formulae of a section into which others are put
_SURE: Final = 0.3  # how likely a section must be
_OTHERWISE: Final = 3.0  # by how much, as a logarithm, a formula is likelier to be from a section that is not known
_TEMPER: Final = 0.3  # symbols are not independent: naive Bayes is too sure, and more so if it is asked again and again


class Placing:
    """Puts formulae into the sections that a model knows."""

    def __init__(self, kindred: Kindred, sections: Sequence[Titles]) -> None:
        """`sections` are the titles of those that `kindred` knows, in any order; of some they may be missing."""
        self._kindred = kindred
        titles = {context_keys(_context(known))[SECTION]: known for known in sections}
        known = [titles.get(number) for number in kindred.sections.tolist()]
        # of a section with a formula or two not much is known: it looks like any other
        self._columns = [at for at, size in enumerate(kindred.sizes.tolist()) if size >= _FEWEST and known[at]]
        self._titles = [*(known[at] for at in self._columns), None]  # the last one is any other section
        self._columns.append(len(known))
        chapters: dict[str, int] = {}
        numbers = [chapters.setdefault(own[0].lower() if own else "", len(chapters)) for own in self._titles]
        self._succession = Succession(np.array(numbers, np.int64))

    def contexts(self, formulae: Sequence[Encoded]) -> list[Mapping[str, str] | None]:
        """For each formula the titles of its section, None where that is not sure."""
        if len(formulae) < 2 or len(self._titles) < 2:
            return [None] * len(formulae)
        alone = self._kindred.log_likelihoods(formulae)[:, self._columns]
        alone[:, -1] += _OTHERWISE
        likely = self._succession.likely(_TEMPER * alone)
        if likely is None:
            return [None] * len(formulae)
        best = likely.argmax(1).tolist()
        sure = (likely.max(1) > _SURE).tolist()
        return [
            _context(titles) if is_sure and (titles := self._titles[section]) else None
            for section, is_sure in zip(best, sure, strict=True)
        ]


def section_titles(contexts: Sequence[Mapping[str, str] | str | None]) -> tuple[Titles, ...]:
    """The titles of all sections that some contexts name, each once."""
    found: dict[int, Titles] = {}
    for context in contexts:
        if (number := context_keys(context)[SECTION]) and isinstance(context, Mapping):
            found.setdefault(number, (str(context.get("chapter", "")), str(context.get("section", ""))))
    return tuple(found.values())


def _context(titles: Titles) -> dict[str, str]:
    return dict(zip(("chapter", "section"), titles, strict=True))
