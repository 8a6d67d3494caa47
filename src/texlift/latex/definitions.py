"""User macros: `\\newcommand`, `\\renewcommand`, `\\providecommand`, `\\def`, `\\DeclareMathOperator`.

Definitions stand before or inside a formula; they are removed and every use is replaced, token by token, until
nothing is left to replace. The number of replacements and the length of the result are limited, so a macro that
expands forever gives an error, not a hang.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from texlift.errors import FormulaError
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.printing import join
from texlift.remembered import remembered

__all__ = ["MAX_REPLACEMENTS", "Definition", "expand_definitions", "is_program", "read_definitions"]

MAX_REPLACEMENTS = 5_000
MAX_EXPANDED = 200_000
_DEFINES = re.compile(r"\\(?:re)?newcommand|\\def(?![A-Za-z])|\\DeclareMathOperator|\\providecommand")
_PARAMETER = re.compile(r"#([1-9])")
_PROGRAM = re.compile(  # TeX that computes: substituting arguments does not give its result
    r"\\(?:@|(?:if[a-z]*|fi|else|or|let|futurelet|csname|expandafter|noexpand|[gex]?def|(?:begin|end|b|e)group|catcode|"
    r"the|advance|global|loop|repeat|immediate|write|setbox|hbox\s+to|vcenter|halign|unskip|afterassignment)(?![A-Za-z]))"
)
_NEW = frozenset({"\\newcommand", "\\renewcommand", "\\providecommand"})
_OPERATOR = frozenset({"\\DeclareMathOperator", "\\DeclareMathOperator*"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A macro of the user: how many arguments, the default of an optional first one, the body."""

    name: str
    arguments: int
    body: str
    default: str | None = None


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
        return _replace(rest, table)
    try:
        usable = {name: d for name, d in table.items() if not is_program(d)}
        return _replace(rest, usable, opaque=True, braced=braced)
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
        if text in _NEW or text in _OPERATOR or text == "\\def":
            start = tokens.starts[index]
            definition, index = _definition(tokens, index)
            found[definition.name] = definition
            kept.append(source[at:start])
            at = tokens.end(index - 1)
        else:
            index += 1
    kept.append(source[at:])
    return "".join(kept), found


def _definition(tokens: Tokens, index: int) -> tuple[Definition, int]:
    command = tokens.texts[index]
    opening = index
    index += 1
    braced = index < len(tokens) and tokens.texts[index] == "{"
    index += braced
    if index >= len(tokens) or tokens.texts[index][0] != "\\":
        raise _error(f"{command} needs a macro name", tokens, opening)
    name = tokens.texts[index]
    index += 1 + braced
    arguments = 0
    default = None
    if command in _NEW:
        options = []
        while index < len(tokens) and tokens.texts[index] == "[":
            body, index = _until(tokens, index, "]")
            options.append(body.strip())
        if options:
            if not (options[0].isascii() and options[0].isdigit() and int(options[0]) <= 9):
                raise _error(f"{options[0]!r} is not a number of arguments", tokens, opening)
            arguments = int(options[0])
            default = options[1] if len(options) > 1 else None
    elif command == "\\def":
        while index < len(tokens) and tokens.texts[index] != "{":
            if tokens.texts[index][0] != "#":
                raise _error("only plain parameters #1#2... are understood in \\def", tokens, index)
            arguments += 1
            index += 1
    if index >= len(tokens) or tokens.texts[index] != "{":
        raise _error(f"{command} needs a body in braces", tokens, opening)
    body, index = _until(tokens, index, "}")
    if command in _OPERATOR:
        body = f"\\operatorname{{{body}}}"
    return Definition(name, arguments, body, default), index


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


@remembered(maxsize=4096)
def _tokens(text: str) -> Tokens:
    """The tokens of a body, which many formulae of a document share."""
    return tokenize(text)


def _replace(source: str, table: Mapping[str, Definition], opaque: bool = False, braced: bool = True) -> str:
    """Every use replaced, on a stack of tokens: what a macro expands to is looked at again, nothing else is.

    `opaque`: a macro inside its own body, or without its arguments, stays as it is instead of being an error.
    """
    tokens = tokenize(source)
    stack = [(tokens.gap(i), text, tokens.starts[i], _TYPED) for i, text in enumerate(tokens.texts)]
    stack.reverse()
    done: list[str] = []
    last = ""
    replacements = length = 0
    while stack:
        gap, text, start, origin = stack.pop()
        definition = table.get(text)
        arguments: list[list[_Piece]] | None = None
        if definition is not None and not (opaque and text in origin):
            arguments = _arguments(stack, definition, source, start, opaque)
        if definition is None or arguments is None:
            done.append(gap or join(last, text)[len(last) : -len(text)])
            done.append(text)
            last = text
            continue
        if not arguments and stack and stack[-1][0].isspace():
            stack[-1] = ("", *stack[-1][1:])  # spaces behind a control word do not count
        body = _filled(_tokens(definition.body), arguments, (gap, text, start, origin | {text}), braced)
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
    return "".join(done) + tokens.gap(len(tokens))


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
) -> list[list[_Piece]] | None:
    """Take a macro's arguments from the stack; where they are not there, an error, or None and an untouched stack."""
    arguments: list[list[_Piece]] = []
    rest = len(stack)  # pieces not taken yet
    if definition.default is not None:
        if rest and stack[rest - 1][1] == "[":
            taken, rest = _taken(stack, rest, "]")
            arguments.append(taken)
        else:
            default = _tokens(definition.default)
            arguments.append([(default.gap(i), text, start, _TYPED) for i, text in enumerate(default.texts)])
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
    del stack[rest:]
    return arguments


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
