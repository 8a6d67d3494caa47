"""The items of a row: nodes without spaces and groups, each sign by the name it is known by."""

from __future__ import annotations

from functools import lru_cache

from texlift.latex.nodes import Call, Command, Delimited, Group, Leaf, Node, Script, Scripted
from texlift.latex.nodes import Row as Nodes
from texlift.meaning.reader.notation import notation

__all__ = ["flatten", "text_of"]

_SIZED = frozenset(f"\\{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")) | {
    r"\middle"
}
_SWITCHES = {r"\rm": r"\mathrm", r"\bf": r"\mathbf", r"\it": r"\mathit", r"\sf": r"\mathsf", r"\cal": r"\mathcal"}
_WORDS_OF_LOGIC = {"and": r"\land", "or": r"\lor"}
_RAISED = {sign: digit for digit, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_LOWERED = {sign: digit for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")}


def text_of(node: Node) -> str:
    """The sign a node shows: of a leaf, a scripted leaf or a macro without arguments."""
    kind = type(node)
    if kind is Leaf:
        return node.text  # type: ignore[union-attr]
    if kind is Scripted:
        base = node.base  # type: ignore[union-attr]
        return base.text if type(base) is Leaf else ""
    if kind is Call and not node.segments and not node.parameters:  # type: ignore[union-attr]
        return node.name  # type: ignore[union-attr]
    if kind is Command and node.name == r"\operatorname":  # type: ignore[union-attr]
        return _connective(node)  # type: ignore[arg-type]
    return ""


def _connective(node: Command) -> str:
    r"""The sign of logic that an upright word stands for: `\operatorname{or}`; empty for another word."""
    inner = node.arguments[0] if len(node.arguments) == 1 else None
    letters = inner.children if type(inner) is Group else []
    word = "".join(child.text if type(child) is Leaf else "?" for child in letters) if len(letters) < 4 else ""
    return _WORDS_OF_LOGIC.get(word, "")


def flatten(nodes: Nodes, into: list[Node]) -> None:
    table = notation()
    for node in nodes:
        kind = type(node)
        if kind is Leaf:
            if _is_plain(node.text):  # type: ignore[union-attr]
                into.append(node)
            else:
                _take_leaf(node, into)  # type: ignore[arg-type]
        elif kind is Group:
            # `{a+b}c` looks like a+bc and is read so; a group only shields commas and scripts.
            switched = _switched(node.children, r"\mathrm", node)  # type: ignore[union-attr]
            if switched is not None:
                into.append(switched)
            else:
                flatten(node.children, into)  # type: ignore[union-attr]
        elif kind is Command:
            name = node.name  # type: ignore[union-attr]
            if name in _SIZED:
                _take_leaf(Leaf(text_of(node.arguments[0]), node.start, node.end), into)  # type: ignore[union-attr]
            elif name in table.transparent:
                arguments = node.arguments  # type: ignore[union-attr]
                inner = arguments[0].children if len(arguments) == 1 and type(arguments[0]) is Group else arguments
                switched = _switched(inner, r"\operatorname", node)  # type: ignore[arg-type]
                if switched is not None:
                    into.append(switched)
                elif name in (r"\mathrel", r"\mathbin") and any(type(c) is Leaf and c.text.isalpha() for c in inner):
                    into.append(node)  # a letter as a relation or an operation: unknown which
                else:
                    flatten(arguments, into)  # type: ignore[arg-type]
            elif name in (r"\textcolor", r"\colorbox"):
                flatten(node.arguments[-1:], into)  # type: ignore[union-attr, arg-type]
            elif name not in table.ignored_commands:
                into.append(node)
        elif kind is Scripted:
            base = node.base  # type: ignore[union-attr]
            if type(base) is Group and len(base.children) == 1 and type(base.children[0]) is Delimited:
                base = base.children[0]  # f{\left(x\right)}^{2}, as SymPy prints it
            if type(base) is Command and base.name in _SIZED:
                base = Leaf(text_of(base.arguments[0]), base.start, base.end)
            if type(base) is Command and base.name == r"\mathop" and len(base.arguments) == 1:
                unwrapped: list[Node] = []
                flatten(base.arguments, unwrapped)
                base = unwrapped[0] if len(unwrapped) == 1 else base
            if type(base) is Leaf and base.text in table.synonyms:
                base = Leaf(table.synonyms[base.text], base.start, base.end)
            same = base is node.base  # type: ignore[union-attr]
            into.append(node if same else Scripted(base, node.scripts, node.start, node.end))  # type: ignore[union-attr]
        else:
            into.append(node)


def _switched(children: Nodes, upright: str, node: Node) -> Command | None:
    """`{\\rm arctg}`, `{\\bf x}` as the commands that say the same: a switch and nothing but letters behind it."""
    if len(children) < 2 or type(children[0]) is not Leaf or children[0].text not in _SWITCHES:
        return None
    letters = children[1:]
    if not all(type(child) is Leaf and len(child.text) == 1 and child.text.isalpha() for child in letters):
        return None
    name = upright if children[0].text == r"\rm" else _SWITCHES[children[0].text]
    return Command(name, [], [Group(letters, letters[0].start, letters[-1].end)], node.start, node.end)


@lru_cache(maxsize=4096)
def _is_plain(text: str) -> bool:
    """Whether a sign is an item as it stands."""
    table = notation()
    special = text in table.ignored or text in _RAISED or text in _LOWERED or text in (r"\degree", r"\cdot")
    return not special and text not in table.synonyms


def _take_leaf(leaf: Leaf, into: list[Node]) -> None:
    """Add a leaf by the name its sign is known by; spaces are left out, `x²` has a script."""
    table = notation()
    text = leaf.text
    if text in table.ignored:
        return
    digit, kind = (_RAISED.get(text), "^") if text in _RAISED else (_LOWERED.get(text), "_")
    if digit is not None and into:
        script = Script(kind, Leaf(str(digit), leaf.start, leaf.end), leaf.start, leaf.end)
        last = into.pop()
        base, scripts = (last.base, [*last.scripts, script]) if type(last) is Scripted else (last, [script])
        into.append(Scripted(base, scripts, last.start, leaf.end))
        return
    text = table.synonyms.get(text, text)
    if text == r"\degree" and into and type(into[-1]) is not Scripted:
        sign = Script("^", Leaf(r"\circ", leaf.start, leaf.end), leaf.start, leaf.end)
        last = into.pop()
        into.append(Scripted(last, [sign], last.start, leaf.end))
        return
    if text == r"\cdot" and len(into) > 1 and text_of(into[-1]) == text_of(into[-2]) == text:  # dots typed one by one
        del into[-1]
        text, leaf = r"\dots", Leaf(text, into.pop().start, leaf.end)
    into.append(leaf if text == leaf.text else Leaf(text, leaf.start, leaf.end))
