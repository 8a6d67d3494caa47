"""One operand: numbers, symbols with their scripts, calls of macros, fractions, matrices, cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted, Text
from texlift.targets import binder
from texlift.targets.expression import (
    Apply,
    Cases,
    Constant,
    Derivative,
    Dots,
    Expression,
    Function,
    Indexed,
    Matrix,
    Number,
    Sequence,
    Substitution,
    Symbol,
    Unknown,
)

from texlift.targets.transform import TRANSFORMS, transform

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["call", "derivative_slot", "prime_derivative", "read", "superscript"]

CONSTANTS = {
    r"\pi": "pi", r"\cpi": "pi", r"\expe": "e", r"\iunit": "i", r"\EulerConstant": "gamma", r"\infty": "infinity",
    r"\Reals": "reals", r"\Integers": "integers", r"\Complexes": "complexes", r"\Rationals": "rationals",
    r"\natNumbers": "naturals", r"\posIntegers": "naturals", r"\nonnegIntegers": "nonnegative",
    r"\emptyset": "emptyset",
}  # fmt: skip
_FRACTIONS = frozenset({r"\frac", r"\tfrac", r"\dfrac", r"\ifrac", r"\cfrac", r"\sfrac", r"\nicefrac"})
_OPERATORS = {r"\min": "min", r"\max": "max", r"\gcd": r"\pgcd", r"\det": "det", r"\Re": r"\realpart",
              r"\Im": r"\imagpart", r"\arg": r"\phase", r"\sup": "sup", r"\inf": "inf", r"\liminf": "liminf",
              r"\limsup": "limsup", r"\log": r"\ln"}  # fmt: skip
_ACCENTS = frozenset({r"\hat", r"\widehat", r"\tilde", r"\widetilde", r"\bar", r"\overline", r"\underline", r"\vec",
                      r"\dot", r"\ddot", r"\dddot", r"\check", r"\breve", r"\mathring"})  # fmt: skip
_FONTS = frozenset({r"\mathrm", r"\mathit", r"\mathbf", r"\mathsf", r"\mathtt", r"\mathcal", r"\mathscr", r"\mathfrak",
                    r"\mathbb", r"\boldsymbol", r"\bm", r"\pmb", r"\mathnormal", r"\operatorname", r"\mathbold"})  # fmt: skip
_DECORATIONS = frozenset({"*", "+", "-", r"\ast", r"\pm", r"\mp", r"\dagger", r"\star", r"\circ", r"\sharp", r"\infty"})
_PRIMES = frozenset({r"\prime", "'"})
_FUNCTION_LETTERS = frozenset({"f", "g", "F", "G", r"\Phi", r"\Psi"})
_DOTS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\dotsb", r"\dotsc", r"\dotsi", r"\dotsm", r"\vdots", r"\ddots"})
_BARS = frozenset({"|", r"\|", r"\vert", r"\Vert", r"\lvert"})
_OPENERS = frozenset({"(", "[", r"\{", r"\lfloor", r"\lceil", r"\langle"})
_LISTS = frozenset({r"\genhyperF", r"\genhyperOlverF", r"\qgenhyperphi", r"\qgenhyperpsi", r"\genhyperFmat",
                    r"\genhyperH", r"\MeijerG"})  # fmt: skip
_LAST = frozenset({r"\paraU", r"\paraV", r"\paraW", r"\paraUbar", r"\hyperF", r"\hyperOlverF", r"\KummerconfhyperM",
                   r"\KummerconfhyperU", r"\OlverconfhyperM", r"\regCoulombF", r"\irregCoulombG", r"\irregCoulombH",
                   r"\incGamma", r"\incgamma", r"\scincgamma", r"\genhyperF", r"\regCoulombf", r"\irregCoulombh",
                   r"\regCoulombs", r"\irregCoulombc", r"\HeunHl", r"\polygamma", r"\envparaU"})  # fmt: skip
_BARE = frozenset({r"\sin", r"\cos", r"\tan", r"\cot", r"\sec", r"\csc", r"\sinh", r"\cosh", r"\tanh", r"\coth",
                   r"\ln", r"\exp", r"\asin", r"\acos", r"\atan", r"\realpart", r"\imagpart", r"\phase"})  # fmt: skip
_ORDER_ZERO = frozenset({r"\Kelvinber", r"\Kelvinbei", r"\Kelvinker", r"\Kelvinkei"})
_PRIMED = {r"\zBesselj": r"\zderivBesselj", r"\zBessely": r"\zderivBessely", r"\zAirya": r"\zderivAirya",
           r"\zAiryb": r"\zderivAiryb", r"\zAirybeta": r"\zderivAirybeta"}  # fmt: skip
_PRODUCTS = {r"\qmultiPochhammersym": r"\qPochhammer"}
FRESH = "t_"  # the variable a primed function is differentiated by when its argument is no symbol


def read(row: Row) -> Expression:
    """The operand at the cursor."""
    node = row.items[row.at]
    kind = type(node)
    scripts: list[Script] = []
    if kind is Scripted:
        scripts = node.scripts  # type: ignore[union-attr]
        base = node.base  # type: ignore[union-attr]
        if base is None:
            raise row.error("a script without a base", "write the base, or {} before it")
        kind = type(base)
    else:
        base = node
    if kind is Leaf:
        return _leaf(row, base, scripts)
    row.at += 1
    if kind is Command:
        return _command(row, base, scripts, (node.start, node.end))
    if kind is Call:
        value = call(row, base, scripts)
        return value
    if kind is Delimited:
        value = row.delimited(base)
    elif kind is Group:
        inner = type(row)(row.scope, base.children, (base.start, base.end))
        if inner.count == 0:
            raise row.scope.error("a script on nothing", (node.start, node.end))
        if inner.count == 1:
            simple = inner.items[0]
            if type(simple) is Leaf or type(simple) is Command:
                return _symbolic_node(row, simple, scripts, (node.start, node.end))
        value = inner.expression()
    elif kind is Environment:
        value = _environment(row, base)
    elif kind is Infix:
        value = _infix(row, base)
    else:
        raise row.scope.error("text where an expression was expected", (node.start, node.end))
    return row.scripts(value, scripts) if scripts else value


def _leaf(row: Row, leaf: Leaf, scripts: list[Script]) -> Expression:
    text = leaf.text
    if text.isdigit() or (text == "." and row.next_is_digit()):
        number = row.number()
        last = row.items[row.at - 1]
        return row.scripts(number, last.scripts) if type(last) is Scripted else number
    if text in _OPENERS:
        return row.fence()
    if text in _BARS:
        return _bars(row)
    span = (row.items[row.at].start, row.items[row.at].end)
    row.at += 1
    if text in _DOTS:
        return Dots(span)
    if text[0] == "#":  # the slot of a definition
        return row.scripts(Symbol(text, span), scripts)
    if text in _OPERATORS:
        return _operator(row, _OPERATORS[text], scripts, span)
    if text.isalpha() or text[0] == "\\" and text[1:].isalpha():
        return _named(row, text, scripts, span)
    raise row.scope.error(f"unexpected {text}", span)


def _bars(row: Row) -> Expression:
    opener = row.texts[row.at]
    start = row.items[row.at].start
    if type(row.items[row.at]) is Scripted:
        raise row.error("a script on an opening bar")
    row.at += 1
    row.bars += 1
    row.scope.enter((start, start + 1))
    inner = row.relation()
    row.scope.depth -= 1
    row.bars -= 1
    if row.at >= row.count or row.texts[row.at] != opener:
        raise row.scope.error("| is never closed", (start, start + 1), "close it, or use \\left| ... \\right|")
    node = row.items[row.at]
    row.at += 1
    value = Apply("abs" if opener != r"\|" else "norm", (inner,), (start, node.end))
    return row.scripts(value, node.scripts) if type(node) is Scripted else value


# -- symbols -------------------------------------------------------------------------------------------


def _named(row: Row, name: str, scripts: list[Script], span: Span) -> Expression:
    constant = CONSTANTS.get(name)
    if name == "e" and not any(s.kind == "_" for s in scripts) and (scripts or "e^" in row.scope.source):
        constant = "e"
    elif name == "i" and not scripts and not row.scope.i_is_index or (
        name == "i" and scripts and scripts[0].kind == "^" and not row.scope.i_is_index
    ):
        constant = "i"
    if constant is not None and not any(s.kind != "^" for s in scripts):
        value: Expression = Constant(constant, (span[0], span[0] + len(name)))
        return row.scripts(value, scripts) if scripts else value
    return _symbol(row, name, scripts, span)


def _symbolic_node(row: Row, node: Leaf | Command, scripts: list[Script], span: Span) -> Expression:
    if type(node) is Leaf:
        if node.text.isdigit():
            return row.scripts(Number(node.text, span), scripts)
        if node.text.isalpha() or node.text[0] == "\\" and node.text not in _DOTS:
            return _named(row, node.text, scripts, span)
        raise row.scope.error(f"unexpected {node.text}", span)
    return _command(row, node, scripts, span)  # type: ignore[arg-type]


def superscript(row: Row, argument: Node) -> tuple[int, Expression | None]:
    """Number of primes in a superscript, and the power that remains."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    primes = 0
    while inner.at < inner.count and inner.texts[inner.at] in _PRIMES:
        inner.at += 1
        primes += 1
    if inner.at == inner.count:
        return primes, None
    rest = inner.part(inner.at, inner.count)
    row.scope.enter((argument.start, argument.end))
    value = rest.expression()
    row.scope.depth -= 1
    return primes, value


