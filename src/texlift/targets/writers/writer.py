"""What all targets share while they write one formula: names, notes, errors, definitions of macros they lack."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texlift.errors import FormulaError
from texlift.meaning.reader.names import distinct_identifier, identifier, spelled_words
from texlift.meaning.reader.progression import INDEX, term_range
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
    Symbol,
    Unknown,
    substitute,
    walk,
)
from texlift.targets.arrays import mixture
from texlift.targets.asymptotic import Tendency, as_limits, growing, tendencies
from texlift.targets.expansion import expand
from texlift.targets.operators import acting
from texlift.targets.path import along_named_path, over_real_line
from texlift.targets.table import Entry, Table, definition, load_table, systems_with

__all__ = ["LISTED", "SAY_WHERE", "Chain", "Writer"]

LISTED = {r"\genhyperF": (2, 3), r"\genhyperOlverF": (2, 3), r"\qgenhyperphi": (2, 3)}
"""Arguments that are lists of parameters; one item stands without a comma."""

_ELEMENTARY = frozenset({r"\ln", r"\exp", r"\sin", r"\cos", r"\tan", r"\sinh", r"\cosh", r"\tanh", r"\abs"})
_ASYMPTOTIC = (
    r"\to",
    r"\rightarrow",
    r"\sim",
    "asymp",
    "littleo",
    "dots",
    "O",
)  # in the source of asymptotic statements
SAY_WHERE = r"say where the variable tends to, as in f\sim g,\quad x\to\infty"
"""The hint for asymptotic statements that leave that open."""

_KINDS = {
    "number": "a number", "symbol": "a letter", "indexed": "a letter with an index", "constant": "a constant",
    "apply": "a function or an operation", "function": "a function without its variable",
    "unknown": "an unknown function", "derivative": "a derivative", "substitution": "a value at a point",
    "series": "a sum or a product", "integral": "an integral", "limit": "a limit", "relation": "a relation",
    "cases": "a distinction of cases", "sequence": "a list", "interval": "an interval", "matrix": "a matrix",
    "dots": "what dots leave out",
}  # fmt: skip
"""What the kinds of nodes are called in errors."""

_WITH_HIDDEN = (r"\Jacobiell", r"\Weierstrass", r"\aJacobiell")
_DEEPEST = 12  # definitions inside definitions
_SETS = frozenset({"reals", "integers", "complexes", "rationals", "naturals", "nonnegative", "emptyset"})
_NUMERIC = frozenset(
    {"times", "divide", "power", "negate", "sqrt", "abs", r"\Pochhammersym", r"\assLegendreP[]"}
    | {r"\realpart", r"\imagpart", r"\phase", r"\abs", r"\conj"}
)


def _is_elementary(node: Expression) -> bool:
    if isinstance(node, Apply):
        return node.head[0] != "\\" or node.head in _ELEMENTARY
    return not isinstance(node, Series | Integral)


@dataclass(frozen=True, slots=True)
class Chain:
    """A link in INDEX that holds from the first to the last index."""

    link: Relation
    first: Expression
    last: Expression


class Writer:
    """State of one formula on its way to a target."""

    target = ""
    separator = "_"  # joins the words of an identifier
    several = ("[", "]")  # around the statements of a formula that makes several
    has_limits = False  # whether asymptotic statements can be written as limits
    has_orders = True  # whether there are O-terms

    def __init__(self, source: str) -> None:
        self.source = source
        self.table: Table = load_table(self.target)
        self.reserved = self.table.reserved
        self.notes: dict[str, None] = {}
        self.cautions: dict[str, None] = {}  # what a user must know before using the code
        self.symbols: dict[str, str] = {}
        self._spelled: dict[str, tuple[str, ...]] = {}  # identifier -> the words of the names it stands for
        self.functions: dict[str, str] = {}
        self.depth = 0
        self.has_arrays = "matrix}" in source
        self.has_operators = "deriv" in source or "Diff" in source
        self.tendencies: dict[str, Tendency] = {}  # what variables are said to tend to

    def look_for_arrays(self, reading: Reading) -> None:
        """Note whether vectors or matrices are declared or written out."""
        declared = any(one.role in ("matrix", "vector") for one in reading.declared.values())
        self.has_arrays = declared or "matrix}" in self.source

    def operated(self, node: Apply) -> Expression | None:
        """A product with its operators applied; None where there are none."""
        return acting(node) if self.has_operators else None

    def unlabelled(self, node: Relation) -> Relation:
        r"""A statement without the name in script letters before its colon: `\mathcal{T}_1: w=-v`."""
        first = node.operands[0]
        name = first.name if isinstance(first, Symbol) else first.base if isinstance(first, Indexed) else ""
        if node.operators[0] != "colon" or len(node.operators) < 2 or not name.startswith((r"\mathcal", r"\mathscr")):
            return node
        self.cautions["the name before the colon was left out"] = None
        return Relation(node.operators[1:], node.operands[1:], node.span)

    def chained(self, node: Relation) -> tuple[Relation | None, Chain, Relation | None] | None:
        """`x_1<x_2<\\dots<x_n` as what stands before the dots, the link in general, and what stands behind."""
        places = [place for place, part in enumerate(node.operands) if isinstance(part, Dots)]
        if len(places) != 1 or not 0 < places[0] < len(node.operands) - 1:
            return None
        place = places[0]
        operator = node.operators[place]
        if node.operators[place - 1] != operator:
            return None
        for start in range(max(0, place - 3), place):
            if any(sign != operator for sign in node.operators[start:place]):
                continue
            found = term_range(node.operands[start:place], node.operands[place + 1])
            if found is not None:
                general, first, last = found
                following = substitute(general, {INDEX.name: Apply("plus", (INDEX, Number("1")))})
                link = Relation((operator,), (general, following), node.span)
                before = Relation(node.operators[:start], node.operands[: start + 1], node.span) if start else None
                rest = node.operators[place + 1 :]
                after = Relation(rest, node.operands[place + 1 :], node.span) if rest else None
                end = Apply("plus", (last, Apply("negate", (Number("1"),))), node.span)
                return before, Chain(link, first, end), after
        return None

    def one_sided(self, node: Unknown) -> Expression | None:
        """`f(c+)` as a limit from above; None for other applications."""
        if len(node.arguments) != 1 or not isinstance(node.arguments[0], Apply):
            return None
        side = node.arguments[0]
        if side.head not in ("above", "below"):
            return None
        variable = Symbol("t_", node.span)
        body = Unknown(node.function, (variable,), node.order, node.span)
        return Limit(body, variable, side.arguments[0], "+" if side.head == "above" else "-", node.span)

    def formula(self, reading: Reading) -> str:
        """The code of a whole formula."""
        pieces = [self.write(statement) for statement in self.approached(reading.statements)]
        return pieces[0] if len(pieces) == 1 else self.several[0] + ", ".join(pieces) + self.several[1]

    def approached(self, statements: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """The statements with asymptotic ones as limits, where the system has limits."""
        if not self.has_limits or not any(sign in self.source for sign in _ASYMPTOTIC):
            return statements
        self.tendencies = tendencies(statements)
        for name, tendency in growing(statements, self.tendencies).items():
            self.tendencies[name] = tendency
            self.cautions[f"{name} was taken to tend to infinity in an O-term"] = None
        dots = "dot" in self.source and "bigO" not in self.source
        found, cautions = as_limits(statements, self.tendencies, self.is_asymptotic, self.has_orders, dots)
        self.cautions.update(dict.fromkeys(cautions))
        return found

    def write(self, node: Expression) -> str:
        """The code of a node, by the method for its kind (`write_integral`); an error where the writer has none."""
        kind = type(node).__name__.lower()
        method = getattr(self, f"write_{kind}", None)
        if method is None:
            raise self.error(f"{_KINDS.get(kind, kind)} has no counterpart in {self.target}", node)
        return method(node)  # type: ignore[no-any-return]

    def error(self, message: str, node: Expression, hint: str = "") -> FormulaError:
        return FormulaError(message, self.source, node.span, hint, "unsupported")

    def lacking(self, node: Apply) -> FormulaError:
        """The error for a macro or operator that the target does not have."""
        having = systems_with(node)
        hint = ""
        if having:
            hint = f"{' and '.join(having)} {'has' if len(having) == 1 else 'have'} it"
            if not {"SymPy", "mpmath"} & set(having):
                hint += "; there is no runnable target of arbitrary precision"
        elif node.head[0] == "\\":
            hint = "no runnable target has it"
        return self.error(f"{node.head.removesuffix('[]')} has no counterpart in {self.target}", node, hint)

    def is_asymptotic(self, operator: str) -> bool:
        r"""Whether a relation is certainly an asymptotic one: `\sim` may be a distribution or an equivalence."""
        return operator == "~~" or (operator == "~" and r"\asympeq" in self.source and r"\sim" not in self.source)

    def symbol_name(self, text: str) -> str:
        known = self.symbols.get(text)
        if known is None:
            known = identifier(text, self.separator, self.reserved)
            words = spelled_words(text)
            if self._spelled.setdefault(known, words) != words:  # `x_{1,0}` beside `x_{10}`
                known = distinct_identifier(text, self.separator, self.reserved, self._spelled)
                self._spelled[known] = words
            self.symbols[text] = known
        return known

    def function_name(self, text: str) -> str:
        """The identifier of an unknown function or an indexed symbol."""
        name = self.functions[text] = self.symbol_name(text)
        return name

    def unknown(self, node: Unknown) -> tuple[str, tuple[Expression, ...]]:
        """Name and leading arguments (its indices) of an unknown function."""
        if isinstance(node.function, Indexed):
            return self.function_name(node.function.base), (*node.function.indices, *node.function.upper)
        return self.function_name(node.function.name), ()

    def warn_of_what_is_hidden(self, node: Apply) -> None:
        """`sn u` and the like leave the modulus or the lattice out, and code has a letter for it."""
        if not node.head.startswith(_WITH_HIDDEN) or not node.arguments:
            return
        start, end = node.span
        last, written = node.arguments[-1], self.source[start:end]
        if "@@" not in written or not isinstance(last, Symbol):
            return
        if not re.search(r"(?<![A-Za-z\\{])" + re.escape(last.name) + r"(?![A-Za-z}])", self.source):
            what = "the lattice" if "Weierstrass" in node.head else "the modulus"
            self.cautions[f"{what}, which the formula leaves out, is {self.symbol_name(last.name)} in the code"] = None

    def expanded(self, node: Apply) -> Expression:
        """The definition of a macro the target lacks; `depth` has to be taken back when it is written."""
        self.warn_of_what_is_hidden(node)
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(f"the definition of {node.head} leads back to itself", node)
        found = expand(node)
        if found is None:
            raise self.lacking(node)
        written = definition(node)
        if written is not None and written.lattice:
            lattice = node.arguments[written.lattice - 1]
            name = self.symbol_name(lattice.name if isinstance(lattice, Symbol) else getattr(lattice, "base", ""))
            self.cautions[f"the lattice {name} is given by its half-periods, {name} with the indices 1 and 3"] = None
        synonym = isinstance(found, Apply) and found.arguments == node.arguments  # another name, nothing written out
        if not synonym and not all(_is_elementary(part) for part in walk(found)):
            self.cautions[
                f"{node.head.removesuffix('[]')} is written out by its definition: {self.target} lacks it"
            ] = None
        return found

    def rerouted(self, node: Integral) -> Expression | None:
        """An integral along a path or around a pole by integrals over real numbers; None where it needs none."""
        found = over_real_line(node)
        if found is None and (found := along_named_path(node)) is not None:
            name = self.symbol_name(node.domain.name if isinstance(node.domain, Symbol) else node.domain.base)  # type: ignore[union-attr]
            self.cautions[f"the path {name} is given as a function of a number that runs from 0 to 1"] = None
        return found

    def folded(self, node: Apply) -> Apply:
        """The greatest common divisor of many as that of two and so on: tables have it of two."""
        if node.head not in (r"\pgcd", "lcm") or len(node.arguments) < 3:
            return node
        found = Apply(node.head, node.arguments[:2], node.span)
        for part in node.arguments[2:]:
            found = Apply(node.head, (found, part), node.span)
        return found

    def parted(self, node: Apply) -> tuple[Expression, ...] | None:
        """The four lists of a Meijer G-function, cut where its parameters say; None where they cannot be cut."""
        upper, lower = node.arguments[5:7]
        found: list[Expression] = []
        for number, part in ((node.arguments[1], upper), (node.arguments[0], lower)):
            items = part.items if isinstance(part, Sequence) else (part,)
            run = items[0] if len(items) == 1 else None
            if isinstance(run, Apply) and run.head == "enumerate" and isinstance(run.arguments[1], Number):
                found += self.parted_run(run, number)
                continue
            if not isinstance(number, Number) or any(isinstance(i, Apply) and i.head == "enumerate" for i in items):
                return None
            cut = int(number.value) if number.value.isdigit() else -1
            if not 0 <= cut <= len(items) or any(isinstance(item, Dots) for item in items):
                return None
            found += [Sequence(items[:cut], "list", part.span), Sequence(items[cut:], "list", part.span)]
        return tuple(found)

    def parted_run(self, run: Apply, number: Expression) -> list[Expression]:
        """A list of symbolic length, cut behind `number` items."""
        general, first, last = run.arguments
        step = Apply("plus", (number, Apply("negate", (Number("1"),))), run.span)
        end: Expression = number if isinstance(first, Number) and first.value == "1" else Apply("plus", (first, step))
        after = Apply("plus", (end, Number("1")), run.span)
        cut = (
            Apply("enumerate", (general, first, end), run.span),
            Apply("enumerate", (general, after, last), run.span),
        )
        return [Sequence((part,), "list", run.span) for part in cut]

    def remember(self, entry: Entry, node: Apply) -> None:
        """Keep the entry's note on conventions."""
        self.warn_of_what_is_hidden(node)
        if entry.note:
            self.notes[f"{node.head.removesuffix('[]')}: {entry.note}"] = None

    def refuse_lists(self, node: Apply) -> None:
        """A list is no operand: the target would multiply item by item, or fail."""
        if self.has_arrays:
            wrong = mixture(node)
            if wrong:
                raise self.error(wrong, node, "write what is meant: an identity matrix, an inverse, a norm")
        if node.head in _NUMERIC or node.head == "plus":
            for argument in node.arguments:
                kind = type(argument)
                if kind is Symbol or kind is Number:  # most operands
                    continue
                if kind is Sequence and node.head != "plus":
                    raise self.error("a list stands where a number is expected", argument)
                of_sets = isinstance(argument, Apply) and argument.head in ("union", "intersect", "setminus")
                base = node.head == "power" and argument is node.arguments[0]
                number_set = isinstance(argument, Constant) and argument.name in _SETS and not base
                if of_sets or number_set:
                    raise self.error("a set stands where a number is expected", argument)
