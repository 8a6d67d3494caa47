"""The signs of a row as a learnt model sees them: classes instead of names, brackets however they are typed."""

from __future__ import annotations

from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Row, Scripted, Text
from texlift.meaning.reader.census import is_letter, styled_name
from texlift.meaning.reader.items import flatten, text_of
from texlift.meaning.reader.notation import notation
from texlift.remembered import remembered

__all__ = ["CLOSERS", "OPENERS", "OPERATIONS", "class_of", "closing", "items_of", "kind_of_name", "name_of", "rows_in"]

OPENERS = frozenset({"(", "["})
CLOSERS = frozenset({")", "]"})
OPERATIONS = frozenset(
    {"+", "-", r"\pm", r"\mp", r"\cdot", r"\times", "*", "/", r"\circ", r"\setminus", r"\cup", r"\cap"}
)
_SEPARATORS = frozenset({",", ";", ":", "."})
_BARS = frozenset({"|", r"\|", r"\mid"})
_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\ifrac"})
_UPRIGHT = frozenset({r"\operatorname", r"\mathrm", r"\mathop", r"\text", r"\mbox", r"\textrm"})
_DRESS = frozenset({
    r"\mathbf", r"\boldsymbol", r"\bm", r"\pmb", r"\mathit", r"\mathsf", r"\mathtt", r"\mathcal", r"\mathscr",
    r"\mathfrak",
    r"\mathbb", r"\vec", r"\hat", r"\widehat", r"\tilde", r"\widetilde", r"\bar", r"\overline", r"\underline", r"\dot",
    r"\ddot", r"\check", r"\breve", r"\acute", r"\grave", r"\mathring", r"\conj",
})  # fmt: skip


def items_of(nodes: Row) -> list[Node]:
    """The items of a row without spaces and groups."""
    found: list[Node] = []
    flatten(nodes, found)
    return found


def name_of(node: Node) -> str:
    """The letter, styled letter or word that a node shows, without its scripts; empty for everything else."""
    core = node.base if type(node) is Scripted else node
    if type(core) is Group:
        inner = items_of(core.children)
        core = inner[0] if len(inner) == 1 else core
    if type(core) is Command and core.name in _UPRIGHT:
        word = _letters(core.arguments[0]) if core.arguments else ""
        return rf"\operatorname{{{word}}}" if len(word) > 1 else ""
    if type(core) is Command and core.name not in _DRESS:
        return ""
    name = styled_name(core)
    if not name and type(core) is Leaf and core.text[:1] == "\\" and core.text[1:].isalpha():
        return core.text if class_of(core) == "word" else ""
    return name


def _letters(node: Node) -> str:
    if type(node) is Text:
        return node.body if node.body.isalpha() else ""
    children = node.children if type(node) is Group else [node]
    texts = [child.text if type(child) is Leaf else "?" for child in children]
    return "".join(texts) if all(text.isalnum() for text in texts) else ""


def class_of(node: Node | None) -> str:
    """What kind of sign an item shows."""
    if node is None:
        return "end"
    core = node.base if type(node) is Scripted else node
    kind = type(core)
    if kind is Leaf:
        return _class_of_text(core.text)  # type: ignore[union-attr]
    if kind is Delimited:
        left = core.left  # type: ignore[union-attr]
        return "open" if left in OPENERS else "bars" if left in _BARS else "fence"
    if kind is Command:
        name = core.name  # type: ignore[union-attr]
        if name in _FRACTIONS:
            return "derivative" if _is_derivative(core) else "fraction"  # type: ignore[arg-type]
        if name == r"\sqrt":
            return "root"
        if name in _UPRIGHT:
            letters = _letters(core.arguments[0]) if core.arguments else ""  # type: ignore[union-attr]
            return "upright " + letters if len(letters) == 1 else "word"
        return "letter" if name in _DRESS and styled_name(core) else "command"
    if kind is Call:
        return "call"
    return {Group: "group", Environment: "table", Infix: "fraction", Text: "text"}.get(kind, "other")


def _is_derivative(fraction: Command) -> bool:
    """Whether a fraction is an operator such as d/dx: both sides start with a sign of differentiation."""
    parts = [items_of([part]) for part in fraction.arguments]
    return len(parts) == 2 and all(part and _differentiates(part[0]) for part in parts) and len(parts[0]) == 1


def _differentiates(node: Node) -> bool:
    core = node.base if type(node) is Scripted else node
    if type(core) is Group:
        inner = items_of(core.children)
        return bool(inner) and _differentiates(inner[0])
    return text_of(node) in ("d", r"\partial", r"\diff") or class_of(core) == "upright d"


@remembered(maxsize=1024)
def _class_of_text(text: str) -> str:
    if is_letter(text):
        return "letter"
    if text.isdigit():
        return "digit"
    if text in OPENERS:
        return "open"
    if text in CLOSERS:
        return "close"
    if text in OPERATIONS:
        return "operation"
    if text in _SEPARATORS:
        return "separator"
    if text in _BARS:
        return "bars"
    if text.endswith("dots"):
        return "dots"
    if text in notation().relations:
        return "relation"
    if text in (r"\int", r"\sum", r"\prod", r"\oint", r"\lim"):
        return "binder"
    if text in (r"\pi", r"\infty", r"\cpi", r"\expe", r"\iunit"):
        return "constant"
    return "word" if text[:1] == "\\" and text[1:].isalpha() else "sign"


def kind_of_name(name: str) -> str:
    """Latin or Greek, small or capital, styled, or a word."""
    if not name:
        return ""
    if len(name) == 1:
        return "small" if name.islower() else "capital"
    if "{" in name:
        return "word" if name.startswith(r"\operatorname") else "styled"
    if not is_letter(name):
        return "word"
    return "greek" if name[1:2].islower() else "Greek"


def closing(items: list[Node], opening: int) -> int:
    """Index of the bracket that closes the one at `opening`; the last index where none does."""
    if text_of(items[opening]) not in OPENERS:
        return opening
    depth = 0
    for index in range(opening, len(items)):
        text = text_of(items[index])
        depth += (text in OPENERS) - (text in CLOSERS)
        if depth == 0:
            return index
    return len(items) - 1


def rows_in(node: Node) -> list[Row]:
    """The rows inside an item, in reading order, lower scripts before upper ones."""
    kind = type(node)
    found: list[Row] = []
    if kind is Scripted:
        if node.base is not None:  # type: ignore[union-attr]
            found += rows_in(node.base)  # type: ignore[union-attr]
        scripts = [s for s in node.scripts if s.argument is not None]  # type: ignore[union-attr]
        scripts.sort(key=lambda script: script.kind != "_")
        return found + [[script.argument] for script in scripts]  # type: ignore[list-item]
    if kind is Group or kind is Delimited:
        return [node.children]  # type: ignore[union-attr]
    if kind is Command:
        return [[argument] for argument in (*node.options, *node.arguments)]  # type: ignore[union-attr]
    if kind is Call:
        return [[argument] for argument in node.arguments]  # type: ignore[union-attr]
    if kind is Infix:
        return [node.above, node.below]  # type: ignore[union-attr]
    if kind is Environment:
        return [cell.children for line in node.rows for cell in line]  # type: ignore[union-attr]
    return found
