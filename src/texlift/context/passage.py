"""The passage around a formula: titles, the sentence, the words next to it, other formulae in the sentence.

"the Bohr radius $a_{0}$", "where $\\gamma_{n}$ are the Stieltjes constants": the words next to a symbol name it, and
`$F\\left(x\\right)$` elsewhere in a sentence shows that F is a function. `Overlap` says how much of what a macro means
is said there: "Lambert W-function" in a title speaks for `\\LambertW`, also if no training pair has it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple, TypeAlias
from zlib import crc32

from texlift.context.style import brackets_in
from texlift.macros.lexicon import lexicon
from texlift.remembered import remembered

__all__ = ["LEVELS", "Context", "Overlap", "Passage", "overlap", "passage", "words_of"]

Context: TypeAlias = str | Mapping[str, str] | None
"""Words about a formula: one text, or titles and the sentence around it by name."""

LEVELS = 5
"""Degrees of overlap: from 1, nothing in common, to 5, everything; 0 is kept for no context."""

_WORD = re.compile(r"[A-Za-z]{2,}")
_PREFIXED = re.compile(r"(?:(?<![A-Za-z])[A-Za-z]-)?[A-Za-z]{2,}")
_LETTER = re.compile(r"\$([A-Za-z])\$(?=-[A-Za-z])")
_SYMBOL = re.compile(r"\\(?:mathrm|operatorname\*?|mathit|text)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]")
_SCRIPT = re.compile(r"[_^](?:\{[^{}]*\}|\\[A-Za-z]+|.)|'")
_CALLED = re.compile(r"(\\(?:mathrm|operatorname\*?|mathit)\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z])\\left\(")
_NAME = re.compile(r"(?:\\[A-Za-z]+(?:\{[^{}]*\})?|[A-Za-z])(?:[_^](?:\{[^{}]*\}|\\[A-Za-z]+|.)|')*")
_REFERENCE = re.compile(r"\(?LABEL:\S+")
_TITLE_FIELDS = ("chapter", "section", "subsection", "paragraph", "title")
_LONGEST = 4000  # characters of a context that are read
_MOST_WORDS = 80
_MOST_SYMBOLS = 80
_BEFORE, _AFTER = 5, 4  # words next to a formula
_MOST_NAMES = 16
_BITS = 21  # of a hashed word


_NO_NAMES: Final[Mapping[str, list[str]]] = {}


class Passage(NamedTuple):
    """Words in lower case, in order, each once; `near` and `math` as hashed numbers for the linear features."""

    titles: tuple[str, ...] = ()
    sentence: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()  # words next to the formula
    near: Sequence[int] = ()  # the same, hashed with their side
    math: Sequence[int] = ()  # symbols of the sentence's other formulae, hashed
    called: frozenset[str] = frozenset()  # symbols that are written with \left( there
    present: frozenset[str] = frozenset()  # symbols that occur there
    brackets: int = 0  # how the author writes brackets there, see `brackets_in`; 0: not known
    named: Mapping[str, list[str]] = _NO_NAMES  # symbol -> words next to a formula that starts so


def words_of(text: str) -> list[str]:
    """Words of a text in lower case, without math, each once; a `$q$-Gamma` function is "q-gamma" and "gamma"."""
    plain = text[:_LONGEST]
    if "$" in plain:
        pieces = (_LETTER.sub(r"\1", plain) if "$-" in plain else plain).split("$")
        unpaired = [] if len(pieces) % 2 else [f"{pieces.pop(-2)}${pieces.pop()}"]
        plain = " ".join([*pieces[::2], *unpaired])
    plain = _without_references(plain)
    if "-" in plain:
        words = [word.lower() for word in _PREFIXED.findall(plain)]
        words = [part for word in words for part in ((word, word[2:]) if word[1] == "-" else (word,))]
    else:
        words = [word.lower() for word in _WORD.findall(plain)]
    return list(dict.fromkeys(words))[:_MOST_WORDS]


def _math_in(text: str) -> list[str]:
    """What stands between dollars."""
    pieces = text.split("$")
    return pieces[1 : len(pieces) - 1 : 2]


def _without_references(text: str) -> str:
    return _REFERENCE.sub(" ", text) if "LABEL:" in text else text


def passage(latex: str, context: Context, brackets: int = 0) -> Passage:
    """What a context says about one formula. A context given as one text also counts as a title.

    `brackets` is how the author writes brackets in the rest of the document, for a sentence that does not show it.
    """
    if not context:
        return Passage(brackets=brackets)
    if isinstance(context, str):
        titles, text = _title_words((context[:_LONGEST],), whole=False), context[:_LONGEST]
        sentence: tuple[str, ...] = ()
    else:
        fields = tuple([str(context[name])[:_LONGEST] for name in _TITLE_FIELDS if name in context])
        titles = _title_words(fields)
        text = " ".join([str(part) for name, part in context.items() if name not in _TITLE_FIELDS])[:_LONGEST]
        sentence = _sentence_words(text)
    if not text or text == f"${latex}$":
        return Passage(titles, sentence, brackets=brackets)
    parsed = _parsed(text)
    at = _position(latex, parsed.pieces)
    before, after = parsed.beside(at) if at >= 0 else ([], [])
    near = [_number(f"<{word}") for word in before] + [_number(f">{word}") for word in after]
    near += [_number(f"<{word}{distance}") for distance, word in enumerate(before[:-3:-1])]
    others = _others(parsed, at)
    # a text that does not contain the formula may be by another author
    return Passage(
        titles,
        sentence,
        (*before, *after),
        list(dict.fromkeys(near)),
        others.numbers,
        others.called,
        others.present,
        _brackets(text) if at >= 0 else brackets,
        others.named,
    )


@remembered(maxsize=1024)
def _title_words(titles: tuple[str, ...], whole: bool = True) -> tuple[str, ...]:
    # a whole title is a word of its own: sections have conventions that their words do not tell
    return (*words_of(" ".join(titles)), *(f"={title.lower()}" for title in titles if whole))


@remembered(maxsize=256)
def _sentence_words(text: str) -> tuple[str, ...]:
    return tuple(words_of(text))


class _Sentence:
    """A text in pieces, words and math by turns: those with odd numbers stood in dollars.

    What is found out about it is kept: a sentence is the context of all its formulae.
    """

    __slots__ = ("_ends", "_named", "_words", "pieces", "shown")

    def __init__(self, text: str) -> None:
        self.pieces = _without_references(text).split("$")
        self.shown = [_piece(piece.strip()) for piece in self.pieces[1::2]]
        self._words: list[str] = []  # of the text between the formulae
        self._ends: list[int] = [0, 0, 0]  # how many of them stand before the end of each piece of text
        for piece in self.pieces[::2]:
            self._words += _WORD.findall(piece.lower())
            self._ends.append(len(self._words))
        self._ends += [len(self._words)] * 3
        self._named: list[tuple[str, list[str], int]] | None = None

    @property
    def named(self) -> list[tuple[str, list[str], int]]:
        """The symbols with which pieces start, the words next to them, if there are any, and the pieces' numbers."""
        if self._named is None:
            self._named = []
            seen: Counter[str] = Counter()
            for at, piece in zip(range(1, len(self.pieces), 2), self.shown, strict=True):
                # one piece of a name may be the formula itself: then the next one counts
                if piece.name and seen[piece.name] < 2 and len(seen) <= _MOST_NAMES + 1:
                    before, after = self.beside(at)
                    if before or after:
                        self._named.append((piece.name, [*before, *after], at))
                        seen[piece.name] += 1
        return self._named

    def beside(self, at: int) -> tuple[list[str], list[str]]:
        """The last words before a piece and the first behind it; two other formulae between are passed over."""
        half = at // 2
        first, here, last = self._ends[half], self._ends[half + 3], self._ends[half + 6]
        return self._words[max(first, here - _BEFORE) : here], self._words[here : min(last, here + _AFTER)]


