"""Calls of semantic macros: their arguments, and the primes and powers on their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Delimited, Environment, Group, Leaf, Node, Script, Scripted
from texlift.macros.concepts import Concept
from texlift.macros.inverses import inverse_of
from texlift.macros.lexicon import lexicon
from texlift.meaning.reader import atom, convention, derivative, fence, number, number_sets, symbol, vectors, words
from texlift.meaning.reader.notation import notation
from texlift.meaning.reader.operand import ungrouped
from texlift.meaning.reader.transform import TRANSFORMS, transform
from texlift.meaning.shape import shape
from texlift.meaning.tree import (
    Apply,
    Constant,
    Expression,
    Function,
    Matrix,
    Number,
    Sequence,
    Symbol,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["argument", "call", "is_barred_set"]

_LISTS = frozenset({r"\genhyperF", r"\genhyperOlverF", r"\qgenhyperphi", r"\qgenhyperpsi", r"\genhyperFmat",
                    r"\genhyperH", r"\MeijerG"})  # fmt: skip
_BARE = frozenset({r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc", r"\sinh", r"\cosh", r"\tanh", r"\coth",
                   r"\ln", r"\exp", r"\asin", r"\acos", r"\atan", r"\realpart", r"\imagpart", r"\phase"})  # fmt: skip
_COMPLEX = frozenset({"z", "w", "f", "g", r"\alpha", r"\lambda", r"\psi", r"\chi", r"\zeta"})  # often conjugated
_SEGMENT = re.compile(r"\\conj\{[A-Z]{2}\}")
_OF_SETS = frozenset({"union", "intersect", "setminus", "symmetricdifference"})
_LETTERS = {r"\BoltzmannConstant": "k"}
"""Constants of physics that are only letters to a computer."""
_BETWEEN = re.compile(r"1\s*-\s*x\s*\^\s*\{?2|\\sphharmonicY|Y_|\\int_\{-1\}\^\{?1")
_LEFT_OUT = {r"\Kelvinber": "0", r"\Kelvinbei": "0", r"\Kelvinker": "0", r"\Kelvinkei": "0", r"\sumdivisors": "1"}
"""Parameters that need not be written: `\\operatorname{ber}x`, `\\sigma(n)`."""
_CHANCE = re.compile(r"(?<![A-Za-z\\])P\s*(?:\\left|\\bigl?)?\s*[(\[]|\\Pr(?![a-z])|\\math(?:bb|sf|rm|bf|cal)\s*\{?P")
_PRIMED = {r"\zBesselj": r"\zderivBesselj", r"\zBessely": r"\zderivBessely", r"\zAirya": r"\zderivAirya",
           r"\zAiryb": r"\zderivAiryb", r"\zAirybeta": r"\zderivAirybeta"}  # fmt: skip
_WORDS = frozenset({r"\max", r"\min", r"\gcd", r"\det"})
_PRODUCTS = {r"\qmultiPochhammersym": r"\qPochhammer"}


def argument(row: Row, head: str, node: Node) -> Expression:
    children = node.children if type(node) is Group else [node]
    if len(children) == 1 and type(children[0]) is Leaf:
        leaf = children[0]
        if len(leaf.text) == 1 and leaf.text.isascii() and leaf.text.isalpha() and leaf.text not in ("e", "i"):
            return Symbol(leaf.text, (leaf.start, leaf.end), row.scope.role(leaf.text))
    inner = type(row)(row.scope, children, (node.start, node.end))
    only = inner.texts[0] if inner.count == 1 and type(inner.items[0]) is Leaf else ""
    if only in ("+", "-", r"\pm", r"\mp") and head not in _LISTS:  # the sign as a parameter: \irregCoulombH{+}
        one = Number("1", (node.start, node.end))
        return one if inner.sign_of(only) > 0 else Apply("negate", (one,), one.span)
    if head in _LISTS and (not inner.count or (inner.count == 1 and inner.texts[0] in ("-", r"\cdot", r"\mbox"))):
        return Sequence((), "list", (node.start, node.end))
    row.scope.enter((node.start, node.end))
    value = inner.expression()
    row.scope.depth -= 1
    if head in _BARE and isinstance(value, Sequence) and value.kind == "set" and len(value.items) == 1:
        return value.items[0]  # \\exp\\{...\\}
    return value


_MODULI = (r"\HankelmodM", r"\Hankelphase", r"\BesselY", "}'")
"""What stands beside the modulus of derivatives of Bessel functions, and not beside Neumann's N."""


