r"""Meaning trees as LaTeX: every concept by its macro, or in a notation.

    gradient(f) + 1    is    \gradientOf{f}+1    by macros,    \operatorname{grad} f+1    in the Russian notation

What has neither is an error. A part that would be read otherwise where it stands gets parentheses.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from texlift.errors import FormulaError
from texlift.latex.printing import join
from texlift.macros.concepts import Concept, ConceptNotation, Vocabulary, vocabulary
from texlift.macros.lexicon import lexicon
from texlift.meaning.concepts import Meant, meant
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.pattern import Bracket, Element, Hole, Part, Raised, Sign, elements_of
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Dots,
    Expression,
    Function,
    Indexed,
    Interval,
    Matrix,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
)

__all__ = ["Choose", "LatexWriter", "by_macro"]

LIST, STATEMENT, RELATION, OPERATION, SUM, PRODUCT, POWER, ATOM = range(8)
_EXTENT = {
    "factor": (ATOM, PRODUCT),
    "product": (PRODUCT, SUM),
    "sum": (SUM, OPERATION),
    "statement": (STATEMENT, LIST),
}
_LEVEL = {"relation": (OPERATION, OPERATION, RELATION), "operation": (OPERATION, SUM, OPERATION),
          "product": (ATOM, ATOM, PRODUCT)}  # fmt: skip
_ARITHMETIC = frozenset({"plus", "times", "divide", "negate", "power"})
_LOGIC = {"and": r"\land", "or": r"\lor", "implies": r"\Rightarrow", "iff": r"\Leftrightarrow", "xor": r"\oplus"}
_HOLE = re.compile(r"#([1-9])")
_DEEPEST = 100
_SEPARATORS = frozenset({",", ";", r"\mid", "|", ":", r"\|", r"\parallel"})
_PAIRS = {"tuple": ("(", ")"), "set": (r"\{", r"\}"), "list": ("", "")}

Choose = Callable[[Concept], ConceptNotation | None]
"""Which notation a concept is written in; None for its macro."""


def by_macro(_: Concept) -> ConceptNotation | None:
    """Every concept by its macro."""
    return None


@dataclass(frozen=True, slots=True)
class _Layout:
    """How tightly the parts in the holes of a notation must bind, and how tightly it binds itself."""

    holes: dict[str, int]
    own: int


class LatexWriter:
    """Writes trees with one choice of notations."""

    def __init__(self, source: str, choose: Choose = by_macro, words: Vocabulary | None = None) -> None:
        self.source = source
        self.choose = choose
        self.words = vocabulary() if words is None else words
        self.depth = 0

    def statement(self, node: Expression) -> str:
        """The LaTeX of a statement."""
        return self.part(node, LIST)

    def part(self, node: Expression, needed: int) -> str:
        """The LaTeX of a part, in parentheses where it binds less tightly than needed."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error("nested too deeply", node)
        text, own = self._written(node)
        self.depth -= 1
        return text if own >= needed else rf"\left({text}\right)"

    def error(self, message: str, node: Expression) -> FormulaError:
        return FormulaError(message, self.source, node.span, "", "unsupported")

    # -- concepts ------------------------------------------------------------------------------------------

    def _written(self, node: Expression) -> tuple[str, int]:
        if isinstance(node, Apply) and node.head in _ARITHMETIC and not self._is_degrees(node):
            return self._arithmetic(node)
        if isinstance(node, Relation):
            return self._relation(node)
        if isinstance(node, Sequence | Interval) and not (isinstance(node, Sequence) and node.kind == "system"):
            return self._collection(node)
        found = meant(node, self.words)
        if found is not None and found.complete:
            return self._concept(found)
        return self._structure(node)

    def _is_degrees(self, node: Apply) -> bool:
        found = meant(node, self.words)
        return found is not None and found.concept.name == "degrees" and isinstance(found.parts["1"], Number)

    def _concept(self, found: Meant) -> tuple[str, int]:
        concept = found.concept
        one = self.choose(concept)
        layout = _layout((one or concept.notations[0]).latex, concept.level, concept.extent)
        plain = one is None and "@" in concept.macro  # a macro of the DLMF brings its own parentheses
        texts = {
            hole: self.part(part, LIST if plain or hole in concept.lists else layout.holes.get(hole, LIST))
            for hole, part in found.parts.items()
        }
        own = ATOM if plain or not concept.arity else layout.own
        return _filled(one.latex if one is not None else concept.macro, texts), own

    # -- arithmetic and statements -------------------------------------------------------------------------

    def _arithmetic(self, node: Apply) -> tuple[str, int]:
        parts = node.arguments
        if node.head == "negate":
            return "-" + self.part(parts[0], PRODUCT), SUM
        if node.head == "divide":
            return rf"\frac{{{self.part(parts[0], LIST)}}}{{{self.part(parts[1], LIST)}}}", POWER
        if node.head == "power":
            return f"{self.part(parts[0], ATOM)}^{{{self.part(parts[1], LIST)}}}", POWER
        if node.head == "plus":
            text = self.part(parts[0], PRODUCT if not _negated(parts[0]) else SUM)
            for part in parts[1:]:
                more = self.part(part, SUM if _negated(part) else PRODUCT)
                text = join(text, more if _negated(part) else f"+{more}")
            return text, SUM
        text = self.part(parts[0], POWER)
        for before, part in itertools.pairwise(parts):
            more = self.part(part, POWER)
            text = join(text, f"\\cdot {more}" if _needs_sign(before, more) else more)
        return text, PRODUCT

    def _relation(self, node: Relation) -> tuple[str, int]:
        found = meant(node, self.words)
        if found is not None and found.complete and len(node.operands) == 2 and not self._signed(node.operators[0]):
            return self._concept(found)
        one = self.choose(found.concept) if found is not None and len(node.operands) == 2 else None
        if found is not None and found.complete and one is not None:
            return self._concept(found)
        text = self.part(node.operands[0], OPERATION)
        for operator, operand in zip(node.operators, node.operands[1:], strict=True):
            sign = _signs().get(operator)
            if sign is None:
                raise self.error(f"the relation {operator} in a chain cannot be written", node)
            text = join(join(text, sign), self.part(operand, OPERATION))
        return text, RELATION

    @staticmethod
    def _signed(operator: str) -> bool:
        """Whether a relation keeps its sign: one that everybody reads so."""
        return operator in ("=", "<", ">", "<=", ">=", "!=", "in", "->")

    def _collection(self, node: Sequence | Interval) -> tuple[str, int]:
        if isinstance(node, Interval):
            left, right = "[" if node.closed_lower else "(", "]" if node.closed_upper else ")"
            if (left, right) == ("(", ")"):
                left, right = "]", "["
            ends = f"{self.part(node.lower, STATEMENT)},{self.part(node.upper, STATEMENT)}"
            return rf"\left{left}{ends}\right{right}", ATOM
        left, right = _PAIRS.get(node.kind, ("", ""))
        body = ",".join(self.part(item, STATEMENT) for item in node.items)
        if node.kind not in _PAIRS:
            raise self.error(f"a {node.kind} cannot be written", node)
        return (body, LIST) if not left else (rf"\left{left}{body}\right{right}", ATOM)

    # -- the rest ------------------------------------------------------------------------------------------

    def _structure(self, node: Expression) -> tuple[str, int]:
        match node:
            case Number(value=value):
                return value, ATOM
            case Symbol(name=name):
                return name, ATOM if "'" not in name and "^" not in name else POWER
            case Dots():
                return r"\dots", ATOM
            case Constant(name=name):
                raise self.error(f"the constant {name} cannot be written", node)
            case Indexed():
                below = ",".join(self.part(part, STATEMENT) for part in node.indices)
                above = ",".join(self.part(part, STATEMENT) for part in node.upper)
                return f"{node.base}_{{{below}}}" + (f"^{{({above})}}" if above else ""), POWER if above else ATOM
            case Unknown():
                return self._unknown(node)
            case Function():
                return self._call(node.head, node.parameters, node), ATOM
            case Apply():
                return self._apply(node)
            case Matrix(rows=rows, determinant=determinant):
                name = "vmatrix" if determinant else "pmatrix"
                lines = [" & ".join(self.part(cell, STATEMENT) for cell in row) for row in rows]
                body = r" \\ ".join(lines)
                return rf"\begin{{{name}}}{body}\end{{{name}}}", ATOM
            case Cases(branches=branches):
                lines = [self._branch(value, condition) for value, condition in branches]
                return r"\begin{cases}" + r" \\ ".join(lines) + r"\end{cases}", ATOM
        raise self.error(f"{type(node).__name__.lower()} of this kind has no macro", node)

    def _branch(self, value: Expression, condition: Expression | None) -> str:
        said = r"\text{otherwise}" if condition is None else self.part(condition, STATEMENT)
        return f"{self.part(value, STATEMENT)} & {said}"

    def _unknown(self, node: Unknown) -> tuple[str, int]:
        function = node.function
        name, _ = self._structure(function)
        order = ""
        if node.order is not None:
            few = isinstance(node.order, Number) and node.order.value in ("1", "2", "3")
            order = "'" * int(node.order.value) if few else f"^{{({self.part(node.order, LIST)})}}"  # type: ignore[union-attr]
        arguments = ",".join(self.part(part, STATEMENT) for part in node.arguments)
        return rf"{name}{order}\left({arguments}\right)", ATOM

    def _apply(self, node: Apply) -> tuple[str, int]:
        if node.head in _LOGIC:
            sign = _LOGIC[node.head]
            parts = [self.part(part, RELATION) for part in node.arguments]
            text = parts[0]
            for part in parts[1:]:
                text = join(join(text, sign), part)
            return text, STATEMENT
        if node.head[0] != "\\":
            raise self.error(f"{node.head} has no macro", node)
        return self._call(node.head, node.arguments, node), ATOM

    def _call(self, head: str, arguments: tuple[Expression, ...], node: Expression) -> str:
        """A macro of the DLMF with all that it was applied to."""
        name = head.removesuffix("[]")
        macro = lexicon().lookup(name)
        if macro is None:
            raise self.error(f"{name} has no macro", node)
        texts = [self.part(part, LIST) for part in arguments]
        options = int(head.endswith("[]"))
        before, behind = texts[options : options + macro.parameters], texts[options + macro.parameters :]
        call = name + "".join(f"[{text}]" for text in texts[:options]) + "".join(f"{{{text}}}" for text in before)
        return call + ("@" + "".join(f"{{{text}}}" for text in behind) if behind else "")


