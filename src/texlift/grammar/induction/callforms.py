"""Which commands of a language are calls, and how they are called: found in the pairs themselves.

A call is a command with brackets, braces and, in some languages, an `@` with further braces behind it. No table says
which commands are calls. The pairs do: a call is printed as something else, so its command stands on the semantic side
and is missing on the generic one. A command that is the same on both sides is a call only where an `@` follows it.

What follows the command directly is taken for its arguments at first, as many as are seen anywhere. That is too much
where the writer put a group or an interval behind a call that takes none (`x\\defeq[0,1]`); `narrowed` takes such
brackets away again once the rules for the shorter call are known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from texlift.errors import FormulaError
from texlift.latex.lexer import tokenize
from texlift.latex.nodes import Call
from texlift.latex.signatures import CallSignature

__all__ = ["call_forms", "forms_of", "narrowed"]

_SURE = (
    0.98  # share of a command's pairs that lack it on the generic side, from which it is a call whatever else is seen
)
_LIKELY = 0.5  # the same for a command seen outside the arguments of calls, where nothing is hidden
_MOST_OPTIONS = 9
_MOST_GROUPS = 35  # holes have 35 names
_CLOSER = {"[": "]", "{": "}"}
_SCRIPTS = frozenset("_^'")


@dataclass(frozen=True, slots=True)
class _Use:
    """One command in a semantic formula: what follows it directly, and where that ends (indices of tokens)."""

    name: str
    start: int
    end: int
    options: int
    parameters: int
    variables: int
    marked: bool  # an @ follows


def call_forms(pairs: Iterable[tuple[str, str]]) -> dict[str, CallSignature]:
    """The calls of the language on the semantic side of (generic, semantic) pairs, each with all that may follow it.

    Sides that are not LaTeX are left out.
    """
    formulae = list(_formulae(pairs))
    forms: dict[str, CallSignature] = {}
    calls = _calls(formulae)
    for _, uses in formulae:
        for use in uses:
            if use.name in calls:
                form = forms.get(use.name, CallSignature())
                forms[use.name] = CallSignature(
                    min(max(form.options, use.options), _MOST_OPTIONS),
                    min(max(form.parameters, use.parameters), _MOST_GROUPS),
                    min(max(form.variables, use.variables), _MOST_GROUPS),
                )
    return forms


def forms_of(semantic: str) -> Iterator[tuple[str, int, int, int]]:
    """The commands of a formula, each with its numbers of options, parameters and variables. May raise FormulaError."""
    for use in _uses(tokenize(semantic).texts):
        yield use.name, use.options, use.parameters, use.variables


_Formula = tuple[Counter[str], list[_Use]]
"""The commands of a generic side, counted; the commands of the semantic side with what follows them."""


def _formulae(pairs: Iterable[tuple[str, str]]) -> Iterator[_Formula]:
    for generic, semantic in pairs:
        try:
            shown, meant = tokenize(generic).texts, tokenize(semantic).texts
        except FormulaError:
            continue
        yield Counter([text for text in shown if _is_command(text)]), list(_uses(meant))


def _is_command(text: str) -> bool:
    return text[0] == "\\" and text[1:].isalpha()


def _calls(formulae: Sequence[_Formula]) -> set[str]:
    """Commands that are calls."""
    marked = {use.name for _, uses in formulae for use in uses if use.marked}
    sure = marked | _missing(formulae, _SURE, frozenset())
    return sure | _missing(formulae, _LIKELY, sure)


def _missing(formulae: Sequence[_Formula], share: float, holders: set[str] | frozenset[str]) -> set[str]:
    """Commands that most of their pairs lack on the generic side; those in arguments of `holders` do not count.

    An argument may be hidden, and then what it holds is missing too without being a call.
    """
    pairs: Counter[str] = Counter()
    lacking: Counter[str] = Counter()
    for shown, uses in formulae:
        inside = 0
        meant: Counter[str] = Counter()
        for use in uses:
            if use.start >= inside:
                meant[use.name] += 1
                if use.name in holders:
                    inside = use.end
        for name, count in meant.items():
            pairs[name] += 1
            lacking[name] += count > shown[name]
    return {name for name, count in pairs.items() if lacking[name] >= share * count and lacking[name]}


def _uses(texts: list[str]) -> Iterator[_Use]:
    """All commands of a formula, in order."""
    for start, text in enumerate(texts):
        if not _is_command(text):
            continue
        end, options = _groups(texts, start + 1, "[")
        end, parameters = _groups(texts, end, "{")
        at = _behind_scripts(texts, end)
        variables = 0
        marked = at < len(texts) and texts[at] == "@"
        while marked and at < len(texts) and texts[at] == "@":
            while at < len(texts) and texts[at] == "@":
                at += 1
            at, more = _groups(texts, at, "{")
            variables += more
            end = at
        yield _Use(text, start, end, options, parameters, variables, marked)


def _groups(texts: list[str], at: int, opener: str) -> tuple[int, int]:
    """Where the groups that start at `at` end, and how many there are; one that is never closed is none."""
    count = 0
    while at < len(texts) and texts[at] == opener:
        end = _closed(texts, at)
        if end < 0:
            break
        at = end
        count += 1
    return at, count


def _closed(texts: list[str], at: int) -> int:
    """The index behind the bracket that closes the one at `at`, or -1."""
    closer = _CLOSER[texts[at]]
    depth = 0
    for index in range(at, len(texts)):
        text = texts[index]
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
        if depth < 0:
            return -1
        if depth == 0 and text == closer and index > at:
            return index + 1
    return -1


def _behind_scripts(texts: list[str], at: int) -> int:
    while at < len(texts) and texts[at] in _SCRIPTS:
        prime = texts[at] == "'"
        at += 1
        if not prime and at < len(texts):
            end = _closed(texts, at) if texts[at] == "{" else at + 1
            if end < 0:
                break
            at = end
    return at


# -- what is too much ----------------------------------------------------------------------------------


def narrowed(
    forms: Mapping[str, CallSignature],
    calls: Iterable[tuple[int, Call]],
    explained: Callable[[Mapping[str, CallSignature], Sequence[int]], int],
) -> dict[str, CallSignature]:
    """The forms that take less: without brackets that are printed as they are written, behind the call.

    `calls` are all calls of the pairs, each with the number of its pair; `explained` tells how many of some pairs align
    if calls have the given forms. A form is narrowed where the shorter one explains as much: then there is a rule for
    the shorter call, and the bracket behind it belongs to the row.
    """
    seen: dict[tuple[str, str], dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for number, call in calls:
        for kind, count in _sizes(call).items():
            seen[call.name, kind][count].add(number)
    narrow: dict[str, CallSignature] = {}
    for (name, kind), by_count in seen.items():
        form = narrow.get(name, forms[name])
        for count in sorted(by_count, reverse=True)[:-1]:  # the shortest form is there for certain
            less = _shorter(form, kind, count - 1)
            pairs = sorted(by_count[count])
            taken = explained({**forms, name: less}, pairs)
            if not taken or taken < explained({**forms, name: form}, pairs):
                break
            form = narrow[name] = less
    return narrow


def _shorter(form: CallSignature, kind: str, number: int) -> CallSignature:
    if kind == "options":
        return replace(form, options=number)
    return replace(form, parameters=number) if kind == "parameters" else replace(form, variables=number)


def _sizes(call: Call) -> dict[str, int]:
    sizes = {"options": len(call.options), "parameters": len(call.parameters)}
    if call.segments:
        sizes["variables"] = len(call.variables)  # without an @ there are none, whatever the form
    return sizes
