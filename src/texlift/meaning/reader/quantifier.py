r"""Quantifiers: `\forall x\in A: P`, `\exists x,y\; P`, `P\quad\forall x`.

A quantifier with a colon, a comma or words behind its letters reaches to the end of the statement. Without one it binds
like a negation, unless what follows the next sign of logic speaks of its letters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import FormulaError
from texlift.latex.nodes import Command, Scripted, Text
from texlift.meaning.reader.census import is_letter
from texlift.meaning.tree import Apply, Dots, Expression, Relation, Sequence, Symbol, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["QUANTIFIERS", "at_cursor", "behind", "closes", "opens"]

QUANTIFIERS = {r"\forall": "for-all", r"\exists": "there-exists", r"\nexists": "there-does-not-exist"}
_UNIQUE = {"there-exists": "there-exists-uniquely"}
_SEPARATORS = frozenset({":", ",", ".", ";", r"\mid", r"\colon", "|", r"\quad", r"\qquad"})
_WORDS = frozenset({"such that", "so that", "s.t.", "with", "we have", "it holds that", "holds", "where", "st"})
_SPOKEN = (r"\text", r"\mbox", r"\textrm", r"\mathrm", r"\textnormal")
_OF_ALL = frozenset({"in", "notin", "subset", "subseteq", "!="})
_Bound = tuple[str, Expression, int]


def opens(row: Row) -> bool:
    """Whether a quantifier stands at the cursor, or one in parentheses: `(\\forall x)`."""
    if row.at >= row.count:
        return False
    if row.texts[row.at] == "(" and row.at + 1 < row.count and row.texts[row.at + 1] in QUANTIFIERS:
        inner = row.part(row.at + 1, row.closer(row.at))
        return closes(inner)
    return row.texts[row.at] in QUANTIFIERS


def closes(row: Row) -> bool:
    """Whether nothing but quantifiers with their letters stands between the cursor and the end."""
    at, warnings = row.at, dict(row.scope.warnings)
    if row.texts[at] not in QUANTIFIERS:
        return False
    try:
        behind(row, Dots())
    except FormulaError:
        return False
    finally:
        row.at, row.scope.warnings = at, warnings
    return True


def at_cursor(row: Row) -> Expression:
    """The quantifiers at the cursor with the statement that they reach over."""
    start = row.at
    if row.texts[start] == "(":
        closing = row.closer(start)
        head, bound, place = _binding(row.part(start + 1, closing), True)
        row.at = closing + 1
        _separated(row)
        body = row.negation()
        return Apply(head, (bound, body), (place, body.span[1]))
    head, bound, place = _binding(row, True)
    if _ends(row):  # \forall x, y: the letter behind the comma may be the statement
        row.at = start
        head, bound, place = _binding(row, False)
    far = _separated(row)
    if _ends(row):
        raise row.scope.error("a quantifier without a statement", (place, row.span[1]))
    if opens(row):
        body = at_cursor(row)
    elif far:
        body = row.relation()
    else:
        body = row.negation()
        if row.at < row.count and _speaks_of(row, bound):
            row.at = start
            _binding(row, True)
            body = row.junction(0)
    return Apply(head, (bound, body), (place, body.span[1]))


def behind(row: Row, value: Expression) -> Expression:
    r"""A statement with the quantifiers that stand behind it: `x^2\geq 0\quad\forall x`."""
    found: list[tuple[str, Expression]] = []
    while opens(row):
        head, bound, _ = _binding(row, True)
        found.append((head, bound))
        if row.at < row.count and row.texts[row.at] == ",":
            row.at += 1
    row.done()
    for head, bound in reversed(found):
        value = Apply(head, (bound, value), (value.span[0], bound.span[1]))
    return value


def _binding(row: Row, several: bool) -> _Bound:
    """The quantifier at the cursor, which moves behind it, with its letters and what is said of them."""
    place = row.items[row.at].start
    node = row.items[row.at]
    if type(node) is Scripted:
        raise row.error("a script on a quantifier")
    head = QUANTIFIERS[row.texts[row.at]]
    row.at += 1
    if head in _UNIQUE and row.at < row.count and row.texts[row.at] == "!":
        head = _UNIQUE[head]
        row.at += 1
    letters = [_letter(row, place)]
    while several and _goes_on(row, letters):
        row.at += 1
        letters.append(_letter(row, place))
    span = (letters[0].span[0], letters[-1].span[1])
    bound: Expression = letters[0] if len(letters) == 1 else Sequence(tuple(letters), "list", span)
    at = row.at
    sign = row.relation_sign() if row.at < row.count and row.texts[row.at] not in _SEPARATORS else None
    if sign is None or sign == "colon":
        row.at = at
        return head, bound, place
    domain = _domain(row) if sign in _OF_ALL else row.sum()
    return head, Relation((sign,), (bound, domain), (span[0], domain.span[1])), place


def _letter(row: Row, place: int) -> Expression:
    if row.at >= row.count or not (is_letter(row.texts[row.at]) or row.texts[row.at] in ("", "|", "(")):
        raise row.scope.error("a quantifier without a letter", (place, row.span[1]))
    return row.factor()


def _goes_on(row: Row, letters: list[Expression]) -> bool:
    """Whether another letter that is bound follows a comma."""
    if row.at + 1 >= row.count or row.texts[row.at] != "," or not is_letter(row.texts[row.at + 1]):
        return False
    known = {letter.name for letter in letters if isinstance(letter, Symbol)}
    following = row.texts[row.at + 2] if row.at + 2 < row.count else ""
    return row.texts[row.at + 1] not in known and following not in ("(", "+", "-", "=", "^", r"\mid", r"\cdot")


def _domain(row: Row) -> Expression:
    """A set; parentheses behind it belong to the statement."""
    from texlift.meaning.reader.statement import as_interval

    value = row.factor()
    while row.at < row.count:
        operator = row.set_operator()
        if operator is None:
            break
        value = row.of_sets(operator, value, row.factor())
    return as_interval(value, row.scope)


def _separated(row: Row) -> bool:
    """Move behind the signs or words between a quantifier and its statement; whether there were any."""
    start = row.at
    while row.at < row.count and (row.texts[row.at] in _SEPARATORS or _is_word(row)):
        if row.texts[row.at] == "|" and row.closing_bar(row.at) is not None:
            break
        row.at += 1
    return row.at > start


def _is_word(row: Row) -> bool:
    node = row.items[row.at]
    if type(node) is not Command or node.name not in _SPOKEN or len(node.arguments) != 1:
        return False
    inner = node.arguments[0]
    body = inner.body if type(inner) is Text else row.scope.source[inner.start : inner.end]
    return body.strip("{} ~,:").lower() in _WORDS


def _ends(row: Row) -> bool:
    return row.at >= row.count or (row.texts[row.at] in (",", ".") and row.at + 1 == row.count)


def _speaks_of(row: Row, bound: Expression) -> bool:
    """Whether the statement goes on behind a sign of logic with a letter that is bound, and not bound again."""
    rest = row.scope.source[row.items[row.at].start : row.span[1]]
    for node in walk(bound.operands[0] if isinstance(bound, Relation) else bound):
        if isinstance(node, Symbol):
            letter = r"(?<![A-Za-z\\])" + re.escape(node.name) + r"(?![A-Za-z])"
            found = re.search(r"(\\(?:forall|exists|nexists)!?\s*)?" + letter, rest)
            if found is not None and found[1] is None:
                return True
    return False
