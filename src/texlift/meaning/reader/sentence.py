r"""Sentences of propositional logic: formulae of nothing but letters, brackets and connectives.

`p\to(q\to r)` is an implication and no map, `\sim p` a negation and no asymptotic equality. In such a formula every
sign has one meaning; beside arithmetic or sets the same signs mean other things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.latex.nodes import Call, Command, Leaf, Scripted
from texlift.meaning.tree import Apply, Constant, Expression

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["NEGATIONS", "is_sentence", "operand"]

NEGATIONS = frozenset({r"\neg", r"\sim", r"\asympeq"})
"""Signs before a proposition that negate it."""

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_SPACING = frozenset(
    [*" ~\t\n", r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", r"\left", r"\right", r"\bigl", r"\bigr",
     r"\big", r"\Big", r"\Bigl", r"\Bigr", r"\displaystyle"]
)  # fmt: skip
_LETTERS = frozenset([*"pqrst", r"\phi", r"\psi", r"\varphi", r"\chi"])
_CAPITALS = frozenset("ABCDPQRST")
_BRACKETS = frozenset("()[]{}")
_ARROWS = frozenset(
    {r"\to", r"\rightarrow", r"\longrightarrow", r"\leftrightarrow", r"\longleftrightarrow", r"\supset"}
)
_SURE = frozenset(
    {r"\land", r"\lor", r"\neg", r"\lnot", r"\Rightarrow", r"\Leftrightarrow", r"\implies", r"\iff", r"\veebar"}
)
_JOINING = frozenset({r"\wedge", r"\vee", r"\oplus", r"\uparrow", r"\downarrow"})
_BARS = frozenset({r"\bar", r"\overline", r"\conj"})
_OTHERS = frozenset({"=", r"\equiv", r"\equivmod", r"\sim", r"\asympeq", r"\top", r"\bot", ",", "."})
_GATES = {r"\uparrow": "nand", r"\downarrow": "nor", r"\veebar": "xor", r"\oplus": "xor"}
_VALUES = {r"\top": "true", r"\bot": "false"}


def is_sentence(source: str) -> bool:
    """Whether a formula is a sentence: its letters are those of propositions, and a connective says so."""
    tokens = [token for token in _TOKEN.findall(source) if token not in _SPACING]
    known = _LETTERS | _CAPITALS | _BRACKETS | _ARROWS | _SURE | _JOINING | _BARS | _OTHERS
    previous = ""
    for token in tokens:
        if token not in known and not (token == "_" or (token.isdigit() and previous in ("_", "{", "1"))):
            return False
        previous = token
    found = set(tokens)
    letters = found & (_LETTERS | _CAPITALS)
    if found & _SURE:
        return len(letters) > 0
    small = bool(letters) and letters <= _LETTERS
    if small and found & (_ARROWS | {r"\oplus", r"\uparrow", r"\downarrow", r"\wedge", r"\vee"}):
        return True
    arrows = sum(token in _ARROWS for token in tokens)
    if arrows > 1 and "(" in found:
        return True
    return bool(arrows and found & _JOINING) or _negates(tokens)


def _negates(tokens: list[str]) -> bool:
    r"""Whether a \sim stands where only a negation can, beside a sign that joins propositions."""
    before = ["(", *tokens]
    prefixed = any(
        token in (r"\sim", r"\asympeq") and (last in ("(", "[") or last in _JOINING | _ARROWS | _SURE)
        for last, token in zip(before, tokens, strict=False)
    )
    return prefixed and bool(set(tokens) & (_JOINING | _ARROWS) or "(" in tokens or len(tokens) == 2)


def operand(row: Row) -> Expression:
    """Propositions joined by gates, or side by side: what `and` and `or` join."""
    value = _proposition(row)
    while row.at < row.count:
        text = row.texts[row.at]
        if text in _GATES and type(row.items[row.at]) is not Scripted:
            row.at += 1
            right = _proposition(row)
            head = _GATES[text]
            before = value.arguments if head == "xor" and isinstance(value, Apply) and value.head == "xor" else (value,)
            value = Apply(head, (*before, right), (value.span[0], right.span[1]))
        elif text == r"\cdot" or (row.starts_factor() and text not in NEGATIONS and text not in ("|", ",")):
            row.at += text == r"\cdot"
            right = _proposition(row)
            row.scope.warn("propositions side by side were read as their conjunction", row.span)
            value = Apply("and", (value, right), (value.span[0], right.span[1]))
        else:
            return value
    return value


def _proposition(row: Row) -> Expression:
    """A letter, a bracket, or the negation of one."""
    if row.at >= row.count:
        raise row.error("a proposition is missing", "something must stand here")
    node, text = row.items[row.at], row.texts[row.at]
    if text in NEGATIONS:
        row.at += 1
        value = _proposition(row)
        return Apply("not", (value,), (node.start, value.span[1]))
    if text in _VALUES and type(node) is Leaf:
        row.at += 1
        return Constant(_VALUES[text], (node.start, node.end))
    if type(node) in (Command, Call) and node.name in _BARS:  # type: ignore[union-attr]
        row.at += 1
        inner = type(row)(row.scope, node.arguments, (node.start, node.end))  # type: ignore[union-attr, arg-type]
        value = inner.relation()
        inner.done()
        row.scope.warn("a bar over a proposition was read as its negation", (node.start, node.end))
        return Apply("not", (value,), (node.start, node.end))
    return row.factor()
