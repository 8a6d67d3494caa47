"""User macros: `\\newcommand` and its kin, `\\def`, `\\let`, `\\DeclareMathOperator`, `\\DeclarePairedDelimiter`.

Definitions stand before or inside a formula; they are removed and every use is replaced, token by token, until
nothing is left to replace. The number of replacements and the length of the result are limited, so a macro that
expands forever gives an error, not a hang.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from texlift.errors import FormulaError
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.replacing import MAX_REPLACEMENTS, Definition, Replacing, Traced, Use

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

_DEFINES = re.compile(
    r"\\(?:re)?newcommand|\\(?:def|let)(?![A-Za-z])|\\DeclareMathOperator|\\providecommand"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand|\\DeclarePairedDelimiter(?![A-Z])"
)
_PROGRAM = re.compile(  # TeX that computes: substituting arguments does not give its result
    r"\\(?:@|(?:if[a-z]*|fi|else|or|let|futurelet|csname|expandafter|noexpand|[gex]?def|(?:begin|end|b|e)group|catcode|"
    r"the|advance|global|loop|repeat|immediate|write|setbox|hbox\s+to|vcenter|halign|unskip|afterassignment)(?![A-Za-z]))"
)
_NEW = frozenset({"\\newcommand", "\\renewcommand", "\\providecommand"})
_OPERATOR = frozenset({"\\DeclareMathOperator", "\\DeclareMathOperator*"})
_DOCUMENT = frozenset({f"\\{word}DocumentCommand" for word in ("New", "Renew", "Provide", "Declare")})
_PAIRED = frozenset({"\\DeclarePairedDelimiter"})
_KINDS = _NEW | _OPERATOR | _DOCUMENT | _PAIRED | {"\\def", "\\let"}


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
        return Replacing(rest, table, opaque=False, braced=True).run()
    try:
        usable = {name: d for name, d in table.items() if not is_program(d)}
        return Replacing(rest, usable, opaque=True, braced=braced).run()
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


def trace_definitions(source: str, known: Mapping[str, Definition]) -> Traced | None:
    """The formula with all macros of `known` replaced, traced; None where a macro takes in what stands behind it."""
    usable = {name: d for name, d in known.items() if not is_program(d)}
    return Replacing(source, usable, opaque=True, braced=True).traced()


def _error(message: str, tokens: Tokens, index: int) -> FormulaError:
    at = min(index, len(tokens) - 1)
    return FormulaError(message, tokens.source, (tokens.starts[at], tokens.end(at)), "", "definition")
