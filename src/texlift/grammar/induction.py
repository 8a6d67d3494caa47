"""Learning rules from pairs.

Pairs are aligned with the rules known so far; a call that no rule explains, but whose surroundings fit, leaves a
gap: the elements it must stand for. Where the call's arguments occur inside the gap, they become holes; what
remains is the presentation of the macro. Each gap proposes every rule that would explain it, and the rules that
explain most gaps win. New rules let more pairs align, so this is repeated until nothing new is learnt.

No macro is named here: all that is known of the target language is how a call is written.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from texlift.errors import FormulaError, Span, TexliftError
from texlift.grammar.alignment import Aligner, Gap
from texlift.grammar.analogy import analogous, combined
from texlift.grammar.derivation import derived, specialised
from texlift.grammar.gaps import cuts
from texlift.grammar.grammar import Grammar
from texlift.grammar.matching import Match, first_cluster
from texlift.grammar.rule import HOLES, Rule
from texlift.latex.canonical import CallElement, Element, Row, canonical
from texlift.latex.slicing import edit, piece
from texlift.macros.semantic import semantic_row

__all__ = ["Pairing", "induce"]

log = logging.getLogger(__name__)

_SCRIPTS = frozenset("_'^")
_SIGNS = frozenset({"+", "-", "\\pm", "\\mp"})
_MAX_ROUNDS = 12
_MAX_GAPS = 4
_ENOUGH = 10  # uses of a rule from which what they have in common is a condition
_NOISE = 30  # a rule is noise if another of the same macro and layout is used this many times as often
_MAX_PROPOSALS = 48  # rules one gap may propose
_MAX_OCCURRENCES = 3  # an argument that occurs more often than this in a gap teaches nothing


@dataclass(slots=True)
class Pairing:
    """A pair with both sides parsed."""

    generic: str
    semantic: str
    generic_row: Row
    semantic_row: Row


def induce(
    pairs: Iterable[tuple[str, str]],
    known: Sequence[Rule] = (),
    progress: Callable[[str, int, int], None] | None = None,
) -> Grammar:
    """The grammar of (generic, semantic) pairs; `known` rules (a lexicon's templates) are kept.

    Pairs that do not parse are skipped with a warning in the log. `progress(stage, done, total)` is called now
    and then.
    """
    pairings = _parse(pairs)
    unsolved = [pairing for pairing in pairings if has_call(pairing.semantic_row)]
    rules = list(known)
    waiting = unsolved
    gaps_allowed = 1
    for number in range(_MAX_ROUNDS):
        aligner = Aligner(rules, gaps=gaps_allowed)
        gaps: list[tuple[str, str, Gap]] = []
        still = []
        for index, pairing in enumerate(waiting):
            if progress and index % 500 == 0:
                progress(f"round {number + 1}", index, len(waiting))
            alignment = aligner.align(pairing.semantic_row, pairing.generic_row)
            if alignment is None or alignment.gaps:
                still.append(pairing)
            if alignment is not None:
                several = len(alignment.gaps) > 1 and gaps_allowed > 1
                found = (
                    cuts(aligner, pairing.semantic_row, pairing.generic_row, gaps_allowed)
                    if several
                    else alignment.gaps
                )
                gaps += [(pairing.generic, pairing.semantic, gap) for gap in found]
        learnt = _learn(gaps, Aligner(rules), patient=gaps_allowed == 1)
        known_keys = {(rule.call, rule.pattern.source) for rule in rules}
        learnt = [rule for rule in learnt if (rule.call, rule.pattern.source) not in known_keys]
        log.info("round %d: %d gaps, %d new rules, %d pairs left", number + 1, len(gaps), len(learnt), len(still))
        waiting = still
        if learnt:
            rules = _with_script_points(rules + learnt)
        elif gaps_allowed == _MAX_GAPS:
            break
        else:
            gaps_allowed += 1  # rows with several unknown calls say less; they come last
    return _counted(rules + derived(rules), unsolved, progress)


def _parse(pairs: Iterable[tuple[str, str]]) -> list[Pairing]:
    pairings = []
    for generic, semantic in dict.fromkeys(pairs):
        try:
            pairings.append(Pairing(generic, semantic, canonical(generic), semantic_row(semantic)))
        except FormulaError as error:
            log.warning("pair skipped: %s", error)
    return pairings


def has_call(row: Row) -> bool:
    """Whether a semantic row contains a call."""
    return any(isinstance(e, CallElement) or any(map(has_call, e.rows)) for e in row.elements)


# -- from gaps to rules --------------------------------------------------------------------------------


def _learn(gaps: list[tuple[str, str, Gap]], aligner: Aligner, patient: bool) -> list[Rule]:
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


_Place = tuple[Row, int, int]
_Choice = tuple[tuple[_Place, ...], tuple[Span, ...]]
"""Where an argument is shown, as places and as spans of the source."""


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
            for child in elements[left].rows:
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
    rule = Rule.numbered(_call_text(gap.call, semantic, places), text)
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


# -- script points -------------------------------------------------------------------------------------


def _with_script_points(rules: list[Rule]) -> list[Rule]:
    """Give every rule with an @ a script point, and merge rules that only differ in having one.

    The point is where another rule of the macro has it, or behind the presentation of the macro without
    variables, or behind the first symbol with its scripts.
    """
    merged: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        pointed = rule if "#'" in rule.call or not rule.has_ats else _pointed(rule)
        key = (pointed.call, pointed.pattern.source)
        if key in merged:
            pointed = replace(pointed, count=pointed.count + merged[key].count)
        merged[key] = pointed
    return list(merged.values())


def _pointed(rule: Rule) -> Rule:
    at = rule.call.index("@")
    row = canonical(rule.generic)
    elements = row.elements
    index = 0
    while index < len(elements) and elements[index].label == "{}":
        index += 1
        while index < len(elements) and elements[index].label in _SCRIPTS:
            index += 1
    if index >= len(elements) or not elements[index].label.lstrip("\\")[:1].isalpha() or elements[index].rows:
        return rule
    index += 1
    while index < len(elements) and elements[index].label in _SCRIPTS:
        index += 1
    end = max(element.end for element in elements[:index])
    for opening, closing in row.dissolved:
        command = opening[1] - opening[0] > 1 and opening[1] <= elements[index - 1].start < closing[0]
        if closing[0] == end or command:  # `\\mathit{H\\!\\ell}`: a name of several symbols
            end = closing[1]
    text = f"{rule.generic[:end]}#'{rule.generic[end:]}"
    try:
        pointed = Rule(f"{rule.call[:at]}#'{rule.call[at:]}", text, rule.count, rule.longest)
        if pointed.pattern.source.replace(" #'", "").replace("#' ", "") != rule.pattern.source:
            return rule
    except (FormulaError, TexliftError):
        return rule
    return pointed


# -- counts --------------------------------------------------------------------------------------------


def _counted(rules: list[Rule], pairings: list[Pairing], progress: Callable[[str, int, int], None] | None) -> Grammar:
    """Count how often each rule is used in the derivations, and what stands in holes without delimiters."""
    uses: Counter[tuple[str, str]] = Counter()
    longest: Counter[tuple[str, str]] = Counter()
    inside: Counter[str] = Counter()
    common: dict[tuple[str, str], set[str]] = {}
    held_by: dict[tuple[str, str], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    same_call = Counter([rule.call for rule in rules])
    aligner = Aligner(rules)
    for index, pairing in enumerate(pairings):
        if progress and index % 500 == 0:
            progress("counting", index, len(pairings))
        alignment = aligner.align(pairing.semantic_row, pairing.generic_row)
        if alignment is None:
            continue
        for step in alignment.steps:
            if step.match is not None:
                key = (step.match.rule.call, step.match.rule.generic)
                uses[key] += 1
                clusters, labels = free_content(step.match)
                longest[key] = max(longest[key], clusters)
                inside.update(labels)
                if same_call[key[0]] > 1:
                    for hole, span in step.match.holes.items():
                        held_by[key][hole].add(span.key)
                if only_brackets(step.match.rule):
                    held = {element.label for span in step.match.holes.values() for element in span.elements}
                    common[key] = common.get(key, held) & held
    counted = []
    for rule in rules:
        key = (rule.call, rule.generic)
        always = tuple(sorted(common.get(key, ()))) if uses[key] >= _ENOUGH else ()
        counted.append(replace(rule, count=uses[key], longest=longest[key], common=always))
    kept = specialised(_without_noise(counted), held_by)
    kept += analogous(kept)
    kept += combined(kept)
    return Grammar(kept, frozenset(label for label, count in inside.items() if count > 1))


def only_brackets(rule: Rule) -> bool:
    """Whether a rule shows nothing but a pair of brackets around one argument."""
    items = rule.pattern.items
    return len(items) == 1 and len(items[0].rows) == 1 and [item.hole >= 0 for item in items[0].rows[0].items] == [True]


def _without_noise(rules: list[Rule]) -> list[Rule]:
    """Drop rules that ambiguous alignments suggested: rare where another rule of the same kind is common.

    A call with an empty argument is of another kind: `\\BesselJ{}` beside `\\BesselJ{#1}`.
    """

    def kind(rule: Rule) -> tuple[str, tuple[int, ...], tuple[bool, ...]]:
        return rule.name, rule.shape.layout, tuple([argument == "" for argument in rule.shape.arguments])

    most: Counter[tuple[str, tuple[int, ...], tuple[bool, ...]]] = Counter()
    for rule in rules:
        most[kind(rule)] = max(most[kind(rule)], rule.count)
    return [rule for rule in rules if rule.count * _NOISE >= most[kind(rule)]]


def free_content(match: Match) -> tuple[int, list[str]]:
    """Length in clusters, and labels behind the first, of a hole that no delimiter closes."""
    items = match.rule.pattern.items
    last = items[-1]
    if last.hole < 0:
        last = items[0]
    if last.hole < 0:
        return 0, []
    span = match.holes[last.hole]
    if span.row is not match.row:
        return 0, []
    behind = span.row.elements[first_cluster(span.row.elements, span.start, span.end) : span.end]
    labels = [element.label for element in behind if element.label not in _SCRIPTS]
    return len(labels) + 1, labels
