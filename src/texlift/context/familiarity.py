r"""How familiar macros are: what they show in print, whether they need words beside them, and which words those are.

`\operatorname{erf}` speaks for itself; a letter or a common sign speaks for a macro only if everybody knows it so, or
if the text has words that go with it. The lists are in `macros/subjects.json`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from texlift.macros.conventions import judged_like
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.notation import notation

__all__ = [
    "Familiarity",
    "arguments_shown",
    "evidence_kind",
    "familiarity",
    "folded",
    "is_known",
    "is_specialist",
    "is_unmistakable",
    "macros_of_letter",
    "meaning_words",
    "needed",
    "related",
    "shows_word",
    "stems_of",
]

_WORD = re.compile(r"[a-z]+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ACCENT = re.compile(r"\\(?:[\"'`^~=.]\s*\{?|[Hcvudkr](?:\s*\{|\s+))\s*\\?([A-Za-z])\s*\}?")
_FIRST_LETTER = re.compile(r"\{?(\\(?!math|left|frac|operatorname|over|wide|bar|hat|tilde)[A-Za-z]+|[A-Za-z])")


@cache
def evidence_kind(macro: str) -> str:
    """What a macro shows itself by in print: "letter", "sign", "accent", or "word" for a name of its own."""
    known = lexicon().lookup(macro)
    prints = [template for _, template in known.templates] if known is not None else []
    kinds = {_print_kind(template) for template in prints}
    return next((kind for kind in ("letter", "sign", "accent") if kind in kinds), "word")


_ACCENTS = re.compile(r"\\(?:overline|bar|hat|widehat|tilde|widetilde|dot|ddot|vec|underline)(?![A-Za-z])")


def _print_kind(template: str) -> str:
    """What a template shows, holes and layout aside."""
    table, letters = familiarity(), notation().letters
    text = re.sub(r"#(?:\w|')", " ", template)
    commands = [name for name in re.findall(r"\\([A-Za-z]+)", text) if name not in table.layout]
    if _ACCENTS.search(text):
        return "accent"
    plain = re.sub(r"\\(?:mskip)-?[\d.]+mu|\\[A-Za-z]+|\\.", " ", text)
    greek = [f"\\{name}" in letters for name in commands]
    if not all(greek) and not table.signs.issuperset(commands):
        return "word"
    if re.search(r"[A-Za-z]{2,}", plain):
        return "word"
    if any(greek) or re.search(r"[A-Za-z]", plain):
        return "letter"
    return "sign"


@dataclass(frozen=True, slots=True)
class Familiarity:
    """The lists of macros and of words that decide it."""

    macros: Mapping[str, tuple[tuple[str, ...], ...]]
    people: Mapping[str, tuple[tuple[str, ...], ...]]
    unless: Mapping[str, tuple[str, ...]]
    general: frozenset[str]
    always: frozenset[str]
    applied: frozenset[str]
    known: frozenset[str]
    needed: frozenset[str]
    specialist: frozenset[str]
    kinds: frozenset[str]
    layout: frozenset[str]
    signs: frozenset[str]
    neutral: frozenset[str]
    verbs: frozenset[str]


@cache
def familiarity() -> Familiarity:
    table = json.loads(files("texlift.macros").joinpath("subjects.json").read_text("utf-8"))
    macros = {name: tuple(tuple(stems) for stems in some) for name, some in table["macros"].items()}
    sets = [
        frozenset(table[name])
        for name in (
            "general",
            "always",
            "applied",
            "known",
            "needed",
            "specialist",
            "kinds",
            "layout",
            "signs",
            "neutral",
            "verbs",
        )
    ]
    people = {name: tuple(tuple(stems) for stems in some) for name, some in table["people"].items()}
    unless = {name: tuple(words) for name, words in table["unless"].items()}
    return Familiarity(macros, people, unless, *sets)


@cache
def is_known(macro: str, applied: bool) -> bool:
    """Whether a macro may be read where no word is said about it, `applied` to its arguments or as a bare name."""
    table = familiarity()
    if macro in table.always or (applied and macro in table.known):
        return True
    if macro in table.specialist:
        return False
    if evidence_kind(macro) not in ("letter", "accent"):
        return True
    if not applied and (known := lexicon().lookup(macro)) is not None and "@" in known.call_form:
        return False  # `Y_{k}` is rather the k-th of some numbers than a Bessel function without its argument
    return macro in table.known or _other_convention().get(macro) in table.known


def is_specialist(macro: str) -> bool:
    """Whether a macro is printed like something that everybody writes, and known to few."""
    return macro in familiarity().specialist


@cache
def _macros_by_letter() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    common = familiarity().known | familiarity().macros.keys()
    for macro in lexicon():
        if macro.name in common and not is_unmistakable(macro.name):
            for _, template in macro.templates:
                if letter := _FIRST_LETTER.match(template):
                    found.setdefault(letter[1], {})[macro.name] = None
    return {letter: tuple(names) for letter, names in found.items()}


def macros_of_letter(letter: str) -> tuple[str, ...]:
    """The better known macros that print a letter first, and that nothing else shows."""
    return _macros_by_letter().get(letter, ())


@cache
def is_unmistakable(macro: str) -> bool:
    """Whether what a macro prints hardly means anything else: a word of its own, or one of the commonest signs."""
    return macro in familiarity().always or (evidence_kind(macro) == "word" and not is_specialist(macro))


@cache
def shows_word(generic: str) -> bool:
    """Whether a print has a word of its own: `\\operatorname{agm}(a,b)` beside `M(a,b)`, the same macro."""
    return _print_kind(generic) == "word"


@cache
def arguments_shown(macro: str, call: str) -> int:
    """How many arguments of its macro a call shows: none if it is the bare name of a function."""
    known = lexicon().lookup(macro)
    if "@" not in call and known is not None and "@" in known.call_form:
        return 0
    return call.rpartition("@")[2].count("#")


@cache
def _other_convention() -> Mapping[str, str]:
    """Macros of the same function for other letters: `K(m)` is as well known as `K(k)`."""
    name = re.compile(r"\\[A-Za-z]+")
    pairs = [(name.match(call), name.match(like)) for call, like in judged_like().items()]
    return {own[0]: other[0] for own, other in pairs if own and other}


def related(macro: str, other: str) -> bool:
    """Whether two macros are spoken of by the same words: both have to do with Airy."""
    return any(set(some) & set(others) for some in stems_of(macro) for others in stems_of(other))


def needed(macro: str, source: str) -> bool:
    """Whether a text must speak of a macro before `source` may be read as it."""
    table = familiarity()
    if macro in table.always or (macro in table.applied and "(" in source):
        return False
    typed = source[:2].isalpha()  # a word in plain letters may be a piece of another word
    return typed or macro in table.needed or evidence_kind(macro) != "word"


@cache
def stems_of(macro: str) -> tuple[tuple[str, ...], ...]:
    """Alternatives of beginnings of words that speak of a macro."""
    listed = familiarity().macros.get(macro)
    if listed is not None:
        return listed
    known = lexicon().lookup(macro)
    if known is None or not known.meaning:
        return ()
    general = familiarity().general
    words = re.findall(r"[A-Za-z]+", folded(known.meaning).replace("’s", "").replace("'s", ""))
    people = [word.lower() for word in words if word[0].isupper() and len(word) > 2]
    if people:
        return familiarity().people.get(people[0], ((people[0],),))
    specific = tuple(word.lower() for word in words if word.lower() not in general and len(word) > 2)
    return (specific,) if specific else ()


@cache
def meaning_words(macro: str) -> frozenset[str]:
    """The words of what a macro means."""
    known = lexicon().lookup(macro)
    words = _WORD.findall(folded(known.meaning).lower()) if known is not None else []
    return frozenset([word for word in words if len(word) > 3]) - familiarity().general - familiarity().neutral


def _without_marks(found: re.Match[str]) -> str:
    return "".join([character for character in found[0] if not unicodedata.combining(character)])


def folded(text: str) -> str:
    """The text without accents: Möbius and M\\"obius are Mobius."""
    text = _ACCENT.sub(r"\1", text)
    if not text.isascii():
        text = _BEYOND_ASCII.sub(_without_marks, unicodedata.normalize("NFKD", text))
    return text.replace("oebius", "obius")
