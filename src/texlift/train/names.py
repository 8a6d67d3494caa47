"""Names alone: pairs of single symbols made from the pairs that use them.

"where $\\gamma$ is Euler's constant": a text names what its formulae use, by the symbol alone. An equation with
`Y_{0}\\left(x\\right)` and `\\gamma` gives the pairs `Y`, `\\BesselY{}` and `Y_{0}`, `\\BesselY{0}` and `\\gamma`,
`\\EulerConstant`, under its titles, and in its sentence if that has the symbol alone. A letter that the equation uses
as a letter, though it could be a name, becomes a pair too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from texlift.corpus.pair import Context, Pair
from texlift.grammar.induction.alignment import Alignment, Step
from texlift.grammar.match import Match
from texlift.grammar.readings import Forest
from texlift.grammar.rule import Rule
from texlift.latex.canonical import Row
from texlift.translate.rendering import Renderer

__all__ = ["Names"]

_SCRIPTS = frozenset("_'^")
_LONGEST = 40  # characters of a name with its scripts
_OFTEN = 30
_TAKEN = 5  # uses that show that a print stands for a macro that is no function


class Names:
    """Makes the pairs; each name once for each meaning, titles and sentence."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        every = list(rules)
        names = [rule for rule in every if _is_name(rule)]
        used = {rule.pattern.source for rule in names if rule.count}
        functions = {rule.name for rule in every if "@" in rule.call}
        rare = _outnumbered(every)
        taken: Counter[str] = Counter()
        for rule in names:
            if rule.name not in functions:
                taken[rule.pattern.source] += rule.count
        self._of_macro: dict[str, list[Rule]] = defaultdict(list)
        for rule in names:
            source = rule.pattern.source
            # a letter may stand for many things, a word for one: `\\log` is not `\\genlog{}`, because of `\\log_{2}`.
            # Nor does a print name a function that often is no function: `E_{n}` is an Euler number, not the
            # polynomial, though somebody may have called that so once
            word = bool(rule.pattern.items[0].letters)
            met = rule.count and (rule.call, rule.generic) not in rare
            if met or not ((word and source in used) or taken[source] >= _TAKEN):
                self._of_macro[rule.name].append(rule)
        self._seen: set[tuple[str, str, str]] = set()

    def of(self, pair: Pair, forest: Forest, alignment: Alignment) -> Iterator[Pair]:
        """Names that a pair uses, given its derivation."""
        called = {(id(step.row), step.position) for step in alignment.steps if step.match is not None}
        for step in alignment.steps:
            if step.match is None:
                found = self._letter(pair, forest, step, called)
            else:
                found = self._called(pair, step.match, called)
            for generic, semantic in found:
                if generic == pair.generic or len(generic) > _LONGEST:
                    continue
                context = _around(pair.context, generic)
                key = (generic, semantic, str(context))
                if key not in self._seen:
                    self._seen.add(key)
                    yield Pair(f"{pair.id}.{generic}", generic, semantic, context)

    def _letter(
        self, pair: Pair, forest: Forest, step: Step, called: set[tuple[int, int]]
    ) -> Iterator[tuple[str, str]]:
        """A symbol left as it is, if it could be a name."""
        elements = step.row.elements
        end = step.position + 1
        if not elements[step.position].label[-1].isalpha():
            return
        while end < len(elements) and elements[end].label in _SCRIPTS:
            if elements[end].label == "^" or any(_holds(row, called) for row in elements[end].rows):
                return
            end += 1
        if any(match.end <= end and _is_name(match.rule) for match in forest.places[id(step.row)][step.position]):
            text = Renderer(pair.generic, {}).span(step.row, step.position, end)
            yield text, text

    def _called(self, pair: Pair, match: Match, called: set[tuple[int, int]]) -> Iterator[tuple[str, str]]:
        """The names of a call: with its parameters, and without."""
        shown = {}  # argument -> what is written there
        for argument, hole in enumerate(match.rule.shape.arguments):
            if isinstance(hole, int):
                span = match.holes[hole]
                if not any((id(span.row), at) in called for at in range(span.start, span.end)) and not any(
                    _holds(row, called) for element in span.elements for row in element.rows
                ):
                    shown[argument] = Renderer(pair.generic, {}).span(span.row, span.start, span.end)
        best: dict[str, Rule] = {}  # of rules that print the same the commonest, then the shortest
        for rule in self._of_macro.get(match.rule.name, ()):
            print_ = rule.generic.replace("#'", "")
            other = best.get(print_)
            if other is None or (rule.count, -len(rule.call)) > (other.count, -len(other.call)):
                best[print_] = rule
        for rule in best.values():
            call, generic = rule.call.replace("#'", ""), rule.generic.replace("#'", "")
            for argument, hole in enumerate(rule.shape.arguments):
                if isinstance(hole, int):
                    if argument not in shown:
                        break
                    mark = f"#{hole + 1}"
                    call, generic = call.replace(mark, shown[argument]), generic.replace(mark, shown[argument])
            else:
                yield generic, call


def _is_name(rule: Rule) -> bool:
    """Whether a rule shows a symbol with its scripts and nothing else."""
    items = rule.pattern.items
    return not rule.shows_variables and len(items) == 1 and not items[0].rows


def _holds(row: Row, called: set[tuple[int, int]]) -> bool:
    """Whether a call stands in a row or below it."""
    return any(
        (id(row), at) in called or any(_holds(child, called) for child in element.rows)
        for at, element in enumerate(row.elements)
    )


def _around(context: Context, name: str) -> Context:
    """Titles, and the sentence if the name stands alone in it."""
    if isinstance(context, str) or f"${name}$" in context.get("sentence", ""):
        return context
    return {field: text for field, text in context.items() if field != "sentence"}


def _outnumbered(rules: Sequence[Rule]) -> frozenset[tuple[str, str]]:
    """Names of functions that print, with a parameter, what stands for something else thirty times as often.

    `E_{n}` alone is an Euler number, not Euler's polynomial, though somebody may have called that so once. A mere
    letter may stand for many things.
    """
    functions = {rule.name for rule in rules if "@" in rule.call}
    names = [rule for rule in rules if "@" not in rule.call and "#1" in rule.generic]
    others: Counter[str] = Counter()
    for rule in names:
        if rule.name not in functions:
            others[rule.generic] += rule.count
    return frozenset(
        (rule.call, rule.generic)
        for rule in names
        if rule.name in functions and others[rule.generic] >= _OFTEN * max(rule.count, 1)
    )
