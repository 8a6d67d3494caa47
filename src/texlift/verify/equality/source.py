"""From an answer to its meaning: read directly where nothing is ambiguous, translated first where something is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from texlift.errors import TexliftError
from texlift.latex.wrapping import unwrapped
from texlift.meaning.declarations import Declarations
from texlift.meaning.reader.reading import Reading, read
from texlift.meaning.tree import Constant, Expression, Number, Relation, Symbol, rebuild, walk
from texlift.verify.equality.units import expression_of
from texlift.verify.equality.wording import Answer, answer_in

__all__ = ["Source", "is_plain", "lift", "read_conditions", "source_of"]

_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
_PLAIN = json.loads(files("texlift.verify.equality").joinpath("plain.json").read_text("utf-8"))
_SAFE = frozenset({*_PLAIN["commands"].split(), "\\ "})
_FUNCTIONS = frozenset(_PLAIN["functions"].split())
_APPLIED = re.compile(
    r"\s*(?:\^\s*(?:\{[^{}]*\}|\d)\s*)?(?:_\s*(?:\{[^{}]*\}|\w)\s*)?"
    r"(?:\\left\s*)?(?:\(|\||\{|[A-Za-z](?=\s*(?:\Z|[-+=,)}<>&|\\]))|\\(?:theta|alpha|beta|phi|pi)(?=\s*(?:\Z|[-+=,)}<>&|])))"
)
_RISKY = re.compile(
    r"[A-Z]\s*(?:\\left\s*)?\(|_\s*(?:\{[^{}]*\}|\w)\s*(?:\\left\s*)?\(|'|\\frac\s*\{\s*d|\\[a-z]+\s*\("
)
_SETS = {"R": "reals", "Z": "integers", "N": "naturals", "Q": "rationals", "C": "complexes"}
_LOG = re.compile(r"\\log(?![A-Za-z])(?!\s*_)")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_SLASH = re.compile(
    r"(?P<over>/\s*(?P<number>\d+(?:\.\d+)?))(?P<letter>\s*(?:[A-Za-z]|\\pi|\\sqrt\{[^{}]*\}|\([^()]*\)))"
)
_MANY = 4096
_MOST_DIGITS = 2000


_WAYS: dict[str, tuple[re.Pattern[str], str]] = {
    "common": (_LOG, r"\\log_{10}"),
    "listed": (_COMMA, ", "),
    "decimal": (_COMMA, "{,}"),
    "below": (_SLASH, r"/(\g<number>\g<letter>)"),
    "beside": (_SLASH, r"\g<over>\\cdot \g<letter>"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """An answer that was read; `reading` is None where it is words."""

    answer: Answer
    reading: Reading | None

    @property
    def has_comma(self) -> bool:
        """Whether a comma between digits was read as part of a number, though it may part a list."""
        warnings = self.reading.warnings if self.reading is not None else ()
        return any("comma" in warning for warning in warnings) and _COMMA.search(self.answer.latex) is not None

    @property
    def has_decimal_comma(self) -> bool:
        """Whether one comma between digits was read as parting a list, though it may be a decimal sign."""
        return len(_COMMA.findall(self.answer.latex)) == 1 and not re.search(r"[(\[{]", self.answer.latex)

    @property
    def has_slash(self) -> bool:
        """Whether a letter stands behind a quotient of numbers: `1/2x`."""
        return _SLASH.search(self.answer.latex) is not None

    @property
    def has_log(self) -> bool:
        """Whether a logarithm without a base stands in it."""
        return _LOG.search(self.answer.latex) is not None


def source_of(text: str, declared: Declarations, semantic: bool = False, way: str = "") -> Source:
    """An answer and its meaning.

    `way` is another way to read it: `common` takes logarithms without a base to the base ten, `listed` commas between
    digits as parting a list and `decimal` as decimal signs, `below` the x of `1/2x` as a part of the denominator and
    `beside` as a factor.
    Raises TexliftError where it cannot be read.
    """
    answer = Answer(text) if semantic else answer_in(text)
    if answer.words:
        return Source(answer, None)
    latex = answer.latex if semantic else _prepared(answer.latex)
    if way:
        pattern, replacement = _WAYS[way]
        latex = pattern.sub(replacement, latex)
    if not semantic and not is_plain(latex):
        latex = lift((latex,), declared)[0]
    reading = read(latex, declared=declared)
    statements = tuple(_settled(statement, answer) for statement in reading.statements)
    return Source(answer, replace(reading, statements=statements))


def _prepared(latex: str) -> str:
    """The formula without what only puts it into a text; signs that the reader has no use for are spelled out."""
    latex = unwrapped(latex)
    latex = re.sub(r"\\(?:displaystyle|,|;|!|:)(?![A-Za-z])\s*\Z", "", latex).strip()
    return (
        re.sub(r"\\langle\s*([^\\|]*(?:\\(?!rangle)[a-z]+[^\\|]*)*),", r"\\left(\1,", latex).replace(
            r"\rangle", r"\right)"
        )
        if r"\langle" in latex and "," in latex and "|" not in latex
        else latex
    )


def is_plain(latex: str) -> bool:
    """Whether a formula has one reading only, for which no translation is needed."""
    if _RISKY.search(_FUNCTION_CALLS.sub("", latex)):
        return False
    for match in _COMMAND.finditer(latex):
        command = match[0]
        if command in _FUNCTIONS:
            if not _APPLIED.match(latex, match.end()):
                return False
        elif command not in _SAFE:
            return False
    return True


_FUNCTION_CALLS = re.compile(
    "|".join(re.escape(name) for name in sorted(_FUNCTIONS | {r"\left", r"\right", r"\det", r"\max", r"\min", r"\gcd"}))
)


def lift(formulae: Sequence[str], declared: Declarations) -> list[str]:
    """Semantic LaTeX for generic LaTeX."""
    return [_lifted(latex, declared) for latex in formulae]


@lru_cache(maxsize=_MANY)
def _lifted(latex: str, declared: Declarations) -> str:
    from texlift.translate.translator import load

    result = load().translate(latex, alternatives=0, declare=declared or None)
    if not result.semantic:
        raise TexliftError(f"no translation for {latex[:60]}")
    return result.semantic


# -- the tree ------------------------------------------------------------------------------------------------


def _settled(node: Expression, answer: Answer) -> Expression:
    """Units put in, number sets and Euler's number as constants."""
    lonely = any(
        isinstance(part, Relation) and any(isinstance(side, Symbol) and side.name == "e" for side in part.operands)
        for part in walk(node)
    )

    def change(part: Expression) -> Expression:
        if isinstance(part, Number) and len(part.value) > _MOST_DIGITS:
            raise TexliftError(f"a number of more than {_MOST_DIGITS:,} digits")
        if isinstance(part, Symbol):
            name = part.name
            if name == "e" and not lonely and not part.role:
                return Constant("e", part.span)
            if name.startswith(r"\mathbb{") and name[8:-1] in _SETS:
                return Constant(_SETS[name[8:-1]], part.span)
            if name.startswith(r"\mathrm{unit") and answer.units:
                letters = name[12:-1]
                index = (ord(letters[0]) - 97) * 26 + ord(letters[1]) - 97
                return expression_of(answer.units[index])
            return part
        return rebuild(part, change)

    return change(node)


def read_conditions(where: Iterable[str], declared: Declarations, semantic: bool) -> tuple[str, ...]:
    """Conditions in semantic LaTeX."""
    found = []
    for text in where:
        latex = text if semantic else answer_in(text.replace("$", "")).latex
        plain = semantic or (is_plain(latex) and r"\mathbb" not in latex)
        found.append(latex if plain else lift((latex,), declared)[0])
    return tuple(found)