def _indices(row: Row, argument: Node) -> tuple[str, tuple[Expression, ...]]:
    """A subscript as decoration of the name or as indices."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    if inner.count == 1 and inner.texts[0] in _DECORATIONS:
        return inner.texts[0].lstrip("\\"), ()
    if inner.count == 1 and type(inner.items[0]) is Command and inner.items[0].arguments:
        body = inner.items[0].arguments[0]
        if type(body) is Text:
            label = "".join(c for c in body.body.replace(r"\tiny", "").replace(r"\scriptsize", "") if c.isalnum())
            return "", (Symbol(label or "text", (argument.start, argument.end)),)
    if inner.count > 1 and all(len(t) == 1 and t.isalpha() and type(n) is Leaf for t, n in zip(inner.texts, inner.items, strict=True)):
        return "", tuple(Symbol(n.text, (n.start, n.end)) for n in inner.items if type(n) is Leaf)
    row.scope.enter((argument.start, argument.end))
    found = inner.expressions() if inner.count else ()
    row.scope.depth -= 1
    return "", found


def _parenthesised(argument: Node) -> bool:
    children = argument.children if type(argument) is Group else [argument]
    if len(children) == 1 and type(children[0]) is Delimited:
        return children[0].left == "("
    if len(children) < 3 or type(children[0]) is not Leaf or type(children[-1]) is not Leaf:
        return False
    if children[0].text != "(" or children[-1].text != ")":
        return False
    return all(not (type(c) is Leaf and c.text in "()") for c in children[1:-1])


def _symbol(row: Row, name: str, scripts: list[Script], span: Span) -> Expression:
    """A symbol with its scripts; applied where parentheses behind it are arguments."""
    primes = 0
    indices: tuple[Expression, ...] = ()
    upper: tuple[Expression, ...] = ()
    power: Expression | None = None
    base = name
    for script in scripts:
        if script.kind == "'":
            primes += 1
        elif script.argument is None:
            continue
        elif script.kind == "_":
            mark, indices = _indices(row, script.argument)
            base += f"_{mark}" if mark else ""
        else:
            inner = type(row)(row.scope, [script.argument], (script.start, script.end))
            if inner.count == 1 and inner.texts[0] in _DECORATIONS and inner.texts[0] != r"\infty":
                base += "^" + inner.texts[0].lstrip("\\")
            elif _parenthesised(script.argument):
                upper = inner.part(1, inner.count - 1).expressions() if inner.count > 1 else (inner.expression(),)
            else:
                more, power = superscript(row, script.argument)
                primes += more
    arguments = _applied(row, name, bool(primes or upper))
    if arguments is None:
        label = base + "'" * primes
        value: Expression = Indexed(label, indices, upper, span) if indices or upper else Symbol(label, span)
        return Apply("power", (value, power), span) if power is not None else value
    values, end, after = arguments
    order: Expression | None = Number(str(primes), span) if primes else None
    if upper and order is None and not indices:
        order, upper = (upper[0], ()) if len(upper) == 1 else (None, upper)
    if power is not None and indices and not isinstance(power, Number):
        row.scope.warn("a superscript on an indexed function was read as an index", span)
        upper, power = (power,), None
    if power == Apply("negate", (Number("1", (0, 0)),), (0, 0)) or _is_minus_one(power):
        raise row.scope.error("the inverse of an unknown function", span)
    function: Symbol | Indexed = Indexed(base, indices, upper, span) if indices or upper else Symbol(base, span)
    value = Unknown(function, values, order, (span[0], end))
    if power is not None:
        value = Apply("power", (value, power), (span[0], end))
    return row.scripts(value, after) if after else value


def _is_minus_one(power: Expression | None) -> bool:
    return isinstance(power, Apply) and power.head == "negate" and isinstance(power.arguments[0], Number) and (
        power.arguments[0].value == "1"
    )


def _applied(row: Row, name: str, marked: bool) -> tuple[tuple[Expression, ...], int, list[Script]] | None:
    """The arguments in the parentheses behind a symbol, if they are arguments.

    They are when the letter stands before a single symbol or number in parentheses anywhere in the formula
    (`w(z)`), when there is a comma between them, when the name is f, g, F, G, \\Phi or \\Psi, or carries
    primes or a superscript in parentheses there. Everything else is a product.
    """
    if row.at >= row.count:
        return None
    node = row.items[row.at]
    after: list[Script] = []
    if row.texts[row.at] == "(":
        closing = row.closer(row.at)
        inner = row.part(row.at + 1, closing)
        last = row.items[closing]
        after = last.scripts if type(last) is Scripted else []
        following = closing + 1
        end = last.end
    else:
        base = node
        if type(node) is Scripted:
            base, after = node.base, node.scripts  # type: ignore[assignment]
        if type(base) is not Delimited or base.left != "(":
            return None
        inner = type(row)(row.scope, base.children, base.inner)
        following = row.at + 1
        end = base.end
    depth = commas = bars = 0
    for index, text in enumerate(inner.texts):
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif depth == 0 and text in (",", ";"):
            commas += 1
        elif depth == 0 and text == "|":
            bars += 1
            bar = index
    if bars == 1:  # \theta(z|\tau)
        inner.texts[bar] = ","
        commas += 1
    single = name in row.scope.functions
    if not (commas or single or name in _FUNCTION_LETTERS or marked):
        row.scope.warn(f"{name}(...) was read as a product", (node.start, end))
        return None
    row.at = following
    row.scope.enter((node.start, end))
    values = inner.expressions()
    row.scope.depth -= 1
    return values, end, after


def _operator(row: Row, head: str, scripts: list[Script], span: Span) -> Expression:
    """`\\min(a,b)`, `\\gcd(a,b)`, `\\det[...]`."""
    if any(script.kind == "_" for script in scripts):
        raise row.scope.error(f"{head.strip(chr(92))} over a domain has no counterpart", span)
    value = row.factor()
    items = value.items if isinstance(value, Sequence) else (value,)
    result: Expression = Apply(head, items, (span[0], value.span[1]))
    return row.scripts(result, scripts) if scripts else result


# -- calls ---------------------------------------------------------------------------------------------


def derivative_slot(head: str, parameters: int, count: int) -> int:
    """Which argument of a macro a prime differentiates by: its variable, the last one for some macros."""
    return count - 1 if head.removesuffix("[]") in _LAST else min(parameters, count - 1)


def _argument(row: Row, head: str, node: Node) -> Expression:
    children = node.children if type(node) is Group else [node]
    inner = type(row)(row.scope, children, (node.start, node.end))
    if inner.count == 1 and type(inner.items[0]) is Leaf and inner.texts[0] in ("+", "-", r"\pm", r"\mp"):
        if head not in _LISTS:  # the sign as a parameter: \irregCoulombH{+}
            one = Number("1", (node.start, node.end))
            return one if inner.sign_of(inner.texts[0]) > 0 else Apply("negate", (one,), one.span)
    if head in _LISTS and (not inner.count or inner.count == 1 and inner.texts[0] in ("-", r"\cdot", r"\mbox")):
        return Sequence((), "list", (node.start, node.end))
    row.scope.enter((node.start, node.end))
    value = inner.expression()
    row.scope.depth -= 1
    return value


def call(row: Row, node: Call, outer: list[Script]) -> Expression:
    """A semantic macro; its primes and superscripts before the @ are derivatives and powers of its value."""
    name = node.name
    span = (node.start, node.end)
    scope = row.scope
    if name in CONSTANTS:
        value: Expression = Constant(CONSTANTS[name], span)
        return row.scripts(value, outer) if outer else value
    if name in _OPERATORS and not node.parameters and not node.segments:
        return _operator(row, _OPERATORS[name], outer, span)
    options = [o for o in node.options if o.children]
    head = f"{name}[]" if options else name
    if name in _ORDER_ZERO and type(node.parameters[0]) is Group and not node.parameters[0].children:
        node = Call(name, [], [Leaf("0", node.start, node.end)], node.scripts, node.segments, node.start, node.end)
    if any(type(p) is Group and not p.children for p in node.parameters):
        raise scope.error(f"{name} with an empty parameter is only a name", span, "give all its arguments")
    given = [_argument(row, name, part) for part in (*options, *node.parameters)]
    variables = [_argument(row, name, part) for part in node.variables]
    signature = scope.calls.get(name)
    wanted = 0
    if signature is not None:
        texts = [scope.source[p.start + 1 : p.end - 1].strip() for p in node.parameters]
        wanted = signature.variables_for(texts)
        if len(node.parameters) < signature.parameters:
            raise scope.error(
                f"{name} needs {signature.parameters} parameters, not {len(node.parameters)}", span, "add {...}"
            )
    scripts = node.scripts
    if not variables and wanted:
        scripts, bare = outer, _bare_arguments(row, name, wanted, span)
        if bare is None:
            function: Expression = Function(head, tuple(given), span)
            return row.scripts(function, outer) if outer else function
        variables, outer = bare, []
    elif len(variables) < wanted and name not in TRANSFORMS:
        raise scope.error(f"{name} needs {wanted} variables behind @, not {len(variables)}", span, "add {...}")
    arguments = (*given, *variables)
    if name == r"\pgcd" and len(arguments) == 1 and isinstance(arguments[0], Sequence):
        arguments = arguments[0].items
    if name in TRANSFORMS and len(arguments) == 2:
        transformed = transform(name, arguments[0], arguments[1])
        if transformed is not None:
            return row.scripts(transformed, outer) if outer else transformed
    if name == r"\Wronskian":
        return binder.wronskian(row, arguments, span)
    if name in _PRIMED and outer and all(s.kind == "'" for s in outer):
        head, outer = _PRIMED[name], []
    value = Apply(head, arguments, span)
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


def _bare_arguments(row: Row, name: str, wanted: int, span: Span) -> list[Expression] | None:
    """Arguments of a macro written without @: in parentheses, or the factors behind `\\sin`."""
    following = row.texts[row.at] if row.at < row.count else ""
    node = row.items[row.at] if row.at < row.count else None
    base = node.base if type(node) is Scripted else node
    if following == "(" or type(base) is Delimited and base.left in ("(", "[", r"\{"):
        if name not in _BARE and wanted != 1:
            return None
        value = read(row)
        row.scope.warn(f"{name} without @ was applied to what stands in parentheses", span)
        return list(value.items) if isinstance(value, Sequence) else [value]
    if name not in _BARE or not row.starts_factor():
        return None
    row.scope.warn(f"{name} without @ was applied to the factor behind it", span)
    return [row.factor()]


def _scripted_call(row: Row, value: Apply, scripts: list[Script], parameters: int) -> Expression:
    primes = 0
    order: Expression | None = None
    power: Expression | None = None
    for script in scripts:
        if script.kind == "'":
            primes += 1
        elif script.argument is None or script.kind == "_":
            raise row.scope.error("a subscript on a macro", (script.start, script.end), "use its parameters")
        elif _parenthesised(script.argument):
            inner = type(row)(row.scope, [script.argument], (script.start, script.end))
            order = inner.expression()
        else:
            more, power = superscript(row, script.argument)
            primes += more
    result: Expression = value
    if primes or order is not None:
        order = order if order is not None else Number(str(primes), value.span)
        result = prime_derivative(value, derivative_slot(value.head, parameters, len(value.arguments)), order)
    if power is not None:
        result = Apply("power", (result, power), value.span)
    return result


def prime_derivative(value: Apply, slot: int, order: Expression) -> Expression:
    """The derivative of a macro's value by the argument in `slot`, at that argument."""
    argument = value.arguments[slot]
    others = value.arguments[:slot] + value.arguments[slot + 1 :]
    from texlift.targets.expression import free_symbols  # local: keeps the hot import list short

    if isinstance(argument, Symbol) and not any(argument.name in free_symbols(o) for o in others):
        return Derivative(value, ((argument, order),), value.span)
    fresh = Symbol(FRESH, argument.span)
    body = Apply(value.head, (*value.arguments[:slot], fresh, *value.arguments[slot + 1 :]), value.span)
    return Substitution(Derivative(body, ((fresh, order),), value.span), fresh, argument, value.span)


