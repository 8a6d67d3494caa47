"""Words without a meaning that stand for formulae while a converter of text is at work.

A converter sees `texliftq0m17q` in the place of a formula, which is a plain word in Markdown and LaTeX. Afterwards the
word is replaced by MathML in text, by the source in code, and by words in attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count

__all__ = ["StandIns"]


@dataclass(slots=True)
class StandIns:
    """The words in use, with what each stands for: HTML, source, plain words."""

    prefix: str
    known: list[tuple[str, str, str]] = field(default_factory=list)

    @classmethod
    def unlike(cls, texts: Iterable[str]) -> StandIns:
        """Words that none of the texts has."""
        together = "\n".join(texts).lower()
        return cls(next(p for n in count() if (p := f"texliftq{n}m") not in together))

    def add(self, page: str, source: str, words: str) -> str:
        """The word for one formula."""
        self.known.append((page, source, words))
        return f"{self.prefix}{len(self.known) - 1}q"

    def html(self, text: str) -> str:
        """Escaped text with its formulae as HTML."""
        return self._replaced(text, 0)

    def source(self, text: str) -> str:
        """Text with its formulae as they were written."""
        return self._replaced(text, 1)

    def words(self, text: str) -> str:
        """Text with its formulae in words."""
        return self._replaced(text, 2)

    def _replaced(self, text: str, which: int) -> str:
        if self.prefix not in text:
            return text

        def found(match: re.Match[str]) -> str:
            number = int(match[1])
            return self.known[number][which] if number < len(self.known) else match[0]

        return re.sub(rf"{self.prefix}(\d{{1,7}})q", found, text)
