"""From gaps to rules: each gap proposes every rule that would explain it, and those that explain most win.

Where an argument of the unexplained call occurs inside the gap, it becomes a hole; what remains is the presentation
of the macro.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from texlift.errors import Span
from texlift.grammar.induction.alignment import Aligner, Gap
from texlift.grammar.pattern import HOLES
from texlift.grammar.rule import Rule
from texlift.latex.canonical import CallElement, Element, FontElement, Row
from texlift.latex.nodes import Call
from texlift.latex.slicing import edit, piece

__all__ = ["calls_of", "has_call", "learn"]

_SCRIPTS = frozenset("_'^")
_SIGNS = frozenset({"+", "-", "\\pm", "\\mp"})
_MAX_PROPOSALS = 48  # rules one gap may propose
_MAX_OCCURRENCES = 3  # an argument that occurs more often than this in a gap teaches nothing

_Place = tuple[Row, int, int]
_Choice = tuple[tuple[_Place, ...], tuple[Span, ...]]
"""Where an argument is shown, as places and as spans of the source."""


def has_call(row: Row) -> bool:
    """Whether a semantic row contains a call."""
    return any(isinstance(e, CallElement) or any(map(has_call, e.rows)) for e in row.elements)


def calls_of(row: Row) -> Iterator[Call]:
    """All calls of a semantic row, also inside each other."""
    for element in row.elements:
        if isinstance(element, CallElement):
            yield element.node
            for script in element.scripts:
                for child in script.rows:
                    yield from calls_of(child)
        for child in element.rows:
            yield from calls_of(child)


def learn(gaps: list[tuple[str, str, Gap]], aligner: Aligner, patient: bool) -> list[Rule]:
    """Rules that explain the gaps: those that explain most, first.

    Patient: an argument with a call that is not known yet may be shown after all, so its gap has to wait.
    """
    explains: dict[tuple[str, str], set[int]] = defaultdict(set)
    texts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    by_macro: dict[str, set[tuple[str, str]]] = defaultdict(set)
    numbers: dict[int, int] = {}  # gaps of one call, wherever it may end, are one thing to explain
    for generic, semantic, gap in gaps:
        index = numbers.setdefault(id(gap.call), len(numbers))
        if patient and not all(_known(argument, aligner) for argument in gap.call.rows):
            continue
        for call_text, generic_text, source in _proposals(generic, semantic, gap, aligner):
            key = (call_text, source)
            explains[key].add(index)
            texts[key][generic_text] += 1
            by_macro[gap.call.label].add(key)
    learnt = []
    for keys in by_macro.values():
        open_gaps = set().union(*(explains[key] for key in keys))
        while open_gaps:
            best = max(
                keys,
                key=lambda key: (
                    len(explains[key] & open_gaps),
                    key[0].count("#"),
                    key[1].count("#"),
                    -_inversions(key[1]),
                    key,
                ),
            )
            explained = explains[best] & open_gaps
            if not explained:
                break
            open_gaps -= explained
            text = max(texts[best].items(), key=lambda item: (item[1], -len(item[0]), item[0]))[0]
            learnt.append(Rule(best[0], text, len(explained)))
    return learnt


def _inversions(pattern: str) -> int:
    """How many pairs of holes stand in another order than in the call: of equal candidates the orderly one wins."""
    holes = [HOLES.index(mark) for mark in re.findall(r"#([1-9a-z])", pattern)]
    return sum(first > second for first, second in itertools.combinations(holes, 2))


def _proposals(generic: str, semantic: str, gap: Gap, aligner: Aligner) -> list[tuple[str, str, str]]:
    """All (call, generic text, canonical pattern) that would explain one gap."""
    call = gap.call
    scripts = _call_scripts(gap, aligner)
    if scripts is None:
        return []
    choices: list[list[_Choice]] = []
    for argument in call.rows:
        found = _occurrences(argument.elements, gap, aligner)
        if len(found) > _MAX_OCCURRENCES:
            return []
        spans = {place: piece(*place) for place in found}
        found = [place for place in found if not spans[place][1]]
        subsets = [
            (subset, tuple([spans[place][0] for place in subset]))
            for size in range(len(found), 0, -1)
            for subset in itertools.combinations(found, size)
        ]  # fmt: skip
        if _constant(argument):
            subsets.append(((), ()))
        elif not found:
            return []
        choices.append(subsets)
    proposals = []
    shown = [subsets if len(subsets) == 1 else [subset for subset in subsets if subset[0]] for subsets in choices]
    ways = itertools.chain(_disjoint(shown), _disjoint(choices))  # that all arguments can be seen comes first
    for places in dict.fromkeys(itertools.islice(ways, _MAX_PROPOSALS)):
        proposal = _proposal(generic, semantic, gap, places, scripts)
        if proposal is not None:
            proposals.append(proposal)
    return proposals


def _disjoint(choices: list[list[_Choice]], taken: tuple[Span, ...] = ()) -> Iterator[tuple[tuple[_Place, ...], ...]]:
    """One choice for each argument, such that no two overlap; what comes first in the lists comes first."""
    if not choices:
        yield ()
        return
    for places, spans in choices[0]:
        if not any(first[0] < second[1] and second[0] < first[1] for first in spans for second in taken):
            for rest in _disjoint(choices[1:], taken + spans):
                yield (places, *rest)


def _known(row: Row, aligner: Aligner) -> bool:
    """Whether there are rules for all calls in a row."""
    for element in row.elements:
        if isinstance(element, CallElement) and not aligner.knows(element):
            return False
        if not all(_known(child, aligner) for child in element.rows):
            return False
    return True


def _constant(argument: Row) -> bool:
    """Only a single symbol with its scripts and a sign, a call, or nothing can be hidden in a macro's presentation."""
    labels = [element.label for element in argument.elements if element.label not in _SCRIPTS]
    return len(labels) < 2 or (len(labels) == 2 and labels[0] in _SIGNS)


