"""Conditions of cases, in formulae and in the few words that mean something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Group, Text
from texlift.latex.parser import parse
from texlift.meaning.tree import Apply, Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["condition"]

_OTHERWISE = frozenset(
    ["otherwise", "else", "sonst", "sinon", "altrimenti", "иначе", "elsewhere", "in caso contrario", "en otro caso"]
)
_JOINING = frozenset({
    "", "and", "or", "with", "if", "for", "when", "where", "whenever", "provided", "si", "se", "falls", "wenn", "für",
    "und", "pour", "et", "если", "при", "и", "als", "gdy", "om", "para", "per", "e", "y",
})  # fmt: skip  # what joins conditions, in several languages
_PARITY = re.compile(
    r"\s*(?:if|for|when|falls|wenn|si|se|если|при)?\s*\$([^$]+)\$\s*"
    r"(?:is |ist |est |è |es |—\s*)?(even|odd|gerade|ungerade|pair|impair|pari|dispari|par|impar|ч[её]тно|неч[её]тно)"
    r"(?![A-Za-z])"
)
_ENDING = re.compile(
    r"(?:is |ist |est |è |es |—\s*)?(even|odd|gerade|ungerade|pair|impair|pari|dispari|par|impar|ч[её]тно|неч[её]тно)"
)
_ODD = frozenset({"odd", "ungerade", "impair", "dispari", "impar", "нечетно", "нечётно"})


def condition(row: Row, inner: Row) -> Expression | None:
    """The condition of a case; None for `otherwise`."""
    for index in range(1, inner.count):  # `n\\text{ even}`
        node = inner.items[index]
        if type(node) is Command and node.arguments and type(node.arguments[0]) is Text:
            ending = _ENDING.fullmatch(node.arguments[0].body.strip(" ,.~"))
            if ending:
                start = next((place for place in range(index) if not _joins(inner, place)), index)
                value = inner.part(start, index).expression()
                return Apply("odd" if ending[1] in _ODD else "even", (value,), inner.span)
    words = [
        node for node in inner.items if type(node) is Command and node.arguments and type(node.arguments[0]) is Text
    ]
    if len(words) == 1 and inner.count == 1 and words[0].arguments[0].body.strip(" .,") in _OTHERWISE:  # type: ignore[union-attr]
        return None
    pieces: list[Expression] = []
    start = 0
    head = "and"
    for index in range(inner.count + 1):
        word = inner.items[index] if index < inner.count else None
        if word is not None and word not in words:
            continue
        if index > start:
            part = inner.part(start, index)
            while part.count and part.texts[-1] == ",":
                part = part.part(0, part.count - 1)
            pieces.extend(part.expressions() if part.count else ())
        start = index + 1
        if word is None:
            break
        body = row.scope.source[word.start : word.end].partition("{")[2].rstrip("}")
        formulae = word.arguments[0].math if type(word.arguments[0]) is Text else ()
        if formulae and set(_prose(body)) <= _JOINING:  # \\mbox{if $x>0$}
            pieces.extend(
                part for group in formulae for part in type(row)(row.scope, group.children, _span(group)).expressions()
            )
            head = "or" if "or" in _prose(body) else head
            continue
        parity = _PARITY.match(body)
        if "or" in body.split():
            head = "or"
        elif parity:
            pieces.append(_parity(row, parity[1], "odd" if parity[2] in _ODD else "even", (word.start, word.end)))
        elif body.strip(" ~,.:") not in _JOINING:
            raise row.scope.error("a condition in words", (word.start, word.end))
    if not pieces:
        return None
    return pieces[0] if len(pieces) == 1 else Apply(head, tuple(pieces), inner.span)


def _joins(inner: Row, place: int) -> bool:
    """Whether an item is a word such as `if`."""
    node = inner.items[place]
    text = node.arguments[0] if type(node) is Command and node.arguments else None
    return type(text) is Text and text.body.strip(" ~,.:") in _JOINING


def _prose(body: str) -> list[str]:
    """The words of a text without its formulae."""
    return re.sub(r"\$[^$]*\$", " ", body).replace("~", " ").replace(",", " ").strip(" .").split()


def _span(group: Group) -> Span:
    return (group.start, group.end)


def _parity(row: Row, formula: str, parity: str, span: Span) -> Expression:
    """`$n$ even` as a condition."""
    value = type(row)(row.scope, parse(formula), span).expression()
    return Apply(parity, (value,), span)
