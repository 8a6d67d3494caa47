"""Semantic LaTeX to expressions.

    read(r"\\BesselJ{\\nu}@{z}=0").statements -> (Relation(("=",), (Apply("\\\\BesselJ", ...), Number("0"))),)

`\\pm` gives two statements: the upper signs together, then the lower ones. `\\iunit`, `\\expe`, `\\cpi` and
`\\EulerConstant` are the constants; so are `\\pi`, `i` unless it is an index in the formula, and `e` where it has
an exponent somewhere in the formula. `\\gamma` is a variable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from texlift.errors import FormulaError, Span
from texlift.latex.nodes import Command, Delimited, Environment, Leaf, Node, Text
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.macros.concepts import Vocabulary, vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.reader.boolean import as_boolean
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.pattern import patterns
from texlift.meaning.reader.row import RELATIONS, Row
from texlift.meaning.reader.scope import Scope
from texlift.meaning.reader.summation import repeated
from texlift.meaning.reader.words import word_of
from texlift.meaning.structure.decision import NO_CHOICES, Choices, Decision
from texlift.meaning.structure.places import Usage
from texlift.meaning.tree import (
    Apply,
    Derivative,
    Expression,
    Indexed,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
    free_symbols,
    rebuild,
    walk,
)

__all__ = ["Reading", "read", "semantic_signatures"]

_UNSETTLED = re.compile(r"_|'|prime|\\d+ot|partial|[dD]eriv|diff|\^\{\(")  # indices or derivatives
_PARTIAL = re.compile(r"\\p(?:artial|deriv|diff)(?![a-z])")
_SPACES = frozenset({r"\;", r"\ ", "~", r"\,", r"\:", r"\>"})
_WIDE = 3  # spaces in a row that are as wide as \quad
_DISPLAYS = frozenset({
    "aligned", "align", "align*", "split", "gathered", "gather", "gather*", "multline", "multline*", "eqnarray",
    "eqnarray*", "alignat", "alignat*", "alignedat", "equation", "equation*", "displaymath", "math",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """What a formula states: one expression for each statement, and what was decided on the way."""

    source: str
    statements: tuple[Expression, ...]
    warnings: tuple[str, ...]
    declared: Declarations = NOTHING_DECLARED
    split: bool = False  # whether the second half of the statements has the lower signs of \\pm
    decisions: tuple[Decision, ...] = ()  # ambiguous places in the order of the source, each with its alternatives

    def pretty(self) -> str:
        """The tree in lines of text, for a terminal."""
        from texlift.meaning import printing

        return printing.pretty(self.statements, self.declared.vocabulary)

    def as_dict(self) -> dict[str, object]:
        """The tree as JSON: the statements, each node with its type, its parts and its place in the source."""
        from texlift.meaning import printing

        return {
            "source": self.source,
            "statements": printing.as_dicts(self.statements, self.declared.vocabulary),
            "warnings": list(self.warnings),
            "decisions": [decision.as_dict() for decision in self.decisions],
        }

    def svg(self) -> str:
        """The tree as a stand-alone SVG picture."""
        from texlift.meaning import printing

        return printing.svg(self.statements, self.source, self.declared.vocabulary)

    def _repr_svg_(self) -> str:
        return self.svg()


@lru_cache(maxsize=64)
def semantic_signatures(words: Vocabulary | None = None) -> Signatures:
    """Signatures of plain LaTeX and of all macros of the lexicon and of a vocabulary (the packaged one)."""
    own = (vocabulary() if words is None else words).call_signatures
    return generic_signatures().with_calls({**own, **lexicon().call_signatures()})


def read(
    source: str,
    definition: bool = False,
    declared: Declarations = NOTHING_DECLARED,
    choices: Choices = NO_CHOICES,
    document: Usage | None = None,
) -> Reading:
    """Read semantic LaTeX with what was declared of its letters; only a `definition` has slots `#1`.

    `choices` says what ambiguous places mean, by where their decisions start; `document` how the other formulae of the
    document use letters. Raises FormulaError for what has no computable meaning, naming the place.
    """
    words = vocabulary() if declared.vocabulary is None else declared.vocabulary
    signatures = semantic_signatures(words)
    nodes = parse(source, signatures)
    statements: list[Expression] = []
    warnings: dict[str, None] = {}
    decisions: dict[tuple[str, int], Decision] = {}
    signs = [1]
    split = False
    while signs:
        scope = Scope.of(source, nodes, signatures.calls, signs.pop())
        scope.slots = definition
        scope.declared = declared
        scope.choices = choices
        scope.document = document
        scope.concepts, scope.patterns = words.commands, patterns(words)
        try:
            found = _flattened(_spaced(scope, nodes, (0, len(source))))
        except RecursionError:
            raise FormulaError(
                "nested too deeply", source, (0, len(source)), "simplify the formula", "too-deep"
            ) from None
        if "_" in source and (index := repeated(found)) is not None:
            if index[1]:
                message = f"{index[0]} is repeated in a product: the summation convention is not read"
                raise FormulaError(message, source, (0, len(source)), r"write the sum: \sum_{j=1}^3", "meaning")
            scope.warn(f"{index[0]} is repeated in a product; no sum was taken", (0, len(source)))
        statements.extend(_settle(found, bool(_PARTIAL.search(source))) if _UNSETTLED.search(source) else found)
        if "boolean" in declared.subjects:
            statements[-len(found) :] = [as_boolean(one) for one in statements[-len(found) :]]
            scope.warnings.pop("a bar was read as the complex conjugate", None)
            scope.warn("the text speaks of Boolean algebra: + was read as or, a product as and", (0, len(source)))
        warnings.update(dict.fromkeys(scope.warnings))
        decisions.update(scope.decisions)
        if scope.split and scope.sign > 0:
            signs.append(-1)
            split = True
    found_decisions = tuple(sorted(decisions.values(), key=lambda decision: decision.span))
    _refuse_idle(source, choices, found_decisions)
    return Reading(source, tuple(statements), tuple(warnings), declared, split, found_decisions)


def _refuse_idle(source: str, choices: Choices, decisions: tuple[Decision, ...]) -> None:
    """A choice that nothing follows is an error."""
    obeyed = {decision.span[0] for decision in decisions if decision.because == "chosen"}
    for place, meaning in choices.items():
        if place not in obeyed:
            known = [f"{d.span[0]}={'|'.join(o.meaning for o in d.options)}" for d in decisions]
            hint = f"possible here: {', '.join(known)}" if known else "nothing is ambiguous here"
            span = (place, place + 1) if place < len(source) else (0, len(source))
            raise FormulaError(f"nothing at place {place} can be {meaning}", source, span, hint, "choice")


def _flattened(statements: list[Expression]) -> list[Expression]:
    """The equations of a system as statements."""
    return [
        part
        for statement in statements
        for part in (
            statement.items if isinstance(statement, Sequence) and statement.kind == "system" else (statement,)
        )
    ]


def _statements(row: Row) -> list[Expression]:
    while row.count and row.texts[row.count - 1] in (",", ".", ";"):
        row = row.part(0, row.count - 1)
    if row.count == 1 and type(row.items[0]) is Environment and row.items[0].name in _DISPLAYS:
        return [
            statement
            for line in _lines(row.items[0])
            for statement in _spaced(row.scope, line, (line[0].start, line[-1].end))
        ]
    if row.count > 1 and _is_label(row.items[0]):
        row.scope.warn("the words before the formula were left out", (row.items[0].start, row.items[0].end))
        row = row.part(1, row.count)
    cuts = [index for index, node in enumerate(row.items) if _connective(row, node) is not None]
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


def _spaced(scope: Scope, nodes: list[Node], span: Span) -> list[Expression]:
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
    if len(rows) < 2 or not _parted(rows):
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


def _together(dependent: dict[str, tuple[Expression, ...]]) -> dict[str, tuple[Expression, ...]]:
    """Functions that are differentiated partially depend on all the variables, unless one of these is a function."""
    every: dict[str, Expression] = {}
    for variables in dependent.values():
        every.update((v.name, v) for v in variables if isinstance(v, Symbol) and v.name not in every)
    single = all(isinstance(v, Symbol) for variables in dependent.values() for v in variables)
    if len(dependent) < 2 or not single or any(name in dependent for name in every):
        return dependent
    return {name: tuple(every.values()) for name in dependent}


def _settle(statements: list[Expression], partial: bool = False) -> list[Expression]:
    """Decisions that need the whole formula: constant indices, and symbols that are differentiated."""
    indexed: set[str] = set()
    any_indexed = False
    dependent: dict[str, tuple[Expression, ...]] = {}
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Indexed):
                any_indexed = True
                parts = (*node.indices, *node.upper)
                if any(
                    (isinstance(p, Symbol) and not _label(p.name)) or not isinstance(p, Number | Symbol) for p in parts
                ):
                    indexed.add(node.base)
            elif isinstance(node, Derivative):
                body = node.body
                if isinstance(body, Indexed) and all(isinstance(p, Number) for p in (*body.indices, *body.upper)):
                    body = _flat(body)
                variables = tuple(v for v, _ in node.variables)
                if isinstance(body, Symbol) and body.name not in {v.name for v in variables if isinstance(v, Symbol)}:
                    known = dependent.get(body.name, ())
                    dependent[body.name] = known + tuple(
                        v for v in variables if all(_same(v, k) is False for k in known)
                    )
    if not any_indexed and not dependent:
        return statements
    if partial:
        dependent = _together(dependent)

    def change(node: Expression) -> Expression:
        if isinstance(node, Symbol) and node.name in dependent:
            return Unknown(node, dependent[node.name], None, node.span)
        if isinstance(node, Unknown):
            function = node.function
            if isinstance(function, Indexed) and function.base not in indexed:
                function = _flat(function)
            return Unknown(function, tuple(change(a) for a in node.arguments), node.order, node.span)
        if isinstance(node, Derivative) and any(_is_zero(order) for _, order in node.variables):
            node = replace(node, variables=tuple(step for step in node.variables if not _is_zero(step[1])))
        node = rebuild(node, change)
        if not isinstance(node, Indexed) or node.base in indexed:
            return node
        flat = _flat(node)
        return Unknown(flat, dependent[flat.name], None, node.span) if flat.name in dependent else flat

    return [change(statement) for statement in statements]


def _is_zero(order: Expression) -> bool:
    """Whether a variable of a derivative is one that is kept fixed."""
    return isinstance(order, Number) and order.value == "0"


def _label(name: str) -> bool:
    """Whether an index is a word (`max`, `II`) and not a variable."""
    return len(name) > 1 and name.isalpha()


def _same(left: Expression, right: Expression) -> bool:
    return isinstance(left, Symbol) and isinstance(right, Symbol) and left.name == right.name


def _flat(node: Indexed) -> Symbol:
    """An index that never varies is part of the name: `z_{0}`."""
    label = ",".join(part.value if isinstance(part, Number) else part.name for part in node.indices)  # type: ignore[union-attr]
    above = ",".join(part.value if isinstance(part, Number) else part.name for part in node.upper)  # type: ignore[union-attr]
    return Symbol(f"{node.base}_{{{label}}}" + (f"^{{({above})}}" if above else ""), node.span)
