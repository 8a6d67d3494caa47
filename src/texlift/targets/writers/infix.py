"""Expressions to the infix languages of Mathematica, Maple and Maxima: what their printers share."""

from __future__ import annotations

from typing import ClassVar, get_args

from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Integral,
    Interval,
    Limit,
    Matrix,
    Number,
    Relation,
    Sequence,
    Series,
    Substitution,
    Symbol,
    Unknown,
)
from texlift.targets.arrays import is_array, parted_product
from texlift.targets.path import over_real_line
from texlift.targets.table import fill, lookup
from texlift.targets.writers.writer import LISTED, Chain, Writer

__all__ = ["ATOM", "InfixPrinter"]

_METHODS = {kind: f"write_{kind.__name__.lower()}" for kind in get_args(Expression)}
RELATION, SUM, PRODUCT, POWER, ATOM = range(5)


class InfixPrinter(Writer):
    """Writes a formula; `level` is how tightly the surroundings bind."""

    brackets = ("(", ")")  # around arguments
    operators: ClassVar[dict[str, str]] = {}  # head of an operator: the function that computes it
    constants: ClassVar[dict[str, str]] = {}
    relations: ClassVar[dict[str, str]] = {}
    exponential = "exp"
    meijer_function = ""

    def write(self, node: Expression, level: int = 0) -> str:
        """The node as code that can stand where `level` binds."""
        return getattr(self, _METHODS[type(node)])(node, level)  # type: ignore[no-any-return]

    def call(self, function: str, *arguments: str) -> str:
        return function + self.brackets[0] + ", ".join(arguments) + self.brackets[1]

    # -- leaves ----------------------------------------------------------------------------------------

    def write_number(self, node: Number, level: int) -> str:
        return node.value if node.value[0] != "." else "0" + node.value

    def write_symbol(self, node: Symbol, level: int) -> str:
        return self.symbol_name(node.name)

    def write_constant(self, node: Constant, level: int) -> str:
        known = self.constants.get(node.name)
        if known is None:
            raise self.error(f"{node.name} has no counterpart in {self.target}", node)
        return known

    def write_dots(self, node: Dots, level: int) -> str:
        raise self.error("dots leave the reader to guess", node, "write a sum or product with its bounds")

    def write_function(self, node: Function, level: int) -> str:
        raise self.error(f"{node.head} stands without its variable", node, f"write {node.head}@{{...}}")

    def write_interval(self, node: Interval, level: int) -> str:
        raise self.error(f"an interval is no value in {self.target}", node)

    # -- operators -------------------------------------------------------------------------------------

    def write_apply(self, node: Apply, level: int) -> str:
        head = node.head
        self.refuse_lists(node)
        if head[0] != "\\":
            method = getattr(self, "operator_" + head, None)
            if method is not None:
                return method(node, level)  # type: ignore[no-any-return]
            known = self.operators.get(head)
            if known is not None:
                return self.call(known, *(self.write(a) for a in node.arguments))
        elif head == r"\MeijerG":
            return self.meijer(node)
        elif head == r"\exp" and self.has_arrays and is_array(node.arguments[0]):
            return self.write(Apply("power", (Constant("e"), node.arguments[0]), node.span), level)
        node = self.folded(node)
        entry = lookup(self.table, node)
        if entry is None:
            result = self.write(self.expanded(node), level)
            self.depth -= 1
            return result
        self.remember(entry, node)
        arguments = [self.write(a) for a in node.arguments]
        if head in LISTED:
            for slot in LISTED[head]:
                if not isinstance(node.arguments[slot], Sequence):
                    arguments[slot] = self.write_sequence(Sequence((node.arguments[slot],), "list"), 0)
        code = fill(entry, arguments)
        return code if entry.closed or level == 0 else f"({code})"

    def meijer(self, node: Apply) -> str:
        """Meijer's G-function of two pairs of lists."""
        lists = self.parted(node)
        if not self.meijer_function or lists is None:
            raise self.lacking(node)
        above, right, below, left = (self.write(part) for part in lists)
        empty = self.write_sequence(Sequence((), "list"), 0)  # the brackets of a list
        pairs = (f"{empty[0]}{above}, {right}{empty[1]}", f"{empty[0]}{below}, {left}{empty[1]}")
        return self.call(self.meijer_function, *pairs, self.write(node.arguments[4]))

    def wrap(self, code: str, strength: int, level: int) -> str:
        return f"({code})" if strength < level else code

    def operator_plus(self, node: Apply, level: int) -> str:
        parts = [self.write(node.arguments[0], SUM)]
        for term in node.arguments[1:]:
            if isinstance(term, Apply) and term.head == "negate":
                parts.append(" - " + self.write(term.arguments[0], PRODUCT))
            else:
                parts.append(" + " + self.write(term, PRODUCT))
        return self.wrap("".join(parts), SUM, level)

    def operator_negate(self, node: Apply, level: int) -> str:
        return self.wrap("-" + self.write(node.arguments[0], PRODUCT), SUM, level)

    array_product = ""  # the sign between matrices, where it is not that of numbers
    array_exponential = ""  # the exponential of a matrix

    def array_power(self, base: Expression, exponent: Expression, level: int) -> str:
        """A power of a matrix."""
        raise self.error(f"a power of a matrix has no counterpart in {self.target}", base)

    def array_times(self, node: Apply, level: int) -> str | None:
        """A product with two vectors or matrices among its factors; None for other products."""
        parted = parted_product(node)
        if parted is None or not self.array_product:
            return None
        numbers, arrays = parted
        code = self.array_product.join(self.write(part, POWER) for part in arrays)
        if not numbers:
            return self.wrap(code, PRODUCT if level < PRODUCT else 0, level)
        return self.wrap("*".join([*(self.write(part, PRODUCT) for part in numbers), f"({code})"]), PRODUCT, level)

    def operator_times(self, node: Apply, level: int) -> str:
        if self.has_arrays and (product := self.array_times(node, level)) is not None:
            return product
        operated = self.operated(node)
        if operated is not None:
            return self.write(operated, level)
        return self.wrap("*".join(self.write(a, PRODUCT) for a in node.arguments), PRODUCT, level)

    def operator_divide(self, node: Apply, level: int) -> str:
        above, below = node.arguments
        return self.wrap(f"{self.write(above, PRODUCT)}/{self.write(below, POWER)}", PRODUCT, level)

    def operator_power(self, node: Apply, level: int) -> str:
        base, exponent = node.arguments
        if isinstance(base, Constant) and base.name == "e":
            exponential = self.exponential
            if self.has_arrays and is_array(exponent):
                if not self.array_exponential:
                    raise self.error(f"the exponential of a matrix has no counterpart in {self.target}", node)
                exponential = self.array_exponential
            return self.call(exponential, self.write(exponent))
        if self.has_arrays and is_array(base):
            return self.array_power(base, exponent, level)
        return self.wrap(f"{self.write(base, ATOM)}^{self.write(exponent, ATOM)}", POWER, level)

    def operator_root(self, node: Apply, level: int) -> str:
        body, order = node.arguments
        return self.wrap(f"{self.write(body, ATOM)}^(1/{self.write(order, POWER)})", POWER, level)

    remainder_function = ""  # the remainder of a division

    def operator_modulo(self, node: Apply, level: int) -> str:
        if not self.remainder_function:
            raise self.error(f"a remainder has no counterpart in {self.target}", node)
        return self.call(self.remainder_function, *(self.write(a) for a in node.arguments))

    def operator_truncated(self, node: Apply, level: int) -> str:
        self.notes["a decimal number followed by dots is given as far as it was written"] = None
        return self.write(node.arguments[0], level)

    # -- structures that are written alike ------------------------------------------------------------

    def variable(self, node: Expression) -> str:
        if isinstance(node, Symbol):
            return self.symbol_name(node.name)
        if isinstance(node, Indexed):
            return self.write(node)
        raise self.error("something else than a variable is bound here", node)

    def write_relation(self, node: Relation, level: int) -> str:
        node = self.unlabelled(node)
        parted = self.chained(node) if any(type(part) is Dots for part in node.operands) else None
        if parted is not None:
            before, chain, after = parted
            pieces = [self.write_relation(part, 0) for part in (before, after) if part is not None]
            pieces.insert(1 if before is not None else 0, self.whole_chain(chain))
        else:
            pieces = [self.one_relation(operator, left, right, node) for operator, left, right in node.links]
        return self.wrap(self.conjunction(pieces), RELATION if level else 0, level)

    def whole_chain(self, chain: Chain) -> str:
        """All links of a chain of symbolic length."""
        raise self.error(f"a chain of symbolic length has no counterpart in {self.target}", chain.link)

    def one_relation(self, operator: str, left: Expression, right: Expression, node: Relation) -> str:
        sign = self.relations.get(operator)
        if sign is None:
            special = self.special_relation(operator, left, right)
            if special is None:
                raise self.error(f"the relation {operator} has no counterpart in {self.target}", node)
            return special
        if isinstance(right, Sequence) and right.kind == "list" and operator in ("=", "!="):
            return self.one_of(operator, left, right)
        return f"{self.write(left, SUM)} {sign} {self.write(right, SUM)}"

    def one_of(self, operator: str, left: Expression, right: Sequence) -> str:
        """`n=1,2,3`, and `n=0,1,2,\\dots` for all integers from 0 on."""
        if isinstance(right.items[-1], Dots) and operator == "=" and isinstance(right.items[0], Number):
            start = f"{self.write(left, SUM)} >= {self.write(right.items[0])}"
            return self.conjunction([self.integer(left), start])
        pieces = [f"{self.write(left, SUM)} {self.relations[operator]} {self.write(item, SUM)}" for item in right.items]
        return self.disjunction(pieces) if operator == "=" else self.conjunction(pieces)

    def integer(self, node: Expression) -> str:
        """The statement that a value is an integer."""
        raise NotImplementedError

    def operator_enumerate(self, node: Apply, level: int) -> str:
        """The items of a list with a running index."""
        raise NotImplementedError

    def special_relation(self, operator: str, left: Expression, right: Expression) -> str | None:
        return None

    def inside(self, value: Expression, interval: Interval) -> str:
        """A value between the ends of an interval."""
        low, high = ("<=" if closed else "<" for closed in (interval.closed_lower, interval.closed_upper))
        middle = self.write(value, SUM)
        return self.conjunction(
            [f"{self.write(interval.lower, SUM)} {low} {middle}", f"{middle} {high} {self.write(interval.upper, SUM)}"]
        )

    def remainder(self, function: str, left: Expression, right: Expression) -> str | None:
        """`left - value` divided by the modulus of `right`; None where `right` has none."""
        if not isinstance(right, Apply) or right.head != "modulo":
            return None
        value, modulus = (self.write(a) for a in right.arguments)
        return self.call(function, f"{self.write(left, SUM)} - ({value})", modulus) + f" {self.relations['=']} 0"

    def steps(self, node: Derivative) -> list[tuple[str, str]]:
        """Variables and orders of a derivative; the order is empty where it is 1."""
        return [
            (self.variable(v), "" if isinstance(n, Number) and n.value == "1" else self.write(n))
            for v, n in node.variables
        ]

    def conjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else " and ".join(pieces)

    def disjunction(self, pieces: list[str]) -> str:
        return pieces[0] if len(pieces) == 1 else "(" + " or ".join(pieces) + ")"

    def operator_and(self, node: Apply, level: int) -> str:
        return self.conjunction([self.write(a) for a in node.arguments])

    def operator_or(self, node: Apply, level: int) -> str:
        return self.disjunction([self.write(a) for a in node.arguments])

    def operator_not(self, node: Apply, level: int) -> str:
        return f"(not ({self.write(node.arguments[0])}))"

    def operator_sinc(self, node: Apply, level: int) -> str:
        sine = Apply("divide", (Apply(r"\sin", node.arguments, node.span), node.arguments[0]), node.span)
        self.notes["sinc is 1 at 0"] = None
        return self.write(sine, level)

    def write_sequence(self, node: Sequence, level: int) -> str:
        items = ", ".join(self.write(item) for item in node.items)
        return "{" + items + "}" if node.kind == "set" else "[" + items + "]"

    def called(self, node: Unknown) -> tuple[str, list[str]]:
        """Name and leading arguments (its indices) of an unknown function, written."""
        name, leading = self.unknown(node)
        return name, [self.write(part) for part in leading]

    def write_indexed(self, node: Indexed, level: int) -> str:
        name = self.function_name(node.base)
        return name + "[" + ", ".join(self.write(part) for part in (*node.indices, *node.upper)) + "]"

    def write_unknown(self, node: Unknown, level: int) -> str:
        raise NotImplementedError

    def write_series(self, node: Series, level: int) -> str:
        raise NotImplementedError

    def write_integral(self, node: Integral, level: int) -> str:
        raise NotImplementedError

    def write_limit(self, node: Limit, level: int) -> str:
        raise NotImplementedError

    def write_derivative(self, node: Derivative, level: int) -> str:
        raise NotImplementedError

    def write_substitution(self, node: Substitution, level: int) -> str:
        raise NotImplementedError

    def write_cases(self, node: Cases, level: int) -> str:
        raise NotImplementedError

    def write_matrix(self, node: Matrix, level: int) -> str:
        raise NotImplementedError

    def bounds(self, node: Series | Integral) -> tuple[str, str]:
        if node.lower is None or node.upper is None:
            raise self.error("the bounds are not given", node)
        return self.write(node.lower), self.write(node.upper)

    def circled(self, node: Integral) -> Expression | None:
        """An integral around a circle, over its angle."""
        return over_real_line(node) if node.domain is not None else None

    def plain_integral(self, node: Integral) -> None:
        if node.kind in ("contour", "line") or node.domain is not None:
            raise self.error(f"an integral over a path or region has no counterpart in {self.target}", node)
