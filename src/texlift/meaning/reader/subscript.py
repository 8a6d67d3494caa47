"""Subscripts: labels, which are part of a name, and indices, which something counts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Command, Group, Leaf, Node, Text
from texlift.meaning.reader.census import is_letter, letters_of
from texlift.meaning.reader.notation import notation
from texlift.meaning.tree import Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["DECORATIONS", "INDEX_LETTERS", "indices", "may_index"]

DECORATIONS = frozenset({"*", r"\ast", "+", "-", r"\pm", r"\mp", r"\star", r"\sharp", r"\flat", r"\natural"})
INDEX_LETTERS = frozenset("ijklmnpqrstuv")
_SINGLE_INDICES = frozenset("ijklmn")
_NAMES = frozenset({"max", "min", "lim", "sup", "inf", "det", "exp", "deg", "dim", "arg"})
_SHAPES = (r"\triangle", r"\square", r"\perp", r"\parallel", r"\|", r"\angle", r"\Box", r"\odot", r"\oplus")
_STRESSES = frozenset({r"\sigma", r"\tau", r"\varepsilon", r"\epsilon"})


def may_index(name: str, letters: frozenset[str]) -> bool:
    """Whether a letter is one that people count with: some Latin ones, all small Greek ones."""
    return name in letters or (name[0] == "\\" and name[1:2].islower())


def indices(row: Row, name: str, argument: Node) -> tuple[str, tuple[Expression, ...]]:
    """A subscript as a label, which is part of the name, or as indices."""
    label = _label(row, name, argument)
    word = letters_of(argument)
    if word is not None and not _upright(row, argument):
        meant = "index" if label is None else "label"
        because = "something counts with it" if label is None else "nothing in the formula counts with it"
        chosen = row.scope.decide("subscript", (argument.start, argument.end), meant, ("index", "label"), because)
        if chosen != meant:
            label = f"_{{{''.join(word)}}}" if chosen == "label" else None
    if label is not None:
        return label, ()
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    letters = letters_of(argument)
    if letters is not None:  # never the number e or i
        return "", tuple(Symbol(text, (item.start, item.end)) for text, item in zip(letters, inner.items, strict=True))
    row.scope.enter((argument.start, argument.end))
    found = inner.expressions() if inner.count else ()
    row.scope.depth -= 1
    if len(found) == 2 and all(isinstance(part, Number) for part in found) and r"\pm" in row.scope.source:
        row.scope.split = True  # x_{1,2}: the first with the upper signs, the second with the lower ones
        found = found[:1] if row.scope.sign > 0 else found[1:]
    return "", found


def _label(row: Row, name: str, argument: Node) -> str | None:
    """The label a subscript is, as part of a name; None where it is an index."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    only = inner.items[0] if inner.count == 1 else None
    if inner.count > 1 and inner.texts[0] in _SHAPES and all(is_letter(text) for text in inner.texts[1:]):
        return "_{" + "".join(text.lstrip("\\") for text in inner.texts) + "}"
    if only is not None and inner.texts[0] in (*DECORATIONS, *_SHAPES, r"\infty", r"\circ", r"\dagger"):
        return "_" + inner.texts[0].lstrip("\\")
    if only is not None and inner.texts[0][1:] in _NAMES:  # v_{\\max}
        return f"_{{{inner.texts[0][1:]}}}"
    if _upright(row, argument):
        text = "".join(c for c in _text_inside(row, argument) if c.isalnum())
        return f"_{{{text or 'text'}}}"
    letters = letters_of(argument)
    if letters is None:
        halves = inner.count > 2 and "/" in inner.texts and all(text.isdigit() or text == "/" for text in inner.texts)
        if inner.texts == ["1", "/", "2"] and r"\pm" in row.scope.source:  # x_{1/2}: the two solutions
            row.scope.split = True
            return "_{1}" if row.scope.sign > 0 else "_{2}"
        if _is_mixed(inner.texts):  # x_{a1}, x_{1a}; the 2n of a_{2n} is an index
            return f"_{{{''.join(inner.texts)}}}"
        if halves:  # T_{1/2}
            return f"_{{{''.join(inner.texts)}}}"
        joints = (",", "|", r"\mid", r"\divides")
        capitals = inner.count > 1 and all(text.isupper() or text in joints for text in inner.texts)
        if _is_accented(only) and len(name) > 1:  # \\sigma_{\\bar x}
            assert type(only) is Command
            return f"_{{{only.name[1:]}_{''.join(letters_of(only.arguments[0]) or ()).lstrip(chr(92))}}}"
        return f"_{{{''.join(inner.texts)}}}" if capitals else None
    word = "".join(letters)
    census = row.scope.census
    if len(letters) == 1:
        siblings = census.of(name).labels
        once = census.of(name).subscripted == 1 and not census.of(name).counted
        alone = siblings == {word} and once and not census.is_variable(word)
        if alone and not census.of(word).bound and census.of(word).in_subscript == 1:
            return f"_{{{word}}}"  # E_k: nothing counts with it
        counted = all(s in _SINGLE_INDICES or census.of(s).bound for s in siblings)
        if census.of(word).bound or (word in _SINGLE_INDICES and counted):
            return None
        if census.of(name).counted or (census.is_variable(word) and any(census.of(s).bound for s in siblings)):
            return None
        if r"\dots" in census.signs and census.of(name).subscripted > 1:  # a_1, \dots, a_p
            return None
        if word in ("t", "x") and {"x", "t"} <= siblings:
            raise row.scope.error(f"{name}_{word} may be a partial derivative", (argument.start, argument.end))
        return f"_{{{word}}}"
    repeated = len(set(word)) < len(word) or "t" in word
    stressed = name in _STRESSES and "t" not in word  # \sigma_{xx} is a component
    if set(word) <= set("xyzt") and len(letters) == len(word) and name.islower() and repeated and not stressed:
        raise row.scope.error(f"{name} with {word} below may be a partial derivative", (argument.start, argument.end))
    uses = [census.of(x) for x in letters]
    unused = all(one.in_subscript == 1 and not one.bound and not one.alone and not one.compared for one in uses)
    if unused and not set(letters) <= _SINGLE_INDICES and len(set(letters)) == len(letters):
        return f"_{{{word}}}"  # F_{kr}: nothing counts with these letters
    if word in notation().labels or not all(may_index(x, INDEX_LETTERS) for x in letters):
        return f"_{{{word}}}"
    return None


