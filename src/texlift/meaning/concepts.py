"""Which concept of the vocabulary a node of the meaning tree is, and what its parts are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from texlift.errors import TexliftError
from texlift.macros.concepts import Concept, Vocabulary, vocabulary
from texlift.macros.own_vocabulary import read_vocabulary
from texlift.meaning.shape import Shape, key_of, shape, shapes
from texlift.meaning.tree import Expression

__all__ = ["Meant", "concept_of", "load_vocabulary", "meant"]


@dataclass(frozen=True, slots=True)
class Meant:
    """A concept with its parts by the number of their hole; `complete` where they are all there is to the node."""

    concept: Concept
    parts: dict[str, Expression]

    @property
    def complete(self) -> bool:
        return len(self.parts) == self.concept.arity


def concept_of(node: Expression, words: Vocabulary | None = None) -> str:
    """The name of a node's concept; empty where the vocabulary has none."""
    found = meant(node, words)
    return found.concept.name if found is not None else ""


def meant(node: Expression, words: Vocabulary | None = None) -> Meant | None:
    """The concept of a node and its parts; None where the vocabulary has none."""
    for concept, wanted in _index(vocabulary() if words is None else words).get(key_of(node), ()):
        parts = wanted.match(node)
        if parts is not None:
            return Meant(concept, parts)
    return None


def load_vocabulary(path: Path | str) -> Vocabulary:
    """The packaged vocabulary with the entries of a file. Raises TexliftError where the file is wrong."""
    path = Path(path)
    own = read_vocabulary(path)
    for number, concept in enumerate(own, 1):
        try:
            made = shape(concept.shape)
        except TexliftError as error:
            raise TexliftError(f"{path}, entry {number}: {concept.name}: {error}") from error
        if concept.level == "relation" and made.kind not in ("relation", "apply"):
            raise TexliftError(f"{path}, entry {number}: {concept.name}: its shape is no relation")
    return vocabulary().extended(own)


@lru_cache(maxsize=64)
def _index(words: Vocabulary) -> dict[tuple[str, str], tuple[tuple[Concept, Shape], ...]]:
    """The concepts by what their nodes are; those that ask for more first: a logarithm to the base 10."""
    found: dict[tuple[str, str], list[tuple[Concept, Shape]]] = {}
    for concept in words:
        for made in shapes(concept.shape):
            found.setdefault(made.key, []).append((concept, made))
    return {
        key: tuple(sorted(some, key=lambda pair: (pair[0].name not in words.own, -_fixed(pair[1]))))
        for key, some in found.items()
    }


def _fixed(made: Shape) -> int:
    """How much a shape asks for beyond its kind."""
    return sum(1 + _fixed(part) for _, part in made.parts if part.kind not in ("hole", "splat"))