# -- commands and environments -------------------------------------------------------------------------


def _command(row: Row, node: Command, scripts: list[Script], span: Span) -> Expression:
    name = node.name
    if name in _FONTS or name in _ACCENTS:
        source = row.scope.source[node.start : node.end].replace("{{", "{").replace("}}", "}")
        if name in (r"\mathrm", r"\operatorname", r"\mathit", r"\mathsf") and node.arguments:
            inner = type(row)(row.scope, node.arguments, span)
            if inner.texts in (["e"], ["i"]) and not any(s.kind == "_" for s in scripts):
                value: Expression = Constant(inner.texts[0], span)
                return row.scripts(value, scripts) if scripts else value
        return _symbol(row, source, scripts, span)
    if node.arguments and type(node.arguments[0]) is Text and "const" in node.arguments[0].body:
        return Symbol(r"\mathrm{const}", span)
    if name in (r"\rselection", r"\lselection", r"\selection"):
        return _selection(row, node)
    if name in _FRACTIONS:
        derivative = binder.fraction_derivative(row, node, span)
        if derivative is not None:
            return derivative
        row.scope.fractions += name == r"\cfrac"
        above, below = (_argument(row, name, part) for part in node.arguments)
        row.scope.fractions -= name == r"\cfrac"
        value = Apply("divide", (above, below), span)
    elif name == r"\sqrt":
        body = _argument(row, name, node.arguments[0])
        if node.options:
            value = Apply("root", (body, _argument(row, name, node.options[0])), span)
        else:
            value = Apply("sqrt", (body,), span)
    elif name in (r"\binom", r"\tbinom", r"\dbinom"):
        value = Apply(r"\binom", tuple(_argument(row, name, part) for part in node.arguments), span)
    elif name in (r"\overbrace", r"\underbrace"):
        return _argument(row, name, node.arguments[0])
    elif name == r"\Sci":
        mantissa, exponent = (_argument(row, name, part) for part in node.arguments)
        value = Apply("times", (mantissa, Apply("power", (Number("10", span), exponent), span)), span)
    else:
        raise row.scope.error(f"{name} has no meaning here", span)
    return row.scripts(value, scripts) if scripts else value