def _is_accented(node: Node | None) -> bool:
    """Whether a subscript is one letter with an accent, the name of an estimate or a mean."""
    accents = (r"\bar", r"\hat", r"\tilde", r"\overline")
    return type(node) is Command and node.name in accents and len(letters_of(node.arguments[0]) or ()) == 1


def _is_mixed(texts: list[str]) -> bool:
    """Whether a subscript is of letters and digits that are no product: the number stands behind, or is 1."""
    if len(texts) < 2 or not all(text.isdigit() or is_letter(text) for text in texts):
        return False
    first = next((index for index, text in enumerate(texts) if is_letter(text)), len(texts))
    return first < len(texts) and (any(text.isdigit() for text in texts[first:]) or texts[:first] == ["1"])


def _unwrapped(argument: Node) -> list[Node]:
    """What stands in a script, without the braces around it."""
    children: list[Node] = [argument]
    while len(children) == 1 and type(children[0]) is Group:
        children = children[0].children
    return children


def _upright(row: Row, argument: Node) -> bool:
    """Whether a subscript is a word in upright type: `\\rm`, `\\text`, `\\mathrm`."""
    children = _unwrapped(argument)
    if not children:
        return False
    first = children[0]
    if type(first) is Leaf:
        return first.text in (r"\rm", r"\sf", r"\it") and len(children) > 1
    if type(first) is not Command or len(children) > 1 or not first.arguments:
        return False
    return type(first.arguments[0]) is Text or first.name in (r"\mathrm", r"\operatorname", r"\mathsf", r"\mathit")


def _text_inside(row: Row, argument: Node) -> str:
    """The characters of a word, without the command that sets its font."""
    first = _unwrapped(argument)[0]
    if type(first) is Command:
        inside = first.arguments[0]
        text = inside.body if type(inside) is Text else row.scope.source[inside.start : inside.end]
        return text.replace(r"\tiny", "").replace(r"\scriptsize", "").replace("\\", "")
    return row.scope.source[first.end : argument.end].strip("{} ")
