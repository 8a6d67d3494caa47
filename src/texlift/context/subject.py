r"""What a text is about: does it speak of what a macro means, and does it introduce a letter as something else?

In "a vertex $x$ has the neighbourhood $\Gamma(x)$" the letter is no gamma function: nothing in the text speaks of one,
and the words beside it say what it is. A reading that only a letter or a common sign speaks for needs such evidence;
`\operatorname{erf}` speaks for itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files

from texlift.macros.conventions import judged_like
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader.notation import notation

__all__ = [
    "Evidence",
    "Subject",
    "arguments_shown",
    "evidence_kind",
    "is_known",
    "is_specialist",
    "is_unmistakable",
    "macros_of_letter",
    "related",
]

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_ACCENT = re.compile(r"\\(?:[\"'`^~=.]\s*\{?|[Hcvudkr](?:\s*\{|\s+))\s*\\?([A-Za-z])\s*\}?")
_MATH = re.compile(r"\$[^$]*\$")
_WORD = re.compile(r"[a-z]+")
_MODULO = re.compile(r"\\[pb]?mod(?![A-Za-z])")
_LONGEST = 200_000  # characters of a text that are looked at
_SYMBOL = re.compile(r"\$\s*(\\[A-Za-z]+(?:\s*\{\\?[A-Za-z]+\})?|[A-Za-z])")
_SAYS = re.compile(
    r"\s*,?\s*(?:to\s+)?(?:be|is|are|denotes?|stands\s+for|means|represents?|for)\s+"
    r"((?:an?|the|any|some|its|our)\s[^$.;:]{2,80})"
)
_CALLS = re.compile(r"\b(?:denoted?|call(?:ed)?|define[ds]?|writ(?:e|ten)) (?:it )?(?:by|as|the)?([a-z -]*)$")
_MAPS = re.compile(r"[^$:]{0,20}(?::|\\colon)[^$]{1,60}?\\(?:to|rightarrow|longrightarrow|hookrightarrow)(?![A-Za-z])")
_STATEMENTS = frozenset({"representation", "relation", "proposition", "hypothesis"})  # and the formula behind is it
_FIRST_LETTER = re.compile(r"\{?(\\(?!math|left|frac|operatorname|over|wide|bar|hat|tilde)[A-Za-z]+|[A-Za-z])")
_CONSTANTS = frozenset({r"\iunit", r"\expe", r"\cpi"})
_FUNCTION = re.compile(r"\$\s*\\([A-Za-z]+)\s*\$(?=[-\s]+functions?\b)")
_LOOK_BACK = 60  # characters before a formula that may say what it is
_ALONE = re.compile(  # behind a symbol: nothing but scripts and plain arguments
    r"\s*(?:[_^]\s*(?:\{[^{}$]{0,20}\}|\\?[A-Za-z0-9]+)\s*){0,2}'{0,3}(?:\([\\A-Za-z0-9,;|\s_']{1,30}\))?\s*\$"
)
_DEFINED = re.compile(_ALONE.pattern.removesuffix(r"\$") + r"(?:\\[,;:! ]|\s)*:?=")
_NUMBER = re.compile(r"\s*(?:\$|[=<>]|\\(?:in|leq?|geq?|neq?|mid)(?![A-Za-z]))")
_ARTICLE = r"(?:an?|the|its|our|any|some|each|every)"
_PHRASE = r"((?:[A-Za-z'-]+\s+){0,3}?[A-Za-z'-]+?)"
_BEHIND = r"of|and|for|in|on|with|that|between|at|by|from|to|over|under|such|which|where|is|are|has|when|if|as|we"
_SAID_AFTER = re.compile(
    rf"\s*,?\s*(?:(?P<verb>(?:to\s+)?be|is|are|denotes?|stands\s+for|means|represents?|expresses|will\s+be)\s+)?"
    rf"{_ARTICLE}\s+(?P<phrase>{_PHRASE[1:-1]})\s*(?=[,.;)]|\Z|\b(?:{_BEHIND})\b|(?(verb)\$|\Z))"
)
_SAID_OF_MANY = re.compile(
    r"\s+(?:are|denote)\s+((?:[A-Za-z'-]+\s+){0,2}[A-Za-z-]+(?<!ou)(?<!s)s)\s*(?=[,.;)]|\Z|of\b)"
)
_SAID_AT_LENGTH = re.compile(
    r"\s*,?\s*(?:(?:to\s+)?be|is|are|denotes?|stands\s+for|means|represents?|expresses|will\s+be|,)\s+(the\s[^.;:$]{2,80})"
)
_SAID_BEFORE = re.compile(
    rf".*\b{_ARTICLE}\s+{_PHRASE}(?:\s+(?:is|are|be|denoted|called|as|by)){{0,3}}\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a text says for and against one reading of a symbol."""

    needed: bool  # whether the reading needs that the text speaks of it
    named: bool  # the text speaks of what the macro means
    otherwise: bool  # the text says that the symbol is something else
    introduced: bool = False  # the text introduces the symbol in words that do not go with the macro, and in no others

    @property
    def against(self) -> bool:
        """Whether a careful reader would not read the symbol so."""
        return (self.needed or self.otherwise) and not self.named


