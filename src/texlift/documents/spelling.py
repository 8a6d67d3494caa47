r"""How a document spells a function: the author's own signs around the arguments of a call.

`J_\nu(z)` is lifted to `\BesselJ{\nu}@{z}`, and this document spells `\BesselJ{#1}@{#2}` as `J_#1(#2)`. Spellings are
what the macro package of the document prints and what `texlift expand --document` writes, so that both give the
author's formula again. The most common spelling of a call in a document is its standard; another one is named by a
letter before the call: `\spelt{a}\BesselJ{\nu}@{z}`.

`#1`, `#2` .. are arguments, `#'` is the place of primes and powers. Behind `_` and `^` an argument gets braces unless
it is one token; `_{#1}` has them always. Blanks around an argument belong to it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from texlift.errors import FormulaError, Span
from texlift.grammar.rule import CallShape, Rule
from texlift.latex.definitions import Traced
from texlift.latex.lexer import tokenize
from texlift.latex.printing import join
from texlift.translate.answer import Decision

__all__ = ["SPELT", "Cut", "Spelling", "Spellings", "choose_spellings", "cut", "filled", "key_of", "shape_of"]

SPELT = r"\spelt"
"""The macro that names another spelling than the standard one for the next call."""

_MARK = re.compile(r"#([1-9a-z'])")
_BLANKS = " \t\r\n"
_EITHER = "\0"  # before an argument of a script that needs braces: it fits both spellings
_UNSAFE = re.compile(
    r"[%#&$@]|\\\\|\\(?:label|tag|ref|eqref|cite|nonumber|notag|intertext|shortintertext|verb|begin|end|item|footnote)"
    r"(?![A-Za-z])|\n[ \t]*\r?\n"
)
_ORDER = "deriv[#1]"  # forms whose first argument stands at two places
_TABLE = re.compile(r"\\begin\s*\{.*\\end\s*\{", re.DOTALL)
_ALIGNS = re.compile(r"(?<!\\)&|\\\\")  # what an argument cannot have outside of a table
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_OPENS = re.compile(r"\\left(?![A-Za-z])|\\[bB]igg?l?(?![A-Za-z])|\{(?=#)|[(\[#]|\\[,;:!]")


@dataclass(frozen=True, slots=True)
class Spelling:
    r"""One spelling of a call. `form` is the call (`\BesselJ{#1}#'@{#2}`), `name` the macro that stands for it in the
    document, which differs from the form's where that name was taken; `variant` is empty for the standard."""

    form: str
    name: str
    text: str
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Cut:
    """One place of a formula cut into a call's arguments and the author's signs around them.

    `parts` are the places of the arguments in the formula, blanks around them included. `text` is the spelling with
    all scripts unbraced; `braces` says of arguments in scripts whether they have braces that they need not have (True),
    have none (False), or need them (not in it).
    """

    decision: Decision
    span: Span
    form: str
    parts: tuple[tuple[str, Span], ...]
    text: str
    braces: Mapping[str, bool]


def key_of(form: str) -> str:
    """What tells calls apart: the form without the place for scripts."""
    return form.replace("#'", "")


@lru_cache(maxsize=4096)
def shape_of(form: str) -> CallShape:
    """The form of a call, parsed."""
    return Rule(form, "").shape


def cut(latex: str, decision: Decision, traced: Traced) -> Cut | None:
    """The place of a decision in the source, cut; None where that cannot be done without loss."""
    if not decision.form or (span := traced.back(_inside_braces(traced.text, decision))) is None:
        return None
    found: list[tuple[str, Span]] = []
    for mark, (left, right) in decision.parts:
        inside = _tight(traced.text, left, right)
        place = traced.back(inside) if inside[0] < inside[1] else None
        if place is None:
            return None
        found.append((mark, place))
    parts = _merged(latex, sorted(found, key=lambda part: part[1]))
    if parts is None or not _nested(span, parts):
        return None
    parts = _with_blanks(latex, span, parts, twice="1" if _ORDER in decision.form else "")
    marks = [mark for mark, _ in parts]
    if len(set(marks)) < len(marks):
        return None
    literals = _literals(latex, span, parts)
    if any(_UNSAFE.search(text) for text in literals) or _ALIGNS.search(_TABLE.sub("", latex[span[0] : span[1]])):
        return None
    outside = [use.span for use in traced.uses if span[0] <= use.span[0] and use.span[1] <= span[1]]
    if any(not any(a <= use[0] and use[1] <= b for _, (a, b) in parts) for use in outside):
        return None  # the author's own macro would be gone
    if not all(_balanced(latex[a:b]) for _, (a, b) in (*parts, ("", span))):
        return None
    text, braces = _text(latex, literals, parts)
    order = next((latex[a:b].strip(_BLANKS) for mark, (a, b) in parts if mark == "1"), "")
    whole = _with_repetitions(text, decision.form, order, braces.get("1"))
    return None if whole is None else Cut(decision, span, decision.form, tuple(parts), whole, braces)


