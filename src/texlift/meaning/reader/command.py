"""Commands and environments with a meaning: fractions, roots, accents, cases, matrices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Environment, Group, Infix, Leaf, Script, Text
from texlift.meaning.reader import number_sets, symbol, unit, words
from texlift.meaning.reader.call import argument, is_barred_set
from texlift.meaning.reader.condition import condition
from texlift.meaning.reader.derivative import fraction_derivative
from texlift.meaning.reader.notation import notation
from texlift.meaning.tree import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Expression,
    Indexed,
    Matrix,
    Number,
    Relation,
    Sequence,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["cases", "command", "environment", "infix"]

_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\ifrac", r"\cfrac", r"\sfrac", r"\nicefrac"})
_ACCENTS = frozenset({r"\hat", r"\widehat", r"\tilde", r"\widetilde", r"\bar", r"\overline", r"\underline", r"\vec",
                      r"\check", r"\breve", r"\mathring", r"\acute", r"\grave", r"\overrightarrow"})  # fmt: skip
_DOTTED = {r"\dot": 1, r"\ddot": 2, r"\dddot": 3}
_FONTS = frozenset({r"\mathbf", r"\mathtt", r"\mathcal", r"\mathscr", r"\mathfrak", r"\mathbb", r"\boldsymbol", r"\bm",
                    r"\pmb", r"\mathnormal", r"\mathbold", r"\symbf", r"\symbb"})  # fmt: skip
_ROMAN = frozenset({r"\mathrm", r"\symrm"})
_AXES = re.compile(r"\\iunit|(?<![A-Za-z\\])[ik](?![A-Za-z])")  # beside them j is a unit vector or a quaternion
_UPRIGHT = frozenset({r"\mathrm", r"\operatorname", r"\operatorname*", r"\mathit", r"\mathsf", r"\symrm"})
_TEXTS = frozenset({r"\text", r"\mbox", r"\hbox", r"\textrm", r"\textit", r"\textbf", r"\textup", r"\textnormal"})
_ZEROS = frozenset({r"\mathbf", r"\vec", r"\boldsymbol", r"\bm", r"\overrightarrow", r"\underline", r"\pmb"})
_NUMBER_SETS = {"R": "reals", "C": "complexes", "Z": "integers", "Q": "rationals", "N": "naturals"}


def _styled(row: Row, node: Command) -> str:
    """The name of a letter with its font or accent; an accent on something longer has no meaning here."""
    inner = type(row)(row.scope, node.arguments, (node.start, node.end))
    if not inner.count:
        raise row.scope.error(f"{node.name} of nothing", (node.start, node.end))
    if node.name in (r"\overline", r"\bar", r"\underline") and inner.count > 1 and not _is_word(inner):
        raise row.scope.error(f"{node.name} over an expression", (node.start, node.end))
    shown = row.scope.source[node.start : node.end].replace("{{", "{").replace("}}", "}")
    if inner.count == 1 and type(inner.items[0]) is Leaf:  # `\\vec a` and `\\vec{a}` are one name
        letter = {r"\imath": "i", r"\jmath": "j"}.get(inner.texts[0], inner.texts[0])
        shown = f"{node.name}{{{letter}}}"
        if node.name in (r"\overline", r"\bar") and is_barred_set(row, Symbol(letter, (node.start, node.end))):
            place = (node.start, node.end)
            raise row.scope.error("the complement of a set without a universe", place, r"write U\setminus A")
        if node.name == r"\overline" and letter.isupper():
            row.scope.warn(f"the bar over {letter} was read as part of its name", (node.start, node.end))
    return shown


def _is_word(inner: Row) -> bool:
    return all(len(text) == 1 and text.isalpha() and text.isupper() for text in inner.texts)


def _time_derivative(row: Row, node: Command, scripts: list[Script], span: Span) -> Expression:
    """`\\dot x`, `\\ddot{\\theta}_1`: Newton's derivatives by the time."""
    inner = type(row)(row.scope, node.arguments, span)
    below = [script for script in scripts if script.kind == "_"]
    above = [script for script in scripts if script.kind != "_"]
    if inner.count != 1:
        raise row.scope.error(f"{node.name} over an expression", span)
    only = inner.items[0]
    if type(only) is Leaf and symbol.is_letter(inner.texts[0]):
        body = symbol.symbol(inner.part(1, 1), inner.texts[0], below, span)
    elif type(only) is Command and not below:
        body = inner.expression()
    else:
        raise row.scope.error(f"{node.name} over something else than a letter", span)
    order = Number(str(_DOTTED[node.name]), span)
    variable = Symbol("t", span)
    if row.texts[row.at : row.at + 3] == ["(", "t", ")"] and isinstance(body, Symbol | Indexed):  # \\dot x(t)
        row.at += 3
        body = Unknown(body, (variable,), None, span)
    value: Expression = Derivative(body, ((variable, order),), span)
    return row.scripts(value, above) if above else value


