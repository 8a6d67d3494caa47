"""User macros: `\\newcommand` and its kin, `\\def`, `\\let`, `\\DeclareMathOperator`, `\\DeclarePairedDelimiter`.

Definitions stand before or inside a formula; they are removed and every use is replaced, token by token, until
nothing is left to replace. The number of replacements and the length of the result are limited, so a macro that
expands forever gives an error, not a hang.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from texlift.errors import FormulaError, Span
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.printing import join

__all__ = [
    "MAX_REPLACEMENTS",
    "Definition",
    "Traced",
    "Use",
    "expand_definitions",
    "is_program",
    "read_definitions",
    "trace_definitions",
]

MAX_REPLACEMENTS = 5_000
MAX_EXPANDED = 200_000
_DEFINES = re.compile(
    r"\\(?:re)?newcommand|\\(?:def|let)(?![A-Za-z])|\\DeclareMathOperator|\\providecommand"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand|\\DeclarePairedDelimiter(?![A-Z])"
)
_PARAMETER = re.compile(r"#([1-9])")
_PROGRAM = re.compile(  # TeX that computes: substituting arguments does not give its result
    r"\\(?:@|(?:if[a-z]*|fi|else|or|let|futurelet|csname|expandafter|noexpand|[gex]?def|(?:begin|end|b|e)group|catcode|"
    r"the|advance|global|loop|repeat|immediate|write|setbox|hbox\s+to|vcenter|halign|unskip|afterassignment)(?![A-Za-z]))"
)
_NEW = frozenset({"\\newcommand", "\\renewcommand", "\\providecommand"})
_OPERATOR = frozenset({"\\DeclareMathOperator", "\\DeclareMathOperator*"})
_DOCUMENT = frozenset({f"\\{word}DocumentCommand" for word in ("New", "Renew", "Provide", "Declare")})
_PAIRED = frozenset({"\\DeclarePairedDelimiter"})
_KINDS = _NEW | _OPERATOR | _DOCUMENT | _PAIRED | {"\\def", "\\let"}


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro of the user: how many arguments, the default of an optional first one, the body."""

    name: str
    arguments: int
    body: str
    default: str | None = None
    sized: bool = False  # a star or a size in brackets may stand before the arguments: `\\DeclarePairedDelimiter`


def expand_definitions(source: str, known: Mapping[str, Definition] | None = None, braced: bool = True) -> str:
    """The formula without definitions, every use of a defined macro replaced.

    Arguments are put in with braces around them, unless not `braced`: then as TeX does it.

    A macro of the formula itself that cannot be replaced is an error. With a table of macros `known` from elsewhere, a
    document's, it stays as it is, a command that nobody knows: what its author programmed in TeX works for TeX.
    """
    if not known and not _DEFINES.search(source):
        return source
    rest, found = read_definitions(source)
    table = {**(known or {}), **found}
    if not table:
        return rest
    if known is None:
        return _Replacing(rest, table, opaque=False, braced=True).run()
    try:
        usable = {name: d for name, d in table.items() if not is_program(d)}
        return _Replacing(rest, usable, opaque=True, braced=braced).run()
    except FormulaError as error:
        if error.code != "too-long":
            raise
        return rest


def is_program(definition: Definition) -> bool:
    """Whether a macro is TeX that computes: what it gives cannot be told by putting arguments in."""
    return _PROGRAM.search(definition.body) is not None


def read_definitions(source: str) -> tuple[str, dict[str, Definition]]:
    """Split a source into what remains without its definitions, and the definitions by name."""
    tokens = tokenize(source)
    found: dict[str, Definition] = {}
    kept: list[str] = []
    at = 0
    index = 0
    while index < len(tokens):
        text = tokens.texts[index]
        if text in _KINDS:
            start = tokens.starts[index]
            definition, index = _definition(tokens, index)
            if definition is not None:
                found[definition.name] = definition
            kept.append(source[at:start])
            at = tokens.end(index - 1)
        else:
            index += 1
    kept.append(source[at:])
    return "".join(kept), found


