"""What an editor offers at a place: choose a reading, declare a plain symbol, check an equation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from texlift.documents.choices import symbol_of
from texlift.documents.consistency import symbol_at
from texlift.documents.formula import Lifted
from texlift.editor.analysis import Analysis
from texlift.editor.hover import percent, token_at
from texlift.errors import FormulaError
from texlift.translate.answer import Decision

__all__ = ["CHECK", "CHOOSE", "actions", "is_equation"]

CHOOSE = "texlift.choose"
"""Command: document, symbol, macro ("" for a plain symbol)."""

CHECK = "texlift.check"
"""Command: document, line and character of a place in the formula."""

_MOST_READINGS = 6
_RELATION = re.compile(r"[=<>]|\\(?:le|ge|leq|geq|lt|gt|neq|ne|equiv|leqslant|geqslant)(?![A-Za-z])")


def actions(analysis: Analysis, offset: int, uri: str) -> list[types.CodeAction]:
    """The actions at an offset of the text."""
    item = analysis.at(offset)
    if item is None or item.state == "broken":
        return []
    found = list(_choices(analysis, item, offset, uri))
    if is_equation(item):
        position = analysis.lines.position(analysis.span(item)[0])
        command = types.Command("Check this equation", CHECK, arguments=[uri, position.line, position.character])
        found.append(types.CodeAction("Check this equation numerically", types.CodeActionKind.Empty, command=command))
    return found


def is_equation(item: Lifted) -> bool:
    """Whether a formula states something that can be true or false."""
    return item.state != "broken" and _RELATION.search(item.semantic) is not None


def _choices(analysis: Analysis, item: Lifted, offset: int, uri: str) -> Iterator[types.CodeAction]:
    decision = analysis.decision_at(item, offset)
    if decision is not None and (symbol := _written(symbol_at(decision))):
        yield from _readings(analysis, decision, symbol, uri)
    letter = _letter(analysis, item, offset)
    if letter and (decision is None or letter != symbol_at(decision)) and analysis.choices.fixed.get(letter) != "":
        yield _choose(uri, letter, "", f"{letter} is a plain symbol in this document")


def _readings(analysis: Analysis, decision: Decision, symbol: str, uri: str) -> Iterator[types.CodeAction]:
    """Every other reading of a symbol, and the present one where the author has not fixed it yet."""
    fixed = analysis.choices.fixed.get(symbol)
    own = (decision.macro, decision.meaning, decision.probability)
    others = ((reading.macro, reading.meaning, reading.probability) for reading in decision.competing)
    by_macro: dict[str, tuple[str, float]] = {}
    for macro, meaning, probability in (own, *others):
        by_macro.setdefault(macro, (meaning, probability))
    by_macro.setdefault("", ("", 0.0))
    plain = by_macro.pop("")
    for macro, (meaning, probability) in list(by_macro.items())[:_MOST_READINGS]:
        if macro != fixed:
            what = f"{meaning or macro} ({macro}), {percent(probability)}"
            yield _choose(uri, symbol, macro, f"{symbol} is {what}, in this document")
    if fixed != "":
        chance = f", {percent(plain[1])}" if plain[1] else ""
        yield _choose(uri, symbol, "", f"{symbol} is a plain symbol{chance}, in this document")


def _choose(uri: str, symbol: str, macro: str, title: str) -> types.CodeAction:
    command = types.Command(title, CHOOSE, arguments=[uri, symbol, macro])
    return types.CodeAction(title, types.CodeActionKind.QuickFix, command=command)


def _letter(analysis: Analysis, item: Lifted, offset: int) -> str:
    """The label of the letter at an offset; "" if there is none."""
    if not analysis.is_mapped(item):
        return ""
    token = token_at(item.formula.latex, offset - analysis.span(item)[0])
    if token is None or not token.is_letter:
        return ""
    try:
        return _written(symbol_of(token.text))
    except FormulaError:
        return ""


def _written(label: str) -> str:
    """A label, if it can be written into the file of choices and is read from it as the same symbol."""
    try:
        return label if label and symbol_of(label) == label else ""
    except FormulaError:
        return ""
