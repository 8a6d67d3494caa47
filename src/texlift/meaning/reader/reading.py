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

from texlift.errors import FormulaError
from texlift.latex.parser import parse
from texlift.latex.signatures import Signatures, generic_signatures
from texlift.macros.concepts import Vocabulary, vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.declarations import NOTHING_DECLARED, Declarations
from texlift.meaning.reader.boolean import as_boolean
from texlift.meaning.reader.display import statements_of
from texlift.meaning.reader.pattern import patterns
from texlift.meaning.reader.scope import Scope
from texlift.meaning.reader.summation import repeated
from texlift.meaning.structure.decision import NO_CHOICES, Choices, Decision
from texlift.meaning.structure.places import Usage
from texlift.meaning.tree import (
    Derivative,
    Expression,
    Indexed,
    Number,
    Sequence,
    Symbol,
    Unknown,
    rebuild,
    walk,
)

__all__ = ["Reading", "read", "semantic_signatures"]

_UNSETTLED = re.compile(r"_|'|prime|\\d+ot|partial|[dD]eriv|diff|\^\{\(")  # indices or derivatives
_PARTIAL = re.compile(r"\\p(?:artial|deriv|diff)(?![a-z])")


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
            found = _flattened(statements_of(scope, nodes, (0, len(source))))
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


def _together(dependent: dict[str, tuple[Expression, ...]]) -> dict[str, tuple[Expression, ...]]:
    """Functions that are differentiated partially depend on all the variables, unless one of these is a function."""
    every: dict[str, Expression] = {}
    for variables in dependent.values():
        every.update((v.name, v) for v in variables if isinstance(v, Symbol) and v.name not in every)
    single = all(isinstance(v, Symbol) for variables in dependent.values() for v in variables)
    if len(dependent) < 2 or not single or any(name in dependent for name in every):
        return dependent
    return {name: tuple(every.values()) for name in dependent}


def _in_order(name: str, variables: tuple[Expression, ...], statements: list[Expression]) -> tuple[Expression, ...]:
    """The variables in the order in which the function is applied to some of them elsewhere, else time last."""
    names = [variable.name for variable in variables if isinstance(variable, Symbol)]
    if len(variables) < 2 or len(names) < len(variables):
        return variables
    places: dict[str, int] = {}
    for node in (part for statement in statements for part in walk(statement)):
        if not isinstance(node, Unknown) or not isinstance(node.function, Symbol) or node.function.name != name:
            continue
        if len(node.arguments) == len(names):
            places.update({one.name: at for at, one in enumerate(node.arguments) if isinstance(one, Symbol)})
    by_name = dict(zip(names, variables, strict=True))
    known = {own: places[own] for own in names if own in places}
    if not known:
        return tuple(by_name[own] for own in sorted(names, key=lambda own: own == "t"))
    rest = iter([one for own, one in by_name.items() if own not in known])
    taken = {at: own for own, at in known.items()}
    if len(taken) < len(known):
        return variables
    return tuple(by_name[taken[at]] if at in taken else next(rest) for at in range(len(names)))


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
    dependent = {name: _in_order(name, variables, statements) for name, variables in dependent.items()}

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