def _inside_braces(text: str, decision: Decision) -> Span:
    """The place of a decision without braces around all of it: these stay where they are."""
    left, right = decision.span
    while text[left] == "{" and text[right - 1] == "}" and _balanced(text[left + 1 : right - 1]):
        inner = _tight(text, left + 1, right - 1)
        if not all(inner[0] <= a and b <= inner[1] for _, (a, b) in decision.parts):
            break
        left, right = inner
    return left, right


def _tight(text: str, left: int, right: int) -> Span:
    while left < right and text[left] in _BLANKS:
        left += 1
    while left < right and text[right - 1] in _BLANKS and not (right - 2 >= left and text[right - 2] == "\\"):
        right -= 1
    return left, right


def _merged(latex: str, parts: list[tuple[str, Span]]) -> list[tuple[str, Span]] | None:
    """The parts with neighbouring scripts made one; None if scripts stand at two places."""
    merged: list[tuple[str, Span]] = []
    for mark, span in parts:
        if mark == "'" and merged and merged[-1][0] == "'":
            if latex[merged[-1][1][1] : span[0]].strip(_BLANKS):
                return None
            merged[-1] = ("'", (merged[-1][1][0], span[1]))
        else:
            merged.append((mark, span))
    return merged


def _nested(span: Span, parts: list[tuple[str, Span]]) -> bool:
    places = [place for _, place in parts]
    inside = all(span[0] <= a and b <= span[1] for a, b in places)
    return inside and all(first[1] <= second[0] for first, second in pairwise(places))


def _with_blanks(latex: str, span: Span, parts: list[tuple[str, Span]], twice: str) -> list[tuple[str, Span]]:
    """The parts with the blanks around them, but for the one that keeps a control word apart from a letter.

    An argument that stands there `twice` has no blanks of its own.
    """
    wider = []
    at = span[0]
    for index, (mark, (left, right)) in enumerate(parts):
        end = parts[index + 1][1][0] if index + 1 < len(parts) else span[1]
        start = left
        if mark == twice:
            wider.append((mark, (left, right)))
            at = right
            continue
        while start > at and latex[start - 1] in _BLANKS and not latex.endswith("\\", 0, start - 1):
            start -= 1
        before = latex[at:start]
        if latex[start:left] == " " and mark != "'" and join(before, latex[left:right]) != before + latex[left:right]:
            start = left
        while right < end and latex[right] in _BLANKS:
            right += 1
        wider.append((mark, (start, right)))
        at = right
    return wider


