r"""What a text is about: does it speak of what a macro means, and does it introduce a letter as something else?

In "a vertex $x$ has the neighbourhood $\Gamma(x)$" the letter is no gamma function: nothing in the text speaks of one,
and the words beside it say what it is. A reading that only a letter or a common sign speaks for needs such evidence;
`\operatorname{erf}` speaks for itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from texlift.context.familiarity import familiarity, folded, meaning_words, needed, stems_of

__all__ = ["Evidence", "Subject", "subject_of"]

_MATH = re.compile(r"\$[^$]*\$")
_WORD = re.compile(r"[a-z]+")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_MODULO = re.compile(r"\\[pb]?mod(?![A-Za-z])")
_LONGEST = 200_000  # characters of a text that are looked at
_SYMBOL = re.compile(r"\$\s*(\\[A-Za-z]+(?:\s*\{\\?[A-Za-z]+\})?|[A-Za-z])")
_IN_FONT = re.compile(r"\\[A-Za-z]+\s*\{(\\?[A-Za-z]+)\}")
_SAYS = re.compile(
    r"\s*,?\s*(?:to\s+)?(?:be|is|are|denotes?|stands\s+for|means|represents?|for)\s+"
    r"((?:an?|the|any|some|its|our)\s[^$.;:]{2,80})"
)
_CALLS = re.compile(r"\b(?:denoted?|call(?:ed)?|define[ds]?|writ(?:e|ten)) (?:it )?(?:by|as|the)?([a-z -]*)$")
_MAPS = re.compile(r"[^$:]{0,20}(?::|\\colon)[^$]{1,60}?\\(?:to|rightarrow|longrightarrow|hookrightarrow)(?![A-Za-z])")
_STATEMENTS = frozenset({"representation", "relation", "proposition", "hypothesis"})  # and the formula behind is it
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

_DEFINES_BEFORE = re.compile(
    r"\b(?:denot(?:ed?|es|ing)|writ(?:e|ten)|defin(?:ed?|es|ing)|let|notation|symbol|introduced?)\b[^$.;]{0,40}\Z",
    re.IGNORECASE,
)
_DEFINES_AFTER = re.compile(
    r"\s*,?\s*(?:(?:to|will)\s+)?(?:denotes?|means?|stands?\s+for|if\s+and\s+only\s+if|iff|is\s+(?:defined|called))\b"
)
_SENTENCE = 200  # characters on either side of a formula that may say what a sign in it means


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
        self._text = folded(" ".join(texts)[:_LONGEST])
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
        if last and last[-1].lower() in familiarity().kinds and last[-1].lower() not in _STATEMENTS:
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
        if any(map(self.has, familiarity().unless.get(macro, ()))):
            return False
        return any(all(self.has(stem) for stem in stems) for stems in stems_of(macro))

    def introduced(self, symbol: str) -> tuple[str, ...]:
        """What the text says a symbol is."""
        key = _key(symbol)
        if key not in self._said:
            places = self._formulae.get(key, ())
            self._said[key] = tuple([phrase for place in places for phrase in self._introductions(*place)])
        return self._said[key]

    def has_kind(self, symbol: str) -> bool:
        """Whether the text says what kind of thing a symbol is: only then is it something else than a macro means."""
        return any(not familiarity().kinds.isdisjoint(_WORD.findall(phrase)) for phrase in self.introduced(symbol))

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

    def defines(self, sign: str, macro: str) -> bool:
        """Whether the text says what a sign means, and never in words that go with a macro."""
        defined = False
        for math in self._with_command.get(sign, ()):
            start, end = math
            before, after = self._text[max(0, start - _SENTENCE) : start], self._text[end : end + _SENTENCE]
            if not (_DEFINES_BEFORE.search(before) or _DEFINES_AFTER.match(after)):
                continue
            sentence = before.rpartition(". ")[2] + self._text[start:end] + after.partition(". ")[0]
            if _mention(sentence).speaks_of(macro):
                return False
            defined = True
        return defined

    @cached_property
    def _with_command(self) -> Mapping[str, list[tuple[int, int]]]:
        """The formulae by the commands in them."""
        found: dict[str, list[tuple[int, int]]] = {}
        for math in _MATH.finditer(self._text):
            for command in set(_COMMAND.findall(math[0])):
                found.setdefault(command, []).append(math.span())
        return found

    def evidence(self, symbol: str, macro: str, source: str) -> Evidence:
        """What speaks for and against reading `source`, which starts with a symbol, as a macro."""
        stems = {stem for alternative in stems_of(macro) for words in alternative for stem in words.split()}
        if macro in familiarity().always:
            return Evidence(
                False, self.speaks_of(macro), False, macro in _CONSTANTS and self._is_named_otherwise(symbol, stems)
            )
        phrases = map(_WORD.findall, self.introduced(symbol))
        otherwise = any(
            not any(word.startswith(stem) for word in words for stem in stems)
            for words in phrases
            if not familiarity().kinds.isdisjoint(words)
        )
        bare = macro in familiarity().applied and "(" not in source
        own = stems | meaning_words(macro)
        introduced = self._is_named_otherwise(symbol, own)
        return Evidence(needed(macro, source), self.speaks_of(macro) and not bare, otherwise, introduced)

    def _is_named_otherwise(self, symbol: str, stems: Iterable[str]) -> bool:
        """Whether the text names a symbol, and never by one of some words."""
        named = [any(word.startswith(stem) for word in words for stem in stems) for words in self.named(symbol)]
        return bool(named) and not any(named)

    def has(self, stem: str) -> bool:
        """Whether the text has a word that begins so, or words side by side."""
        if " " in stem:
            return f" {stem}" in self._sequence
        return stem in self._words or (len(stem) > 3 and any(word.startswith(stem) for word in self._words))


def _telling(phrase: str) -> frozenset[str]:
    """The words of a phrase that say what something is; none if it ends in a verb or a preposition."""
    table = familiarity()
    words = _WORD.findall(phrase.replace("'s", ""))
    if not words or words[-1] in table.verbs or words[-1].endswith(("ing", "ed", "ly")):
        return frozenset()
    return frozenset([word for word in words if len(word) > 1]) - table.neutral - table.general


@lru_cache(maxsize=64)
def subject_of(text: str) -> Subject:
    """The subject of a text beside a formula."""
    return Subject([text])


@lru_cache(maxsize=512)
def _mention(clause: str) -> Subject:
    return Subject([clause])


def _key(symbol: str) -> str:
    """The letter of a symbol, without font and braces."""
    inner = _IN_FONT.match(symbol) if "{" in symbol else None
    return inner[1] if inner else symbol.strip()
