"""The paper's data augmentation (section "Data augmentation"): parts of a formula are formulae too.

Both sides of a pair are split at the same comparators. Out come the single terms, every two and three
adjacent terms with the comparators between them, and the whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from texlift.errors import FormulaError
from texlift.latex.nodes import Command, Leaf, Node, Row, Scripted
from texlift.latex.parser import parse

__all__ = ["COMPARATORS", "LONGEST_RUN", "PAPER_COMPARATORS", "Split", "augment", "split"]

LONGEST_RUN = 3
"""The paper takes one, two and three adjacent terms."""

# The paper's footnote lists =, \gt, \lt, \equiv, \asympeq, \sim, \[Rr]ightarrow and \to, its example uses \leq.
# Each comparator is mapped to the sign it prints, so that \asympexp on the semantic side meets \sim on the
# generic side.
_SAME = (
    "=",
    r"< \lt",
    r"> \gt",
    r"\leq \le \leqslant",
    r"\geq \ge \geqslant",
    r"\neq \ne",
    r"\equiv \equivmod \defeq",
    r"\sim \asympeq \asympexp \asymptotic",
    r"\approx",
    r"\simeq",
    r"\cong",
    r"\propto",
    r"\ll",
    r"\gg",
    r"\to \rightarrow",
    r"\Rightarrow",
    r"\longrightarrow",
    r"\Longrightarrow \implies",
    r"\Leftrightarrow",
    r"\Longleftrightarrow \iff",
)
COMPARATORS: dict[str, str] = {name: names.split()[0] for names in _SAME for name in names.split()}
"""Every comparator the formulae are split at, with the sign it prints."""

PAPER_COMPARATORS: dict[str, str] = {
    name: COMPARATORS[name]
    for name in ("=", ">", r"\gt", "<", r"\lt", r"\equiv", r"\asympeq", r"\sim", r"\rightarrow", r"\Rightarrow", r"\to")
}
"""Those of the paper's footnote alone; `>` and `<` are what `\\gt` and `\\lt` print."""

_OPENERS = frozenset({"(", "[", r"\{", r"\lbrace", r"\lbrack", r"\langle", r"\lfloor", r"\lceil"})
_CLOSERS = frozenset({")", "]", r"\}", r"\rbrace", r"\rbrack", r"\rangle", r"\rfloor", r"\rceil"})

Split = tuple[list[tuple[int, int]], list[str]]
"""Spans of the terms, and the signs between them (one fewer)."""


def augment(generic: str, semantic: str, comparators: Mapping[str, str] = COMPARATORS) -> list[tuple[str, str]]:
    """Parts of a pair that are pairs themselves, the whole last, each once.

    Where the two sides do not split alike (or one cannot be parsed), only the whole comes back.
    """
    whole = (generic.strip(), semantic.strip())
    try:
        generic_terms, generic_signs = split(generic, comparators)
        semantic_terms, semantic_signs = split(semantic, comparators)
    except FormulaError:
        return [whole]
    if not generic_signs or generic_signs != semantic_signs:
        return [whole]
    pairs: dict[tuple[str, str], None] = {}
    count = len(generic_terms)
    for length in range(1, min(LONGEST_RUN, count) + 1):
        for first in range(count - length + 1):
            last = first + length - 1
            part = (_run(generic, generic_terms, first, last), _run(semantic, semantic_terms, first, last))
            if all(part):
                pairs[part] = None
    pairs.pop(whole, None)
    return [*pairs, whole]


def split(formula: str, comparators: Mapping[str, str] = COMPARATORS) -> Split:
    """Cut a formula, generic or semantic, at its top-level comparators.

    A comparator within brackets, arguments, scripts or environments does not cut, nor does any in a formula
    whose brackets do not match. Raises FormulaError where the formula cannot be parsed.
    """
    row = parse(formula)
    terms: list[tuple[int, int]] = []
    signs: list[str] = []
    start = row[0].start if row else 0
    end = start
    for node, depth in zip(row, _depths(row), strict=True):
        sign = _sign(node, comparators) if depth == 0 else ""
        if sign:
            terms.append((start, end))
            signs.append(sign)
            start = node.end
        end = node.end
    terms.append((start, end))
    return terms, signs


def _run(formula: str, terms: list[tuple[int, int]], first: int, last: int) -> str:
    """Terms first..last with their comparators; empty where the run would begin or end with a comparator."""
    if not all(formula[slice(*terms[index])].strip() for index in (first, last)):
        return ""
    return formula[terms[first][0] : terms[last][1]].strip()


def _depths(row: Row) -> list[int]:
    """How many plain brackets are open at each node; all 1 where they do not match.

    Any closer closes any opener: `[0,1)` is a half-open interval.
    """
    depths: list[int] = []
    depth = 0
    for node in row:
        text = _delimiter(node)
        if text in _OPENERS:
            depth += 1
        depths.append(depth)
        if text in _CLOSERS:
            depth -= 1
            if depth < 0:
                return [1] * len(row)
    return depths if depth == 0 else [1] * len(row)


def _delimiter(node: Node | None) -> str:
    """The bracket that a node prints, sized (`\\bigl(`) or not, with or without scripts (`)^{2}`)."""
    match node:
        case Scripted(base=base):
            return _delimiter(base)
        case Leaf(text=text):
            return text
        case Command(name=name, arguments=[Leaf(text=text)]) if name.startswith((r"\big", r"\Big")):
            return text
        case _:
            return ""


def _sign(node: Node | None, comparators: Mapping[str, str]) -> str:
    """The sign of a comparator, `\\not` kept apart; empty for anything else."""
    match node:
        case Scripted(base=base):
            return _sign(base, comparators)
        case Leaf(text=text):
            return comparators.get(text, "")
        case Command(name=r"\not", arguments=[argument]):
            sign = _sign(argument, comparators)
            return rf"\not{sign}" if sign else ""
        case _:
            return ""
