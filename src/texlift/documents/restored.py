"""A lifted document as it was: all its files, with the author's spelling in every formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texlift.documents.document import Document
from texlift.documents.formula import Problem
from texlift.documents.loading import unloaded
from texlift.documents.restoring import Restorer
from texlift.documents.spelling import Spelling
from texlift.documents.tagging import untagged
from texlift.errors import FormulaError

__all__ = ["Restored", "restored_document"]


@dataclass(frozen=True, slots=True)
class Restored:
    """The texts of the files of a document, and formulae that could not be restored."""

    texts: list[str]
    problems: list[Problem]


def restored_document(document: Document, spellings: Sequence[Spelling] | None) -> Restored:
    """Give back what a document was before it was lifted; `spellings` are those of its package, None if it is lost."""
    restorer = Restorer.of_lexicon() if spellings is None else Restorer(spellings)
    replacements: dict[int, str] = {}
    problems: list[Problem] = []
    for index, formula in enumerate(document.formulae):
        try:
            text = restorer.restored(formula.latex)
        except FormulaError as error:
            if "@" in formula.latex:
                name = document.path_of(formula).name
                problems.append(Problem(name, formula.line, f"left as it is: {error.message}"))
            continue
        if text != formula.latex:
            replacements[index] = text
    texts = document.written(replacements)
    if document.kind == "tex":
        texts = [untagged(text) for text in texts]
        texts[0] = unloaded(texts[0])
    return Restored(texts, problems)
