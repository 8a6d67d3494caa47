"""One operand: numbers, bars, symbols with their scripts; calls, commands and fences are read elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted, Text
from texlift.targets import call, command, fence
from texlift.targets.expression import Apply, Constant, Dots, Expression, Indexed, Number, Sequence, Symbol, Unknown

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["CONSTANTS", "OPERATORS", "is_minus_one", "operator", "parenthesised", "read", "superscript", "symbol"]

CONSTANTS = {
    r"\pi": "pi", r"\cpi": "pi", r"\expe": "e", r"\iunit": "i", r"\EulerConstant": "gamma", r"\infty": "infinity",
    r"\Reals": "reals", r"\Integers": "integers", r"\Complexes": "complexes", r"\Rationals": "rationals",
    r"\natNumbers": "naturals", r"\posIntegers": "naturals", r"\nonnegIntegers": "nonnegative",
    r"\emptyset": "emptyset",
}  # fmt: skip
OPERATORS = {r"\min": "min", r"\max": "max", r"\gcd": r"\pgcd", r"\det": "det", r"\Re": r"\realpart",
              r"\Im": r"\imagpart", r"\arg": r"\phase", r"\sup": "sup", r"\inf": "inf", r"\liminf": "liminf",
              r"\limsup": "limsup", r"\log": r"\ln"}  # fmt: skip
_DECORATIONS = frozenset({"*", "+", "-", r"\ast", r"\pm", r"\mp", r"\dagger", r"\star", r"\circ", r"\sharp", r"\infty"})
_PRIMES = frozenset({r"\prime", "'"})
_FUNCTION_LETTERS = frozenset({"f", "g", "F", "G", r"\Phi", r"\Psi"})
_DOTS = frozenset({r"\dots", r"\ldots", r"\cdots", r"\dotsb", r"\dotsc", r"\dotsi", r"\dotsm", r"\vdots", r"\ddots"})
_BARS = frozenset({"|", r"\|", r"\vert", r"\Vert", r"\lvert"})
_DOUBTFUL = frozenset({"e", "i"})  # constants or letters
_OPENERS = frozenset({"(", "[", r"\{", r"\lfloor", r"\lceil", r"\langle"})


def read(row: Row) -> Expression:
    """The operand at the cursor."""
    node = row.items[row.at]
    if type(node) is Leaf:
        return _leaf(row, node, [])
    scripts: list[Script] = []
    base: Node | None = node
    if type(node) is Scripted:
        scripts, base = node.scripts, node.base
        if base is None:
            raise row.error("a script without a base", "write the base, or {} before it")
        if type(base) is Leaf:
            return _leaf(row, base, scripts)
    row.at += 1
    span = (node.start, node.end)
    if type(base) is Command:
        return command.command(row, base, scripts, span)
    if type(base) is Call:
        return call.call(row, base, scripts)
    if isinstance(base, Delimited):
        value = fence.delimited(row, base)
    elif isinstance(base, Group):
        inner = type(row)(row.scope, base.children, (base.start, base.end))
        if inner.count == 0:
            raise row.scope.error("a script on nothing", span)
        if inner.count == 2 and inner.texts[0] == r"\cal":
            return symbol(row, rf"\mathcal{{{inner.texts[1]}}}", scripts, span)
        if inner.count == 1:
            simple = inner.items[0]
            if isinstance(simple, Leaf | Command):
                return _symbolic_node(row, simple, scripts, span)
        value = inner.expression()
    elif isinstance(base, Environment):
        value = command.environment(row, base)
    elif isinstance(base, Infix):
        value = command.infix(row, base)
    else:
        raise row.scope.error("text where an expression was expected", span)
    return row.scripts(value, scripts) if scripts else value


def _leaf(row: Row, leaf: Leaf, scripts: list[Script]) -> Expression:
    text = leaf.text
    if len(text) == 1 and text.isalpha():
        node = row.items[row.at]
        row.at += 1
        return _named(row, text, scripts, (node.start, node.end))
    if text.isdigit() or (text == "." and row.next_is_digit()):
        number = row.number()
        last = row.items[row.at - 1]
        return row.scripts(number, last.scripts) if type(last) is Scripted else number
    if text in _OPENERS:
        return fence.fence(row)
    if text in _BARS:
        return _bars(row)
    span = (row.items[row.at].start, row.items[row.at].end)
    row.at += 1
    if text in _DOTS:
        return Dots(span)
    if text == r"\cal" and row.at < row.count and row.texts[row.at].isalpha():
        letter = row.items[row.at]
        row.at += 1
        marks = letter.scripts if isinstance(letter, Scripted) else []
        return symbol(row, rf"\mathcal{{{row.texts[row.at - 1]}}}", marks, (span[0], letter.end))
    if text[0] == "#":  # the slot of a definition
        return row.scripts(Symbol(text, span), scripts)
    if text in OPERATORS:
        return operator(row, OPERATORS[text], scripts, span)
    if text.isalpha() or (text[0] == "\\" and text[1:].isalpha()):
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
    if constant is None and not scripts and name not in _DOUBTFUL:
        if row.at >= row.count or not _opens(row.texts[row.at], row.items[row.at]):
            return Symbol(name, span)
        return symbol(row, name, scripts, span)
    if name == "e" and not any(s.kind == "_" for s in scripts) and (scripts or "e^" in row.scope.source):
        constant = "e"
    elif (name == "i" and not scripts and not row.scope.i_is_index) or (
        name == "i" and scripts and scripts[0].kind == "^" and not row.scope.i_is_index
    ):
        constant = "i"
    if constant is not None and not any(s.kind != "^" for s in scripts):
        value: Expression = Constant(constant, (span[0], span[0] + len(name)))
        return row.scripts(value, scripts) if scripts else value
    return symbol(row, name, scripts, span)


def _opens(text: str, node: Node) -> bool:
    """Whether something that may hold arguments stands here."""
    kind = type(node)
    return text == "(" or kind is Delimited or (kind is Scripted and type(node.base) is Delimited)  # type: ignore[union-attr]


def _symbolic_node(row: Row, node: Leaf | Command, scripts: list[Script], span: Span) -> Expression:
    if type(node) is Leaf:
        if node.text.isdigit():
            return row.scripts(Number(node.text, span), scripts)
        if node.text.isalpha() or (node.text[0] == "\\" and node.text not in _DOTS):
            return _named(row, node.text, scripts, span)
        raise row.scope.error(f"unexpected {node.text}", span)
    return command.command(row, node, scripts, span)  # type: ignore[arg-type]


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
    if inner.count > 1 and all(
        len(t) == 1 and t.isalpha() and type(n) is Leaf for t, n in zip(inner.texts, inner.items, strict=True)
    ):
        return "", tuple(Symbol(n.text, (n.start, n.end)) for n in inner.items if type(n) is Leaf)
    row.scope.enter((argument.start, argument.end))
    found = inner.expressions() if inner.count else ()
    row.scope.depth -= 1
    return "", found


def parenthesised(argument: Node) -> bool:
    children = argument.children if type(argument) is Group else [argument]
    if len(children) == 1 and type(children[0]) is Delimited:
        return children[0].left == "("
    if len(children) < 3 or type(children[0]) is not Leaf or type(children[-1]) is not Leaf:
        return False
    if children[0].text != "(" or children[-1].text != ")":
        return False
    return all(not (type(c) is Leaf and c.text in "()") for c in children[1:-1])


def symbol(row: Row, name: str, scripts: list[Script], span: Span) -> Expression:
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
            elif parenthesised(script.argument):
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
    if is_minus_one(power):
        raise row.scope.error("the inverse of an unknown function", span)
    function: Symbol | Indexed = Indexed(base, indices, upper, span) if indices or upper else Symbol(base, span)
    value = Unknown(function, values, order, (span[0], end))
    if power is not None:
        value = Apply("power", (value, power), (span[0], end))
    return row.scripts(value, after) if after else value


def is_minus_one(power: Expression | None) -> bool:
    """Whether a power is the number -1."""
    return (
        isinstance(power, Apply)
        and power.head == "negate"
        and isinstance(power.arguments[0], Number)
        and (power.arguments[0].value == "1")
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


def operator(row: Row, head: str, scripts: list[Script], span: Span) -> Expression:
    """`\\min(a,b)`, `\\gcd(a,b)`, `\\det[...]`."""
    if any(script.kind == "_" for script in scripts):
        raise row.scope.error(f"{head.strip(chr(92))} over a domain has no counterpart", span)
    value = row.factor()
    items = value.items if isinstance(value, Sequence) else (value,)
    result: Expression = Apply(head, items, (span[0], value.span[1]))
    return row.scripts(result, scripts) if scripts else result
