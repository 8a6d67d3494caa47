r"""The way back: calls in a lifted document replaced by the author's own spelling, byte for byte.

Only the macros that the document's package declares are calls; everything else is the author's and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from texlift.documents.spelling import SPELT, Spelling, filled, shape_of
from texlift.errors import Span
from texlift.grammar.pattern import HOLES
from texlift.grammar.rule import layout
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Node, Row, Scripted, Text
from texlift.latex.parser import parse
from texlift.latex.signatures import CallSignature, Signatures, generic_signatures
from texlift.latex.symbols import known_commands
from texlift.macros.lexicon import lexicon

__all__ = ["Restorer"]

_BARE = re.compile(r"\\[A-Za-z]+\Z")


class Restorer:
    """Restores formulae with the spellings of one document.

    A macro in a form that the document has no spelling of gets the standard one of the lexicon.
    """

    def __init__(self, spellings: Iterable[Spelling]) -> None:
        self.spellings: dict[str, list[Spelling]] = {}
        for spelling in spellings:
            self.spellings.setdefault(spelling.name, []).append(spelling)

    @staticmethod
    def of_lexicon() -> Restorer:
        """For documents whose package is not there: every macro, in its standard notation."""
        return Restorer(Spelling(call, macro.name, shown) for macro in lexicon() for call, shown in macro.templates)

    @cached_property
    def signatures(self) -> Signatures:
        """The parser's table: LaTeX, and the macros that the document's package declares."""
        calls: dict[str, CallSignature] = {}
        for name, own in self.spellings.items():
            macro = lexicon().lookup(_macro_of(own[0]))
            shapes = [shape_of(spelling.form).layout for spelling in own]
            calls[name] = macro.signature if macro else _signature(shapes)
        return generic_signatures().with_calls(calls)

    def restored(self, latex: str) -> str:
        """A formula with every call written as its author did. Raises FormulaError for broken LaTeX."""
        if not any(name in latex for name in self.spellings):
            return latex
        return self._copy(latex, (0, len(latex)), parse(latex, self.signatures))

    def _copy(self, source: str, span: Span, nodes: Row) -> str:
        pieces: list[str] = []
        at = span[0]
        variant = ""
        for node in _marked(nodes):
            if isinstance(node, Command):
                variant = source[node.arguments[0].start + 1 : node.arguments[0].end - 1]
                pieces.append(source[at : node.start])
                at = node.end
                continue
            text = self._call(source, node, variant)
            variant = ""
            if text is None:
                continue
            pieces += [source[at : node.start], text]
            at = node.end
            if _BARE.search(source[node.start : node.end]) and source[at : at + 1] == " " and at < span[1]:
                at += 1  # the blank that keeps the call apart from a letter behind it
        pieces.append(source[at : span[1]])
        return "".join(pieces)

    def _call(self, source: str, call: Call, variant: str) -> str | None:
        """The call as its author spelt it; None if it is none of the document's calls, but its name as it is."""
        spelling = self._spelling(source, call, variant)
        if spelling is None:
            return None
        texts: dict[str, str] = {}
        for argument, node in zip(shape_of(spelling.form).arguments, call.arguments, strict=True):
            if isinstance(argument, int):
                children: Row = node.children if isinstance(node, Group) else [node]
                inside = self._copy(source, (node.start + 1, node.end - 1), children)
                if source[node.start] == "[" and "]" in inside and inside[0] == "{" and inside[-1] == "}":
                    inside = inside[1:-1]
                texts[HOLES[argument]] = inside
        if call.scripts:
            head = [*call.options, *call.parameters]
            start = max([node.end for node in head], default=call.start + len(call.name))
            end = source.index("@", call.scripts[-1].end)
            texts["'"] = self._copy(source, (start, end), [s.argument for s in call.scripts if s.argument])
        return filled(spelling.text, texts)

    def _spelling(self, source: str, call: Call, variant: str) -> Spelling | None:
        own = self.spellings.get(call.name, [])
        shape = layout(call)
        written = [source[node.start + 1 : node.end - 1].strip() for node in call.arguments]
        fitting = [s for s in own if _fits(s, shape, written)]
        if not fitting:
            macro = lexicon().lookup(_macro_of(own[0])) if own else None
            known = "@" in source[call.start : call.end] or call.name not in known_commands()
            standard = [Spelling(form, call.name, text) for form, text in (macro.templates if macro and known else ())]
            fitting = [s for s in standard if _fits(s, shape, written)]
        named = [s for s in fitting if s.variant == variant] or [s for s in fitting if not s.variant] or fitting
        return max(named, key=lambda s: sum(isinstance(a, str) for a in shape_of(s.form).arguments), default=None)


def _macro_of(spelling: Spelling) -> str:
    match = re.match(r"\\[A-Za-z]+", spelling.form)
    return match[0] if match else ""


def _signature(shapes: Sequence[tuple[int, ...]]) -> CallSignature:
    return CallSignature(
        max(shape[0] for shape in shapes),
        max(shape[1] for shape in shapes),
        max(sum(shape[3::2]) for shape in shapes),
    )


def _fits(spelling: Spelling, shape: tuple[int, ...], written: Sequence[str]) -> bool:
    own = shape_of(spelling.form)
    if own.layout != shape:
        return False
    return all(
        isinstance(argument, int) or argument == text for argument, text in zip(own.arguments, written, strict=True)
    )


def _marked(nodes: Row) -> Iterator[Call | Command]:
    r"""The outermost calls and the `\spelt` before them, in the order of the source."""
    for node in nodes:
        if isinstance(node, Call) or (isinstance(node, Command) and node.name == SPELT):
            yield node
        else:
            yield from _marked(_children(node))


def _children(node: Node) -> Row:
    match node:
        case Group(children=children) | Delimited(children=children):
            return children
        case Scripted(base=base, scripts=scripts):
            return [*([] if base is None else [base]), *[s.argument for s in scripts if s.argument is not None]]
        case Command(options=options, arguments=arguments):
            return [*options, *arguments]
        case Infix(above=above, below=below):
            return [*above, *below]
        case Environment(rows=rows):
            return [cell for row in rows for cell in row]
        case Text(math=math):
            return [*math]
    return []
