"""Questions about parsed nodes that decide how they may be written otherwise."""

from __future__ import annotations

from functools import cache

from texlift.latex.nodes import Command, Group, Infix, Leaf, Node, Row, Scripted
from texlift.latex.presentation import presentation

__all__ = [
    "bracket",
    "count_primes",
    "delimiter",
    "is_closed",
    "is_empty",
    "is_letter",
    "is_loose",
    "is_scriptless",
    "is_short",
    "is_space",
    "is_word",
    "letters",
    "other_signs",
    "takes_scripts",
]

# signs whose other spellings are other commands, or belong to one side of a fence
_FIXED = frozenset(
    {r"\frac", r"\bar", r"\tilde", r"\hat", r"\substack", r"\lvert", r"\rvert", r"\lVert", r"\rVert", r"\intop"}
    | {r"\hslash", r"\cdotp", r"\dotsi", r"\dotso", ":", "/", "[", "]", "-"}
)


def is_space(node: Node) -> bool:
    return isinstance(node, Leaf) and node.text in (r"\,", r"\!", r"\;", r"\:", r"\>", r"\*", r"\quad")


def is_short(node: Leaf) -> bool:
    """Whether a leaf can stand as an argument without braces: a letter, a digit, a command for a symbol."""
    text = node.text
    if len(text) == 1:
        return text.isalnum()
    table = presentation()
    return text[1:].isalpha() and text not in table.ignored and text not in table.brackets and text not in table.words


def is_word(node: Node | None) -> bool:
    """A command without arguments; braces behind one that is not known may be its argument."""
    return isinstance(node, Leaf) and len(node.text) > 1 and node.text[1:].isalpha()


def is_empty(node: Node) -> bool:
    return isinstance(node, Group) and not node.children


def is_closed(row: Row) -> bool:
    """Whether nothing in a row reaches beyond it if the fence around it goes."""
    switches = presentation().font_switches
    return not any(isinstance(node, Leaf) and node.text in switches for node in row)


def is_loose(node: Group) -> bool:
    """Whether a group's braces can go."""
    return bool(node.children) and is_closed(node.children) and not is_scriptless(node.children[0])


def is_scriptless(node: Node) -> bool:
    return isinstance(node, Scripted) and node.base is None


def takes_scripts(node: Group) -> bool:
    """Whether scripts behind a group may attach to its last element instead once the braces go."""
    last = node.children[-1] if node.children else None
    if last is None or isinstance(last, Scripted | Infix) or is_space(last):
        return isinstance(last, Infix)
    return True


def bracket(node: Node | None) -> str:
    """The bracket that a node prints (`(`, `\\bigl(`, `)^{2}`), or nothing."""
    match node:
        case Scripted(base=base):
            return bracket(base)
        case Leaf(text=text) if text in presentation().brackets:
            return text
        case Command(name=name, arguments=[Leaf(text=text)]) if name in presentation().sized and name != r"\middle":
            return text if text in presentation().brackets else ""
        case _:
            return ""


def delimiter(text: str, size: str, angle: str) -> str:
    if text == ".":
        return ""
    return size + (angle if text in "<>" else text)


def letters(node: Command) -> str:
    """The letters a font command is applied to, if it is applied to nothing else."""
    argument = node.arguments[0]
    children = argument.children if isinstance(argument, Group) else [argument]
    texts = [child.text for child in children if isinstance(child, Leaf)]
    word = "".join(texts)
    return word if len(texts) == len(children) and word.isascii() and word.isalpha() else ""


def count_primes(node: Node) -> int:
    children = node.children if isinstance(node, Group) else [node]
    return len(children) if all(isinstance(child, Leaf) and child.text == r"\prime" for child in children) else 0


@cache
def other_signs(unicode: bool) -> dict[str, tuple[str, ...]]:
    """For each canonical sign its other spellings, as commands or as Unicode characters."""
    signs: dict[str, list[str]] = {}
    for name, label in presentation().synonyms.items():
        if label in _FIXED or name in _FIXED:
            continue
        if unicode == (not name.isascii()) and len(name) < 20 and (not unicode or ord(name[0]) < 0x3000):
            signs.setdefault(label, [] if unicode else [label]).append(name)
    return {label: tuple(names) for label, names in signs.items() if label[0] == "\\" or not unicode}


def is_letter(text: str) -> bool:
    """Whether a token is one letter, Latin or Greek."""
    return (len(text) == 1 and text.isalpha()) or text in _greek()


@cache
def _greek() -> frozenset[str]:
    return frozenset(label for char, label in presentation().synonyms.items() if "α" <= char[0] <= "ω" or char == "Γ")
