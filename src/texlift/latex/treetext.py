"""The paper's n-ary tree back to LaTeX that parses to the same tree.

Braces are put back where the structure needs them, and where a command would otherwise take what stands
behind it for an argument. A tree that no formula has (a network may predict one) gives a text all the same;
that text need not parse.
"""

from __future__ import annotations

from texlift.errors import TexliftError
from texlift.latex.cursor import MAX_DEPTH
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.latex.tree import (
    COMMAND_END,
    CONCAT_END,
    EMPTY,
    INFIX_OPERATORS,
    OPTION,
    PLAIN,
    Heuristics,
    NaryTree,
    is_closer,
    is_opener,
)

__all__ = ["is_call", "tree_latex"]

_SCRIPTS = frozenset("^_")
_LIMIT = 5 * MAX_DEPTH  # levels of the tree: a level of the source makes up to four


def tree_latex(tree: NaryTree, heuristics: Heuristics = PLAIN, signatures: Signatures | None = None) -> str:
    """LaTeX whose tree, with the same heuristics and signatures, is `tree`."""
    printer = _Printer(heuristics, signatures or generic_signatures())
    return tree if isinstance(tree, str) else printer.content(tree, root=True)


def is_call(items: tuple[NaryTree, ...], signatures: Signatures, ended: bool = False) -> bool:
    """Whether a node `(\\name, ...)`, its end mark taken off, can be a semantic call; `ended` if it had one."""
    name = items[0]
    if not isinstance(name, str) or not signatures.calls or len(items) < 2 or name[0] != "\\":
        return False
    signature = signatures.calls.get(name)
    at = 1
    while at < len(items) and _is_option(items[at]):
        at += 1
    options = at - 1
    start = at
    while at < len(items) and not _is_at(items[at]):
        at += 1
    with_ats = at < len(items)
    if signature is None:
        return with_ats and options == 0 and name[1:].isalpha() and _only_scripts(items[start:at])
    if options > signature.options:
        return False
    middle = items[start:at]
    parameters = len(middle)
    while with_ats and parameters and _is_script(middle[parameters - 1]):
        parameters -= 1
    if any(_is_script(item) for item in middle[:parameters]) and not (ended or options):
        return False
    return parameters <= signature.parameters


def _is_at(item: NaryTree) -> bool:
    return isinstance(item, str) and item != "" and item.strip("@") == ""


def _is_option(item: NaryTree) -> bool:
    return isinstance(item, tuple) and item[0] == OPTION


def _is_script(item: NaryTree) -> bool:
    return item == "'" or (isinstance(item, tuple) and item[0] in _SCRIPTS)


def _only_scripts(items: tuple[NaryTree, ...]) -> bool:
    return all(map(_is_script, items))


