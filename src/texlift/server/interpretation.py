"""What the page says about an answer: a sentence, its symbols, its ambiguous places, its meaning tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

from texlift.documents.mathml import render
from texlift.errors import FormulaError, TexliftError, fenced
from texlift.meaning.declarations import Declarations
from texlift.meaning.letters import letters_of
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.structure.kinds import with_kinds
from texlift.translate.answer import Translation

__all__ = ["Declared", "Settled", "chosen_places", "declarations", "drawing", "interpreted"]

Declared: TypeAlias = tuple[tuple[str, str], ...]
"""What a user says of symbols and notations: name and words."""

Settled: TypeAlias = tuple[tuple[int, str, str], ...]
"""What a user says of ambiguous places: where they start in the semantic LaTeX, what stands there, what it means."""

_MOST_DRAWN = 400  # nodes of a meaning tree; a larger picture is of no use
_HEAD = re.compile(r"\\(?:operatorname|mathrm|mathit|mathbf|mathcal|mathbb|mathsf)\*?\s*\{[^{}]*\}|\\[A-Za-z]+|.", re.S)


@lru_cache(maxsize=64)
def declarations(declared: Declared) -> Declarations:
    """Declarations from a request; few are kept, as each may bring a vocabulary of its own."""
    return Declarations.of(dict(declared))


def chosen_places(semantic: str, settled: Settled) -> dict[int, str]:
    """Choices by their place; an error where something else stands there than when the choice was made."""
    for start, source, meaning in settled:
        if not source or not semantic.startswith(source, start):
            message = f"{source} was chosen to be {meaning}, but no longer stands there"
            raise FormulaError(message, semantic, (0, len(semantic)), "take the choice back", "choice")
    return {start: meaning for start, _, meaning in settled}


def interpreted(answer: Translation, declared: Declared, settled: Settled) -> dict[str, Any]:
    """Words, symbols and structure of an answer. Raises FormulaError for a choice that cannot be obeyed.

    `understood` is the probability that the words say what was meant. A formula that cannot be read as mathematics has
    no symbols; `unread` says why.
    """
    places = chosen_places(answer.semantic, settled)
    heads = [_shown(_head(decision.source)) for decision in answer.decisions]
    found: dict[str, Any] = {"words": "", "heads": heads, "symbols": [], "structure": [], "unread": ""}
    found["understood"] = round(answer.confidence, 6)
    try:
        with fenced(answer.semantic, "reading"):
            answer = replace(answer, chosen=tuple(places.items()))
            words = answer.converted("words")
            found |= {"words": words.code, "understood": round(answer.confidence_in(words), 6)}
            tree = words.reading or answer.tree  # words are there also for what cannot be read: the error says why
            letters = with_kinds(letters_of(tree).values(), answer.latex, answer.around)
            symbols = [{**letter.as_dict(), "shown": _shown(letter.name)} for letter in letters]
    except TexliftError as error:
        if places:
            raise
        return {**found, "unread": error.message if isinstance(error, FormulaError) else str(error)}
    structure = [decision.as_dict() for decision in tree.decisions]
    notes = [*tree.warnings, *_idle(tree, declared)]
    return {**found, "symbols": symbols, "structure": structure, "warnings": [*answer.warnings, *notes]}


def drawing(semantic: str, declared: Declared, settled: Settled) -> dict[str, Any]:
    """The meaning tree of semantic LaTeX, in the form of the answers to `/parse`."""
    with fenced(semantic, "reading"):
        tree = read(semantic, declared=declarations(declared), choices=chosen_places(semantic, settled))
        nested = tree.as_dict()["statements"]
        size = sum(1 for _ in _nodes(nested))
        small = size <= _MOST_DRAWN
        text, svg = (tree.pretty(), tree.svg()) if small else ("", None)
        return {"tree": nested, "text": text, "svg": svg, "nodes": size}


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    """All nodes of a meaning tree in its JSON form."""
    stack = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, Mapping):
            if "node" in part:
                yield part
            stack += part.values()
        elif isinstance(part, list | tuple):
            stack += part


def _idle(tree: Reading, declared: Declared) -> list[str]:
    """A sentence for each declaration that says nothing about this formula: it is not ignored silently."""
    own = tree.declared
    if not declared:
        return []
    nodes = list(_nodes(tree.as_dict()["statements"]))
    concepts = {str(node.get("concept", "")).lower() for node in nodes}
    return [
        f"nothing here is written as {written}, which is declared to be {meaning}"
        for written, meaning in declared
        if _is_notation(written, own) and "-".join(meaning.lower().split()) not in concepts
    ]


def _is_notation(written: str, own: Declarations) -> bool:
    from texlift.meaning.declarations import symbol_name

    try:
        return symbol_name(written) not in own
    except TexliftError:
        return True


def _head(source: str) -> str:
    """The first symbol of a place, which stands for the place in the printed formula."""
    found = _HEAD.match(source.lstrip())
    return found[0] if found else ""


@lru_cache(maxsize=2048)
def _shown(latex: str) -> str:
    """MathML of a single symbol, by which the page finds it in the printed formula."""
    return render(latex, False) if latex else ""