@remembered(maxsize=256)
def _parsed(text: str) -> _Sentence:
    return _Sentence(text)


def _position(latex: str, pieces: list[str]) -> int:
    """The number of the piece that is the formula, or else holds it; -1 if none does."""
    best = -1
    for at in range(1, len(pieces), 2):
        piece = pieces[at].strip()
        if piece == latex:
            return at
        if best < 0 and (piece.startswith(latex) if len(latex) < 8 else latex in piece):
            best = at
    return best


@remembered(maxsize=256)
def _brackets(text: str) -> int:
    return brackets_in(" ".join(_math_in(text)))


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """What one formula of a sentence shows: its symbols, which of them are called, and the symbol it starts with."""

    symbols: tuple[str, ...]
    called: tuple[str, ...]
    numbers: dict[int, None]  # both, hashed; the keys in order
    name: str


@remembered(maxsize=8192)
def _piece(source: str) -> _Piece:
    symbols = _names(_SYMBOL.findall(source))
    called: tuple[str, ...] = ()
    if r"\left(" in source:
        plain = _SCRIPT.sub("", source)
        called = _names(_CALLED.findall(plain))
    name = _NAME.match(source)
    numbers = [_number(f"${symbol}") for symbol in symbols] + [_number(f"${symbol}(") for symbol in called]
    return _Piece(symbols, called, dict.fromkeys(numbers), name[0] if name else "")