class _Printer:
    __slots__ = ("command_end", "concat_end", "depth", "moves", "prefix", "signatures")

    def __init__(self, heuristics: Heuristics, signatures: Signatures) -> None:
        self.command_end = heuristics.command_end
        self.concat_end = heuristics.concat_end
        self.moves = heuristics.prefix or heuristics.postfix
        self.prefix = heuristics.prefix
        self.signatures = signatures
        self.depth = 0

    # -- what kind of node -------------------------------------------------------------------------------

    def command_items(self, tree: tuple[NaryTree, ...], root: bool = False) -> tuple[NaryTree, ...] | None:
        """The node without its end mark if it is a command, None if it is a row."""
        ended = self.command_end and tree[-1] == COMMAND_END
        items = tree[:-1] if ended else tree
        head = items[0] if items else None
        if not isinstance(head, str) or len(items) < 2:
            return None
        if self.takes_arguments(head):
            return items
        if (self.concat_end and tree[-1] == CONCAT_END) or (self.command_end and not ended):
            return None
        return items if is_call(items, self.signatures, ended) else None

    def takes_arguments(self, label: str) -> bool:
        """Whether a leaf at the head of a node always is a command with arguments."""
        return (
            label in _SCRIPTS
            or label == OPTION
            or label in self.signatures.infix
            or self.signatures.commands.get(label, "O").strip("oO") != ""
            or (label.startswith((r"\left", r"\begin{")) and len(label) > 5 and not label[5:].isalpha())
        ) and label not in self.signatures.calls

    def row_items(self, tree: tuple[NaryTree, ...], root: bool = False) -> list[NaryTree]:
        items = list(tree)
        if self.concat_end and len(items) > 1 and items[-1] == CONCAT_END and not root:
            items.pop()
        return items

    # -- printing ----------------------------------------------------------------------------------------

    def content(self, tree: NaryTree, root: bool = False, cell: bool = False) -> str:
        """What stands between the braces around `tree`."""
        if isinstance(tree, str):
            return "" if tree == EMPTY else self.guarded(tree, cell)
        self.depth += 1
        if self.depth > _LIMIT:
            raise TexliftError(f"tree of more than {_LIMIT} levels")
        command = self.command_items(tree, root)
        if command is not None:
            text = self.command(command)
        else:
            items = self.row_items(tree, root)
            if cell and ("&" in items or "\\\\" in items):
                text = "{" + self.join(self.pieces(items)) + "}"
            else:
                text = self.join(self.pieces(items))
        self.depth -= 1
        return text

    def guarded(self, label: str, cell: bool) -> str:
        return "{" + label + "}" if cell and label in ("&", "\\\\") else label

    def pieces(self, items: list[NaryTree]) -> list[tuple[str, NaryTree]]:
        """The row as pairs (text, item the text is of); operands and parentheses are spliced in."""
        if self.moves:
            items = self.unmoved(items)
        return [(self.item(item), item) for item in items]

    def item(self, item: NaryTree) -> str:
        """One item of a row, with braces if it is a row itself."""
        if isinstance(item, str):
            return item
        self.depth += 1
        if self.depth > _LIMIT:
            raise TexliftError(f"tree of more than {_LIMIT} levels")
        command = self.command_items(item)
        text = (
            self.command(command) if command is not None else "{" + self.join(self.pieces(self.row_items(item))) + "}"
        )
        self.depth -= 1
        return text

    def command(self, items: tuple[NaryTree, ...]) -> str:
        head = items[0]
        assert isinstance(head, str)
        if head in self.signatures.calls or not self.takes_arguments(head):
            return self.call(items)
        if head.startswith(r"\begin{"):
            return self.environment(items)
        if head.startswith(r"\left"):
            closer = items[2] if len(items) > 2 else r"\right."
            return self.glue([head, self.content(items[1]), closer if isinstance(closer, str) else self.item(closer)])
        argument = items[1]
        if head in _SCRIPTS:
            return head + "{" + self.content(argument) + "}"
        if head == OPTION:
            return "[" + self.bracket_content(argument) + "]"
        if head in self.signatures.infix:
            above, below = argument[:2] if isinstance(argument, tuple) and len(argument) > 1 else (argument, EMPTY)
            return "{" + self.glue([self.content(above), head, self.content(below)]) + "}"
        return self.plain_command(head, argument)

    def plain_command(self, head: str, argument: NaryTree) -> str:
        spec = self.signatures.commands[head]
        kinds = [kind for kind in spec if kind not in "oO"]
        arguments: tuple[NaryTree, ...]
        if isinstance(argument, tuple) and (len(kinds) > 1 or _is_option(argument[0])):
            arguments = argument
        else:
            arguments = (argument,)
        parts = [head]
        options = 0
        while options < len(arguments) and _is_option(arguments[options]):
            parts.append(self.option(arguments[options]))
            options += 1
        for kind, tree in zip(kinds, arguments[options:], strict=False):
            if kind in "dD" and isinstance(tree, str):
                parts.append(tree)
            elif kind in "tr" and isinstance(tree, str):
                parts.append("{}" if tree == EMPTY else "{" + tree + "}")
            else:
                parts.append("{" + self.content(tree) + "}")
        return self.glue(parts)

    def option(self, tree: NaryTree) -> str:
        return "[" + self.bracket_content(tree[1]) + "]" if isinstance(tree, tuple) else tree

    def bracket_content(self, tree: NaryTree) -> str:
        """Content of [...]: a ] of its own needs braces there."""
        text = self.content(tree)
        return "{" + text + "}" if "]" in text else text

    def call(self, items: tuple[NaryTree, ...]) -> str:
        parts = [items[0]] if isinstance(items[0], str) else []
        before = any(map(_is_at, items[1:]))  # scripts stand before the first @ only
        for item in items[1:]:
            if _is_at(item):
                before = False
            if _is_option(item):
                parts.append(self.option(item))
            elif _is_at(item) or (item == "'" and before):
                parts.append(str(item))
            elif isinstance(item, tuple) and item[0] in _SCRIPTS and before and self.command_items(item):
                parts.append(self.item(item))
            else:
                parts.append("{" + self.content(item) + "}")
        return "".join(parts)

    def environment(self, items: tuple[NaryTree, ...]) -> str:
        head = str(items[0])
        name = head[len(r"\begin{") : head.index("}")] if "}" in head else head[len(r"\begin{") :]
        parts = [head]
        parts += [item if item in ("&", "\\\\") else self.content(item, cell=True) for item in items[1:]]
        return self.glue([*parts, f"\\end{{{name}}}"])

    # -- joining -----------------------------------------------------------------------------------------

    def join(self, pieces: list[tuple[str, NaryTree]]) -> str:
        """A row of pieces; braces keep a command from taking what follows it."""
        texts = [text for text, _ in pieces]
        scripts = ""
        for index, (text, item) in enumerate(pieces):
            script = text[0] if text and isinstance(item, tuple) and item[0] in _SCRIPTS else ""
            if script:
                if script in scripts:  # TeX refuses a second superscript: it gets an empty base of its own
                    texts[index] = "{" + text + "}"
                    scripts = ""
                else:
                    scripts += script
            elif item != "'":
                scripts = ""
            if index + 1 < len(pieces) and self.would_take(pieces, index):
                texts[index] = "{" + text + "}"
        return self.glue(texts)

    def would_take(self, pieces: list[tuple[str, NaryTree]], index: int) -> bool:
        """Whether the command at `index` would take the next piece for an option, argument or @."""
        text, item = pieces[index]
        if len(text) < 2 or text[0] != "\\":
            return False
        name = item if isinstance(item, str) else item[0]
        following = pieces[index + 1][0][:1]
        if isinstance(item, str) and following == "[" and self.signatures.commands.get(item, "").endswith("O"):
            return True
        calls = self.signatures.calls
        if not calls or not isinstance(name, str) or (isinstance(item, tuple) and self.takes_arguments(name)):
            return False
        if following == "{" or following == "[":
            return name in calls or isinstance(item, tuple)
        if following == "@":
            return name[1:].isalpha() or name in calls
        ahead = index + 1
        while ahead < len(pieces) and pieces[ahead][0][:1] in ("^", "_", "'"):
            ahead += 1
        return ahead < len(pieces) and ahead > index + 1 and pieces[ahead][0][:1] == "@" and name in calls

    @staticmethod
    def glue(texts: list[str]) -> str:
        """Texts one after the other, with a space where a command name would run into a letter."""
        out: list[str] = []
        after_name = False
        for text in texts:
            if not text:
                continue
            if after_name and ((text[0].isascii() and text[0].isalpha()) or text[0] == "*"):
                out.append(" ")
            out.append(text)
            last = text[-1]
            if last.isascii() and last.isalpha():
                start = text.rfind("\\")
                after_name = start >= 0 and text[start + 1 :].isascii() and text[start + 1 :].isalpha()
            else:
                after_name = False
        return "".join(out)

    # -- prefix and postfix back to infix ------------------------------------------------------------------

    def unmoved(self, items: list[NaryTree]) -> list[NaryTree]:
        """The row in the order it was written; inverse of the builder's `moved`."""
        operators = 0
        ordered = items if self.prefix else items[::-1]
        while operators < len(ordered) and ordered[operators] in INFIX_OPERATORS:
            operators += 1
        if not operators:
            return self.unbracketed(items)
        signs = items[:operators] if self.prefix else items[len(items) - operators :]
        operands = items[operators:] if self.prefix else items[: len(items) - operators]
        extra = len(operands) - operators - 1
        row: list[NaryTree] = []
        if extra > 0:  # a postfix row at the end of another row, seen through the binary tree
            row.extend(self.unbracketed(operands[:extra]))
            chain = tuple(operands[extra:] + signs)
            return [*row, (*chain, CONCAT_END) if self.concat_end else chain]
        for index, operand in enumerate(operands):
            if operand != EMPTY or index >= operators:  # nothing need stand before a sign
                row.extend(self.spliced(operand))
            if index < operators:
                row.append(signs[index])
        return row

    def spliced(self, operand: NaryTree) -> list[NaryTree]:
        """The items of an operand, or the operand itself where taking its braces away would change the tree."""
        if isinstance(operand, str) or self.command_items(operand) is not None:
            return [operand]
        if self.is_bracket(operand):
            return self.unbracketed([operand])
        items = self.row_items(operand)
        if self.is_chain(items) or any(map(is_opener, items)) or any(map(is_closer, items)):
            return [operand]
        return self.unbracketed(items)

    def is_chain(self, items: list[NaryTree]) -> bool:
        return items[0 if self.prefix else -1] in INFIX_OPERATORS

    def is_bracket(self, item: NaryTree) -> bool:
        if isinstance(item, str) or self.command_items(item) is not None:
            return False
        items = self.row_items(item)
        return 2 <= len(items) <= 3 and is_opener(items[0]) and is_closer(items[-1])

    def unbracketed(self, items: list[NaryTree]) -> list[NaryTree]:
        row: list[NaryTree] = []
        for item in items:
            if not self.is_bracket(item):
                row.append(item)
                continue
            assert isinstance(item, tuple)
            parts = self.row_items(item)
            row.append(parts[0])
            if len(parts) == 3:
                inside = parts[1]
                own: list[NaryTree] = []
                if isinstance(inside, tuple) and self.command_items(inside) is None:
                    own = self.row_items(inside)
                row.extend(self.unmoved(own) if own and self.is_chain(own) else self.spliced(inside))
            row.append(parts[-1])
        return row
