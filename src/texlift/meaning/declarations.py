r"""What a user, a document or a sentence declares about letters: `n: integer`, `f: function`, `A: matrix(3,3)`.

A declaration outranks every other evidence. It is obeyed or answered with an error, never ignored.

    >>> declared = Declarations.of({"n": "positive integer", "f": "function", "A": "matrix(3,3)"})
    >>> declared["n"].traits
    frozenset({'integer', 'positive'})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from texlift.errors import TexliftError
from texlift.macros.concepts import ConceptNotation, Vocabulary, vocabulary
from texlift.macros.lexicon import lexicon
from texlift.macros.own_vocabulary import check_notation

__all__ = ["NOTHING_DECLARED", "NUMBERS", "ROLES", "TRAITS", "Declaration", "Declarations", "symbol_name"]

MAX_DECLARED = 10_000
"""Most symbols that can be declared at a time."""

TRAITS: Mapping[str, tuple[str, ...]] = {
    "complex": ("complex",),
    "real": ("real",),
    "rational": ("rational",),
    "irrational": ("irrational",),
    "integer": ("integer",),
    "natural": ("integer", "nonnegative"),
    "prime": ("integer", "positive", "prime"),
    "even": ("integer", "even"),
    "odd": ("integer", "odd"),
    "positive": ("positive",),
    "negative": ("negative",),
    "nonnegative": ("nonnegative",),
    "nonpositive": ("nonpositive",),
    "nonzero": ("nonzero",),
    "imaginary": ("imaginary",),
    "finite": ("finite",),
}
"""Words for kinds of numbers, and what each says about a number. `natural` includes zero, as in ISO 80000-2."""

ROLES: Mapping[str, str] = {
    "variable": "variable",
    "number": "variable",
    "scalar": "variable",
    "parameter": "parameter",
    "constant": "constant",
    "index": "index",
    "function": "function",
    "operator": "operator",
    "vector": "vector",
    "matrix": "matrix",
    "set": "set",
    "event": "event",
    "random": "random",
    "boolean": "boolean",
    "proposition": "boolean",
    "unit": "unit",
}
"""Words for what a letter is, and the role that each of them names."""

NUMBERS = frozenset({"variable", "parameter", "constant", "index"})
"""Roles of letters that stand for one number."""

_CONSTANTS = {"imaginary unit": "i", "euler's number": "e", "pi": "pi", "euler's constant": "gamma"}
_FILLERS = frozenset({"a", "an", "the", "variable", "number", "valued", "square"})
_SHAPE = re.compile(r"\(\s*(\w+)\s*(?:[,x×]\s*(\w+)\s*)?\)\s*$")
_OPPOSED = (
    {"positive", "negative"}, {"positive", "nonpositive"}, {"negative", "nonnegative"}, {"even", "odd"},
    {"rational", "irrational"}, {"integer", "irrational"}, {"real", "imaginary"}, {"integer", "imaginary"},
    {"positive", "imaginary"}, {"negative", "imaginary"},
)  # fmt: skip
_LETTER = re.compile(r"(?<![\\A-Za-z])[A-Za-z](?![A-Za-z])")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_NAME = re.compile(
    r"(?P<accent>\\[A-Za-z]+)\s*(?:\{\s*(?P<braced>\\?[A-Za-z]+)\s*\}|(?:\s|(?=\\))(?P<bare>\\?[A-Za-z]+))(?P<sub1>_.+)?"
    r"|(?P<word>\\[A-Za-z]+|[A-Za-z]+)(?P<primes>'*)(?P<sub2>_.+)?"
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is declared of one symbol.

    `role` is one of ROLES' values, `traits` what its values are (integer, positive, ...), `shape` the sizes of a vector
    or matrix as written, `macro` the DLMF macro it stands for, `value` the mathematical constant it stands for.
    """

    name: str
    role: str
    traits: frozenset[str] = frozenset()
    shape: tuple[str, ...] = ()
    macro: str = ""
    value: str = ""

    def __str__(self) -> str:
        if self.macro:
            return f"{self.name}: {self.macro}"
        words = [*sorted(self.traits), self.role if not self.traits or self.role not in NUMBERS else ""]
        shape = f"({','.join(self.shape)})" if self.shape else ""
        return f"{self.name}: {' '.join(filter(None, words))}{shape}"


