"""Proof that semantic LaTeX expands to a given presentation.

The semantic text is parsed again and every call replaced by its rule's pattern, on canonical trees: the result is the
canonical key of the expansion, without writing the expansion out and parsing it a second time. Where the two could
differ, the text decides: a certificate is only refused after the expanded text itself has been compared.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from texlift.errors import FormulaError, TexliftError
from texlift.grammar.expansion import Expander
from texlift.grammar.pattern import Item, Pattern
from texlift.latex.canonical import CallElement, Element, Row, canonical, canonical_key, spell

__all__ = ["Certifier"]

_SHORT: Final = 200  # characters of an answer that is remembered: what comes up again is short
_ORDER: Final = {"_": 0, "'": 1, "^": 2}
_COMMAND: Final = re.compile(r"\\[A-Za-z]+")
_SEMANTIC: Final = "this looks like semantic LaTeX"

_Token = tuple[str, str]
"""Label and canonical key of an element; the label tells scripts from the rest."""


class Certifier:
    """Certifies answers with one expander."""

    def __init__(self, expander: Expander) -> None:
        self.expander = expander
        self._known = lru_cache(maxsize=2048)(self._certifies)  # one formula in five comes up again

    def goal(self, latex: str, root: Row) -> str:
        """The canonical key that every answer to a generic formula must expand to; `root` is its canonical row.

        A macro of semantic LaTeX that LaTeX does not know (`\\abs{x}`) stands for what it prints.
        Raises FormulaError where the formula has an @, or such a macro with arguments it cannot have.
        """
        if "@" in latex:
            _refuse_at(latex, root)
        if self.expander.language.only.isdisjoint(_COMMAND.findall(latex)):
            return root.key
        try:
            return canonical_key(self.expander.expand(latex))
        except FormulaError as error:
            hint = f"{error.hint}, or define your own with \\newcommand"
            raise FormulaError(f"{_SEMANTIC}: {error.message}", latex, error.span, hint, "semantic") from None

    def certifies(self, semantic: str, key: str) -> bool:
        """Whether `semantic` expands to the presentation with canonical key `key`."""
        return self._known(semantic, key) if len(semantic) <= _SHORT else self._certifies(semantic, key)

    def _certifies(self, semantic: str, key: str) -> bool:
        try:
            tokens = self._row(self.expander.language.row(semantic), semantic)
            if tokens is not None and _join(tokens) == key:
                return True
            return canonical(self.expander.expand(semantic)).key == key
        except TexliftError:
            return False

    def _row(self, row: Row, source: str) -> list[_Token] | None:
        """The elements of the expansion of a row; None where a call has no rule."""
        tokens: list[_Token] = []
        for element in row.elements:
            label = element.label
            if type(element) is CallElement:
                expanded = self._call(element, source)
                if expanded is None:
                    return None
                tokens += expanded
            elif element.rows:
                key = self._key(element, source)
                if key is None:
                    return None
                tokens.append((label, key))
            else:
                tokens.append((label, label if len(label) == 1 or label[0] == "\\" else spell(label)))
        return tokens

    def _key(self, element: Element, source: str) -> str | None:
        parts = []
        for row in element.rows:
            elements = row.elements
            if len(elements) == 1 and not elements[0].rows and type(elements[0]) is not CallElement:
                parts.append(elements[0].key)  # `{n}`: every other row
                continue
            tokens = self._row(row, source)
            if tokens is None:
                return None
            parts.append(_join(tokens))
        return f"{element.label}{{{'}{'.join(parts)}}}"

    def _call(self, call: CallElement, source: str) -> list[_Token] | None:
        rule = self.expander.rule(source, call.node)
        if rule is None:
            return None
        holes: dict[int, list[_Token]] = {}
        for index, argument in enumerate(rule.shape.arguments):
            if isinstance(argument, int):
                tokens = self._row(call.rows[index], source)
                if tokens is None:
                    return None
                holes[argument] = tokens
        scripts: list[_Token] = []
        for script in call.scripts:
            key = self._key(script, source) if script.rows else script.key
            if key is None:
                return None
            scripts.append((script.label, key))
        return _fill(rule.pattern, holes, scripts)


def _fill(pattern: Pattern, holes: dict[int, list[_Token]], scripts: list[_Token]) -> list[_Token]:
    tokens: list[_Token] = []
    for item in pattern.items:
        if item.hole >= 0:
            tokens += holes[item.hole]
        else:
            tokens.append((item.label, _literal(item, holes)))
        for kind, argument in item.scripts:
            tokens.append((kind, kind if argument is None else f"{kind}{{{_join(_fill(argument, holes, []))}}}"))
        if item.point:
            tokens += scripts
    return tokens


def _literal(item: Item, holes: dict[int, list[_Token]]) -> str:
    if item.rows:
        return f"{item.label}{{{'}{'.join([_join(_fill(row, holes, [])) for row in item.rows])}}}"
    label = item.label
    return spell(label) if len(label) > 1 and label[0] != "\\" else label


def _join(tokens: list[_Token]) -> str:
    """The key of a row: scripts of one symbol in canonical order."""
    if len(tokens) == 1:
        return tokens[0][1]
    last = -1
    for label, _ in tokens:
        rank = _ORDER.get(label, -1)
        if 0 <= rank < last:
            break
        last = rank
    else:
        return " ".join([key for _, key in tokens])  # nearly always they are
    keys: list[str] = []
    run: list[_Token] = []
    for token in tokens:
        if token[0] in _ORDER:
            run.append(token)
            continue
        if run:
            run.sort(key=_rank)
            keys += [key for _, key in run]
            run = []
        keys.append(token[1])
    run.sort(key=_rank)
    return " ".join([*keys, *(key for _, key in run)])


def _rank(token: _Token) -> int:
    return _ORDER[token[0]]


def _refuse_at(latex: str, root: Row) -> None:
    """Raise an error at the first @ that is not in a comment, a text, a command's name or the columns of a table."""
    rows = [root]
    found = []
    for row in rows:  # grows while it is gone through
        for element in row.elements:
            if "@" in element.label and not element.label.startswith(("text:", "\\", "env:")):
                found.append((element.start, element.end))
            rows += element.rows
    if found:
        hint = "use `texlift expand` or `texlift convert`; generic LaTeX has no @"
        raise FormulaError(f"{_SEMANTIC}: @", latex, min(found), hint, "semantic")
