"""Tokens to the concrete syntax tree.

A recursive descent parser; the depth of nesting is limited, so hostile input cannot exhaust the stack, and
every token is looked at a bounded number of times.
"""

from __future__ import annotations

import re
from typing import Final

from texlift.errors import FormulaError
from texlift.latex.cursor import CLOSERS, MAX_DEPTH, Cursor
from texlift.latex.lexer import Tokens, tokenize
from texlift.latex.nodes import (
    Call,
    Command,
    Delimited,
    Environment,
    Group,
    Infix,
    Leaf,
    Node,
    Row,
    Script,
    Scripted,
    Text,
)
from texlift.latex.signatures import CallSignature, Signatures, generic_signatures

__all__ = ["parse"]

_LIMITS: Final = frozenset({r"\limits", r"\nolimits", r"\displaylimits"})
_SCRIPTS: Final = frozenset("^_'")
_ATTACHED: Final = _LIMITS | _SCRIPTS
_MARKS: Final = frozenset("{}^_'&]$")  # single characters that are more than a symbol, somewhere
_NO_STOPS: Final[frozenset[str]] = frozenset()
_LINE_SPACE: Final = re.compile(
    r"\*?(?:\s*\[\s*[-+]?[\d.,]*\s*(?:pt|em|ex|mm|cm|in|bp|pc|mu|sp|dd|cc|px|\\[A-Za-z]+)\s*\])?"
)
"""What may stand behind the end of a line: a star, and how far the next line is set apart."""

_CELL_STOPS: Final = frozenset({"&", "\\\\"})
_BRACKET_STOPS: Final = frozenset({"]"})
_DOLLAR_STOPS: Final = frozenset({"$"})
_STRETCHED: Final = {r"\left": r"\right", r"\mleft": r"\mright"}  # the second pair is of the package mleftright
_STRUCTURED: Final = _SCRIPTS | {"{", r"\begin", *_STRETCHED}
_CALL_SIGNS: Final = frozenset("{@")  # behind an unknown macro: it may be a call
_OPENED_BY = {"}": "{", r"\end": r"\begin"} | {closer: opener for opener, closer in _STRETCHED.items()}


def parse(source: str, signatures: Signatures | None = None) -> Row:
    """Parse a formula; with a table that knows semantic macros (see `texlift.macros`) also semantic LaTeX.

    Raises FormulaError with the place for anything unbalanced or incomplete.
    """
    parser = _Parser(tokenize(source), signatures or generic_signatures())
    row = parser.row(_NO_STOPS)
    if parser.at < parser.count:
        closer = parser.texts[parser.at]
        raise parser.error(
            f"{closer} without {_OPENED_BY[closer]}", parser.at, f"remove it or open it with {_OPENED_BY[closer]}"
        )
    return row