class Declarations(Mapping[str, Declaration]):
    """Declarations by the name of the symbol, as the meaning tree spells it."""

    __slots__ = ("_of", "subjects", "vocabulary")

    def __init__(
        self,
        of: Mapping[str, Declaration],
        vocabulary: Vocabulary | None = None,
        subjects: frozenset[str] = frozenset(),
    ) -> None:
        self._of = dict(of)
        self.vocabulary = vocabulary  # with the user's own concepts and notations; None: the packaged one
        self.subjects = subjects  # what the text is about: "boolean", "common divisors"

    def __getitem__(self, name: str) -> Declaration:
        return self._of[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __hash__(self) -> int:
        return hash((tuple(self._of.values()), self.vocabulary, self.subjects))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Declarations):
            same = self._of == other._of and self.subjects == other.subjects
            return same and self.vocabulary == other.vocabulary
        return super().__eq__(other)

    def __bool__(self) -> bool:
        return bool(self._of) or self.vocabulary is not None or bool(self.subjects)

    def __reduce__(
        self,
    ) -> tuple[type[Declarations], tuple[dict[str, Declaration], Vocabulary | None, frozenset[str]]]:
        return Declarations, (self._of, self.vocabulary, self.subjects)

    def __repr__(self) -> str:
        return f"Declarations({', '.join(map(str, self._of.values()))})"

    @classmethod
    def of(cls, declared: Mapping[str, str] | Declarations | None, words: Vocabulary | None = None) -> Declarations:
        """Declarations from names and words. Raises TexliftError for one that cannot be obeyed.

        A notation can be declared to be a concept of the vocabulary: `{"[a,b]": "commutator"}`. `words` is a vocabulary
        with concepts of one's own.
        """
        if declared is None:
            return NOTHING_DECLARED.speaking(words)
        if isinstance(declared, Declarations):
            return declared.speaking(words)
        if not isinstance(declared, Mapping):
            raise TexliftError('declarations must be an object of texts, such as {"n": "integer"}')
        if len(declared) > MAX_DECLARED:
            raise TexliftError(f"more than {MAX_DECLARED:,} declared symbols")
        found: dict[str, Declaration] = {}
        for written, meaning in declared.items():
            if not isinstance(written, str) or not isinstance(meaning, str):
                raise TexliftError('declarations must be texts, such as {"n": "integer"}')
            try:
                one = _declaration(written, meaning)
            except TexliftError:
                if (notation := _notation(written, meaning, words)) is None:
                    raise
                words = notation
                continue
            other = found.setdefault(one.name, one)
            if other != one:
                raise TexliftError(f"{one.name} is declared twice: {other} and {one}")
        return cls(found, words)

    @classmethod
    def parse(cls, texts: Iterable[str], words: Vocabulary | None = None) -> Declarations:
        """Declarations from texts such as `n: integer` or `n=integer`."""
        pairs: dict[str, str] = {}
        for text in texts:
            name, sign, meaning = text.rpartition(":") if ":" in text else text.partition("=")
            if not sign or not name.strip() or not meaning.strip():
                raise TexliftError(f"{text!r} is no declaration; write NAME: KIND, for example 'n: integer'")
            name, meaning = name.strip(), meaning.strip()
            if pairs.setdefault(name, meaning) != meaning:
                raise TexliftError(f"{name} is declared twice: {pairs[name]} and {meaning}")
        return cls.of(pairs, words)

    def over(self, weaker: Declarations) -> Declarations:
        """These declarations, and those of `weaker` for symbols that have none here."""
        if not weaker:
            return self
        words = weaker.vocabulary if self.vocabulary is None else self.vocabulary
        return Declarations({**weaker._of, **self._of}, words, self.subjects | weaker.subjects)

    def speaking(self, words: Vocabulary | None) -> Declarations:
        """These declarations with a vocabulary that has concepts or notations of one's own."""
        return Declarations(self._of, words, self.subjects) if words is not None else self


NOTHING_DECLARED = Declarations({})


