r"""What is certain about the letters of a formula: what they are, what kind of number, and where that is said.

A declaration says it, a condition beside the statement (`n\in\mathbb{N}`, `x>0`), or the place of a letter: the index
of a sum is an integer. Custom says nothing here: an `n` is no integer because it is called n.

    >>> from texlift.meaning.reader.reading import read
    >>> letters_of(read(r"\sum_{k=0}^n x^k, x>0"))["x"].traits
    frozenset({'positive'})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from texlift.meaning.declarations import NUMBERS, Declaration
from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import (
    Apply,
    Constant,
    Dots,
    Expression,
    Indexed,
    Integral,
    Limit,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
    free_symbols,
    walk,
)

__all__ = ["Letter", "letters_of", "without_conditions"]

_SETS: Mapping[str, frozenset[str]] = {
    "reals": frozenset({"real"}),
    "integers": frozenset({"integer"}),
    "complexes": frozenset({"complex"}),
    "rationals": frozenset({"rational"}),
    "naturals": frozenset({"integer", "nonnegative"}),  # whether zero belongs to them is not agreed
    "nonnegative": frozenset({"integer", "nonnegative"}),
}
_SIGNS = {">": "positive", "<": "negative", ">=": "nonnegative", "<=": "nonpositive", "!=": "nonzero"}
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "!=": "!=", "=": "="}
_COUNTING = frozenset({"gcd", "lcm", r"\pgcd", r"\Legendresym", r"\Jacobisym"})
_DIVISION = frozenset({"divides", "notdivides", "mod", "notmod"})


@dataclass(frozen=True, slots=True)
class Letter:
    r"""One letter of a formula.

    `role` is variable, index, function, vector, matrix, ... (see `texlift.meaning.declarations`), `traits` what its
    values are, `shape` the sizes of a vector or matrix, `said` where that comes from: `declared`, `index of a sum`, a
    condition as it is written; empty where nothing is said.
    """

    name: str
    role: str = "variable"
    traits: frozenset[str] = frozenset()
    shape: tuple[str, ...] = ()
    said: str = ""
    kind: str = ""  # integer, real, function, ...: certain, or only likely; see `texlift.meaning.structure.kinds`
    probability: float | None = None  # of the kind

    def __str__(self) -> str:
        kind = " ".join([*sorted(self.traits), self.role])
        shape = f"({','.join(self.shape)})" if self.shape else ""
        likely = self.kind and self.probability is not None and self.probability < 1
        said = self.said or (f"likely {self.kind}, {self.probability:.0%}" if likely else "")
        return f"{self.name}: {kind}{shape}" + (f" ({said})" if said else "")

    def as_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "name": self.name,
            "role": self.role,
            "traits": sorted(self.traits),
            "shape": list(self.shape),
            "said": self.said,
            "kind": self.kind,
            "probability": self.probability,
        }


def letters_of(reading: Reading) -> dict[str, Letter]:
    """The letters of a formula in the order of their first use, with what is certain about them."""
    found: dict[str, Letter] = {}
    for statement in reading.statements:
        for letter in _named(statement):
            known = found.get(letter.name)
            if known is None or (known.role == "variable" and letter.role == "function"):
                found[letter.name] = letter
    for letter in _placed(reading.statements):
        _add(found, letter)
    _, conditions = _parted(reading)
    for statement in conditions:
        said = reading.source[slice(*statement.span)].strip()
        for name, traits in _condition(statement)[0]:
            _add(found, Letter(name, "variable", traits, (), said))
    for name, declaration in reading.declared.items():
        if name in found:
            found[name] = _declared(declaration, found[name])
    return found


def without_conditions(reading: Reading) -> tuple[Expression, ...]:
    """The statements without those that say no more than the traits of letters do: `n\\in\\mathbb{Z}` beside a sum."""
    return tuple(_parted(reading)[0])


def _add(found: dict[str, Letter], letter: Letter) -> None:
    known = found.get(letter.name)
    if known is None or known.role not in NUMBERS:
        return
    role = letter.role if known.role == "variable" else known.role
    said = ", ".join(filter(None, dict.fromkeys((known.said, letter.said))))
    found[letter.name] = replace(known, role=role, traits=known.traits | letter.traits, said=said)


def _declared(declaration: Declaration, known: Letter) -> Letter:
    """A declaration outranks what else is known of a role; what is said of a number holds beside it."""
    numbers = declaration.role in NUMBERS and known.role in NUMBERS
    traits = declaration.traits | known.traits if numbers else declaration.traits
    role = known.role if numbers and declaration.role == "variable" else declaration.role
    said = ", ".join(filter(None, ("declared", known.said if numbers else "")))
    return Letter(known.name, role, traits, declaration.shape, said)


def _named(statement: Expression) -> Iterator[Letter]:
    """All letters of a statement: free and bound ones, and those of functions and of indexed families."""
    for node in walk(statement):
        if isinstance(node, Symbol):
            yield Letter(node.name, node.role or "variable")
        elif isinstance(node, Unknown):
            head = node.function
            yield Letter(head.base if isinstance(head, Indexed) else head.name, "function")
        elif isinstance(node, Indexed):
            yield Letter(node.base, "indexed")


def _placed(statements: tuple[Expression, ...]) -> Iterator[Letter]:
    """What the places of letters say: sums count with their index, and only integers divide each other."""
    free = {name for statement in statements for name in free_symbols(statement)}
    for statement in statements:
        for node in walk(statement):
            if isinstance(node, Series):
                if isinstance(node.index, Symbol) and _counts(node) and node.index.name not in free:
                    yield Letter(node.index.name, "index", frozenset({"integer"}), (), f"index of a {node.kind}")
                counted = isinstance(node.lower, Number) and node.lower.value in ("0", "1")
                yield from _bounding(node.lower, node.kind, ())
                yield from _bounding(node.upper, node.kind, ("nonnegative",) if counted else ())
            elif isinstance(node, Integral | Limit | Substitution) and isinstance(node.variable, Symbol):
                if node.variable.name not in free and not isinstance(node, Substitution):
                    kind = "integration variable" if isinstance(node, Integral) else "variable of a limit"
                    yield Letter(node.variable.name, "variable", frozenset(), (), kind)
            elif isinstance(node, Relation | Apply) and _is_divisibility(node):
                yield from _integers(node, "divisibility")


def _bounding(bound: Expression | None, kind: str, more: tuple[str, ...]) -> Iterator[Letter]:
    """A letter that a sum counts to, by itself or beside a whole number: `n`, `n-1`; from 0 or 1 on, it is a count."""
    terms = bound.arguments if isinstance(bound, Apply) and bound.head == "plus" else (bound,)
    rest = [term.arguments[0] if isinstance(term, Apply) and term.head == "negate" else term for term in terms]
    letters = [term for term in rest if isinstance(term, Symbol)]
    if len(letters) == 1 and all(isinstance(one, Symbol) or _whole(one) for one in rest):
        alone = more if len(rest) == 1 and bound is letters[0] else ()
        yield Letter(letters[0].name, "variable", frozenset({"integer", *alone}), (), f"bound of a {kind}")


def _whole(node: Expression | None) -> bool:
    return isinstance(node, Number) and node.value.isdigit()


def _counts(node: Series) -> bool:
    """Whether the index of a sum runs over integers."""
    condition = node.condition
    if isinstance(condition, Relation) and condition.operators == ("in",):
        domain = condition.operands[1]
        return isinstance(domain, Constant) and "integer" in _SETS.get(domain.name, ())
    return node.lower is not None


def _is_divisibility(node: Relation | Apply) -> bool:
    return set(node.operators) <= _DIVISION if isinstance(node, Relation) else node.head in _COUNTING


def _integers(node: Relation | Apply, said: str) -> Iterator[Letter]:
    """Letters that are, by themselves or as terms, integers."""
    parts = node.operands if isinstance(node, Relation) else node.arguments
    for part in parts:
        plain = part.arguments if isinstance(part, Apply) and part.head == "modulo" else (part,)
        for one in plain:
            if isinstance(one, Symbol):
                yield Letter(one.name, "variable", frozenset({"integer"}), (), said)


# -- conditions beside a statement -----------------------------------------------------------------------


def _parted(reading: Reading) -> tuple[list[Expression], list[Expression]]:
    """The statements, and the conditions among them that traits of letters express in full."""
    if len(reading.statements) < 2:
        return list(reading.statements), []
    stated: list[Expression] = []
    conditions: list[Expression] = []
    said: dict[str, set[str]] = {}
    for statement in reading.statements:
        for name, traits in _condition(statement)[0]:
            said.setdefault(name, set()).update(traits)
    for name, declaration in reading.declared.items():
        said.setdefault(name, set()).update(declaration.traits)
    for statement in reading.statements:
        pairs, complete = _condition(statement)
        if pairs and complete == "integers":
            complete = "yes" if all("integer" in said[name] for name, _ in pairs) else ""
        (conditions if pairs and complete else stated).append(statement)
    used = {name for statement in stated for name in free_symbols(statement)}
    idle = [c for c in conditions if not set(free_symbols(c)) <= used]
    if not stated or idle:
        kept = idle if stated else conditions
        keep = set(map(id, kept))
        return (
            [s for s in reading.statements if id(s) in keep or id(s) in set(map(id, stated))],
            [c for c in conditions if id(c) not in keep],
        )
    return stated, conditions


def _condition(statement: Expression) -> tuple[list[tuple[str, frozenset[str]]], str]:
    """The traits that a condition gives to letters, and whether they say all of it ("integers": of integers only)."""
    nothing: list[tuple[str, frozenset[str]]] = []
    if isinstance(statement, Apply) and statement.head in ("even", "odd"):
        (one,) = statement.arguments
        if isinstance(one, Symbol):
            return [(one.name, frozenset({"integer", statement.head}))], "yes"
        return nothing, ""
    if not isinstance(statement, Relation) or len(statement.operators) != 1:
        return nothing, ""
    operator = statement.operators[0]
    left, right = statement.operands
    if operator in _TURNED and isinstance(right, Symbol) and not isinstance(left, Symbol):
        left, right, operator = right, left, _TURNED[operator]
    if not isinstance(left, Symbol) or left.role not in ("", *NUMBERS):
        return nothing, ""
    if operator == "in" and isinstance(right, Constant) and right.name in _SETS:
        return [(left.name, _SETS[right.name])], "yes"
    if operator in _SIGNS and isinstance(right, Number):
        return _signed(left.name, operator, right.value)
    if operator == "=" and isinstance(right, Sequence) and isinstance(right.items[-1], Dots):
        first = right.items[0]
        if isinstance(first, Number) and first.value in ("0", "1"):
            sign = "nonnegative" if first.value == "0" else "positive"
            return [(left.name, frozenset({"integer", sign}))], "yes"
    return nothing, ""


def _signed(name: str, operator: str, number: str) -> tuple[list[tuple[str, frozenset[str]]], str]:
    if number == "0":
        return [(name, frozenset({_SIGNS[operator]}))], "yes"
    if operator in (">", ">=") and number.replace(".", "").isdigit():
        return [(name, frozenset({"positive"}))], "integers" if (operator, number) == (">=", "1") else ""
    return [], ""