def _negated(node: Expression) -> bool:
    return isinstance(node, Apply) and node.head == "negate"


def _needs_sign(before: Expression, more: str) -> bool:
    """Whether two factors side by side would be read as something else: two numbers, a function of what follows."""
    closed = isinstance(before, Number | Symbol | Constant | Indexed) or (
        isinstance(before, Apply) and before.head in ("divide", "power", "sqrt", "root")
    )
    return more[:1].isdigit() or more.startswith((r"\left(", "(", r"\left[", "[")) or not closed


def _filled(template: str, texts: dict[str, str]) -> str:
    """A template with texts in its holes; a hole without braces in a script gets them."""
    result, at = "", 0
    for hole in _HOLE.finditer(template):
        result = join(result, template[at : hole.start()])
        result = join(result, texts[hole[1]])
        at = hole.end()
    return join(result, template[at:])


@cache
def _signs() -> dict[str, str]:
    """The first sign of each relation."""
    found: dict[str, str] = {}
    for sign, operator in notation().relations.items():
        found.setdefault(operator, sign)
    return found


@lru_cache(maxsize=4096)
def _layout(latex: str, level: str, extent: str) -> _Layout:
    """What the holes of a notation need."""
    elements = elements_of(latex)
    first, last = elements[0], elements[-1]
    holes: dict[str, int] = {}
    for element in elements:
        _enclosed(element, holes)
    own = ATOM
    if isinstance(first, Raised):
        if isinstance(first.base, Hole):
            holes[first.base.name] = ATOM
        own = POWER if len(elements) == 1 and any(kind != "_" for kind, _ in first.scripts) else own
    if isinstance(first, Hole) and isinstance(last, Hole):
        left, right, own = _LEVEL[level or "relation"]
        holes |= {first.name: left, last.name: right}
    elif isinstance(first, Hole):
        holes[first.name], own = ATOM, POWER
    elif isinstance(last, Hole):
        holes[last.name], own = _EXTENT[extent]
    for element in elements[1:-1]:
        if isinstance(element, Hole):
            holes[element.name] = PRODUCT
    return _Layout(holes, own)