class _Parser(Cursor):
    """One method per construct."""

    __slots__ = ("signatures", "specs")

    def __init__(self, tokens: Tokens, signatures: Signatures) -> None:
        super().__init__(tokens)
        self.signatures = signatures
        self.specs = signatures.commands

    # -- rows ------------------------------------------------------------------------------------------

    def row(self, stops: frozenset[str]) -> Row:
        """Everything up to a closer (`}`, `\\right`, `\\end`), a token in `stops`, or the end."""
        children: Row = []
        texts, starts, count = self.texts, self.starts, self.count
        infix_commands, specs, calls = self.signatures.infix, self.specs, self.signatures.calls
        infix = -1
        above: Row = []
        first = at = self.at
        node: Node | None
        while at < count:
            text = texts[at]
            if len(text) == 1 and text not in _MARKS:
                # a letter, digit or sign: most tokens
                start = starts[at]
                node = Leaf(text, start, start + 1)
                at += 1
            else:
                if text in CLOSERS or text in stops:
                    break
                if text in infix_commands:
                    if infix >= 0:
                        raise self.error(f"{text} after {texts[infix]} in one group", at, "put braces around one")
                    infix, above, children = at, children, []
                    at += 1
                    continue
                node = None
                if (
                    text not in specs
                    and text not in _STRUCTURED
                    and text not in calls
                    and not (calls and at + 1 < count and texts[at + 1] in _CALL_SIGNS)
                ):
                    start = starts[at]
                    node = Leaf(text, start, start + len(text))  # `\\alpha`: what `nucleus` would give in the end
                    at += 1
                elif text not in _SCRIPTS:
                    self.at = at
                    node = self.nucleus()
                    at = self.at
            if at < count and texts[at] in _ATTACHED:
                while at < count and texts[at] in _LIMITS:
                    at += 1
                if at < count and texts[at] in _SCRIPTS:
                    self.at = at
                    scripts = self.scripts()
                    at = self.at
                    start = scripts[0].start if node is None else node.start
                    node = Scripted(node, scripts, start, starts[at - 1] + len(texts[at - 1]))
            if node is not None:
                children.append(node)
        self.at = at
        if infix < 0:
            return children
        start = self.starts[first]
        end = self.last_end()
        middle = self.starts[infix]
        below_start = middle + len(texts[infix])
        return [Infix(texts[infix], above, children, (start, middle), (below_start, end), start, end)]

    def scripts(self) -> list[Script]:
        scripts: list[Script] = []
        texts, starts, count = self.texts, self.starts, self.count
        seen = ""
        at = self.at
        while at < count and (kind := texts[at]) in _SCRIPTS:
            start = starts[at]
            self.at = at + 1
            if kind == "'":
                scripts.append(Script(kind, None, start, start + 1))
            else:
                if kind in seen:
                    name = "superscript" if kind == "^" else "subscript"
                    raise self.error(f"double {name}", at, "put braces around the base or the script")
                seen += kind
                argument = self.argument(kind)
                scripts.append(Script(kind, argument, start, argument.end))
            at = self.at
        return scripts

    # -- one construct ---------------------------------------------------------------------------------

    def nucleus(self) -> Node:
        """The construct at the current token, without scripts behind it."""
        index = self.at
        text = self.texts[index]
        start = self.starts[index]
        if text == "{":
            return self.group()
        if len(text) == 1:
            self.at = index + 1
            return Leaf(text, start, start + 1)
        if text in _STRETCHED:
            return self.delimited()
        if text == r"\begin":
            return self.environment()
        calls = self.signatures.calls
        if calls:
            signature = calls.get(text)
            if signature is None and text not in self.specs and text[0] == "\\" and text[1:].isalpha():
                signature = self.unknown_call()
            if signature is not None:
                return self.call(text, signature)
        spec = self.specs.get(text)
        self.at += 1
        if spec is None:
            return Leaf(text, start, start + len(text))
        return self.command(text, spec, start)

    def unknown_call(self) -> CallSignature | None:
        """An unknown macro is a call if an @ follows it or the groups behind it."""
        texts = self.texts
        index = self.at + 1
        groups = 0
        while index < self.count and texts[index] == "{":
            depth = 0
            while index < self.count:
                depth += (texts[index] == "{") - (texts[index] == "}")
                index += 1
                if depth == 0:
                    break
            groups += 1
        if index < self.count and texts[index] == "@":
            return CallSignature(parameters=groups, variables=_MOST_VARIABLES)
        return None

    def group(self) -> Group:
        opening = self.at
        texts, starts = self.texts, self.starts
        if opening + 2 < self.count and texts[opening + 2] == "}" and self.depth < MAX_DEPTH:
            text = texts[opening + 1]
            if len(text) == 1 and text not in _MARKS:  # `{n}`: every other group
                self.at = opening + 3
                start = starts[opening + 1]
                return Group([Leaf(text, start, start + 1)], starts[opening], starts[opening + 2] + 1)
        self.enter(opening)
        self.at = opening + 1
        children = self.row(_NO_STOPS)
        closing = self.at
        if closing >= self.count or texts[closing] != "}":
            self.unclosed("{", "}", opening)
        self.at = closing + 1
        self.depth -= 1
        return Group(children, starts[opening], starts[closing] + 1)

    def argument(self, owner: str) -> Node:
        """A mandatory math argument: a group, or one construct without braces."""
        at = self.at
        text = self.texts[at] if at < self.count else ""
        if text == "{":
            return self.group()
        if not text or text in CLOSERS or text in _CELL_STOPS:
            raise self.error(f"{owner} needs an argument", max(0, at - 1), f"write {owner}{{...}}")
        self.enter(at)
        if text in _SCRIPTS or text in self.signatures.infix:
            raise self.error(f"{owner} needs an argument", at, "put the argument in braces")
        opening = at
        node = self.nucleus()
        if type(node) is Scripted:  # a call without an @: `x_\\name'` has its prime on the x
            self.at = opening
            node = self.unscripted()
        self.depth -= 1
        return node

    def unscripted(self) -> Node:
        """The call at the current token without the scripts behind it."""
        text = self.texts[self.at]
        return self.call(text, self.signatures.calls.get(text) or CallSignature(), scripted=False)

    def command(self, name: str, spec: str, start: int) -> Command:
        options: list[Group] = []
        arguments: list[Node] = []
        for kind in spec:
            if kind == "m":
                arguments.append(self.argument(name))
            elif kind == "o":
                if self.peek() == "[":
                    options.append(self.option())
            elif kind == "t":
                arguments.append(self.text(name))
            elif kind == "r":
                arguments.append(self.raw(name))
            elif kind == "O":
                if self.peek() == "[":
                    self.option()
            elif kind == "d":
                arguments.append(self.length(name))
            else:
                arguments.append(self.delimiter(name))
        return Command(name, options, arguments, start, self.last_end())

    def option(self) -> Group:
        opening = self.at
        self.enter(opening)
        self.at += 1
        children = self.row(_BRACKET_STOPS)
        if self.peek() != "]":
            self.unclosed("[", "]", opening)
        self.at += 1
        self.depth -= 1
        return Group(children, self.starts[opening], self.last_end())

    def closes(self) -> bool:
        """Whether the bracket at the current token is no half-open interval: `[0,1)` behind a call is no option."""
        depth = 0
        interval = False
        for index in range(self.at + 1, self.count):
            text = self.texts[index]
            depth += (text == "{") - (text == "}")
            if depth < 0 or (not depth and text == "]"):
                return depth == 0 or not interval
            interval |= not depth and text == ")"
        return not interval

    def text(self, owner: str) -> Text:
        """A piece of text; what stands between dollars in it is math, unless that is broken."""
        opening = self.at
        text = self.raw(owner)
        if "$" not in text.body:
            return text
        closing, depth = self.at, self.depth
        math: list[Group] = []
        self.at = opening + 1
        try:
            while self.at < closing:
                if self.texts[self.at] == "$":
                    math.append(self.dollars())
                else:
                    self.at += 1
            text.math = tuple(math)
        except FormulaError as error:
            if error.code == "too-deep":
                raise
        self.at, self.depth = closing, depth
        return text

    def dollars(self) -> Group:
        opening = self.at
        self.enter(opening)
        self.at += 1
        children = self.row(_DOLLAR_STOPS)
        if self.peek() != "$":
            self.unclosed("$", "$", opening)
        self.at += 1
        self.depth -= 1
        return Group(children, self.starts[opening], self.last_end())

    def delimited(self) -> Delimited:
        opening = self.at
        self.enter(opening)
        opener = self.texts[opening]
        closer = _STRETCHED[opener]
        self.at += 1
        left = self.delimiter(opener)
        children = self.row(_NO_STOPS)
        if self.peek() != closer:
            self.unclosed(opener, closer, opening)
        inner_end = self.starts[self.at]
        self.at += 1
        right = self.delimiter(closer)
        self.depth -= 1
        return Delimited(left.text, right.text, children, (left.end, inner_end), self.starts[opening], self.last_end())

    def environment(self) -> Environment:
        opening = self.at
        self.enter(opening)
        self.at += 1
        name = self.raw(r"\begin").body.strip()
        spec = self.signatures.environments.get(name, "")
        if spec and self.texts[self.at : self.at + 1] == ["["]:  # \\begin{array}[t]{ll}: how the table is placed
            for index in range(self.at + 1, min(self.at + 3, self.count)):
                if self.texts[index] == "]":
                    self.at = index + 1
                    break
        arguments = [self.raw(name) for _ in spec]
        rows: list[list[Group]] = [[]]
        while True:
            start = self.last_end()
            cell = self.row(_CELL_STOPS)
            closer = self.peek()
            end = self.starts[self.at] if self.at < self.count else len(self.source)
            rows[-1].append(Group(cell, start, end))
            if closer == "&":
                self.at += 1
            elif closer == "\\\\":
                self.at += 1
                self.skip_line_space()
                rows.append([])
            else:
                break
        if closer != r"\end":
            self.unclosed(r"\begin", r"\end", opening)
        closing = self.at
        self.at += 1
        if (found := self.raw(r"\end").body.strip()) != name:
            raise self.error(f"\\begin{{{name}}} is closed by \\end{{{found}}}", closing, f"write \\end{{{name}}}")
        self.depth -= 1
        return Environment(name, arguments, rows, self.starts[opening], self.last_end())

    def skip_line_space(self) -> None:
        """Move behind the star and the length after the end of a line: `\\\\*[4pt]`."""
        found = _LINE_SPACE.match(self.source, self.last_end())
        while found is not None and self.at < self.count and self.starts[self.at] < found.end():
            self.at += 1

    # -- semantic macros -------------------------------------------------------------------------------

    def call(self, name: str, signature: CallSignature, scripted: bool = True) -> Node:
        """`\\name[opt]..{par}..scripts@@{var}..`; scripts without an @ behind them belong to the row."""
        start = self.starts[self.at]
        self.at += 1
        options: list[Group] = []
        while len(options) < signature.options and self.peek() == "[" and self.closes():
            options.append(self.option())
        parameters = self.groups(signature.parameters)
        scripts: list[Script] = []
        end = self.last_end()
        following = self.peek()
        if scripted and following in _SCRIPTS:
            scripts = self.scripts()
            following = self.peek()
        segments: list[tuple[int, list[Node]]] = []
        if following == "@":
            texts = [self.source[p.start + 1 : p.end - 1].strip() for p in parameters]
            missing = signature.variables_for(texts)
            while following == "@":
                ats = 0
                while following == "@":
                    ats += 1
                    self.at += 1
                    following = self.peek()
                variables = self.groups(missing)
                missing -= len(variables)
                segments.append((ats, variables))
                following = self.peek()
            end = self.last_end()
        elif scripts:
            call = Call(name, options, parameters, [], [], start, end)
            return Scripted(call, scripts, start, self.last_end())
        return Call(name, options, parameters, scripts, segments, start, end)

    def groups(self, at_most: int) -> list[Node]:
        groups: list[Node] = []
        texts, count = self.texts, self.count
        while len(groups) < at_most and self.at < count and texts[self.at] == "{":
            groups.append(self.group())
        return groups


_MOST_VARIABLES = 99
