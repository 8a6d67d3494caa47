"""A display as statements: its lines, the parts between wide spaces, and formulae joined by words or commas."""

from __future__ import annotations

from itertools import pairwise

from texlift.errors import Span
from texlift.latex.nodes import Command, Delimited, Environment, Leaf, Node, Text
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.quantifier import QUANTIFIERS
from texlift.meaning.reader.row import Row
from texlift.meaning.reader.scope import Scope
from texlift.meaning.reader.statement import RELATIONS
from texlift.meaning.reader.words import word_of
from texlift.meaning.tree import Apply, Expression, Relation, Sequence, Symbol, free_symbols

__all__ = ["statements_of"]

_SPACES = frozenset({r"\;", r"\ ", "~", r"\,", r"\:", r"\>"})
_WIDE = 3  # spaces in a row that are as wide as \quad
_DISPLAYS = frozenset({
    "aligned", "align", "align*", "split", "gathered", "gather", "gather*", "multline", "multline*", "eqnarray",
    "eqnarray*", "alignat", "alignat*", "alignedat", "equation", "equation*", "displaymath", "math",
})  # fmt: skip


def _statements(row: Row) -> list[Expression]:
    while row.count and row.texts[row.count - 1] in (",", ".", ";"):
        row = row.part(0, row.count - 1)
    if row.count == 1 and type(row.items[0]) is Environment and row.items[0].name in _DISPLAYS:
        return [
            statement
            for line in _lines(row.items[0])
            for statement in statements_of(row.scope, line, (line[0].start, line[-1].end))
        ]
    if row.count > 1 and _is_label(row.items[0]):
        row.scope.warn("the words before the formula were left out", (row.items[0].start, row.items[0].end))
        row = row.part(1, row.count)
    cuts = [index for index, node in enumerate(row.items) if _connective(row, node) is not None]
    if row.count and row.texts[0] in QUANTIFIERS:  # \exists x\text{ with }f(x)=0
        cuts = [index for index in cuts if _connective(row, row.items[index]) in ("and", "or")]
    if cuts and row.scope.logical and {_connective(row, row.items[index]) for index in cuts} <= {"and", "or"}:
        for index in cuts:  # beside signs of logic the words bind as their signs do
            row.texts[index] = r"\land" if _connective(row, row.items[index]) == "and" else r"\lor"
        cuts = []
    if cuts:
        return _joined(row, cuts)
    if row.count and row.texts[0] in RELATIONS and row.count > 1 and not _opens(row):
        row.scope.warn("the left-hand side is missing", (row.items[0].start, row.items[0].end))
        row = row.part(1, row.count)
    if (implied := _implied(row)) is not None:
        return [implied]
    items = list(row.expressions()) if row.count else []
    if not items:
        raise row.scope.error("an empty formula", (0, len(row.scope.source)))
    return _distribute(items)


def _opens(row: Row) -> bool:
    """Whether a sign of relation at the start is none: a negation, or a bar of an absolute value."""
    return row.scope.sentence or (row.texts[0] in (r"\mid", r"\divides") and row.texts[0] in row.texts[1:])


_IMPLYING = {r"\Rightarrow": "implies", r"\Leftrightarrow": "iff"}


def _implied(row: Row) -> Expression | None:
    """`P, Q \\Rightarrow R`: all that stands before the sign implies what stands behind it."""
    if not row.scope.logical:
        return None
    cut = row.lone(tuple(_IMPLYING))
    if cut is None or not 0 < cut < row.count - 1 or row.lone((",",)) is None:
        return None
    left, right = row.part(0, cut), row.part(cut + 1, row.count)
    if (
        left.lone((",",)) is None
        or right.lone((",", *_IMPLYING)) is not None
        or right.lone((r"\Leftarrow",)) is not None
    ):
        return None
    parts = (_one(_statements(_trimmed(left))), _one(_statements(right)))
    return Apply(_IMPLYING[row.texts[cut]], parts, row.span)