def _call_scripts(gap: Gap, aligner: Aligner) -> list[int] | None:
    """Positions in the gap of the call's own scripts."""
    positions = []
    at = gap.start
    for wanted in gap.call.scripts:
        while at < gap.end and not _same_script(gap.row.elements[at], wanted, aligner):
            at += 1
        if at == gap.end:
            return None
        positions.append(at)
        at += 1
    return positions


def _same_script(element: Element, wanted: Element, aligner: Aligner) -> bool:
    if element.label != wanted.label or len(element.rows) != len(wanted.rows):
        return False
    return all(
        aligner.align(semantic, row) is not None for semantic, row in zip(wanted.rows, element.rows, strict=True)
    )


def _occurrences(items: list[Element], gap: Gap, aligner: Aligner) -> list[_Place]:
    """All places inside the gap that an argument aligns with."""
    if not items:
        return []
    found: list[_Place] = []
    plain = not any(isinstance(item, CallElement) or any(map(has_call, item.rows)) for item in items)

    def search(row: Row, start: int, end: int) -> None:
        elements = row.elements
        for left in range(start, end):
            if elements[left].label not in _SCRIPTS:
                rights = [left + len(items)] if plain else range(left + 1, end + 1)
                fitting = (right for right in rights if right <= end)
                found.extend((row, left, r) for r in fitting if _aligns(items, row, left, r, aligner))
            if len(found) > 4 * _MAX_OCCURRENCES:
                return
            element = elements[left]
            for child in (element.inner,) if type(element) is FontElement else element.rows:
                search(child, 0, len(child.elements))

    search(gap.row, gap.start, gap.end)
    # an argument that ends in the middle of a scripted symbol (`\mathrm{d}#1^{2}`) only if there is no other
    entire = [place for place in found if not _cut(place)]
    return entire or found


def _cut(place: _Place) -> bool:
    row, _, end = place
    return end < len(row.elements) and row.elements[end].label in _SCRIPTS


def _aligns(items: list[Element], row: Row, left: int, right: int, aligner: Aligner) -> bool:
    first = items[0]
    if not isinstance(first, CallElement) and row.elements[left].label != first.label:
        return False
    aligner._budget = 2000
    return aligner.span(items, row, left, right) is not None


def _proposal(
    generic: str, semantic: str, gap: Gap, places: tuple[tuple[_Place, ...], ...], scripts: list[int]
) -> tuple[str, str, str] | None:
    span, dropped = piece(gap.row, gap.start, gap.end)
    edits: list[tuple[Span, str]] = [(brace, "") for brace in dropped]
    for index, occurrences in enumerate(places):
        for row, start, end in occurrences:
            hole_span, hole_dropped = piece(row, start, end)
            if hole_dropped:
                return None
            mark = f"#{HOLES[index]}"
            whole = start == 0 and end == len(row.elements)
            edits.append((hole_span, f"{{{mark}}}" if whole and not row.braced else mark))
    for position in scripts:
        element = gap.row.elements[position]
        edits.append(((element.start, element.end), "#'" if position == scripts[-1] else ""))
    edits.sort(key=lambda item: item[0])
    for (first, _), (second, _) in itertools.pairwise(edits):
        if second[0] < first[1]:
            return None  # holes overlap
    text = edit(generic, span, edits)
    return _sound(_call_text(gap.call, semantic, places), text)


@lru_cache(maxsize=1 << 15)
def _sound(call: str, generic: str) -> tuple[str, str, str] | None:
    """Call, generic text and canonical pattern of a proposed rule, if it is one; many gaps propose the same."""
    rule = Rule.numbered(call, generic)
    return (rule.call, rule.generic, rule.pattern.source) if rule.sound else None


def _call_text(call: CallElement, semantic: str, places: tuple[tuple[_Place, ...], ...]) -> str:
    """The call with holes for the arguments that are shown, and a script point if it has scripts."""
    node = call.node
    edits: list[tuple[Span, str]] = []
    for index, argument in enumerate(node.arguments):
        inner = (argument.start + 1, argument.end - 1)
        edits.append((inner, f"#{HOLES[index]}" if places[index] else semantic[inner[0] : inner[1]].strip()))
    if node.scripts:
        edits.append(((node.scripts[0].start, node.scripts[-1].end), "#'"))
    return edit(semantic, (node.start, node.end), edits).replace(" ", "") if edits else node.name