class Subject:
    """A text, looked at once; `evidence` answers for single readings."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = _folded(" ".join(texts)[:_LONGEST])
        self._said: dict[str, tuple[str, ...]] = {}
        self._named: dict[str, tuple[frozenset[str], ...]] = {}

    @cached_property
    def _formulae(self) -> Mapping[str, list[tuple[int, int, int]]]:
        """The formulae by the symbol they start with: their start, where the symbol ends, and their end."""
        found: dict[str, list[tuple[int, int, int]]] = {}
        for math in _MATH.finditer(self._text):
            if symbol := _SYMBOL.match(self._text, math.start()):
                found.setdefault(_key(symbol[1]), []).append((math.start(), symbol.end(), math.end()))
        return found

    def _introductions(self, start: int, behind: int, end: int) -> Iterator[str]:
        """What the words beside a formula say about the symbol it starts with, which ends at `behind`."""
        text = self._text
        if after := _SAYS.match(text, end):
            yield after[1].lower()
        words = text[max(0, start - _LOOK_BACK) : start]
        last = words.split()[-3:]
        if last and last[-1].lower() in _table().kinds and last[-1].lower() not in _STATEMENTS:
            yield " ".join(last).lower()
        elif called := _CALLS.search(words.rstrip()):
            yield called[1]
        if _MAPS.match(text, behind, end):
            yield "a map"

    def _phrases(self, start: int, behind: int, end: int) -> Iterator[str]:
        """Noun phrases beside a formula that is nothing but a symbol: "the temperature is $\\theta(x)$"."""
        text = self._text
        if _ALONE.fullmatch(text, behind, end):
            before = text[max(0, start - _LOOK_BACK) : start]
            if said := _SAID_BEFORE.search(re.split(r"[.;:,$()]", before)[-1]):
                yield said[1]
            if said := _SAID_AFTER.match(text, end):
                yield said["phrase"]
            elif said := _SAID_OF_MANY.match(text, end):
                yield said[1]

    def named(self, symbol: str) -> tuple[frozenset[str], ...]:
        """The telling words of the noun phrases that introduce a symbol."""
        key = _key(symbol)
        if key not in self._named:
            places = self._formulae.get(key, ())
            found = [_telling(phrase.lower()) for place in places for phrase in self._phrases(*place)]
            self._named[key] = tuple([words for words in found if words])
        return self._named[key]

    @cached_property
    def _sequence(self) -> str:
        """All words in order, without the s of a genitive and what stands in formulae."""
        text = _MATH.sub(" ", _FUNCTION.sub(r" \1 ", self._text))  # "$\\Gamma$-function" names it as "gamma function"
        words = _WORD.findall(text.lower())
        return " ".join(["", *(word for word in words if word != "s"), ""])

    @cached_property
    def _words(self) -> frozenset[str]:
        words = self._sequence.split()
        return frozenset([*words, "mod"] if _MODULO.search(self._text) else words)

    @property
    def length(self) -> int:
        """How many words the text has, those in formulae aside."""
        return self._sequence.count(" ") - 1

    def speaks_of(self, macro: str) -> bool:
        """Whether the text has the words that go with a macro."""
        if any(map(self.has, _table().unless.get(macro, ()))):
            return False
        return any(all(self.has(stem) for stem in stems) for stems in _stems(macro))

    def introduced(self, symbol: str) -> tuple[str, ...]:
        """What the text says a symbol is."""
        key = _key(symbol)
        if key not in self._said:
            places = self._formulae.get(key, ())
            self._said[key] = tuple([phrase for place in places for phrase in self._introductions(*place)])
        return self._said[key]

    @property
    def symbols(self) -> Collection[str]:
        """The symbols that formulae of the text start with."""
        return self._formulae.keys()

    def has_letter(self, letter: str) -> bool:
        """Whether the text has formulae that are a letter or say what numbers it stands for: "$d$", "$d\\in\\Z$"."""
        places = self._formulae.get(letter, ())
        return any(_NUMBER.match(self._text, behind, end) for _, behind, end in places)

    def calls(self, symbol: str, macro: str) -> bool:
        """Whether the words right beside a symbol say that it is what a macro means: "the gamma function $\\Gamma$"."""
        places = self._formulae.get(_key(symbol), ())
        return any(_mention(clause).speaks_of(macro) for place in places for clause in self._clauses(*place))

    def _clauses(self, start: int, behind: int, end: int) -> Iterator[str]:
        """What stands right before a formula that is or defines a symbol, and behind it after "is" or "denotes"."""
        text = self._text
        alone = _ALONE.fullmatch(text, behind, end) is not None
        if alone or _DEFINED.match(text, behind, end):
            yield re.split(r"[.;:,$()]", text[max(0, start - _LOOK_BACK) : start])[-1]
            if alone and (said := _SAID_AT_LENGTH.match(text, end)):
                yield said[1]

    def evidence(self, symbol: str, macro: str, source: str) -> Evidence:
        """What speaks for and against reading `source`, which starts with a symbol, as a macro."""
        stems = {stem for alternative in _stems(macro) for words in alternative for stem in words.split()}
        if macro in _table().always:
            return Evidence(
                False, self.speaks_of(macro), False, macro in _CONSTANTS and self._is_named_otherwise(symbol, stems)
            )
        phrases = map(_WORD.findall, self.introduced(symbol))
        otherwise = any(
            not any(word.startswith(stem) for word in words for stem in stems)
            for words in phrases
            if not _table().kinds.isdisjoint(words)
        )
        bare = macro in _table().applied and "(" not in source
        own = stems | _meaning_words(macro)
        introduced = self._is_named_otherwise(symbol, own)
        return Evidence(_needed(macro, source), self.speaks_of(macro) and not bare, otherwise, introduced)

    def _is_named_otherwise(self, symbol: str, stems: Iterable[str]) -> bool:
        """Whether the text names a symbol, and never by one of some words."""
        named = [any(word.startswith(stem) for word in words for stem in stems) for words in self.named(symbol)]
        return bool(named) and not any(named)

    def has(self, stem: str) -> bool:
        """Whether the text has a word that begins so, or words side by side."""
        if " " in stem:
            return f" {stem}" in self._sequence
        return stem in self._words or (len(stem) > 3 and any(word.startswith(stem) for word in self._words))


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
    table, letters = _table(), notation().letters
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
class _Table:
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
def _table() -> _Table:
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
    return _Table(macros, people, unless, *sets)


@cache
def is_known(macro: str, applied: bool) -> bool:
    """Whether a macro may be read where no word is said about it, `applied` to its arguments or as a bare name."""
    table = _table()
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
    return macro in _table().specialist


@cache
def _macros_by_letter() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    common = _table().known | _table().macros.keys()
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
    return macro in _table().always or (evidence_kind(macro) == "word" and not is_specialist(macro))


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
    return any(set(some) & set(others) for some in _stems(macro) for others in _stems(other))


def _needed(macro: str, source: str) -> bool:
    """Whether a text must speak of a macro before `source` may be read as it."""
    table = _table()
    if macro in table.always or (macro in table.applied and "(" in source):
        return False
    typed = source[:2].isalpha()  # a word in plain letters may be a piece of another word
    return typed or macro in table.needed or evidence_kind(macro) != "word"


@cache
def _stems(macro: str) -> tuple[tuple[str, ...], ...]:
    """Alternatives of beginnings of words that speak of a macro."""
    listed = _table().macros.get(macro)
    if listed is not None:
        return listed
    known = lexicon().lookup(macro)
    if known is None or not known.meaning:
        return ()
    general = _table().general
    words = re.findall(r"[A-Za-z]+", _folded(known.meaning).replace("’s", "").replace("'s", ""))
    people = [word.lower() for word in words if word[0].isupper() and len(word) > 2]
    if people:
        return _table().people.get(people[0], ((people[0],),))
    specific = tuple(word.lower() for word in words if word.lower() not in general and len(word) > 2)
    return (specific,) if specific else ()


@cache
def _meaning_words(macro: str) -> frozenset[str]:
    """The words of what a macro means."""
    known = lexicon().lookup(macro)
    words = _WORD.findall(_folded(known.meaning).lower()) if known is not None else []
    return frozenset([word for word in words if len(word) > 3]) - _table().general - _table().neutral


def _telling(phrase: str) -> frozenset[str]:
    """The words of a phrase that say what something is; none if it ends in a verb or a preposition."""
    table = _table()
    words = _WORD.findall(phrase.replace("'s", ""))
    if not words or words[-1] in table.verbs or words[-1].endswith(("ing", "ed", "ly")):
        return frozenset()
    return frozenset([word for word in words if len(word) > 1]) - table.neutral - table.general


@lru_cache(maxsize=512)
def _mention(clause: str) -> Subject:
    return Subject([clause])


def _key(symbol: str) -> str:
    """The letter of a symbol, without font and braces."""
    inner = re.match(r"\\[A-Za-z]+\s*\{(\\?[A-Za-z]+)\}", symbol)
    return inner[1] if inner else symbol.strip()


def _without_marks(found: re.Match[str]) -> str:
    return "".join([character for character in found[0] if not unicodedata.combining(character)])


def _folded(text: str) -> str:
    """The text without accents: Möbius and M\\"obius are Mobius."""
    text = _ACCENT.sub(r"\1", text)
    if not text.isascii():
        text = _BEYOND_ASCII.sub(_without_marks, unicodedata.normalize("NFKD", text))
    return text.replace("oebius", "obius")