def _literals(latex: str, span: Span, parts: list[tuple[str, Span]]) -> list[str]:
    edges = [span[0], *(edge for _, place in parts for edge in place), span[1]]
    return [latex[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _balanced(text: str) -> bool:
    depth = 0
    for match in _BRACES.finditer(text):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth < 0:
            return False
    return depth == 0


def _single(text: str) -> bool:
    """Whether an argument is one token: then a script needs no braces around it."""
    try:
        return len(tokenize(text)) == 1
    except FormulaError:
        return False


def _text(latex: str, literals: list[str], parts: list[tuple[str, Span]]) -> tuple[str, dict[str, bool]]:
    pieces = [literals[0]]
    braces: dict[str, bool] = {}
    for (mark, (left, right)), literal in zip(parts, literals[1:], strict=True):
        before = pieces[-1]
        if mark != "'" and before.endswith(("_{", "^{")) and literal.startswith("}"):
            pieces[-1] = before[:-1]
            literal = literal[1:]
            if _single(latex[left:right]):
                braces[mark] = True
        elif mark != "'" and before.endswith(("_", "^")) and not before.endswith(("\\_", "\\^")):
            braces[mark] = False
        elif (
            mark != "'" and before.endswith(" ") and join(before[:-1], latex[left:right]) == before + latex[left:right]
        ):
            pieces[-1] = before[:-1]  # the blank that keeps a control word apart from a letter
        pieces += [f"#{mark}", literal]
    return "".join(pieces), braces


def _with_repetitions(text: str, form: str, order: str, braced: bool | None) -> str | None:
    r"""The spelling with both places of an argument that stands in it twice: the order in `\frac{d^2 y}{dx^2}`."""
    if _ORDER not in form:
        return text
    again = [m for m in re.finditer(r"\^(?:\{([^{}]*)\}|(\\[A-Za-z]+|[^\s{}#]))", text) if order in (m[1], m[2])]
    if len(again) != 1 or (braced is not None and (again[0][1] is not None) != braced):
        return None
    return text[: again[0].start()] + "^#1" + text[again[0].end() :]


def filled(text: str, arguments: Mapping[str, str]) -> str:
    """A spelling with its arguments put in: the very formula it was cut from, if these are its arguments."""
    pieces: list[str] = []
    last = ""
    at = 0
    for match in _MARK.finditer(text):
        literal = text[at : match.start()]
        inside = arguments.get(match[1], "")
        if match[1] != "'" and literal.endswith(("_", "^")) and not literal.endswith(("\\_", "\\^")):
            inside = inside if _single(inside) else f"{{{inside}}}"
        for piece in (literal, inside):
            if piece:
                pieces.append(join(last, piece)[len(last) :])
                last = piece
        at = match.end()
    rest = text[at:]
    pieces.append(join(last, rest)[len(last) :] if rest else "")
    return "".join(pieces)


class Spellings:
    """The spellings of one document: what was chosen for each cut, and all of them for the package."""

    def __init__(self, chosen: Mapping[tuple[str, str], Spelling], names: Mapping[str, str]) -> None:
        self._chosen = chosen
        self.names = names

    def of(self, place: Cut) -> Spelling:
        """The spelling of one place."""
        return self._chosen[key_of(place.form), _resolved(place)]

    def all(self) -> list[Spelling]:
        """Every spelling once, sorted."""
        return sorted(set(self._chosen.values()), key=lambda s: (s.name, key_of(s.form), s.variant))


def choose_spellings(cuts: Iterable[Cut], names: Mapping[str, str]) -> Spellings:
    """Give every cut its spelling; the most common of each call is the standard. `names` are macros by meaning."""
    by_key: dict[str, Counter[str]] = defaultdict(Counter)
    for place in cuts:
        by_key[key_of(place.form)][_resolved(place)] += 1
    chosen: dict[tuple[str, str], Spelling] = {}
    for key, counts in by_key.items():
        merged: Counter[str] = Counter()
        unified = _unified(key, counts)
        for resolved, count in counts.items():
            merged[unified[resolved]] += count
        ordered = sorted(merged, key=lambda text: -merged[text])  # of equally common ones the first
        variants = {text: _letters(number) for number, text in enumerate(ordered)}
        name = "\\" + re.match(r"\\([A-Za-z]+)", key)[1]  # type: ignore[index]
        for resolved in counts:
            text = unified[resolved]
            form = key if "#'" not in text else _with_point(key)
            chosen[key, resolved] = Spelling(form, names.get(name, name), text, variants[text])
    return Spellings(chosen, names)


def _with_point(key: str) -> str:
    return key.replace("@", "#'@", 1)


def _unified(key: str, counts: Mapping[str, int]) -> dict[str, str]:
    r"""Spellings that differ only in what no place shows: `\sin(#1)` is `\sin#'(#1)`, `J_{#1}` may be `J_#1`."""
    result: dict[str, str] = {}
    with_point = sorted((text for text in counts if "#'" in text), key=lambda text: (-counts[text], text))
    for text in counts:
        same = [other for other in with_point if other.replace("#'", "") == text]
        result[text] = same[0] if same else text if "@" not in key or "#'" in text else _pointed(text)
    loose = re.compile(r"([_^])\{(#[1-9a-z])\}|([_^])\0(#[1-9a-z])")
    plain = {text: text.replace(_EITHER, "") for text in result.values()}
    # a place whose argument needs its braces fits both spellings: it follows the more common of the others
    totals: Counter[str] = Counter()
    for text, count in counts.items():
        totals[result[text]] += count
    for text in list(result):
        target = result[text]
        if _EITHER not in target:
            continue
        candidates = [
            other
            for other in totals
            if _EITHER not in other and loose.sub(r"\1\3\2\4", other) == loose.sub(r"\1\3\2\4", target)
        ]
        candidates.sort(key=lambda other: (-totals[other], other))
        result[text] = candidates[0] if candidates else plain[target]
    return result


def _resolved(place: Cut) -> str:
    """The spelling of one place: `_{#1}` with braces it need not have, `_#1` without, a mark where either will do."""

    def braced(match: re.Match[str]) -> str:
        own = place.braces.get(match[2])
        sign = match[1]
        return f"{sign}{_EITHER}#{match[2]}" if own is None else f"{sign}{{#{match[2]}}}" if own else match[0]

    return re.sub(r"(?<!\\)([_^])#([1-9a-z])", braced, place.text)


def _pointed(text: str) -> str:
    """A spelling without scripts, with the place where they would go: before the first bracket or argument in line."""
    at = 0
    if match := re.match(r"\{?\\(?:operatorname\*?|math[a-z]+|text[a-z]*|mbox|rm)\s*\{[^{}]*\}", text):
        at = match.end()
    while True:
        found = _OPENS.search(text, max(at, 1))
        if found is None:
            return text + "#'"
        start = found.start()
        if found[0] == "#" and re.search(r"[_^]\{?\0?$", text[:start]):
            at = start + 2
            continue
        return f"{text[:start]}#'{text[start:]}" if _balanced(text[:start]) else text


def _letters(number: int) -> str:
    """Empty, a, b, .. z, aa, ab, .."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