def _names(found: list[str]) -> tuple[str, ...]:
    """Symbols without their backslash and words without their font, each once: most of them come several times."""
    return tuple(dict.fromkeys([_plain(one) if one[0] == "\\" else one for one in dict.fromkeys(found)]))


def _plain(symbol: str) -> str:
    return symbol[symbol.index("{") + 1 : -1] if symbol[-1] == "}" else symbol[1:]


class _Others(NamedTuple):
    numbers: list[int]
    called: frozenset[str]
    present: frozenset[str]
    named: dict[str, list[str]]


def _others(parsed: _Sentence, own: int) -> _Others:
    """What the formulae of a text but its piece `own` show, and the words next to them."""
    pieces = parsed.shown
    if own >= 0:
        pieces = pieces[: own // 2] + pieces[own // 2 + 1 :]
    numbers: dict[int, None] = {}
    present: set[str] = set()
    called: set[str] = set()
    for piece in dict.fromkeys(pieces):
        present.update(piece.symbols)
        called.update(piece.called)
        numbers.update(piece.numbers)
    named: dict[str, list[str]] = {}
    for name, beside, at in parsed.named:
        if len(named) == _MOST_NAMES:
            break
        if at != own and name not in named:
            named[name] = beside
    return _Others(list(numbers)[:_MOST_SYMBOLS], frozenset(called), frozenset(present), named)


@remembered(maxsize=65536)
def _number(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) >> (32 - _BITS)


class Overlap:
    """Some words around a formula, compared with meanings of macros."""

    __slots__ = ("_known", "_meanings", "_words")

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(map(_stem, words))
        self._known: dict[str, int] = {}
        self._meanings = _meanings()

    def of(self, macro: str) -> int:
        """The level of overlap with the macro's meaning."""
        found = self._known.get(macro)
        if found is None:
            weights = self._meanings.get(macro)
            if weights and self._words and self._words.isdisjoint(weights):
                found = 1  # nearly always
            else:
                found = _level(weights or {}, self._words)
            self._known[macro] = found
        return found

    def of_each(self, macros: list[str]) -> list[int]:
        """The levels of overlap with the meanings of several macros."""
        known = self._known
        return [known[macro] if macro in known else self.of(macro) for macro in macros]


@remembered(maxsize=1024)
def overlap(words: tuple[str, ...]) -> Overlap:
    """The overlap of words that many formulae share: titles, sentences with several formulae."""
    return Overlap(words)


def _level(weights: dict[str, float], words: frozenset[str]) -> int:
    if not words or not weights:
        return 0
    if words.isdisjoint(weights):
        return 1
    common = sum([weights[word] for word in weights.keys() & words])
    return 1 + min(LEVELS - 1, math.ceil((LEVELS - 1) * common - 1e-9))


@remembered(maxsize=16384)
def _stem(word: str) -> str:
    word = word.lower()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _meanings() -> dict[str, dict[str, float]]:
    """Macro -> words of its meaning with weights that add up to one."""
    words = {macro.name: set(map(_stem, words_of(macro.meaning))) for macro in lexicon()}
    spread: Counter[str] = Counter()
    for some in words.values():
        spread.update(some)
    table = {}
    for name, some in words.items():
        weights = {word: math.log(len(words) / spread[word]) for word in some}
        total = sum(weights.values()) or 1.0
        table[name] = {word: weight / total for word, weight in weights.items()}
    return table