def call(row: Row, node: Call, outer: list[Script]) -> Expression:
    """A semantic macro; its primes and superscripts before the @ are derivatives and powers of its value."""
    name = node.name
    span = (node.start, node.end)
    scope = row.scope
    if name in scope.concepts and "@" not in scope.concepts[name].macro and name not in lexicon():
        value = _concept(row, node, scope.concepts[name])
        return row.scripts(value, outer) if outer else value
    if name in _LETTERS and not node.parameters and not node.segments:
        return symbol.symbol(row, _LETTERS[name], outer, span)
    if name == r"\HankelmodderivN" and r"\BesselJ" in scope.source and not any(m in scope.source for m in _MODULI):
        scope.warn("N was read as the Bessel function of the second kind", span)
        node = Call(r"\BesselY", node.options, node.parameters, node.scripts, node.segments, node.start, node.end)
        name = node.name
    if name == r"\surfharmonicY" and "e^" in scope.source.replace(r"\exp", ""):
        scope.warn("Y was read as a spherical harmonic", span)
        node = Call(r"\sphharmonicY", node.options, node.parameters, node.scripts, node.segments, node.start, node.end)
        name = node.name
    if name == r"\assLegendreP" and any(o.children for o in node.options) and _is_between(scope.source, node):
        scope.warn("P with two scripts was read as the Ferrers function, for arguments between -1 and 1", span)
        node = Call(r"\FerrersP", node.options, node.parameters, node.scripts, node.segments, node.start, node.end)
        name = node.name
    if name in symbol.CONSTANTS:
        if outer and (part := number_sets.restricted(row, symbol.CONSTANTS[name], outer, span)) is not None:
            return part
        value = Constant(symbol.CONSTANTS[name], span)
        return row.scripts(value, outer) if outer else value
    if name in words.OPERATORS and not node.parameters and not node.segments:
        return words.operator(row, words.OPERATORS[name], outer, span)
    signature = scope.calls.get(name)
    bare = not node.parameters and not node.segments and not node.options
    typed = signature is not None and signature.parameters and name[1:] in notation().functions  # `\floor(x)`
    if bare and (typed or name in _WORDS):
        return words.applied(row, name[1:], outer, span)
    if name == r"\log" and not node.arguments:
        return words.applied(row, "log", [*node.scripts, *outer], span)
    if name == r"\trace" and not node.arguments:
        return words.applied(row, "tr", outer, span)
    degree = len(outer) == 1 and outer[0].argument is not None and row.digits(outer[0].argument) == [r"\circ"]
    options = [o for o in node.options if o.children]
    head = f"{name}[]" if options else name
    if name in _LEFT_OUT and any(type(p) is Group and not p.children for p in node.parameters):
        left_out = Leaf(_LEFT_OUT[name], node.start, node.end)
        node = Call(name, [], [left_out], node.scripts, node.segments, node.start, node.end)
    if any(type(p) is Group and not p.children for p in node.parameters):
        raise scope.error(f"{name} with an empty parameter is only a name", span, "give all its arguments")
    if name == r"\RiemannsymP" and (symbol_p := _riemann_symbol(row, node)) is not None:
        return row.scripts(symbol_p, outer) if outer else symbol_p
    with scope.expecting("several" if name == r"\pgcd" else "", 1):
        given = [argument(row, name, part) for part in (*options, *node.parameters)]
    variables = [ungrouped(argument(row, name, part), scope) for part in node.variables]
    if degree and variables:  # \cos 45° is the cosine of 45°
        variables[-1], outer = row.degrees(variables[-1], span), []
    if name == r"\conj" and len(given) == 1 and _SEGMENT.fullmatch(scope.source[node.start : node.end]):
        scope.warn("a bar over two capital letters was read as a name", span)
        segment = Symbol(scope.source[node.start : node.end].replace(r"\conj", r"\overline"), span)
        return row.scripts(segment, outer) if outer else segment
    if name == r"\conj" and len(given) == 1 and (digits := number.of_letters(scope.source, given[0], span)) is not None:
        scope.warn("letters below a bar were read as the digits of a number", span)
        return row.scripts(digits, outer) if outer else digits
    if name == r"\conj" and len(given) == 1 and is_barred_set(row, given[0]):
        raise scope.error("the complement of a set without a universe", span, r"write U\setminus A")
    if name == r"\conj" and any(s.kind == "_" for s in outer) and isinstance(given[0], Symbol):
        scope.warn("a bar over a letter with a subscript was read as part of its name", span)
        return symbol.symbol(row, rf"\overline{{{given[0].name}}}", outer, span)
    if name == r"\conj" and len(given) == 1 and _is_no_complex_number(given[0]):
        scope.warn("a bar was read as the complex conjugate", span)
    for part in (*given, *variables):
        if isinstance(part, Apply) and part.head in _OF_SETS:
            raise scope.error(f"{name} of a set", part.span)
    if name == r"\card" and len(given) == 1 and vectors.is_vector(given[0]):
        norm = Apply("norm", (given[0],), span)
        return row.scripts(norm, outer) if outer else norm
    if name == r"\intinnerprod" and vectors.are_real_vectors(scope.source, (*given, *variables)):
        scope.warn("angle brackets were read as the scalar product of two vectors", span)
        return Apply("dot", (*given, *variables), span)
    wanted = 0
    if signature is not None:
        texts = [scope.source[p.start + 1 : p.end - 1].strip() for p in node.parameters]
        wanted = signature.variables_for(texts)
        if len(node.parameters) < signature.parameters:
            raise scope.error(
                f"{name} needs {signature.parameters} parameters, not {len(node.parameters)}", span, "add {...}"
            )
    scripts = node.scripts
    if name == r"\log":
        scope.warn("log was read as the natural logarithm", span)
        name = head = r"\ln"
    if not variables and wanted:
        scripts, found = outer, _bare_arguments(row, name, wanted, span)
        if found is None:
            function: Expression = Function(head, tuple(given), span)
            return row.scripts(function, outer) if outer else function
        variables, outer = found
    elif len(variables) < wanted and name not in TRANSFORMS:
        raise scope.error(f"{name} needs {wanted} variables behind @, not {len(variables)}", span, "add {...}")
    convention.doubt(scope, node, variables)
    arguments = (*given, *variables)
    if name == r"\pgcd" and len(arguments) == 1:
        if not isinstance(arguments[0], Sequence):
            raise scope.error("the greatest common divisor of one number", span)
        arguments = arguments[0].items
    if name in TRANSFORMS and len(arguments) == 2:
        transformed = transform(name, arguments[0], arguments[1])
        if transformed is not None:
            return row.scripts(transformed, outer) if outer else transformed
    if name == r"\Wronskian":
        return derivative.wronskian(row, arguments, span)
    if name in _PRIMED and outer and all(s.kind == "'" for s in outer):
        head, outer = _PRIMED[name], []
    value = Apply("transpose" if name == r"\transpose" else head, arguments, span)
    if name in _PRODUCTS and isinstance(arguments[0], Sequence):
        factors = tuple(Apply(_PRODUCTS[name], (item, *arguments[1:]), span) for item in arguments[0].items)
        value = Apply("times", factors, span)
    elif name == r"\qPochhammer" and isinstance(arguments[0], Sequence):
        value = Apply("times", tuple(Apply(name, (item, *arguments[1:]), span) for item in arguments[0].items), span)
    elif name in _PRODUCTS:
        value = Apply(_PRODUCTS[name], arguments, span)
    if scripts:
        value = _scripted_call(row, value, scripts, len(given))
    return row.scripts(value, outer) if outer else value


