"""Conditions that the sentence around a formula states: `..., where $ef=abcq$`, `If $a<c<b$, then ...`."""

from __future__ import annotations

import re
from collections.abc import Set

from texlift.errors import FormulaError
from texlift.meaning.reader.reading import read
from texlift.meaning.tree import Apply, Indexed, Relation, Unknown, free_symbols, walk

__all__ = ["condition_before", "conditions_said", "letters_defined"]

_WORD = r"(?:where|when|whenever|if|provided|for|with|in which)"
_OPENING = re.compile(rf"[\s,;.$]*(?:and )?{_WORD}\b(?P<rest>.*)", re.DOTALL)
# Only what follows such a word at once is a condition: `Let f be analytic near $z=0$` is none.
_BEFORE = re.compile(
    rf"(?:^|[\s,])(?:{_WORD}|let|suppose|assume)(?: that)?\s+"
    r"(?:(?:all|any|each|every|fixed|given|real|complex|positive|arbitrary)\s+)*"
    rf"(?P<rest>(?:\$[^$]{{1,200}}\$[\s,]*(?:and\s+)?)+)(?:(?!\b{_WORD}\b).)*\$\s*$",
    re.DOTALL | re.IGNORECASE,
)
_BESIDE = re.compile(r"^[\s,]*subjectto[^$]*\$")  # the constraint printed beside the formula, known already
_MATH = re.compile(r"\$([^$]{1,200})\$")
_RELATION = re.compile(r"[=<>]|\\(?:n?eq|n?e|[lg]eq?|in)\b")
_OTHER = re.compile(r"equality|iff|correspond|respectively|or\b")  # what follows is said of something else
_LETTER = r"\$\s*(?P<name>\\?[A-Za-z]+)\s*\$\s*"
_DEFINED = (
    re.compile(_LETTER + r"(?:is |are |being )?(?:defined|given|as) (?:by|in)\b"),
    re.compile("where " + _LETTER + r"(?:=|denotes) [a-z]"),
    re.compile("where " + _LETTER + r"(?:satisfies (?:the |an )?(?:\w+ )?(?:equation|\()|is the (?:\w+ )*root\b)"),
)
_OPERATORS = frozenset({"=", "<", ">", "<=", ">=", "!=", "in"})
_TESTS = frozenset({r"\realpart", r"\imagpart", r"\phase"})


def conditions_said(text: str, latex: str, names: Set[str]) -> list[str]:
    """The relations between the letters `names` of a formula in the words around it, as constraints.

    `latex` is the formula as it stands in the text; without it, all of the text counts. Only relations without
    functions are taken: what else is said there mostly defines something.
    """
    place = text.find(latex) if latex else -1
    if latex and place < 0:
        return []
    clauses = [text]
    if latex:
        behind = _BESIDE.sub("", re.split(r"\.\s+[A-Z]", text[place + len(latex) :])[0], count=1)
        found = (_OPENING.match(behind), _BEFORE.search(text[:place]))
        clauses = [match["rest"] for match in found if match]
    pieces = [
        piece.strip(" ,.;")
        for clause in clauses
        if not _OTHER.search(_MATH.sub("", clause))
        for piece in _MATH.findall(clause)
    ]
    return [piece for piece in pieces if _RELATION.search(piece) and _plain(piece, names)]


def condition_before(text: str) -> bool:
    """Whether a sentence depends on the one before it: `Let ... . Then ...`."""
    return re.match(r"\s*Then\b", text) is not None


def letters_defined(text: str) -> set[str]:
    """Letters that the sentence says to be defined elsewhere or in words: `$c$ defined by (25.4.2)`."""
    return {match["name"] for pattern in _DEFINED for match in pattern.finditer(text)}


def _plain(piece: str, names: Set[str]) -> bool:
    """Whether a relation speaks of letters of the formula alone."""
    try:
        statements = read(piece).statements
    except FormulaError:
        return False
    for statement in statements:
        if not isinstance(statement, Relation) or not set(statement.operators) <= _OPERATORS:
            return False
        for node in walk(statement):
            if isinstance(node, Unknown | Indexed):
                return False
            if isinstance(node, Apply) and node.head[0] == "\\" and node.head not in _TESTS:
                return False
        if not set(free_symbols(statement)) <= names:
            return False
    return True
