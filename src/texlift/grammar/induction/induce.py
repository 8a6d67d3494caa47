"""Learning rules from pairs.

Pairs are aligned with the rules known so far; a call that no rule explains, but whose surroundings fit, leaves a
gap: the elements it must stand for. Where the call's arguments occur inside the gap, they become holes; what
remains is the presentation of the macro. Each gap proposes every rule that would explain it, and the rules that
explain most gaps win. New rules let more pairs align, so this is repeated until nothing new is learnt.

No macro is named here: all that is known of the target language is how a call is written.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from string import ascii_lowercase

from texlift.errors import FormulaError
from texlift.grammar.admission import is_list
from texlift.grammar.derivation import derived, specialised
from texlift.grammar.grammar import Grammar
from texlift.grammar.induction.alignment import Aligner, Gap
from texlift.grammar.induction.analogy import analogous, combined, shared
from texlift.grammar.induction.callforms import call_forms, narrowed
from texlift.grammar.induction.frames import Frames
from texlift.grammar.induction.gaps import cuts
from texlift.grammar.induction.proposals import calls_of, has_call, learn
from texlift.grammar.induction.scriptpoints import with_script_points
from texlift.grammar.induction.selection import select
from texlift.grammar.match import Match
from texlift.grammar.matching import first_cluster
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row, canonical
from texlift.latex.signatures import CallSignature
from texlift.macros.semantic import Language

__all__ = ["Pairing", "induce"]

log = logging.getLogger(__name__)

_SCRIPTS = frozenset("_'^")
_MAX_ROUNDS = 12
_MAX_GAPS = 4
_ENOUGH = 10  # uses of a rule from which what they have in common is a condition
_NOISE = 30  # a rule is noise if another of the same macro and layout is used this many times as often


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
    """The grammar of (generic, semantic) pairs and its language; `known` rules (a lexicon's templates) are kept.

    Pairs that do not parse are skipped with a warning in the log, and of very many pairs some are enough, see
    `selection`. `progress(stage, done, total)` is called now and then.
    """
    chosen = select(pairs)
    if chosen.thinned:
        log.warning("%s", chosen)
    learner = _Learner(chosen.pairs, known, progress)
    learner.learn()
    return learner.grammar()


class _Learner:
    """Rules and the forms of calls, learnt together in rounds."""

    def __init__(
        self,
        pairs: Sequence[tuple[str, str]],
        known: Sequence[Rule],
        progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self.progress = progress
        self.language = Language(call_forms(pairs))
        self.pairings = _parse(pairs, self.language)
        self.rules = list(known)
        self.met: set[tuple[str, str]] = set()  # rules, also in the form before they got points for scripts

    def learn(self) -> None:
        """Rounds of aligning and learning, until nothing new is learnt."""
        waiting = self.pairings
        gaps_allowed = 1
        for number in range(_MAX_ROUNDS):
            waiting, new = self._round(number + 1, waiting, gaps_allowed)
            if new:
                continue
            if gaps_allowed == _MAX_GAPS:
                break
            if gaps_allowed == 1:
                waiting = self._narrow(waiting)
            gaps_allowed += 1  # rows with several unknown calls say less; they come last

    def _round(self, number: int, waiting: list[Pairing], gaps_allowed: int) -> tuple[list[Pairing], int]:
        """One round over the pairs that wait: those that still do, and how many rules are new."""
        aligner = Aligner(self.rules, gaps_allowed, self.language)
        gaps: list[tuple[str, str, Gap]] = []
        still = []
        for index, pairing in enumerate(waiting):
            if self.progress and index % 500 == 0:
                self.progress(f"round {number}", index, len(waiting))
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
        learnt = learn(gaps, Aligner(self.rules, 0, self.language), patient=gaps_allowed == 1)
        self.met |= {(rule.call, rule.pattern.source) for rule in self.rules}
        learnt = [rule for rule in learnt if (rule.call, rule.pattern.source) not in self.met]
        self.met |= {(rule.call, rule.pattern.source) for rule in learnt}
        log.info("round %d: %d gaps, %d new rules, %d pairs left", number, len(gaps), len(learnt), len(still))
        if learnt:
            self.rules = with_script_points(self.rules + learnt)
        return still, len(learnt)

    def _narrow(self, waiting: list[Pairing]) -> list[Pairing]:
        """Take brackets that are printed as they are written from the calls they follow; which pairs wait then."""

        def explained(forms: Mapping[str, CallSignature], numbers: Sequence[int]) -> int:
            language = Language(forms)
            aligner = Aligner(self.rules, 0, language)
            count = 0
            for number in numbers:
                with suppress(FormulaError):
                    pairing = self.pairings[number]
                    count += aligner.align(language.row(pairing.semantic), pairing.generic_row) is not None
            return count

        calls = [(number, call) for number, p in enumerate(self.pairings) for call in calls_of(p.semantic_row)]
        narrow = narrowed(self.language.calls, calls, explained)
        if not narrow:
            return waiting
        self.language = Language({**self.language.calls, **narrow})
        self.rules = [rule for rule in self.rules if rule.name not in narrow or _has_room(rule, narrow[rule.name])]
        changed = {number for number, call in calls if call.name in narrow}
        still = {id(pairing) for pairing in waiting}
        waiting = []
        for number, pairing in enumerate(self.pairings):
            if number in changed:
                pairing = replace(pairing, semantic_row=self.language.row(pairing.semantic))
                self.pairings[number] = pairing
                waiting.append(pairing)
            elif id(pairing) in still:
                waiting.append(pairing)
        return waiting

    def grammar(self) -> Grammar:
        """The rules with their counts, and what follows from them."""
        return _counted(self.rules + derived(self.rules), self.pairings, self.language, self.progress)


def _has_room(rule: Rule, form: CallSignature) -> bool:
    """Whether a rule has no more arguments than a form."""
    options, parameters, *segments = rule.shape.layout
    return options <= form.options and parameters <= form.parameters and sum(segments[1::2]) <= form.variables


def _parse(pairs: Iterable[tuple[str, str]], language: Language) -> list[Pairing]:
    """The pairs with a call on the semantic side, parsed."""
    pairings = []
    for generic, semantic in pairs:
        try:
            pairing = Pairing(generic, semantic, canonical(generic), language.row(semantic))
        except FormulaError as error:
            log.warning("pair skipped: %s", error)
            continue
        if has_call(pairing.semantic_row):
            pairings.append(pairing)
    return pairings


# -- counts --------------------------------------------------------------------------------------------


def _counted(
    rules: list[Rule],
    pairings: list[Pairing],
    language: Language,
    progress: Callable[[str, int, int], None] | None,
) -> Grammar:
    """Count how often each rule is used in the derivations, and what stands in holes without delimiters."""
    uses: Counter[tuple[str, str]] = Counter()
    longest: Counter[tuple[str, str]] = Counter()
    inside: Counter[str] = Counter()
    common: dict[tuple[str, str], set[str]] = {}
    held_by: dict[tuple[str, str], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    lists: dict[tuple[str, str], set[int]] = defaultdict(set)
    rivals = _Rivals()
    frames = Frames()
    same_call = Counter([rule.call for rule in rules])
    aligner = Aligner(rules, 0, language)
    for index, pairing in enumerate(pairings):
        if progress and index % 500 == 0:
            progress("counting", index, len(pairings))
        alignment = aligner.align(pairing.semantic_row, pairing.generic_row)
        if alignment is None:
            continue
        frames.saw(pairing.generic, pairing.semantic, pairing.semantic_row, alignment)
        for step in alignment.steps:
            if step.match is not None:
                key = (step.match.rule.call, step.match.rule.generic)
                uses[key] += 1
                clusters, labels = free_content(step.match)
                longest[key] = max(longest[key], clusters)
                inside.update(labels)
                for hole, span in step.match.holes.items():
                    if is_list(span):
                        lists[key].add(hole)
                if same_call[key[0]] > 1:
                    rivals.saw(key, step.match)
                    for hole, span in step.match.holes.items():
                        held_by[key][hole].add(span.key)
                if only_brackets(step.match.rule):
                    held = {element.label for span in step.match.holes.values() for element in span.elements}
                    common[key] = common.get(key, held) & held
    counted = []
    for rule in rules:
        key = (rule.call, rule.generic)
        always = tuple(sorted(common.get(key, ()))) if uses[key] >= _ENOUGH else rivals.telling(key)
        most = max(longest[key], _WORDS_REACH) if _takes_products(rule) else longest[key]
        counted.append(replace(rule, count=uses[key], longest=most, common=always, lists=tuple(sorted(lists[key]))))
    kept = specialised(_without_noise(counted), held_by)
    kept += shared(kept)
    kept += analogous(kept)
    kept += combined(kept)
    kept = frames.framed(kept)
    reach = frozenset(label for label, count in inside.items() if count > 1) | _SMALL_LETTERS
    return Grammar(kept, reach, _widened(language, kept))


def _widened(language: Language, rules: list[Rule]) -> Language:
    """The language with room for the arguments of all rules, also those that follow from others."""
    calls = dict(language.calls)
    for rule in rules:
        options, parameters, *segments = rule.shape.layout
        form = calls.get(rule.name, CallSignature())
        calls[rule.name] = CallSignature(
            max(form.options, options),
            max(form.parameters, parameters),
            max(form.variables, sum(segments[1::2])),
        )
    return Language(calls, language.with_lexicon)


class _Rivals:
    """What tells rules for the same call apart: a label that every argument of one has and none of the others'.

    `\\lam{x:A}` is shown as `\\lambda(x:A).`, `\\lam{x}` as `\\lambda x.`: the colon tells.
    """

    def __init__(self) -> None:
        self.always: dict[tuple[str, str], set[str]] = {}
        self.ever: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.rules: dict[str, set[str]] = defaultdict(set)

    def saw(self, key: tuple[str, str], match: Match) -> None:
        """Note what the holes of a match hold."""
        held = {element.label for span in match.holes.values() for element in span.elements}
        self.always[key] = self.always.get(key, held) & held
        self.ever[key] |= held
        self.rules[key[0]].add(key[1])

    def telling(self, key: tuple[str, str]) -> tuple[str, ...]:
        """The label that tells a rule from its rivals, or none."""
        call, generic = key
        others = [self.ever[call, other] for other in self.rules.get(call, ()) if other != generic]
        if not others or key not in self.always:
            return ()
        signs = {label for label in self.always[key] if not label[-1].isalnum()}  # a letter tells nothing
        return tuple(sorted(signs - set().union(*others))[:1])


def _takes_products(rule: Rule) -> bool:
    """Whether a rule is a word with an argument without parentheses: `\\cos\\omega t`, though no pair has just that."""
    items = rule.pattern.items
    return bool(items[0].letters) and items[-1].hole >= 0


def only_brackets(rule: Rule) -> bool:
    """Whether a rule shows nothing but a pair of brackets around one argument."""
    items = rule.pattern.items
    return len(items) == 1 and len(items[0].rows) == 1 and [item.hole >= 0 for item in items[0].rows[0].items] == [True]


def _without_noise(rules: list[Rule]) -> list[Rule]:
    """Drop rules that ambiguous alignments suggested: rare where another rule of the same kind is common.

    A call with an empty argument is of another kind: `\\BesselJ{}` beside `\\BesselJ{#1}`. A call with a single @ shows
    its variables, so one that hides them is noise however common the others are: `d` is not `\\ndivisors[]@{n}`, though
    in `\\ln d\\left(n\\right)` it might be.
    """

    def kind(rule: Rule) -> tuple[str, tuple[int, ...], tuple[bool, ...]]:
        return rule.name, rule.shape.layout, tuple([argument == "" for argument in rule.shape.arguments])

    most: Counter[tuple[str, tuple[int, ...], tuple[bool, ...]]] = Counter()
    for rule in rules:
        most[kind(rule)] = max(most[kind(rule)], rule.count)
    return [rule for rule in rules if rule.count * (1 if _hides(rule) else _NOISE) >= most[kind(rule)]]


def _hides(rule: Rule) -> bool:
    """Whether a call with a single @ does not show its variables."""
    return rule.call.count("@") == 1 and not rule.shows_variables


_WORDS_REACH = 4  # factors of an argument without parentheses: `\\sin2\\pi nx`
_GREEK = "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_SMALL_LETTERS = frozenset([*ascii_lowercase, *(f"\\{name}" for name in _GREEK.split())])


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