def _concept(row: Row, node: Call, concept: Concept) -> Expression:
    """The macro of a concept of the vocabulary."""
    span = (node.start, node.end)
    if len(node.parameters) != concept.arity:
        message = f"{node.name} needs {concept.arity} parameters, not {len(node.parameters)}"
        raise row.scope.error(message, span, f"write {concept.macro}")
    parts = {str(number): argument(row, node.name, part) for number, part in enumerate(node.parameters, 1)}
    value = shape(concept.shape).build(parts, span)
    return row.scripts(value, node.scripts) if node.scripts else value


def _riemann_symbol(row: Row, node: Call) -> Expression | None:
    """Riemann's P-symbol: singularities and exponents in three columns, the variable alone in a fourth."""
    body = node.variables[0] if len(node.variables) == 1 else None
    children = body.children if type(body) is Group else [body]
    table = children[0] if len(children) == 1 and type(children[0]) is Environment else None
    if table is None or node.scripts:
        return None
    lines = [line for line in table.rows if any(cell.children for cell in line)]
    last = [cell for line in lines for cell in line[3:] if cell.children]
    if len(lines) != 3 or any(len(line) != 4 for line in lines) or len(last) != 1:
        return None
    columns = tuple(tuple(argument(row, node.name, cell) for cell in line[:3]) for line in lines)
    span = (node.start, node.end)
    return Apply(node.name, (Matrix(columns, False, (table.start, table.end)), argument(row, node.name, last[0])), span)


