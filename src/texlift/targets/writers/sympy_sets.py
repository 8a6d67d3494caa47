"""SymPy's sets: operations, sets given by a condition or by a general element, ranges of integers."""

from __future__ import annotations

import ast
from itertools import pairwise

from texlift.meaning.reader.general_term import INDEX
from texlift.meaning.tree import Apply, Dots, Expression, Number, Relation, Sequence, Symbol, free_symbols
from texlift.targets.writers.pybuild import PythonBuilder, call

__all__ = ["SetBuilder"]

_ORDERS = frozenset({"<", ">", "<=", ">="})
_FEWEST = 2  # numbers before dots that show a step


class SetBuilder(PythonBuilder):
    """A letter that stands for a set is noted: SymPy has no symbols for sets."""

    def condition(self, node: Expression) -> ast.expr:
        """A condition of a set."""
        raise NotImplementedError

    def of_sets(self, name: str, node: Apply) -> ast.expr:
        self.note_sets(*node.arguments)
        return call(name, *(self.build(a) for a in node.arguments))

    def note_sets(self, *nodes: Expression) -> None:
        """A letter that stands for a set must be given as one: SymPy has no symbols for sets."""
        for node in nodes:
            if isinstance(node, Symbol):
                self.notes[f"{self.symbol_name(node.name)} stands for a set"] = None

    def operator_union(self, node: Apply) -> ast.expr:
        return self.of_sets("Union", node)

    def operator_intersect(self, node: Apply) -> ast.expr:
        return self.of_sets("Intersection", node)

    def operator_symmetricdifference(self, node: Apply) -> ast.expr:
        return self.of_sets("SymmetricDifference", node)

    def operator_cartesian(self, node: Apply) -> ast.expr:
        return self.of_sets("ProductSet", node)

    def operator_setminus(self, node: Apply) -> ast.expr:
        return self.of_sets("Complement", node)

    # -- sets that are written out ----------------------------------------------------------------------

    def finite_set(self, node: Sequence) -> ast.expr:
        """`{1, 2, 3}`, `{1, ..., n}`, `{2, 4, 6, ...}`."""
        only = node.items[0] if len(node.items) == 1 else None
        if isinstance(only, Apply) and only.head == "enumerate":
            return self.enumerated(only)
        if any(isinstance(item, Dots) for item in node.items):
            return self.endless(node)
        return call("FiniteSet", *(self.build(item) for item in node.items))

    def enumerated(self, node: Apply) -> ast.expr:
        """The integers from the first to the last, or what a general element makes of them."""
        general, first, last = node.arguments
        numbers = call("Range", self.build(first), self.build(_next(last)))
        if isinstance(general, Symbol) and general.name == INDEX.name:
            return numbers
        return call("ImageSet", call("Lambda", ast.Name(self.variable(INDEX)), self.build(general)), numbers)

    def endless(self, node: Sequence) -> ast.expr:
        """Integers in equal steps that go on at one end or at both."""
        first, last = (isinstance(node.items[place], Dots) for place in (0, -1))
        shown = [_integer(item) for item in node.items[int(first) : len(node.items) - int(last)]]
        numbers = [value for value in shown if value is not None]
        steps = {after - before for before, after in pairwise(numbers)}
        if len(numbers) != len(shown) or len(numbers) < _FEWEST or len(steps) != 1 or not (first or last):
            raise self.error("dots in a set leave the reader to guess", node, "give a condition: {x | ...}")
        (step,) = steps
        if len(numbers) == _FEWEST and abs(step) != 1:
            raise self.error("two numbers and dots: in which steps does the set go on?", node)
        if first and last:
            whole: ast.expr = ast.Name("Integers")
            return whole if step == 1 else self.multiples(numbers[0], step)
        if first:
            numbers, step = numbers[::-1], -step
        if step == 1 and numbers[0] in (0, 1):
            return ast.Name("Naturals0" if numbers[0] == 0 else "Naturals")
        end = ast.Name("oo") if step > 0 else ast.UnaryOp(ast.USub(), ast.Name("oo"))
        steps_of = [] if step == 1 else [_number(step)]
        return call("Range", _number(numbers[0]), end, *steps_of)

    def multiples(self, start: int, step: int) -> ast.expr:
        variable = self.variable(INDEX)
        body = ast.BinOp(_number(start), ast.Add(), ast.BinOp(_number(step), ast.Mult(), ast.Name(variable)))
        return call("ImageSet", call("Lambda", ast.Name(variable), body), ast.Name("Integers"))

    # -- sets by a condition -----------------------------------------------------------------------------

    def operator_setbuilder(self, node: Apply) -> ast.expr:
        element, condition = node.arguments
        base: list[ast.expr] = []
        if isinstance(element, Relation) and element.operators == ("in",):
            self.note_sets(element.operands[1])
            base = [self.build(element.operands[1])]
            element = element.operands[0]
        conditions = condition.arguments if isinstance(condition, Apply) and condition.head == "and" else (condition,)
        if isinstance(element, Symbol):
            image = None if base else self.named_image(element, conditions)
            if image is not None:
                return image
            self.refuse_hidden(element, conditions, node)
            if not base and all(isinstance(one, Relation) and set(one.operators) <= _ORDERS for one in conditions):
                base = [ast.Name("Reals")]  # only real numbers are ordered
            return call("ConditionSet", ast.Name(self.variable(element)), self.condition(condition), *base)
        if isinstance(element, Sequence) and all(isinstance(item, Symbol) for item in element.items):
            pair = call("Tuple", *(ast.Name(self.variable(item)) for item in element.items))
            return call("ConditionSet", pair, self.condition(condition), *base)
        if not base:
            image = self.image(element, conditions)
            if image is not None:
                return image
        raise self.error("a set of expressions has no counterpart in SymPy", node)

    def refuse_hidden(self, element: Symbol, conditions: tuple[Expression, ...], node: Apply) -> None:
        """`{x | x>k, k in Z}`: some k, which SymPy cannot say."""
        for one in conditions:
            if isinstance(one, Relation) and one.operators == ("in",):
                letter = one.operands[0]
                if isinstance(letter, Symbol) and letter.name != element.name:
                    raise self.error(f"a set whose condition holds for some {letter.name}", node)

    def named_image(self, element: Symbol, conditions: tuple[Expression, ...]) -> ast.expr | None:
        """`{x | x=3k, k in Z}`: the values of 3k."""
        for place, one in enumerate(conditions):
            if isinstance(one, Relation) and one.operators == ("=",):
                left, right = one.operands
                named = isinstance(left, Symbol) and left.name == element.name
                if named and element.name not in free_symbols(right):
                    rest = (*conditions[:place], *conditions[place + 1 :])
                    return self.image(right, rest) if rest else None
        return None

    def image(self, element: Expression, conditions: tuple[Expression, ...]) -> ast.expr | None:
        """The values of an expression whose variables are taken from sets; None where they are not."""
        members = {
            one.operands[0].name: one.operands[1]
            for one in conditions
            if isinstance(one, Relation) and one.operators == ("in",) and isinstance(one.operands[0], Symbol)
        }
        letters = [name for name in free_symbols(element) if name in members]
        if not letters or set(letters) != set(members):
            return None
        others = [one for one in conditions if not (isinstance(one, Relation) and one.operators == ("in",))]
        domains: list[ast.expr] = []
        for name in letters:
            own = [one for one in others if set(free_symbols(one)) & set(members) == {name}]
            others = [one for one in others if one not in own]
            self.note_sets(members[name])
            domain = self.build(members[name])
            variable = ast.Name(self.symbol_name(name))
            if own:
                test = own[0] if len(own) == 1 else Apply("and", tuple(own), own[0].span)
                domain = call("ConditionSet", variable, self.condition(test), domain)
            domains.append(domain)
        if others:
            return None
        names: list[ast.expr] = [ast.Name(self.symbol_name(name)) for name in letters]
        variables = names[0] if len(names) == 1 else ast.Tuple(names)
        return call("ImageSet", call("Lambda", variables, self.build(element)), *domains)


def _integer(node: Expression) -> int | None:
    if isinstance(node, Apply) and node.head == "negate":
        inner = _integer(node.arguments[0])
        return None if inner is None else -inner
    return int(node.value) if isinstance(node, Number) and node.value.isdigit() else None


def _number(value: int) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _next(node: Expression) -> Expression:
    value = _integer(node)
    one = Number("1", node.span)
    if isinstance(node, Apply) and node.head == "plus" and len(node.arguments) == 2:
        last = node.arguments[1]
        if isinstance(last, Apply) and last.head == "negate" and _integer(last.arguments[0]) == 1:
            return node.arguments[0]
    return Number(str(value + 1), node.span) if value is not None and value >= 0 else Apply("plus", (node, one))
