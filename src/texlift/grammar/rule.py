"""A rule of the grammar: a semantic call and the generic presentation it stands for.

    \\BesselJ{#1}#'@{#2}    ->   J_{#1}#'\\left(#2\\right)
    \\compellintKk@@{k}     ->   K
    \\deriv[#1]{#2}{#3}     ->   \\frac{{\\mathrm{d}}^{#1}#2}{{\\mathrm{d}#3}^{#1}}

`#1`, `#2`, ... are holes, one for each argument that is shown; arguments that are not shown stand in the call
as constants. `#'` is the script point: where primes, powers and indices of the call go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from texlift.errors import FormulaError, TexliftError
from texlift.grammar.pattern import HOLES, Pattern
from texlift.latex.canonical import canonical
from texlift.latex.nodes import Call
from texlift.latex.parser import parse
from texlift.latex.signatures import CallSignature, generic_signatures

__all__ = ["CallShape", "Rule"]

_MARK = re.compile(r"#([1-9a-z])")
_MACRO = re.compile(r"\\[A-Za-z]+")
_ASCII_NAME = re.compile(r"(?s:.?)[A-Za-z]*")
_SCRIPTS = ("_", "^", "'")


@dataclass(frozen=True, slots=True)
class CallShape:
    """The call side of a rule: which arguments are holes and which are constants.

    `arguments[k]` is the hole's index, or the constant text of the argument; `layout` says how many options,
    parameters and, for each run of @, how many @ and variables there are.
    """

    name: str
    layout: tuple[int, ...]
    arguments: tuple[int | str, ...]

    @staticmethod
    def of(node: Call, source: str) -> CallShape:
        """The shape of the call written in a rule."""
        arguments: list[int | str] = []
        for argument in node.arguments:
            inside = source[argument.start + 1 : argument.end - 1]
            if len(inside) == 2 and inside[0] == "#":
                arguments.append(HOLES.index(inside[1]))
            else:
                arguments.append(inside)
        return CallShape(node.name, layout(node), tuple(arguments))


def layout(node: Call) -> tuple[int, ...]:
    """Numbers of options and parameters, then (@s, variables) for each run of @, flattened."""
    numbers = [len(node.options), len(node.parameters)]
    for ats, variables in node.segments:
        numbers += [ats, len(variables)]
    return tuple(numbers)


_ANY = CallSignature(options=9, parameters=35, variables=35)
_SOME = r"\somemacro"


@lru_cache(maxsize=1024)
def _shape_behind(arguments: str) -> CallShape | None:
    """The shape of a call with these arguments behind its name, which rules share; None if it is no single call."""
    text = _SOME + arguments
    try:
        nodes = parse(text, generic_signatures().with_calls({_SOME: _ANY}))
    except FormulaError:
        return None
    return CallShape.of(nodes[0], text) if len(nodes) == 1 and isinstance(nodes[0], Call) else None


@lru_cache(maxsize=4096)
def _compiled(generic: str) -> Pattern:
    """The pattern of a presentation; macros that look the same share it.

    A macro that is only a script (`A\\op` for `A^{op}`) has no base of its own.
    """
    row = canonical(generic)
    if generic[:1] in _SCRIPTS and row.elements[0].label == "{}":
        del row.elements[0]
    return Pattern(row)


def _require(pattern: Pattern, labels: set[str], words: set[tuple[str, str]]) -> None:
    for item in pattern.items:
        if item.letters:
            words.add((item.label, item.letters[0]))
        elif item.hole < 0:
            labels.add(item.label)
        for kind, argument in item.scripts:
            labels.add(kind)
            if argument is not None:
                _require(argument, labels, words)
        for row in item.rows:
            _require(row, labels, words)


@dataclass(frozen=True)
class Rule:
    """One rule; `count` is how many pairs support it (0: only from the lexicon).

    `longest` is the longest content (in elements) seen in a hole without delimiters around it; `common` are
    labels that stood in every content seen, kept for rules that are nothing but brackets: `(m,n)`; `lists` are the
    holes in which a list was seen.
    """

    call: str
    generic: str
    count: int = 0
    longest: int = 0
    common: tuple[str, ...] = ()
    lists: tuple[int, ...] = ()

    @staticmethod
    def numbered(call: str, generic: str, count: int = 0, longest: int = 0) -> Rule:
        """A rule whose holes are numbered in the order of the call, so that equal rules are equal."""
        order = list(dict.fromkeys(mark for mark in _MARK.findall(call)))
        names = {mark: HOLES[index] for index, mark in enumerate(order)}

        def rename(match: re.Match[str]) -> str:
            return f"#{names.get(match[1], match[1])}"

        return Rule(_MARK.sub(rename, call), _MARK.sub(rename, generic), count, longest)

    @property
    def bare(self) -> tuple[str, str]:
        """Both sides without the script point: what makes two rules the same."""
        return self.call.replace("#'", ""), self.pattern.source.replace(" #'", "").replace("#' ", "")

    @cached_property
    def shape(self) -> CallShape:
        """The call side, parsed."""
        shape = _shape_behind(self.call[len(self.name) :].replace("#'", ""))
        if shape is None or not _MACRO.fullmatch(self.name):
            raise TexliftError(f"not a single call: {self.call}")
        return CallShape(self.name, shape.layout, shape.arguments)

    @cached_property
    def pattern(self) -> Pattern:
        """The generic side, compiled."""
        return _compiled(self.generic)

    @cached_property
    def constants(self) -> tuple[tuple[int, str], ...]:
        """Arguments not shown in the generic side: (index, the constant as it is written)."""
        return tuple([(i, argument) for i, argument in enumerate(self.shape.arguments) if isinstance(argument, str)])

    @cached_property
    def required(self) -> tuple[frozenset[str], tuple[tuple[str, str], ...]]:
        """Labels a formula must have for the rule to match; words apart, with the letter they start with."""
        labels: set[str] = set()
        words: set[tuple[str, str]] = set()
        _require(self.pattern, labels, words)
        return frozenset(labels), tuple(sorted(words))

    @cached_property
    def sound(self) -> bool:
        """Whether both sides parse and have the same holes."""
        try:
            shown = self.pattern.holes()
            return shown == {argument for argument in self.shape.arguments if isinstance(argument, int)}
        except TexliftError:
            return False

    @cached_property
    def name(self) -> str:
        """The macro."""
        call = self.call
        found = _ASCII_NAME.match(call)
        end = found.end() if found is not None else 0
        while end < len(call) and call[end].isalpha():
            end += 1
        return call[:end]

    @property
    def shows_variables(self) -> bool:
        """Whether arguments behind the @ are shown; a rule without them shows a name, with parameters or alone."""
        return "#" in self.call.partition("@")[2]

    @property
    def has_ats(self) -> bool:
        """Whether the call has an @ (then scripts stand before it, otherwise behind the call)."""
        return "@" in self.call