def _word(row: Row, node: Command, scripts: list[Script], span: Span) -> Expression:
    """An upright word: a constant, a function before its argument, or a name."""
    word = words.word_of(row.scope.source, node) or _constant_word(node)
    if not word:
        if row.count == 1 and not scripts and (stated := _formula_in_text(row, node)) is not None:
            return stated
        if (several := _letters(row, node)) is not None:
            return several
        if (measured := _unit(row, node)) is not None:
            return row.scripts(measured, scripts) if scripts else measured
        inner = type(row)(row.scope, node.arguments, span) if node.name in _UPRIGHT else None
        if inner is not None and inner.count == 1 and type(inner.items[0]) is Leaf and symbol.is_letter(inner.texts[0]):
            return symbol.symbol(row, inner.texts[0], scripts, span)
        raise row.scope.error("words inside a formula", span, "give only the mathematics")
    engineers = node.name in _ROMAN and word == "j" and not _AXES.search(row.scope.source)
    if (word in ("e", "i") or engineers) and not any(script.kind == "_" for script in scripts):
        if engineers:
            row.scope.warn("j was read as the imaginary unit", span)
        value: Expression = Constant("i" if engineers else word, span)
        return row.scripts(value, scripts) if scripts else value
    found = words.function(row, word, node.name.startswith(r"\operatorname"), scripts, span)
    if found is not None:
        return found
    if word in notation().functions and len(word) > 1 and not word[0].isupper():
        raise row.scope.error(f"{word} of nothing", span, "something must stand behind it")
    if node.name in _TEXTS:
        row.scope.warn(f"{word} was read as a name", span)
    if node.name == r"\mathsf":
        return symbol.symbol(row, rf"\mathsf{{{word}}}", scripts, span)
    return symbol.symbol(row, rf"\mathrm{{{word}}}" if len(word) > 1 else word, scripts, span)


def _unit(row: Row, node: Command) -> Expression | None:
    """`\\mathrm{m/s^2}`: units joined in one upright word."""
    if len(node.arguments) != 1 or (node.name not in _ROMAN and node.name not in _TEXTS):
        return None
    argument = node.arguments[0]
    written = row.scope.source[argument.start : argument.end]
    inside = written[1:-1] if written[:1] == "{" else written
    return unit.compound(inside, argument.start + (written[:1] == "{"))


def _constant_word(node: Command) -> str:
    """`\\text{(const.)}` is a name."""
    body = node.arguments[0].body.strip(" ().~") if node.arguments and isinstance(node.arguments[0], Text) else ""
    return "const" if body in ("const", "constant") else ""


def _formula_in_text(row: Row, node: Command) -> Expression | None:
    """`\\text{$x>0$}`: a formula with nothing but punctuation around it."""
    text = node.arguments[0]
    if not isinstance(text, Text) or len(text.math) != 1:
        return None
    group = text.math[0]
    written = row.scope.source[group.start : group.end].strip("{}$")
    if text.body.replace(written, "").strip(" $,.;()"):
        return None
    return type(row)(row.scope, group.children, (group.start, group.end)).expression()


def _letters(row: Row, node: Command) -> Expression | None:
    """`\\mathrm{p,q}`: upright letters in a list."""
    if node.name not in _UPRIGHT:
        return None
    inner = type(row)(row.scope, node.arguments, (node.start, node.end))
    letters, signs = inner.texts[::2], inner.texts[1::2]
    if len(letters) < 2 or len(letters) == len(signs) or set(signs) != {","} or not all(map(str.isalpha, letters)):
        return None
    items = [Symbol(item.text, (item.start, item.end)) for item in inner.items[::2] if type(item) is Leaf]
    return Sequence(tuple(items), "list", (node.start, node.end)) if len(items) == len(letters) else None


