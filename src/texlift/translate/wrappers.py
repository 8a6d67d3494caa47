"""Font commands that the semantic side does without: the DLMF prints `\\mathit{3j}` and means `3j`.

Both are one presentation, canonically. Which kinds of wrappers are left out is learnt from pairs; all others are
copied as they were written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from texlift.errors import FormulaError, Span
from texlift.latex.canonical import CallElement, Row, canonical
from texlift.macros.semantic import semantic_row

__all__ = ["left_out", "needless"]

_FEW = 3  # a kind must have been left out as often, and never kept
_NUMBER = re.compile(r"[0-9]+")
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")


def needless(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Kinds of wrappers that semantic sides leave out, by the (generic, semantic) pairs that have no calls."""
    kept: Counter[str] = Counter()
    gone: Counter[str] = Counter()
    for generic, semantic in pairs:
        if "\\math" not in generic:
            continue
        try:
            root, meant = canonical(generic), semantic_row(semantic)
        except FormulaError:
            continue
        if root.key == meant.key and not any(isinstance(e, CallElement) for row in _rows(meant) for e in row.elements):
            for kind, opening, closing in _wrappers(generic, root):
                (kept if generic[opening[0] : closing[1]] in semantic else gone)[kind] += 1
    return frozenset(kind for kind, count in gone.items() if count >= _FEW and not kept[kind])


def left_out(source: str, root: Row, kinds: Collection[str]) -> list[Span]:
    """Where the wrappers of these kinds stand in a formula: their opening and closing parts."""
    commands = {kind.partition("{")[0] for kind in kinds}
    if not any(command in source for command in commands):
        return []
    return [part for kind, opening, closing in _wrappers(source, root) if kind in kinds for part in (opening, closing)]


def _wrappers(source: str, root: Row) -> Iterator[tuple[str, Span, Span]]:
    """Kind, opening and closing part of every font command with an argument."""
    for row in _rows(root):
        for opening, closing in row.dissolved:
            if source.startswith("\\math", opening[0]):
                yield _kind(source[opening[0] : closing[1]]), opening, closing


def _kind(text: str) -> str:
    """A wrapper with all numbers and all single letters alike."""
    return _LETTER.sub("a", _NUMBER.sub("9", text))


def _rows(row: Row) -> Iterator[Row]:
    yield row
    for element in row.elements:
        for child in element.rows:
            yield from _rows(child)
