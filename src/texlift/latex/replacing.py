"""Macros replaced by what they stand for, and where every token of the result comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texlift.errors import FormulaError, Span
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.printing import join
from texlift.remembered import remembered

__all__ = ["MAX_EXPANDED", "MAX_REPLACEMENTS", "Definition", "Replacing", "Traced", "Use"]

MAX_REPLACEMENTS = 5_000
MAX_EXPANDED = 200_000


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro of the user: how many arguments, the default of an optional first one, the body."""

    name: str
    arguments: int
    body: str
    default: str | None = None
    sized: bool = False  # a star or a size in brackets may stand before the arguments: `\\DeclarePairedDelimiter`


_Piece = tuple[str, str, int, frozenset[str]]
"""A token on its way: white space before it, its text, where in the source it, or the macro it came from, stands, and
the macros whose bodies it came from."""
_TYPED: frozenset[str] = frozenset()
_DEFAULT = frozenset({""})  # of the default of an optional argument: not typed at this place


@remembered(maxsize=4096)
def _tokens(text: str) -> Tokens:
    """The tokens of a body, which many formulae of a document share."""
    return tokenize(text)


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a macro in the source: from its name to the end of its last argument, and the places of those."""

    span: Span
    arguments: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Traced:
    """A formula with its author's macros expanded, and where each token of the expansion comes from.

    `tokens` has, for each token of `text`, where it starts and ends there and where it, or the use of the macro whose
    body it stands in, starts and ends in the source.
    """

    text: str
    tokens: tuple[tuple[Span, Span], ...] = ()
    uses: tuple[Use, ...] = ()

    def back(self, span: Span) -> Span | None:
        """The part of the source that gives just this part of the expansion; None if there is no such part."""
        if not self.tokens:
            return span
        inside = [(text, source) for text, source in self.tokens if span[0] <= text[0] and text[1] <= span[1]]
        if not inside or inside[0][0][0] != span[0] or inside[-1][0][1] != span[1]:
            return None
        left, right = min(source[0] for _, source in inside), max(source[1] for _, source in inside)
        for use in self.uses:
            apart = use.span[1] <= left or right <= use.span[0]
            contained = left <= use.span[0] and use.span[1] <= right
            if not (apart or contained or any(a <= left and right <= b for a, b in use.arguments)):
                return None
        own = sum(1 for _, source in self.tokens if left <= source[0] and source[1] <= right)
        return (left, right) if own == len(inside) else None


class Replacing:
    """Every use replaced, on a stack of tokens: what a macro expands to is looked at again, nothing else is.

    `opaque`: a macro inside its own body, or without its arguments, stays as it is instead of being an error.
    """

    def __init__(self, source: str, table: Mapping[str, Definition], opaque: bool, braced: bool) -> None:
        self.source = source
        self.table = table
        self.opaque = opaque
        self.braced = braced
        self.done: list[str] = []
        self.places: list[tuple[Span, int, bool]] = []  # token in the text, its start in the source, whether typed
        self.uses: list[Use] = []
        self.traceable = True

    def traced(self) -> Traced | None:
        text = self.run()
        if not self.traceable:
            return None
        spans = {use.span[0]: use.span for use in self.uses}
        tokens: list[tuple[Span, Span]] = []
        for place, start, typed in self.places:
            own = (start, start + place[1] - place[0])
            tokens.append((place, own if typed else spans[start]))
        return Traced(text, tuple(tokens), tuple(self.uses))

    def run(self) -> str:
        source = self.source
        tokens = tokenize(source)
        stack = [(tokens.gap(i), text, tokens.starts[i], _TYPED) for i, text in enumerate(tokens.texts)]
        stack.reverse()
        last = ""
        replacements = length = at = 0
        while stack:
            gap, text, start, origin = stack.pop()
            definition = self.table.get(text)
            taken: tuple[list[list[_Piece]], list[_Piece]] | None = None
            if definition is not None and not (self.opaque and text in origin):
                taken = _arguments(stack, definition, source, start, self.opaque)
            if definition is None or taken is None:
                between = gap or join(last, text)[len(last) : -len(text)]
                at += len(between)
                self.places.append(((at, at + len(text)), start, not origin))
                at += len(text)
                self.done += (between, text)
                last = text
                continue
            arguments, consumed = taken
            self._note(text, start, origin, arguments, consumed)
            if not consumed and stack and stack[-1][0].isspace():
                stack[-1] = ("", *stack[-1][1:])  # spaces behind a control word do not count
            body = _filled(_tokens(definition.body), arguments, (gap, text, start, origin | {text}), self.braced)
            replacements += 1
            length += len(body)
            if replacements > MAX_REPLACEMENTS or length > MAX_EXPANDED:
                raise FormulaError(
                    "macro definitions expand without end",
                    source,
                    (start, start + 1),
                    f"more than {MAX_REPLACEMENTS:,} replacements or {MAX_EXPANDED:,} tokens",
                    "too-long",
                )
            stack += reversed(body)
        return "".join(self.done) + tokens.gap(len(tokens))

    def _note(
        self, name: str, start: int, origin: frozenset[str], arguments: list[list[_Piece]], consumed: list[_Piece]
    ) -> None:
        """Remember a use that its author typed; what a macro's body takes from behind it cannot be traced."""
        if origin:
            self.traceable &= not consumed or bool(consumed[-1][3])
            return
        if any(piece[3] for piece in consumed):
            self.traceable = False
            return
        end = consumed[-1][2] + len(consumed[-1][1]) if consumed else start + len(name)
        spans = [(inside[0][2], inside[-1][2] + len(inside[-1][1])) for inside in arguments if inside]
        self.uses.append(Use((start, end), tuple(span for span in spans if start < span[0])))