def command(row: Row, node: Command, scripts: list[Script], span: Span) -> Expression:
    name = node.name
    if name in _DOTTED:
        return _time_derivative(row, node, scripts, span)
    if name in _UPRIGHT or name in _TEXTS:
        return _word(row, node, scripts, span)
    if name in _ZEROS and not scripts and row.digits(node.arguments[0]) == ["0"]:
        return Number("0", span)  # the zero vector
    if name in _FONTS and scripts and "".join(row.digits(node.arguments[0])).isdigit():
        raise row.scope.error("a digit in a font of its own: an indicator function?", span)
    if name == r"\mathfrak" and (part := "".join(row.digits(node.arguments[0]))) in ("Re", "Im"):
        return words.applied(row, part, scripts, span)
    if name == r"\mathbb" and scripts and (letter := "".join(row.digits(node.arguments[0]))) in _NUMBER_SETS:
        whole = Constant(_NUMBER_SETS[letter], span)
        return number_sets.restricted(row, whole.name, scripts, span) or row.scripts(whole, scripts)
    if name in (r"\mathbf", r"\boldsymbol", r"\bm") and (numbers := _bold_numbers(row, node)) is not None:
        return number_sets.restricted(row, numbers.name, scripts, span) or row.scripts(numbers, scripts)
    if name in _FONTS or name in _ACCENTS:
        return symbol.symbol(row, _styled(row, node), scripts, span)
    if name in (r"\rselection", r"\lselection", r"\selection"):
        return _selection(row, node)
    if name in (r"\not", r"\pmod", r"\pod"):
        raise row.scope.error(f"{name} in an unexpected place", span)
    if name in _FRACTIONS:
        derivative = fraction_derivative(row, node, span)
        if derivative is not None:
            return derivative
        _refuse_operators(row, node, span)
        row.scope.fractions += name == r"\cfrac"
        above, below = (argument(row, name, part) for part in node.arguments)
        row.scope.fractions -= name == r"\cfrac"
        value = Apply("divide", (above, below), span)
    elif name == r"\sqrt":
        body = argument(row, name, node.arguments[0])
        if node.options:
            value = Apply("root", (body, argument(row, name, node.options[0])), span)
        else:
            value = Apply("sqrt", (body,), span)
    elif name in (r"\binom", r"\tbinom", r"\dbinom"):
        value = Apply(r"\binom", tuple(argument(row, name, part) for part in node.arguments), span)
    elif name in (r"\overbrace", r"\underbrace"):
        return argument(row, name, node.arguments[0])
    elif name == r"\Sci":
        mantissa, exponent = (argument(row, name, part) for part in node.arguments)
        value = Apply("times", (mantissa, Apply("power", (Number("10", span), exponent), span)), span)
    else:
        raise row.scope.error(f"{name} has no meaning here", span)
    return row.scripts(value, scripts) if scripts else value


_OF_FIELDS = {"D": "a material derivative", r"\delta": "a functional derivative"}


def _refuse_operators(row: Row, node: Command, span: Span) -> None:
    """`\\frac{Df}{Dt}`, `\\frac{\\delta F}{\\delta\\phi}` are no fractions."""
    above, below = (row.digits(part) for part in node.arguments)
    meaning = _OF_FIELDS.get(below[0], "") if len(below) == 2 and above[:1] == below[:1] else ""
    if meaning and (below[0] != "D" or below[1] == "t"):
        raise row.scope.error(f"{meaning} has no counterpart", span, "write it with partial derivatives")


def _bold_numbers(row: Row, node: Command) -> Constant | None:
    """`x\\in\\mathbf{R}`: a number set in bold type, as older books print it."""
    letter = "".join(row.digits(node.arguments[0]))
    if letter not in _NUMBER_SETS or row.at < 2 or row.texts[row.at - 2] not in (r"\in", r"\notin"):
        return None
    row.scope.warn(f"a bold {letter} was read as a set of numbers", (node.start, node.end))
    return Constant(_NUMBER_SETS[letter], (node.start, node.end))


def _selection(row: Row, node: Command) -> Expression:
    """Two lines of which the upper signs choose the first, the lower ones the second."""
    children = node.arguments[0].children if type(node.arguments[0]) is Group else []
    cut = next((i for i, c in enumerate(children) if type(c) is Leaf and c.text == "\\\\"), None)
    if cut is None:
        raise row.scope.error(f"{node.name} needs two lines", (node.start, node.end))
    row.scope.split = True
    chosen = children[:cut] if row.scope.sign > 0 else children[cut + 1 :]
    return type(row)(row.scope, chosen, (node.start, node.end)).expression()