def _lines(environment: Environment) -> list[list[Node]]:
    """The lines of a display; one that goes on with what the line before it began is joined to that."""
    found: list[list[Node]] = []
    for line in environment.rows:
        cells = [child for cell in line for child in cell.children]
        shown = [node for node in cells if not (type(node) is Leaf and node.text in notation().ignored)]
        if not shown:
            continue
        if found and (environment.name.startswith("multline") or _goes_on(shown)):
            found[-1].extend(cells)
        else:
            found.append(cells)
    return found


def _goes_on(line: list[Node]) -> bool:
    """Whether a line starts with a relation, or with an operation and has no relation of its own."""
    texts = [notation().synonyms.get(node.text, node.text) if type(node) is Leaf else "" for node in line]
    if texts[0] in RELATIONS or texts[0] in (r"\times", r"\cdot", "+", r"\pm"):
        return True
    return texts[0] == "-" and not any(text in RELATIONS for text in texts)


def statements_of(scope: Scope, nodes: list[Node], span: Span) -> list[Expression]:
    """The statements of a line: parts behind a wide space are statements of their own, or conditions."""
    parts: list[list[Node]] = [[]]
    spaces = 0
    for node in nodes:
        spaces = spaces + 1 if type(node) is Leaf and node.text in _SPACES else 0
        if (type(node) is Leaf and node.text in (r"\quad", r"\qquad")) or spaces == _WIDE:
            parts.append([])
        else:
            parts[-1].append(node)
    rows = [row for part in parts if (row := _trimmed(Row(scope, part, span))).count]
    if len(rows) < 2 or not _parted(rows) or any(row.texts[0] in QUANTIFIERS for row in rows):
        return _statements(Row(scope, nodes, span))
    found = _statements(rows[0])
    for row in rows[1:]:
        scope.warn("what stands behind a wide space was read as a statement of its own", row.span)
        if _connective(row, row.items[0]) in ("condition", "and") and row.count > 1:
            row = row.part(1, row.count)
        found.extend(_statements(_unwrapped(row)))
    return found


def _parted(rows: list[Row]) -> bool:
    """Whether wide spaces part statements: each part has a relation or words of its own."""
    return all(
        row is rows[0]
        or any(text in RELATIONS for text in row.texts)
        or any(_connective(row, node) is not None for node in row.items)
        or any(type(node) is Delimited for node in row.items)
        for row in rows
    )


def _trimmed(row: Row) -> Row:
    start, end = 0, row.count
    while end > start and row.texts[end - 1] in (",", ".", ";"):
        end -= 1
    while start < end and row.texts[start] in (",", ";"):
        start += 1
    return row.part(start, end)


def _unwrapped(row: Row) -> Row:
    """A condition in parentheses without them: `(x>0)`; a pair keeps them."""
    inner = row
    if row.count > 2 and row.texts[0] in ("(", "[") and row.closer(0) == row.count - 1:
        inner = row.part(1, row.count - 1)
    elif row.count == 1 and type(row.items[0]) is Delimited and row.items[0].left in ("(", "["):
        inner = Row(row.scope, row.items[0].children, row.items[0].inner)
    return inner if any(text in RELATIONS for text in inner.texts) else row


# -- words between formulae ------------------------------------------------------------------------------

_WORDS = {
    word: kind
    for kind, words in {
        "and": "|,|and|und|et",
        "or": "or|oder|ou",
        "iff": "iff|if and only if",
        "implies": "implies|then|hence|thus|so",
        "condition": "if|for|when|where|with|whenever|as|for all|for every|for any|for each|for some|provided"
        "|provided that|such that|s.t.|subject to|at|on|given",
    }.items()
    for word in words.split("|")
}


def _connective(row: Row, node: Node) -> str | None:
    """What words between two formulae say; None where a node is no text that joins."""
    if isinstance(node, Command) and node.name in (r"\mathrm", r"\mathit") and len(node.arguments) == 1:
        word = word_of(row.scope.source, node)
        return _WORDS.get(word) if len(word) > 1 else None
    if not isinstance(node, Command) or not node.arguments or not isinstance(node.arguments[0], Text):
        return None
    body = " ".join(node.arguments[0].body.replace("~", " ").replace("\\ ", " ").strip(" ,.:;").lower().split())
    return _WORDS.get(body)


