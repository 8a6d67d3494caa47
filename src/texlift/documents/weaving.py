r"""The semantic formula that is written to the output: the author's own text with calls at the places that were read.

Nothing but these places changes. What is written is restored at once and compared, so that the way back to the very
bytes is known to work before a formula is changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from texlift.documents.rows import balanced
from texlift.documents.spelling import Cut, Spellings, cut
from texlift.errors import FormulaError, Span
from texlift.latex.definitions import Definition, Traced, trace_definitions
from texlift.latex.nodes import Command, Delimited, Environment, Group, Infix, Node, Row, Scripted
from texlift.latex.parser import parse
from texlift.macros.lexicon import lexicon
from texlift.translate.answer import Decision

__all__ = ["Woven", "cuts_of", "traced_formula", "woven"]

_MARK = re.compile(r"#([1-9a-z'])")
_NAME = re.compile(r"\\[A-Za-z]+")
_ARGUMENT = re.compile(r"\*?\s*[\[{]")
_OWN_WAY = frozenset(
    {
        *(r"\SI", r"\si", r"\num", r"\ang", r"\unit", r"\qty", r"\SIrange", r"\numrange", r"\qtyrange", r"\ce"),
        *(r"\xymatrix", r"\tikz", r"\diagram", r"\mathchoice", r"\hspace", r"\vspace", r"\rule", r"\ref", r"\eqref"),
    }
)
_BARE = re.compile(r"\\[A-Za-z]+\Z")


@dataclass(frozen=True, slots=True)
class Woven:
    """A formula with calls in it: `text` is written to the output, `plain` without the letters of its spellings."""

    text: str
    plain: str


def traced_formula(latex: str, known: Mapping[str, Definition]) -> Traced | None:
    """A formula with its author's macros expanded; None where one takes in what stands behind it.

    Raises FormulaError for broken LaTeX.
    """
    if not known or not any(name in known for name in _NAME.findall(latex)):
        return Traced(latex)
    return trace_definitions(latex, known)


def cuts_of(latex: str, decisions: Sequence[Decision], traced: Traced, programs: Collection[str] = ()) -> list[Cut]:
    r"""The places that can be written as calls: cut, properly nested, the outermost first.

    `programs` are macros that look at what stands behind them: their arguments stay as they are, as do those of
    commands that read theirs in their own way (`\SI{3}{\metre}`).
    """
    found = [place for decision in decisions if decision.macro and (place := cut(latex, decision, traced))]
    found = [place for place in found if not _changes_nothing(latex, place)]
    if found and (closed := _opaque(latex, programs)):
        found = [place for place in found if not any(a < place.span[1] and place.span[0] < b for a, b in closed)]
    lonely = [place for place in found if _looks_ahead(place) and _one_token(latex, place.span)]
    if lonely:
        bare = _bare_arguments(latex)
        found = [place for place in found if place not in lonely or place.span not in bare]
    found.sort(key=lambda place: (place.span[0], -place.span[1]))
    kept: list[Cut] = []
    for place in found:
        if all(_fits(place, other) for other in kept):
            kept.append(place)
    return kept


def _opaque(latex: str, programs: Collection[str]) -> list[Span]:
    """The places of macros that are programs, with all arguments behind them."""
    found: list[Span] = []
    for match in _NAME.finditer(latex):
        if match[0] in programs or match[0] in _OWN_WAY:
            end = match.end()
            while arguments := _ARGUMENT.match(latex, end):
                behind = balanced(latex, arguments.end() - 1)
                if behind < 0:
                    break
                end = behind
            found.append((match.start(), end))
    return found


def _changes_nothing(latex: str, place: Cut) -> bool:
    r"""Whether the call is what stands there anyway: `\binom{n}{k}`, a lone `\sin`."""
    parts = {mark: latex[a:b] for mark, (a, b) in place.parts}
    return _MARK.sub(lambda match: parts.get(match[1], ""), place.form) == latex[place.span[0] : place.span[1]]


def _looks_ahead(place: Cut) -> bool:
    """Whether TeX must look at what stands behind the macro's name, so that it cannot be a script without braces."""
    macro = lexicon().lookup(place.decision.macro)
    return macro is None or bool(macro.options or macro.parameters or max(macro.ats))


def _one_token(latex: str, span: Span) -> bool:
    return re.fullmatch(r"\\[A-Za-z]+|\\?.", latex[span[0] : span[1]], re.DOTALL) is not None


def _bare_arguments(latex: str) -> set[Span]:
    """Where arguments without braces stand: the `\\pi` of `x^\\pi` and of `\\frac\\pi2`."""
    found: set[Span] = set()
    try:
        waiting: list[Node] = [*parse(latex)]
    except FormulaError:
        return found
    while waiting:
        node = waiting.pop()
        arguments: Row = []
        match node:
            case Scripted(base=base, scripts=scripts):
                arguments = [script.argument for script in scripts if script.argument is not None]
                waiting += [] if base is None else [base]
            case Command(options=options, arguments=own):
                arguments = [*own]
                waiting += options
            case Group(children=children) | Delimited(children=children):
                waiting += children
            case Infix(above=above, below=below):
                waiting += [*above, *below]
            case Environment(rows=rows):
                waiting += [cell for row in rows for cell in row]
        found |= {(a.start, a.end) for a in arguments if not isinstance(a, Group)}
        waiting += arguments
    return found


def _fits(place: Cut, other: Cut) -> bool:
    """Whether a place lies beside another one, or within one of its arguments."""
    (left, right), (start, end) = place.span, other.span
    if end <= left or right <= start:
        return True
    return any(a <= left and right <= b for _, (a, b) in other.parts)


def woven(latex: str, cuts: Sequence[Cut], spellings: Spellings) -> Woven:
    """The formula with calls at these places, which are nested and sorted."""
    return Woven(
        _written(latex, (0, len(latex)), cuts, spellings, True),
        _written(latex, (0, len(latex)), cuts, spellings, False),
    )


def _written(latex: str, span: Span, cuts: Sequence[Cut], spellings: Spellings, spelt: bool) -> str:
    inside = [place for place in cuts if span[0] <= place.span[0] and place.span[1] <= span[1]]
    outer: list[Cut] = []
    for place in inside:
        if not outer or place.span[0] >= outer[-1].span[1]:
            outer.append(place)
    pieces: list[str] = []
    at = span[0]
    for place in outer:
        below = [other for other in inside if other is not place]
        call = _call(latex, place, below, spellings, spelt)
        pieces += [latex[at : place.span[0]], call]
        at = place.span[1]
        if _BARE.search(call) and at < span[1] and (latex[at].isalpha() or latex[at] in " *"):
            pieces.append(" ")
    pieces.append(latex[at : span[1]])
    return "".join(pieces)


def _call(latex: str, place: Cut, below: Sequence[Cut], spellings: Spellings, spelt: bool) -> str:
    spelling = spellings.of(place)
    arguments = {mark: _written(latex, span, below, spellings, spelt) for mark, span in place.parts}
    form = place.form
    own = place.decision.macro
    pieces = [spelling.name if spelt else own]
    rest = form[len(own) :]
    at = 0
    for match in _MARK.finditer(rest):
        pieces.append(rest[at : match.start()])
        inside = arguments.get(match[1], "")
        pieces.append(f"{{{inside}}}" if rest[match.start() - 1 : match.start()] == "[" and "]" in inside else inside)
        at = match.end()
    pieces.append(rest[at:])
    call = "".join(pieces)
    return f"\\spelt{{{spelling.variant}}}{call}" if spelt and spelling.variant else call
