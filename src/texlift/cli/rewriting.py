"""`texlift expand --notation NAME`: a formula as another book would write it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from texlift.latex.wrapping import unwrapped

__all__ = ["Rewriting", "list_notations"]


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What is to be done with each formula: expanded, or rewritten in a notation; generic LaTeX is translated first."""

    notation: str = ""
    generic: bool = False
    context: str = ""
    declare: tuple[str, ...] = ()
    own: Path | None = None

    def __call__(self, formula: str) -> tuple[str, tuple[str, ...]]:
        """The formula in generic LaTeX, and what a reader of it should know. Raises TexliftError."""
        from texlift.cli.words import declarations
        from texlift.grammar.expansion import expand

        text = unwrapped(formula)
        declared = declarations(self.declare, self.own)
        if not self.notation:
            return expand(text, words=declared.vocabulary), ()
        from texlift.meaning.reader.reading import read
        from texlift.meaning.rewriting import in_notation

        notes: list[str] = []
        if self.generic:
            from texlift.translate.translator import load

            answer = load().translate(formula, self.context or None, declare=declared)
            text = answer.semantic
            notes.append(f"read as {text} ({answer.confidence:.1%})")
        found = in_notation(read(text, declared=declared), self.notation)
        notes += [f"the arguments of the {words} were transformed" for words in found.changed]
        notes += [f"here {latex} is the {words}" for latex, words in found.told]
        return expand(found.semantic, words=found.words), tuple(notes)


def list_notations(own: Path | None) -> None:
    """Print the names of all notations."""
    from texlift.macros.concepts import TAGS, vocabulary
    from texlift.meaning.concepts import load_vocabulary

    words = load_vocabulary(own) if own is not None else vocabulary()
    width = max(map(len, words.tags))
    for tag, count in sorted(words.tags.items()):
        typer.echo(f"{tag:{width}}  {count:4} notations  {TAGS.get(tag, 'your own')}")