def _is_label(node: Node) -> bool:
    """Whether words with a colon say what the formula behind them is about: `\\text{umbilics: }`."""
    if not isinstance(node, Command) or not node.arguments or not isinstance(node.arguments[0], Text):
        return False
    body = node.arguments[0].body.strip(" ~")
    return body.endswith(":") and body[:-1].replace(" ", "").isalpha()


def _joined(row: Row, cuts: list[int]) -> list[Expression]:
    """Statements joined by words; what a word says decides how."""
    parts = [
        _statements(_unwrapped(_trimmed(row.part(a + 1, b)))) for a, b in pairwise([-1, *cuts, row.count]) if b > a + 1
    ]
    kinds = [_connective(row, row.items[index]) for index in cuts]
    if cuts[0] == 0:
        if kinds[0] == "condition" and "implies" in kinds[1:] and len(parts) == 2:  # if P then Q
            return [Apply("implies", (_one(parts[0]), _one(parts[1])), row.span)]
        if kinds[0] not in ("and", "implies") or len(cuts) > 1 or not parts:
            place = row.items[0]
            raise row.scope.error("words before a formula", (place.start, place.end), "give only the mathematics")
        return parts[0]
    if len(parts) != len(cuts) + 1:
        place = row.items[cuts[-1]]
        raise row.scope.error(
            "words without a formula behind them", (place.start, place.end), "give only the mathematics"
        )
    if set(kinds) == {"and"}:
        return [statement for part in parts for statement in part]
    if set(kinds) == {"or"}:
        return [Apply("or", tuple(_one(part) for part in parts), row.span)]
    if len(kinds) == 1 and kinds[0] in ("iff", "implies"):
        return [Apply(kinds[0], (_one(parts[0]), _one(parts[1])), row.span)]
    if kinds[0] == "condition" and set(kinds[1:]) <= {"and", "condition"}:
        place = row.items[cuts[0]]
        row.scope.warn("a condition was read as a statement of its own", (place.start, row.items[-1].end))
        return [statement for part in parts for statement in part]
    place = row.items[cuts[0]]
    raise row.scope.error("words that join more than two formulae", (place.start, place.end), "give one statement")


def _one(statements: list[Expression]) -> Expression:
    """Several statements as one."""
    if len(statements) == 1:
        return statements[0]
    return Apply("and", tuple(statements), (statements[0].span[0], statements[-1].span[1]))


def _distribute(items: list[Expression]) -> list[Expression]:
    """`a,b>0` states a>0 and b>0; `n=0,1,2` states that n is one of them."""
    if len(items) == 1 or not any(isinstance(item, Relation) for item in items):
        return items if len(items) == 1 else [Sequence(tuple(items), "list", (items[0].span[0], items[-1].span[1]))]
    result: list[Relation] = []
    leading: list[Expression] = []
    for item in items:
        if isinstance(item, Relation):
            result.append(item)
        elif not result:
            leading.append(item)
        else:
            last = result.pop()
            tail = last.operands[-1]
            values = tail.items if isinstance(tail, Sequence) and tail.kind == "list" else (tail,)
            together = Sequence((*values, item), "list", (tail.span[0], item.span[1]))
            result.append(Relation(last.operators, (*last.operands[:-1], together), (last.span[0], item.span[1])))
    first = result[0]
    return [*(left if _restricts(first, left) else _shared(first, left) for left in leading), *result]


def _shared(first: Relation, left: Expression) -> Relation:
    return Relation(first.operators, (left, *first.operands[1:]), left.span)


def _restricts(condition: Relation, value: Expression) -> bool:
    """Whether a relation is a condition on a letter of the expression before it: `x^n, n>0`."""
    letter = condition.operands[0]
    return isinstance(letter, Symbol) and not isinstance(value, Symbol) and letter.name in free_symbols(value)
