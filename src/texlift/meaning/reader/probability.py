"""Expectations, probabilities, variances: a letter or word before brackets that is no function of its argument."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Delimited, Leaf, Node, Script, Scripted
from texlift.meaning.reader.census import Census
from texlift.meaning.tree import Apply, Expression, Sequence, Symbol, rebuild, walk

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["measured", "names_measured", "read"]

_DRESSED = re.compile(r"\\(?:mathbb|operatorname|mathrm|mathsf|mathbf|mathcal)\{([EPVDM]|Pr)\}$|^([EP])$")
_VARIABLES = frozenset("XYZ")
_COMPLEMENT = re.compile(r"\\(?:bar|overline)\{([A-Z])\}|([A-Z])'")
_HEADS = {
    "E": "expectation",
    "M": "expectation",
    "P": "probability",
    "Pr": "probability",
    "V": "variance",
    "D": "variance",
}


def read(row: Row, name: str, scripts: list[Script], span: Span) -> Expression | None:
    """`E[X^2]`, `\\mathbb{P}(A\\mid B)`; None where the letter is something else."""
    match = _DRESSED.search(name)
    if match is None or any(script.kind != "^" for script in scripts):
        return None
    opener = _opener(row)
    plain = match[2] is not None
    if not opener:
        blackboard = (
            name.startswith((r"\mathbb", r"\operatorname", r"\mathsf")) and match[1] in ("E", "P") and not scripts
        )
        if blackboard and row.starts_factor():
            return measured(row, _HEADS[match[1]], span)
        if match[2] == "E" and not scripts and _is_random(row):
            row.scope.warn("E before a random variable was read as its expectation", span)
            return measured(row, "expectation", span)
        return None
    inside = _inside(row)
    census = Census(inside.items)
    letters = [
        name for name in census.uses if len(name) == 1 and (census.is_variable(name) or census.of(name).subscripted)
    ]
    event = any(
        text in (r"\mid", "|", "<", ">", "=", r"\leq", r"\geq", r"\cap", r"\cup", r"\in") for text in inside.texts
    )
    bars = sum(text in (r"\mid", "|") for text in inside.texts)
    if plain and bars and not letters and not any(text in ("=", "<", ">") for text in inside.texts):
        return None  # P(2|-1|3): a point
    random = bool(letters) and any(letter.isupper() for letter in letters)
    letter = match[1] or match[2]
    arithmetic = any(text in ("+", "-", "/") or text.isdigit() for text in inside.texts)
    capital = random and all(text.isupper() for text in letters) and not arithmetic and letter not in letters
    certain = not _VARIABLES.isdisjoint(letters)
    if plain and letter == "E" and not (random and (certain or opener == "[" or capital or r"\mid" in inside.texts)):
        return None
    worded = inside.count == 1 and type(inside.items[0]) is Command and inside.items[0].name == r"\text"
    if plain and letter == "P" and not (event or capital or worded):
        return None
    if not plain and not (random or event or opener == "["):
        return None
    value = measured(row, _HEADS[letter], span)
    return row.scripts(value, scripts) if scripts else value


def measured(row: Row, head: str, span: Span) -> Expression:
    """The measure `head` of what stands in the brackets at the cursor, given what stands behind a bar."""
    if not _opener(row):
        if not row.starts_factor() or head == "covariance":
            raise row.scope.error(f"{head} of nothing", span, "write its argument in brackets")
        body = row.factor()
        return Apply(head, (body,), (span[0], body.span[1]))
    inside = _inside(row)
    node = row.items[row.at]
    if row.texts[row.at]:
        closing = row.closer(row.at)
        last = row.items[closing]
        row.at = closing + 1
        after = last.scripts if type(last) is Scripted else []
    else:
        last = node
        row.at += 1
        after = node.scripts if type(node) is Scripted else []
    whole = (span[0], last.end)
    row.scope.enter(whole)
    cut = inside.lone((r"\mid", "|"))
    if cut is None:
        arguments = inside.expressions()
    else:
        arguments = (*inside.part(0, cut).expressions(), _given(inside.part(cut + 1, inside.count)))
    row.scope.depth -= 1
    if head == "probability":
        arguments = tuple(_event(argument) for argument in arguments)
    if head == "probability" and cut is None and len(arguments) > 1:
        arguments = (Apply("and", arguments, whole),)
    if head == "covariance" and len(arguments) != 2:
        raise row.scope.error("a covariance needs two arguments", whole)
    if head in ("expectation", "variance") and len(arguments) - (cut is not None) != 1:
        raise row.scope.error(f"{head} of several arguments", whole)
    for argument in arguments:
        if any(isinstance(part, Sequence) for part in walk(argument)):
            raise row.scope.error(f"{head} of a list", argument.span)
    powered = any(script.kind == "^" for script in after)
    if powered and head == "expectation" and node_opens_with(node) == "(" and not isinstance(arguments[0], Symbol):
        row.scope.warn("E(...)^n was read as the expectation of the power", whole)
        inner = row.scripts(arguments[0], after)
        return Apply(head, (inner, *arguments[1:]), whole)
    value: Expression = Apply(head, arguments, whole)
    return row.scripts(value, after) if after else value


def node_opens_with(node: Node) -> str:
    """The bracket a node opens with."""
    base = node.base if type(node) is Scripted else node
    return base.left if type(base) is Delimited else base.text if type(base) is Leaf else ""


def _event(node: Expression) -> Expression:
    """A bar over an event is its complement, not a conjugate."""
    if isinstance(node, Apply) and node.head == r"\conj":
        return Apply("not", (_event(node.arguments[0]),), node.span)
    raised = node.arguments if isinstance(node, Apply) and node.head == "power" else ()
    if len(raised) == 2 and _is_event(raised[0]) and isinstance(raised[1], Symbol) and raised[1].name in ("c", "C"):
        return Apply("not", raised[:1], node.span)
    if isinstance(node, Symbol) and (match := _COMPLEMENT.fullmatch(node.name)):
        return Apply("not", (Symbol(match[1] or match[2], node.span),), node.span)
    if isinstance(node, Apply) and node.head == "times" and all(_is_event(part) for part in node.arguments):
        first, *rest = node.arguments  # AB: both events
        for part in rest:
            first = Apply("intersect", (first, part), node.span)
        return first
    node = rebuild(node, _event)
    joined = isinstance(node, Apply) and node.head in ("intersect", "union")
    if joined and any(isinstance(part, Apply) and part.head in ("not", "and", "or") for part in node.arguments):  # type: ignore[union-attr]
        return Apply("and" if node.head == "intersect" else "or", node.arguments, node.span)  # type: ignore[union-attr]
    return node


def _is_random(row: Row) -> bool:
    """Whether the item at the cursor has a letter that random variables are called by."""
    return row.at < row.count and not _VARIABLES.isdisjoint(Census([row.items[row.at]]).uses)


def _is_event(node: Expression) -> bool:
    return isinstance(node, Symbol) and node.name[:1].isupper()


def _given(row: Row) -> Expression:
    conditions = row.expressions()
    return conditions[0] if len(conditions) == 1 else Apply("and", conditions, row.span)


def _opener(row: Row) -> str:
    if row.at >= row.count:
        return ""
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    text = row.texts[row.at] if row.texts[row.at] else base.left if type(base) is Delimited else ""
    return text if text in ("(", "[", r"\{") else ""


def _inside(row: Row) -> Row:
    node = row.items[row.at]
    if row.texts[row.at]:
        return row.part(row.at + 1, row.closer(row.at))
    base = node.base if type(node) is Scripted else node
    assert type(base) is Delimited
    return type(row)(row.scope, base.children, base.inner)


def names_measured(node: Expression) -> frozenset[str]:
    """The names of random variables: letters that stand inside a measure."""
    found: set[str] = set()
    for part in walk(node):
        if isinstance(part, Apply) and part.head in ("expectation", "variance", "covariance", "probability"):
            found.update(
                p.name for a in part.arguments for p in walk(a) if isinstance(p, Symbol) and p.name[-1:].isupper()
            )
    return frozenset(found)