def _enclosed(element: Element, holes: dict[str, int], script: bool = False) -> None:
    match element:
        case Hole(name=name):
            holes.setdefault(name, LIST)
        case Part(arguments=arguments):
            for content in arguments:
                _row(content, holes)
        case Bracket(inside=inside):
            _row(inside, holes)
        case Raised(base=base, scripts=scripts):
            if base is not None and not isinstance(base, Hole):
                _enclosed(base, holes)
            for _, content in scripts:
                _row(content, holes)


def _beside(others: list[Element]) -> int:
    """How tightly a hole must bind beside other elements in the same braces."""
    if not others:
        return LIST
    signs = [other.text for other in others if isinstance(other, Sign)]
    if not signs:
        return ATOM
    if all(sign in _SEPARATORS for sign in signs):
        return RELATION
    return OPERATION if all(sign in notation().relations for sign in signs) else PRODUCT


def _row(content: tuple[Element, ...], holes: dict[str, int]) -> None:
    """Holes in braces: alone they need nothing, beside signs they must not have these signs inside."""
    for element in content:
        if isinstance(element, Hole):
            beside = [other for other in content if other is not element]
            holes.setdefault(element.name, _beside(beside))
        else:
            _enclosed(element, holes)
            if isinstance(element, Raised) and isinstance(element.base, Hole):
                holes.setdefault(element.base.name, ATOM)