def _definition(tokens: Tokens, index: int) -> tuple[Definition | None, int]:
    """The definition at `index`, None if it is of no kind that can be put in, and the index behind it."""
    command = tokens.texts[index]
    opening = index
    index += 1
    braced = index < len(tokens) and tokens.texts[index] == "{"
    index += braced
    if index >= len(tokens) or tokens.texts[index][0] != "\\":
        raise _error(f"{command} needs a macro name", tokens, opening)
    name = tokens.texts[index]
    index += 1 + braced
    if command == "\\let":
        return _let(tokens, name, index, opening)
    if command in _PAIRED:
        left, index = _group(tokens, index, opening)
        right, index = _group(tokens, index, opening)
        return Definition(name, 1, f"{left} #1{right}", sized=True), index
    arguments = 0
    default = None
    understood = True
    if command in _NEW:
        arguments, default, index = _options(tokens, index, opening)
    elif command in _DOCUMENT:
        specification, index = _group(tokens, index, opening)
        arguments, default, understood = _specified(specification)
    elif command == "\\def":
        while index < len(tokens) and tokens.texts[index] != "{":
            if tokens.texts[index][0] != "#":
                raise _error("only plain parameters #1#2... are understood in \\def", tokens, index)
            arguments += 1
            index += 1
    body, index = _group(tokens, index, opening)
    if command in _OPERATOR:
        body = f"\\operatorname{{{body}}}"
    return Definition(name, arguments, body, default) if understood else None, index


def _group(tokens: Tokens, index: int, opening: int) -> tuple[str, int]:
    if index >= len(tokens) or tokens.texts[index] != "{":
        raise _error(f"{tokens.texts[opening]} needs a body in braces", tokens, opening)
    return _until(tokens, index, "}")


def _let(tokens: Tokens, name: str, index: int, opening: int) -> tuple[Definition | None, int]:
    r"""`\let\a\b`: from now on `\a` is what `\b` is; a copy of itself, or of a character, is no macro."""
    if index < len(tokens) and tokens.texts[index] == "=":
        index += 1
    if index >= len(tokens):
        raise _error("\\let needs a meaning", tokens, opening)
    meaning = tokens.texts[index]
    plain = meaning[0] == "\\" and meaning != name and meaning[1:].isalpha()
    return Definition(name, 0, meaning) if plain else None, index + 1


def _options(tokens: Tokens, index: int, opening: int) -> tuple[int, str | None, int]:
    """Number of arguments and default of the first, from the brackets of a `\\newcommand`."""
    options = []
    while index < len(tokens) and tokens.texts[index] == "[":
        body, index = _until(tokens, index, "]")
        options.append(body.strip())
    if not options:
        return 0, None, index
    if not (options[0].isascii() and options[0].isdigit() and int(options[0]) <= 9):
        raise _error(f"{options[0]!r} is not a number of arguments", tokens, opening)
    return int(options[0]), options[1] if len(options) > 1 else None, index


def _specified(specification: str) -> tuple[int, str | None, bool]:
    """Arguments of a `\\NewDocumentCommand`: mandatory ones, the first may have a default; all else is a program."""
    match = re.fullmatch(r"\s*(?:O\s*\{([^{}]*)\})?((?:\s*\+?m)*)\s*", specification)
    if match is None:
        return 0, None, False
    return (match[1] is not None) + match[2].count("m"), match[1], True


def _until(tokens: Tokens, index: int, closer: str) -> tuple[str, int]:
    """The source inside a bracket that opens at `index`, and the index behind it."""
    depth = 0
    for at in range(index, len(tokens)):
        text = tokens.texts[at]
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
        if at > index and depth == 0 and text == closer:
            return tokens.source[tokens.end(index) : tokens.starts[at]], at + 1
    raise _error(f"{tokens.texts[index]} is never closed", tokens, index)


_Piece = tuple[str, str, int, frozenset[str]]
"""A token on its way: white space before it, its text, where in the source it, or the macro it came from, stands, and
the macros whose bodies it came from."""
_TYPED: frozenset[str] = frozenset()
_DEFAULT = frozenset({""})  # of the default of an optional argument: not typed at this place


@lru_cache(maxsize=4096)
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


def trace_definitions(source: str, known: Mapping[str, Definition]) -> Traced | None:
    """The formula with all macros of `known` replaced, traced; None where a macro takes in what stands behind it."""
    usable = {name: d for name, d in known.items() if not is_program(d)}
    return _Replacing(source, usable, opaque=True, braced=True).traced()


class _Replacing:
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


def _error(message: str, tokens: Tokens, index: int) -> FormulaError:
    at = min(index, len(tokens) - 1)
    return FormulaError(message, tokens.source, (tokens.starts[at], tokens.end(at)), "", "definition")
