"""A formula as a function of its letters: its name, its arguments in a sensible order, what it returns.

An equation with a plain letter on its left that does not stand on its right defines that letter, and one with f(x) on
its left defines f: the function returns the right-hand side. Another equation returns left minus right, which is zero
where it holds; other relations return truth values.
"""

from __future__ import annotations

from dataclasses import dataclass

from texlift.meaning.reader.reading import Reading
from texlift.meaning.tree import Apply, Expression, Relation, Sequence, Symbol, Unknown, free_symbols, walk
from texlift.targets.writers.writer import Writer

__all__ = ["Made", "Procedure"]

_LETTERS = "xyzuvwtsr"
_GREEK = frozenset({r"\theta", r"\phi", r"\varphi", r"\rho", r"\zeta", r"\xi", r"\eta", r"\tau", r"\psi"})
_LONGEST = 300  # characters of the formula in its documentation


@dataclass(frozen=True, slots=True)
class Made:
    """The parts of a function: `value` is the code of what it returns, `returns` says what that is."""

    name: str
    arguments: tuple[str, ...]
    value: str
    returns: str
    source: str


def _is_variable(symbol: Symbol) -> bool:
    """Whether a letter is customary for a variable and not for a parameter."""
    base = symbol.name.split("_")[0]
    return base[:1] in _LETTERS or base in _GREEK


class Procedure(Writer):
    """A writer whose code is one function."""

    given: tuple[str, ...] = ()  # the arguments that the formula names: those of f(x, a) = ...

    def procedure(self, reading: Reading) -> Made:
        """The parts of the function for a formula."""
        values = [self.value_of(statement) for statement in reading.statements]
        names = [name for name, _ in values if name] if len(values) == 1 else []
        code = [self.write(value) for _, value in values]
        value = code[0] if len(code) == 1 else f"({', '.join(code)})"
        arguments = self.arguments(tuple(value for _, value in values))
        source = " ".join(self.source.replace("\x00", " ").split())[:_LONGEST]
        name = self.own_name(names[0] if names else "", arguments)
        return Made(name, tuple(arguments), value, self.what_is_returned(reading, names), source)

    def value_of(self, statement: Expression) -> tuple[str, Expression]:
        """The letter that a statement defines, if it does, and what the function computes."""
        if not isinstance(statement, Relation) or statement.operators != ("=",):
            return "", statement
        left, right = statement.operands
        if isinstance(right, Sequence) and right.kind == "list":
            return "", statement
        if isinstance(left, Symbol) and left.name not in free_symbols(right):
            return left.name, right
        if isinstance(left, Unknown) and isinstance(left.function, Symbol) and left.order is None:
            letters = [part for part in left.arguments if isinstance(part, Symbol)]
            own = any(isinstance(part, Unknown) and part.function == left.function for part in walk(right))
            if len(letters) == len(left.arguments) and len({part.name for part in letters}) == len(letters) and not own:
                self.given = tuple(part.name for part in letters)
                return left.function.name, right
        return "", Apply("plus", (left, Apply("negate", (right,), right.span)), statement.span)

    def what_is_returned(self, reading: Reading, names: list[str]) -> str:
        if len(reading.statements) > 1:
            return "Returns the values of the statements in their order."
        statement = reading.statements[0]
        if names:
            return f"Returns {names[0]}."
        if isinstance(statement, Relation):
            plain = statement.operators == ("=",) and not (
                isinstance(statement.operands[1], Sequence) and statement.operands[1].kind == "list"
            )
            return "Returns left minus right, 0 where the equation holds." if plain else "Returns whether it holds."
        return "Returns the value."

    def arguments(self, values: tuple[Expression, ...]) -> list[str]:
        """The names of the free letters: variables before parameters, functions last; in the order of their use."""
        found: dict[str, Symbol] = {}
        for value in values:
            for name, symbol in free_symbols(value).items():
                found.setdefault(name, symbol)
        letters = [symbol for name, symbol in found.items() if name in self.symbols and name not in self.functions]
        ordered = [s for s in letters if _is_variable(s)] + [s for s in letters if not _is_variable(s)]
        names = [self.symbol_name(name) for name in self.given]
        names += [self.symbols[symbol.name] for symbol in ordered]
        names += [name for name in self.functions.values() if name not in names]
        return list(dict.fromkeys(names))

    def own_name(self, defined: str, arguments: list[str]) -> str:
        name = self.symbol_name(defined) if defined else "formula"
        while name in arguments:
            name += "_"
        return name
