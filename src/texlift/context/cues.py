r"""What the words beside a formula say about its notation: "(a,b) is the greatest common divisor", "Boolean algebra".

The cues are data (`macros/cues.json`). A notation of the vocabulary that is ambiguous by itself is read as the concept
that the text names; a letter that the text gives a meaning is no imaginary unit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from texlift.errors import TexliftError
from texlift.macros.concepts import Vocabulary, vocabulary
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations

__all__ = ["declared_by"]

_LONGEST = 1_000  # characters of a remark beside a formula; a longer text speaks of many things
_UNITS = re.compile(r"imaginary|imaginär|imaginaire|мнимая|sqrt|base of|natural log|euler", re.IGNORECASE)
_SAID = re.compile(
    r"\$?(?<![A-Za-z\\])([ije])\$?\s*(?:is|are|denotes?|stands for|=|—|–|-|ist|bezeichnet|est|désigne|è|es|the)\s+"
    r"(?:the|an?|der|die|das|l'|la|le|el)?\s*([^.,;]{3,60})"
)


@dataclass(frozen=True, slots=True)
class _Cue:
    words: tuple[str, ...]
    notations: tuple[tuple[str, str], ...]
    subject: str


@cache
def _cues() -> tuple[_Cue, ...]:
    table = json.loads(files("texlift.macros").joinpath("cues.json").read_text("utf-8"))
    return tuple(
        _Cue(tuple(one["words"]), tuple(one.get("notations", {}).items()), one.get("subject", ""))
        for one in table["entries"]
    )


def declared_by(context: object) -> Declarations:
    """What a remark beside a formula declares; nothing for the titles and the whole text of a document."""
    if not isinstance(context, str) or not context or len(context) > _LONGEST:
        return NOTHING_DECLARED
    return _declared(context)


@lru_cache(maxsize=1024)
def _declared(context: str) -> Declarations:
    text = " ".join(context.lower().split())
    found = [cue for cue in _cues() if any(_occurs(word, text) for word in cue.words)]
    subjects = frozenset(cue.subject for cue in found if cue.subject)
    notations = tuple(pair for cue in found for pair in cue.notations)
    letters: Mapping[str, str] = {said[1]: "variable" for said in _SAID.finditer(context) if not _UNITS.search(said[2])}
    if not subjects and not notations and not letters:
        return NOTHING_DECLARED
    own = Declarations.of(letters, _speaking(notations) if notations else None)
    return Declarations({name: own[name] for name in own}, own.vocabulary, subjects)


def _occurs(word: str, text: str) -> bool:
    return re.search(r"(?<!\w)" + re.escape(word), text) is not None


@lru_cache(maxsize=64)
def _speaking(notations: tuple[tuple[str, str], ...]) -> Vocabulary:
    """The packaged vocabulary in which these notations are read."""
    words = vocabulary()
    for latex, concept in dict(notations).items():
        try:
            words = words.declared(concept, latex)
        except TexliftError:  # two cues that contradict each other: none is obeyed
            continue
    return words