def _is_between(source: str, node: Call) -> bool:
    """Whether a Legendre function is one of arguments between -1 and 1: of a cosine, or beside 1-x^2."""
    argument = source[node.variables[0].start : node.variables[0].end] if node.variables else ""
    degree = source[node.parameters[0].start : node.parameters[0].end].strip("{} ") if node.parameters else ""
    return r"\cos" in argument or _BETWEEN.search(source) is not None or degree in ("l", r"\ell")


def is_barred_set(row: Row, node: Expression) -> bool:
    """Whether a bar stands over a set: beside operations on sets, where no chances are computed."""
    beside = row.scope.census.signs & {r"\cup", r"\cap", r"\setminus", "∪", "∩"}
    if not beside or _CHANCE.search(row.scope.source):
        return False
    return (isinstance(node, Symbol) and node.name[:1].isupper()) or (isinstance(node, Apply) and node.head in _OF_SETS)


def _is_no_complex_number(node: Expression) -> bool:
    """Whether a bar over this may as well be a mean, a negation or the digits of a number."""
    if isinstance(node, Symbol):
        return node.name.partition("_")[0] not in (
            "z",
            "w",
            "f",
            "g",
            r"\alpha",
            r"\lambda",
            r"\psi",
            r"\chi",
            r"\zeta",
        )
    return isinstance(node, Apply) and node.head == "times" and all(type(part) is Symbol for part in node.arguments)


def _bare_arguments(row: Row, name: str, wanted: int, span: Span) -> tuple[list[Expression], list[Script]] | None:
    """Arguments of a macro written without @: in parentheses, with the scripts behind them, or one factor."""
    following = row.texts[row.at] if row.at < row.count else ""
    node = row.items[row.at] if row.at < row.count else None
    base = node.base if type(node) is Scripted else node
    if following == "(" or (type(base) is Delimited and base.left in ("(", "[", r"\{")):
        if name not in _BARE and wanted != 1:
            return None
        value, after = fence.argument(row)
        row.scope.warn(f"{name} without @ was applied to what stands in parentheses", span)
        return (list(value.items) if isinstance(value, Sequence) else [value]), after
    if name not in _BARE or not row.starts_factor():
        return None
    row.scope.warn(f"{name} without @ was applied to the factor behind it", span)
    return [row.factor()], []


def _scripted_call(row: Row, value: Apply, scripts: list[Script], parameters: int) -> Expression:
    """`M'^{2}@{x}` is the square of the derivative, `M^{2}'@{x}` the derivative of the square."""
    primes = 0
    order: Expression | None = None
    power: Expression | None = None
    inside: Expression | None = None  # a power that stands before the primes
    for script in scripts:
        if script.kind == "'":
            primes += 1
            inside, power = (power, None) if power is not None else (inside, power)
        elif script.argument is None or script.kind == "_":
            raise row.scope.error("a subscript on a macro", (script.start, script.end), "use its parameters")
        elif atom.parenthesised(script.argument):
            inner = type(row)(row.scope, [script.argument], (script.start, script.end))
            order = inner.expression()
        else:
            more, power = atom.superscript(row, script.argument)
            primes += more
    result: Expression = value
    if primes or order is not None:
        order = order if order is not None else Number(str(primes), value.span)
        if not value.arguments:
            raise row.scope.error(f"a derivative of {value.head.removesuffix('[]')} without an argument", value.span)
        slot = derivative.derivative_slot(value.head, parameters, len(value.arguments))
        result = derivative.prime_derivative(value, slot, order, inside)
    if power is not None:
        inverse = inverse_of(value.head) if atom.is_minus_one(power) else ""
        if inverse and result is value:
            row.scope.warn(f"{value.head}^{{-1}} was read as the inverse function", value.span)
            return Apply(inverse, value.arguments, value.span)
        result = Apply("power", (result, power), value.span)
    return result
