r"""A formula in another notation, with the arguments that this notation takes: K(k) as K(m) with m = k^2.

The result is read again in the notation it is written in. If that gives another meaning, the formula is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from texlift.errors import FormulaError, TexliftError
from texlift.macros.concepts import Concept, ConceptNotation, Vocabulary, vocabulary
from texlift.meaning.concepts import meant
from texlift.meaning.conversions import converted, convertible
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.shape import same
from texlift.meaning.tree import Apply, Expression, rebuild, walk
from texlift.meaning.writing import LatexWriter

__all__ = ["Rewritten", "by_macros", "in_notation"]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A formula in a notation: `semantic` still has the macros that the notation has nothing for.

    `trees` say what it means, `changed` names the functions whose arguments were transformed, `told` has the notations
    that mean something else elsewhere (each with an example), and what they mean here.
    """

    semantic: str
    words: Vocabulary
    trees: tuple[Expression, ...]
    changed: tuple[str, ...] = ()
    told: tuple[tuple[str, str], ...] = ()


def by_macros(reading: Reading) -> str:
    """A formula with every concept by its macro. Raises FormulaError for what has none."""
    words = vocabulary() if reading.declared.vocabulary is None else reading.declared.vocabulary
    return _certified(reading, reading.statements, LatexWriter(reading.source, words=words), words)


def in_notation(reading: Reading, tag: str) -> Rewritten:
    """A formula in the notation with a tag.

    Raises FormulaError where a part cannot be expressed in it, or would be read as something else.
    """
    words = vocabulary() if reading.declared.vocabulary is None else reading.declared.vocabulary
    changed: dict[str, None] = {}
    trees = tuple(_conveyed(statement, tag, words, changed) for statement in reading.statements)
    concepts = [found.concept for tree in trees for node in walk(tree) if (found := meant(node, words)) is not None]
    words = words.speaking(tag, dict.fromkeys(concept.name for concept in concepts))
    told = {}
    for concept in concepts:
        one = concept.in_notation(tag)
        if one is not None and one.ambiguous:
            told[concept.written(one, _letters(concept))] = concept.words

    def choose(concept: Concept) -> ConceptNotation | None:
        return concept.in_notation(tag)

    text = _certified(reading, trees, LatexWriter(reading.source, choose, words), words)
    return Rewritten(text, words, trees, tuple(changed), tuple(told.items()))


def _letters(concept: Concept) -> dict[str, str]:
    return {str(number): text for number, text in enumerate(concept.example, 1)}


def _conveyed(node: Expression, tag: str, words: Vocabulary, changed: dict[str, None]) -> Expression:
    """A tree with the macros that a notation has, arguments transformed."""
    node = rebuild(node, lambda part: _conveyed(part, tag, words, changed))
    if not isinstance(node, Apply):
        return node
    found = meant(node, words)
    if found is not None and found.concept.in_notation(tag) is not None:
        return node
    for head in convertible(node.head):
        value = converted(node, head)
        for part in walk(value) if value is not None else ():
            other = meant(part, words) if isinstance(part, Apply) and part.head == head else None
            if other is not None and other.concept.in_notation(tag) is not None:
                assert value is not None
                changed[found.concept.words if found is not None else node.head] = None
                return value
    return node


def _certified(reading: Reading, trees: tuple[Expression, ...], writer: LatexWriter, words: Vocabulary) -> str:
    """The LaTeX of trees that is read as these trees."""
    source = reading.source
    whole = (0, len(source))
    if reading.split:
        raise FormulaError(r"\pm stands for two formulae", source, whole, "give one of them", "unsupported")
    text = ",".join(writer.statement(tree) for tree in trees)
    try:
        again = read(text, declared=reading.declared.speaking(words)).statements
    except TexliftError as error:
        message = f"{text} would not be read again: {str(error).splitlines()[0]}"
        raise FormulaError(message, source, whole, "", "unsupported") from error
    if len(again) != len(trees) or not all(same(left, right) for left, right in zip(again, trees, strict=True)):
        message = f"{text} would be read as something else"
        raise FormulaError(message, source, whole, "the notation cannot express it", "unsupported")
    return text