def infix(row: Row, node: Infix) -> Expression:
    above = type(row)(row.scope, node.above, node.above_span).expression()
    below = type(row)(row.scope, node.below, node.below_span).expression()
    if node.operator == r"\over":
        return Apply("divide", (above, below), (node.start, node.end))
    if node.operator in (r"\brace", r"\brack"):
        head = r"\StirlingnumberS" if node.operator == r"\brace" else r"\Stirlingnumbers"
        row.scope.warn("two numbers in brackets were read as a Stirling number", (node.start, node.end))
        if node.operator == r"\brack":
            head = "stirling-number-of-first-kind"
        return Apply(head, (above, below), (node.start, node.end))
    if node.operator == r"\choose":
        return Apply(r"\binom", (above, below), (node.start, node.end))
    raise row.scope.error(f"{node.operator} has no meaning here", (node.start, node.end))


def environment(row: Row, node: Environment) -> Expression:
    span = (node.start, node.end)
    name = node.name
    cells = [list(line) for line in node.rows if any(c.children for c in line)]
    if name in ("cases", "dcases", "rcases"):
        return _cases(row, cells, span)
    if name in ("array", "darray", "aligned", "alignedat", "split", "gathered"):
        system = _array_system(row, cells, span)
        if system is not None:
            return system
        if name in ("array", "darray"):
            name = "matrix"
    if name.endswith("matrix"):
        if len({len(line) for line in cells}) > 1:
            raise row.scope.error("the rows of a matrix have different lengths", span, "give every row as many cells")
        rows = tuple(tuple(_cell(row, name, c) for c in line) for line in cells)
        matrix = Matrix(rows, name == "vmatrix", span)
        if name != "Vmatrix":
            return matrix
        row.scope.warn("double bars around a matrix were read as its norm", span)
        return Apply("norm", (matrix,), span)
    raise row.scope.error(f"the environment {name} has no meaning here", span)


def _array_system(row: Row, cells: list[list[Group]], span: Span) -> Expression | None:
    """Equations aligned in an array: each line has a relation, in a column of its own or not."""
    lines = [
        _trimmed_row(type(row)(row.scope, [child for cell in line for child in cell.children], span)) for line in cells
    ]
    if not lines or not all(any(text in notation().relations for text in line.texts) for line in lines):
        return None
    return Sequence(tuple(line.expression() for line in lines), "system", span)


def _cell(row: Row, name: str, cell: Group) -> Expression:
    if not cell.children:
        raise row.scope.error("an empty cell in a matrix", (cell.start, cell.end), "write 0 where a zero is meant")
    return argument(row, name, cell)


def cases(row: Row, node: Environment) -> Expression:
    """An array behind a brace: values with conditions, or a system."""
    span = (node.start, node.end)
    cells = [list(line) for line in node.rows if any(cell.children for cell in line)]
    system = _array_system(row, cells, span) if _has_relations(row, cells) else None
    return system or _cases(row, cells, span)


def _has_relations(row: Row, cells: list[list[Group]]) -> bool:
    """Whether the first column of each line, or a column of its own, has a relation."""
    firsts = [type(row)(row.scope, [c for cell in line[:2] for c in cell.children], row.span) for line in cells]
    return all(
        any(text in notation().relations for text in type(row)(row.scope, line[0].children, row.span).texts)
        or (len(line) > 2 and any(text in notation().relations for text in first.texts))
        for line, first in zip(cells, firsts, strict=True)
    )


def _cases(row: Row, cells: list[list[Group]], span: Span) -> Expression:
    """Values with conditions, or a system of equations."""
    branches: list[tuple[Expression, Expression | None]] = []
    joined = any(len(line) > 1 and line[1].children for line in cells)
    for line in cells:
        if len(line) > 2:
            raise row.scope.error("more than two columns in cases", (line[2].start, line[2].end))
        value = _trimmed(row, line[0]).expression()
        found = None
        if len(line) > 1 and line[1].children:
            right = _trimmed(row, line[1])
            if right.count and right.texts[0] in notation().relations:  # a system aligned at its signs
                whole = type(row)(row.scope, [*line[0].children, *line[1].children], (line[0].start, line[1].end))
                branches.append((_trimmed_row(whole).expression(), None))
                continue
            found = condition(row, right)
        branches.append((value, found))
    values = tuple(value for value, _ in branches)
    if all(isinstance(value, Relation) for value in values) and all(found is None for _, found in branches):
        return Sequence(values, "system", span)
    if not joined and len(branches) > 1:
        raise row.scope.error("cases without conditions", span)
    return Cases(tuple(branches), span)


def _trimmed(row: Row, cell: Group) -> Row:
    return _trimmed_row(type(row)(row.scope, cell.children, (cell.start, cell.end)))


def _trimmed_row(inner: Row) -> Row:
    while inner.count and inner.texts[inner.count - 1] in (",", ".", ";"):
        inner = inner.part(0, inner.count - 1)
    return inner
