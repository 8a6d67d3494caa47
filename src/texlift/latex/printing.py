"""The concrete syntax tree back to LaTeX.

`print_nodes` writes a tree in one uniform way: arguments in braces, no white space but what TeX needs, no
braces that only group. Two sources that differ in white space and redundant braces alone print the same.
"""

from __future__ import annotations

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

__all__ = ["join", "joint", "print_nodes"]

_TEXT_COMMANDS_WITHOUT_BRACES = frozenset({r"\mskip", r"\mkern", r"\kern", r"\hskip"})


def join(left: str, right: str) -> str:
    """Concatenate two pieces of LaTeX; a space keeps a control word apart from a letter behind it."""
    return left + joint(left, right) + right


def joint(left: str, right: str) -> str:
    """What must stand between two pieces of LaTeX: a space, or nothing."""
    if right[:1].isalpha() or right[:1] == "*":
        index = len(left)
        while index and left[index - 1].isalpha() and left[index - 1].isascii():
            index -= 1
        if index and index < len(left) and left[index - 1] == "\\" and not left.endswith("\\\\", 0, index):
            return " "
    return ""


def print_nodes(nodes: Row) -> str:
    """LaTeX of a row of nodes, written uniformly."""
    text = ""
    pieces: list[str] = []
    for node in nodes:
        piece = _print(node)
        joined = join(text, piece)
        pieces.append(joined[len(text) :])
        text = piece if piece else text
    return "".join(pieces)


def _print(node: Node) -> str:
    match node:
        case Leaf(text=text):
            return text
        case Group(children=children):
            # braces that hold an infix fraction, a font switch or nothing at all are not redundant
            inside = print_nodes(children)
            if not children or isinstance(children[0], Infix) or (inside.startswith("\\") and _has_switch(children)):
                return f"{{{inside}}}"
            return inside
        case Scripted(base=base, scripts=scripts):
            head = _base(base)
            return head + "".join([_script(script) for script in scripts])
        case Command(name=name, options=options, arguments=arguments):
            if len(arguments) == 1 and isinstance(arguments[0], Leaf) and not options:
                delimiter = arguments[0].text
                if name.startswith(("\\big", "\\Big", "\\middle")):
                    return join(name, delimiter)
            text = name + "".join([f"[{print_nodes(option.children)}]" for option in options])
            for argument in arguments:
                if name in _TEXT_COMMANDS_WITHOUT_BRACES and isinstance(argument, Text):
                    text += argument.body.strip()
                else:
                    text += _braced(argument)
            return text
        case Text(body=body):
            return body
        case Delimited(left=left, right=right, children=children):
            inside = join(f"\\left{left}", print_nodes(children))
            return f"{inside}\\right{right}"
        case Infix(operator=operator, above=above, below=below):
            return print_nodes(above) + join(operator, print_nodes(below))
        case Environment(name=name, arguments=texts, rows=rows):
            head = f"\\begin{{{name}}}" + "".join([f"{{{text.body}}}" for text in texts])
            body = "\\\\".join(["&".join([print_nodes(cell.children) for cell in row]) for row in rows])
            return f"{head}{body}\\end{{{name}}}"
        case Call():
            return _call(node)


def _call(node: Call) -> str:
    text = node.name + "".join([f"[{print_nodes(option.children)}]" for option in node.options])
    text += "".join([_braced(parameter) for parameter in node.parameters])
    text += "".join([_script(script) for script in node.scripts])
    for ats, variables in node.segments:
        text += "@" * ats + "".join([_braced(variable) for variable in variables])
    return text


def _base(base: Node | None) -> str:
    if base is None:
        return "{}"
    if isinstance(base, Group):
        inside = print_nodes(base.children)
        single = len(base.children) == 1 and isinstance(base.children[0], Leaf | Command | Call | Delimited)
        return inside if single else f"{{{inside}}}"
    return _print(base)


def _script(script: Script) -> str:
    if script.argument is None:
        return "'"
    return script.kind + _braced(script.argument)


def _braced(node: Node) -> str:
    match node:
        case Group(children=children):
            # `{{x}}` as an argument: the inner braces say nothing
            while len(children) == 1 and isinstance(children[0], Group):
                children = children[0].children
            return f"{{{print_nodes(children)}}}"
        case _:
            return f"{{{_print(node)}}}"


def _has_switch(children: Row) -> bool:
    from texlift.latex.signatures import generic_signatures

    switches = generic_signatures().switches
    return any(isinstance(child, Leaf) and child.text in switches for child in children)