def _filled(body: Tokens, arguments: list[list[_Piece]], use: _Piece, braced: bool) -> list[_Piece]:
    """The body of a macro with its arguments put in."""
    gap, _, start, origin = use
    filled: list[_Piece] = []
    for index, mark in enumerate(body.texts):
        before = body.gap(index) if index else gap
        if mark[0] == "#" and mark[1:].isdigit() and int(mark[1:]) <= len(arguments):
            inside = arguments[int(mark[1:]) - 1]
            filled += [(before, "{", start, origin), *inside, ("", "}", start, origin)] if braced else inside
        else:
            filled.append((before, mark, start, origin))
    return filled


def _arguments(
    stack: list[_Piece], definition: Definition, source: str, start: int, opaque: bool
) -> tuple[list[list[_Piece]], list[_Piece]] | None:
    """Take a macro's arguments from the stack: these, and all that was taken, in the order of the source.

    Where they are not there, an error, or None and an untouched stack.
    """
    arguments: list[list[_Piece]] = []
    rest = len(stack)  # pieces not taken yet
    if definition.sized and rest and stack[rest - 1][1] == "*":
        rest -= 1
    elif definition.sized and rest and stack[rest - 1][1] == "[":
        rest = _taken(stack, rest, "]")[1]
    if definition.default is not None:
        if rest and stack[rest - 1][1] == "[":
            taken, rest = _taken(stack, rest, "]")
            arguments.append(taken)
        else:
            default = _tokens(definition.default)
            arguments.append([(default.gap(i), text, start, _DEFAULT) for i, text in enumerate(default.texts)])
    while rest >= 0 and len(arguments) < definition.arguments:
        if not rest or stack[rest - 1][1] == "}":
            if opaque:
                return None
            message = f"{definition.name} needs {definition.arguments} argument(s)"
            raise FormulaError(message, source, (start, start + 1), "", "definition")
        if stack[rest - 1][1] == "{":
            taken, rest = _taken(stack, rest, "}")
        else:
            taken, rest = [stack[rest - 1]], rest - 1
        arguments.append(taken)
    if rest < 0:
        if opaque:
            return None
        raise _unclosed(stack, source)
    consumed = stack[rest:][::-1]
    del stack[rest:]
    return arguments, consumed


def _taken(stack: list[_Piece], top: int, closer: str) -> tuple[list[_Piece], int]:
    """What stands between the bracket on top of the stack and its partner, and how much of the stack is left behind
    that; -1 where it has no partner."""
    depth = 0
    for index in range(top - 2, -1, -1):
        text = stack[index][1]
        if depth == 0 and text == closer:
            return stack[index + 1 : top - 1][::-1], index
        depth += {"{": 1, "}": -1}.get(text, 0)
    return [], -1


def _unclosed(stack: list[_Piece], source: str) -> FormulaError:
    """The error for an argument that is never closed: the first bracket on the stack."""
    _, opener, start, _ = next(piece for piece in reversed(stack) if piece[1] in "[{")
    closer = "}" if opener == "{" else "]"
    return FormulaError(
        f"{opener} is never closed", source, (start, start + 1), f"add the missing {closer}", "definition"
    )