def _selection(row: Row, node: Command) -> Expression:
    """Two lines of which the upper signs choose the first, the lower ones the second."""
    children = node.arguments[0].children if type(node.arguments[0]) is Group else []
    cut = next((i for i, c in enumerate(children) if type(c) is Leaf and c.text == "\\\\"), None)
    if cut is None:
        raise row.scope.error(f"{node.name} needs two lines", (node.start, node.end))
    row.scope.split = True
    chosen = children[:cut] if row.scope.sign > 0 else children[cut + 1 :]
    return type(row)(row.scope, chosen, (node.start, node.end)).expression()


def _infix(row: Row, node: Infix) -> Expression:
    above = type(row)(row.scope, node.above, node.above_span).expression()
    below = type(row)(row.scope, node.below, node.below_span).expression()
    if node.operator == r"\over":
        return Apply("divide", (above, below), (node.start, node.end))
    if node.operator == r"\choose":
        return Apply(r"\binom", (above, below), (node.start, node.end))
    raise row.scope.error(f"{node.operator} has no meaning here", (node.start, node.end))


def _environment(row: Row, node: Environment) -> Expression:
    span = (node.start, node.end)
    name = node.name
    cells = [[c for c in line] for line in node.rows if any(c.children for c in line)]
    if name in ("cases", "dcases", "rcases"):
        branches: list[tuple[Expression, Expression | None]] = []
        for line in cells:
            value = _trimmed(row, line[0]).expression()
            condition = None
            if len(line) > 1 and line[1].children:
                condition = binder.condition(row, _trimmed(row, line[1]))
            branches.append((value, condition))
        return Cases(tuple(branches), span)
    if name.endswith("matrix"):
        rows = tuple(
            tuple(_argument(row, name, c) if c.children else Number("0", (c.start, c.end)) for c in line) for line in cells
        )
        return Matrix(rows, name == "vmatrix", span)
    raise row.scope.error(f"the environment {name} has no meaning here", span)


def _trimmed(row: Row, cell: Group) -> Row:
    inner = type(row)(row.scope, cell.children, (cell.start, cell.end))
    while inner.count and inner.texts[inner.count - 1] in (",", ".", ";"):
        inner = inner.part(0, inner.count - 1)
    return inner