def _notation(written: str, meaning: str, words: Vocabulary | None) -> Vocabulary | None:
    """The vocabulary with a notation that is declared to be a concept; None where a symbol is declared."""
    known = vocabulary() if words is None else words
    name = "-".join(meaning.strip().lower().split())
    concept = next((one for one in known if name in (one.name.lower(), one.words.lower().replace(" ", "-"))), None)
    text = written.strip().strip("$").strip()
    if concept is None or _LETTER.fullmatch(text) or _COMMAND.fullmatch(text):
        return None
    if "#" not in text:
        letters = list(dict.fromkeys(match[0] for match in _LETTER.finditer(text)))
        if len(letters) != concept.arity:
            marks = ", ".join(f"#{number}" for number in range(1, concept.arity + 1))
            message = f"{written}: {concept.name} has {concept.arity} parts ({concept.macro}), not {len(letters)}"
            raise TexliftError(f"{message}; write its parts as {marks}" if marks else message)
        text = _LETTER.sub(lambda match: f"#{letters.index(match[0]) + 1}", text)
    check_notation(concept, ConceptNotation(text))
    return known.declared(concept.name, text)


def symbol_name(written: str) -> str:
    r"""The name of a symbol as the meaning tree spells it: `x_0` is `x_{0}`, `\vec v` is `\vec{v}`."""
    text = written.strip().strip("$").strip()
    match = _NAME.fullmatch(text)
    if match is None:
        raise TexliftError(f"{written!r} is not a symbol; declare a letter, a word, or one with a subscript")
    base = match["word"] or f"{match['accent']}{{{match['braced'] or match['bare']}}}"
    below = match["sub1"] or match["sub2"] or ""
    if below:
        inner = below[1:].strip()
        inner = inner[1:-1] if inner.startswith("{") and inner.endswith("}") else inner
        inner = re.sub(r"\\(?:mathrm|text|rm|operatorname)\s*(?:\{([^{}]*)\}|\s)", r"\1", inner)
        below = f"_{{{inner.strip()}}}"
    return base + (match["primes"] or "") + below


def _declaration(written: str, words: str) -> Declaration:
    name = symbol_name(written)
    text = " ".join(words.strip().split())
    if text.startswith("\\"):
        macro = lexicon().lookup(text)
        if macro is None:
            near = ", ".join(one.name for one in lexicon().near(text, 3))
            raise TexliftError(f"{name}: there is no macro {text}" + (f"; did you mean {near}?" if near else ""))
        return Declaration(name, "function", macro=macro.name)
    shape: tuple[str, ...] = ()
    if sizes := _SHAPE.search(text):
        shape = tuple(size for size in sizes.groups() if size)
        text = text[: sizes.start()].strip()
    text = text.lower()
    if text in _CONSTANTS:
        return Declaration(name, "constant", value=_CONSTANTS[text])
    return _of_words(name, text, shape)


def _of_words(name: str, text: str, shape: tuple[str, ...]) -> Declaration:
    roles: set[str] = set()
    traits: set[str] = set()
    for word in text.replace("-", " ").replace("non ", "non").split():
        singular = word.removesuffix("s")
        if singular in TRAITS:
            traits.update(TRAITS[singular])
        elif singular in ROLES and (singular not in _FILLERS or singular == text):
            roles.add(ROLES[singular])
        elif singular not in _FILLERS:
            known = ", ".join(sorted({*TRAITS, *ROLES, *_CONSTANTS}))
            raise TexliftError(f"{name}: {word!r} is not a kind of symbol; known are {known}, or a macro")
    if len(roles) > 1:
        raise TexliftError(f"{name} cannot be {' and '.join(sorted(roles))} at the same time")
    for pair in _OPPOSED:
        if pair <= traits:
            raise TexliftError(f"{name} cannot be {' and '.join(sorted(pair))} at the same time")
    role = roles.pop() if roles else "variable"
    if not text:
        raise TexliftError(f"{name}: nothing is declared; say for example 'real' or 'function'")
    expected = {"vector": (0, 1), "matrix": (0, 2)}.get(role, (0,))
    if len(shape) not in expected:
        raise TexliftError(f"{name}: a {role} is not given by {len(shape)} sizes")
    return Declaration(name, role, frozenset(traits), shape)
