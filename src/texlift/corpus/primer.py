"""A primer: pairs made from rules that no pair uses, so that a scorer has met every macro of the lexicon once.

    \\LambertW@{#1}, shown as W\\left(#1\\right), meaning "Lambert W-function"

becomes the pair `W\\left(z\\right)`, `\\LambertW@{z}` in a section with that title, and again in a sentence that
names it. A name alone, `W`, may mean anything: it becomes a pair `W`, `\\LambertW` only where the sentence names it,
and beside it stands the pair `W`, `W` in a sentence that speaks of something else. Letters that pairs do use as names
have such pairs too, or a text about anything else would be read as if it were about the corpus's subject. Notations
that are read for the convention of their letters (`K(m)` beside `K(k)`) have pairs with such letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from zlib import crc32

from texlift.corpus.pair import Pair
from texlift.grammar.rule import Rule
from texlift.macros.conventions import Convention, conventions_of, judged_like, notations
from texlift.macros.lexicon import lexicon

__all__ = ["is_primed", "is_primer", "primer"]

_ID = "primer."
_LETTER = re.compile(
    r"[A-Za-z]|\\(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|chi|psi|omega"
    r"|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega)"
)
_HOLE = re.compile(r"#([1-9a-z])")
_NAME = re.compile(r"\\[A-Za-z]+")
_PARAMETERS = ("n", "m", r"\nu", r"\mu", "k", "a", "b", "j")
_VARIABLES = ("z", "x", "t", "y", "w", "u", "v", "s", "p", "q", "c", "d")
_SOMETHING_ELSE = (
    "where ${}$ is a constant",
    "the parameter ${}$",
    "let ${}$ be an integer",
    "the matrix ${}$",
    "the set ${}$",
    "a path ${}$",
    "with ${}$ fixed",
    "the variable ${}$",
)
# for letters that pairs use as names: no "constant" or "parameter", which some of these names are
_ANYTHING_ELSE = (
    "let ${}$ be an integer",
    "the matrix ${}$",
    "a finite set ${}$",
    "the path ${}$",
    "the group ${}$ acts on it",
    "the energy ${}$ of the system",
    "a graph ${}$ with few edges",
    "the random variable ${}$",
    "an open subset ${}$ of the plane",
    "the number ${}$ of steps",
)
_SIGNS = ("e", "i", "d")  # letters that mostly are what they are known for


def is_primed(rule: Rule) -> bool:
    """Whether a rule that no pair uses is numbered as if one did: a call with variables that show.

    Without them (`e_{1}`, `H_{m}`) a rule looks like any letter with an index, and words alone can tell them apart.
    """
    return _is_unused(rule) and rule.shows_variables


def _is_unused(rule: Rule) -> bool:
    return not rule.count and rule.name in lexicon()


def is_primer(pair: Pair) -> bool:
    """Whether a pair stems from the primer."""
    return pair.id.startswith(_ID)


def primer(rules: Iterable[Rule]) -> Iterator[Pair]:
    """Pairs for rules that no pair uses, and for letters that need not be the names they can be."""
    rules = list(rules)
    yield from _by_convention({rule.call for rule in rules})
    names: dict[str, None] = {}
    letters_used: dict[str, None] = {}
    for rule in rules:
        if not _is_unused(rule):
            if _is_letter(rule):
                letters_used[_filled(rule.generic, _letters(rule.call))] = None
            continue
        letters = _letters(rule.call)
        semantic, generic = (_filled(text, letters) for text in (rule.call, rule.generic))
        macro = lexicon().lookup(rule.name)
        assert macro is not None
        contexts = [{"sentence": f"the {macro.meaning} ${generic}$"}]
        if is_primed(rule):
            contexts.insert(0, {"section": macro.meaning})
        else:
            names[generic] = None
        for number, context in enumerate(contexts):
            yield Pair(f"{_ID}{rule.call}.{number}", generic, semantic, context)
    for generic in names:
        sentence = _SOMETHING_ELSE[crc32(generic.encode()) % len(_SOMETHING_ELSE)].format(generic)
        yield Pair(f"{_ID}{generic}", generic, generic, {"sentence": sentence})
    for generic in letters_used:
        draw = crc32(generic.encode())
        for number in range(2):
            sentence = _ANYTHING_ELSE[(draw + number) % len(_ANYTHING_ELSE)].format(generic)
            yield Pair(f"{_ID}{generic}.{number}", generic, generic, {"sentence": sentence})


def _by_convention(calls: set[str]) -> Iterator[Pair]:
    """Pairs for the notations that are read for their letters: `\\theta_{j}(z,\\tau)` is not of the nome q."""
    like = judged_like()
    for call, generic in notations():
        if like[call] not in calls:
            continue
        named = _NAME.match(call)
        macro = lexicon().lookup(named[0]) if named else None
        assert macro is not None
        marks = _HOLE.findall(call)
        for number, context in enumerate(({}, {"section": macro.meaning}, {"sentence": f"the {macro.meaning}"}, {})):
            letters = _letters(f"{call}{'' if '@' in call else '@'}", number)
            for convention in conventions_of(macro.name, call):
                if convention.argument < len(marks) and (mark := marks[convention.argument]) in letters:
                    letters[mark] = _fitting(convention, letters[mark], number)
            yield Pair(f"{_ID}{call}.{number}", _filled(generic, letters), _filled(call, letters), context)


def _fitting(convention: Convention, letter: str, number: int) -> str:
    """A letter that the convention admits."""
    wanted = sorted(convention.wanted)
    if wanted:
        return wanted[number % len(wanted)]
    return next(one for one in (letter, *_VARIABLES) if convention.fits(frozenset({one})))


def _is_letter(rule: Rule) -> bool:
    """Whether a rule shows a Latin or Greek letter, perhaps with an index, and nothing else."""
    items = rule.pattern.items
    label = items[0].label
    return (
        len(items) == 1
        and not rule.shows_variables
        and _LETTER.fullmatch(label) is not None
        and label not in _SIGNS
        and all(kind == "_" for kind, _ in items[0].scripts)
    )


def _filled(text: str, letters: Mapping[str, str]) -> str:
    return _HOLE.sub(lambda hole: letters[hole[1]], text.replace("#'", ""))


def _letters(call: str, number: int = 0) -> dict[str, str]:
    """What stands in the holes: letters for parameters before the @, others behind, the same for the same call."""
    head, _, tail = call.partition("@")
    draw = crc32(call.encode()) + number
    chosen: dict[str, str] = {}
    for text, letters in ((head, _PARAMETERS), (tail or head, _VARIABLES)):
        for hole in _HOLE.findall(text):
            if hole not in chosen:
                chosen[hole] = letters[(draw + len(chosen)) % len(letters)]
    return chosen
