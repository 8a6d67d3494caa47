"""One operand: numbers, letters; symbols, calls, commands, fences and bars are read elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Script, Scripted
from texlift.meaning.reader import bars, call, command, fence, nabla, number, symbol, words
from texlift.meaning.reader.cursor import OPEN
from texlift.meaning.reader.notation import notation
from texlift.meaning.tree import Apply, Dots, Expression, Number, Symbol

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

__all__ = ["is_minus_one", "parenthesised", "read", "superscript"]

_PRIMES = frozenset({r"\prime", "'"})
_OPENERS = frozenset({"]", *OPEN})


def read(row: Row) -> Expression:
    """The operand at the cursor."""
    node = row.items[row.at]
    if type(node) is Leaf:
        return _leaf(row, node, [])
    scripts: list[Script] = []
    base: Node | None = node
    if type(node) is Scripted:
        scripts, base = node.scripts, node.base
        if base is None or (type(base) is Group and not base.children):
            return _prescripted(row, node)
        if type(base) is Leaf:
            return _leaf(row, base, scripts)
    row.at += 1
    span = (node.start, node.end)
    if type(base) is Command:
        return command.command(row, base, scripts, span)
    if type(base) is Call:
        return call.call(row, base, scripts)
    if isinstance(base, Delimited):
        inside = [child for child in base.children if not (type(child) is Leaf and child.text in notation().ignored)]
        array = inside[0] if len(inside) == 1 else None
        if type(array) is Environment and array.name in ("array", "darray") and (base.left, base.right) == (r"\{", "."):
            return command.cases(row, array)
        return fence.delimited(row, base, scripts)
    if isinstance(base, Group):
        inner = type(row)(row.scope, base.children, (base.start, base.end))
        if inner.count == 0:
            raise row.scope.error("a script on nothing", span)
        if inner.count == 2 and inner.texts[0] == r"\cal":
            return symbol.symbol(row, rf"\mathcal{{{inner.texts[1]}}}", scripts, span)
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


def _prescripted(row: Row, node: Scripted) -> Expression:
    """`{}_nC_k`, `{}^nC_k`, `{}^tA`: the only meanings that scripts before a letter have here."""
    following = row.items[row.at + 1] if row.at + 1 < row.count else None
    before = [s.argument for s in node.scripts if s.argument is not None]
    counted = {"C": r"\binom", "P": "number-of-arrangements", "A": "number-of-arrangements"}
    if type(following) is Scripted and symbol.letter(row, row.at + 1) in counted and len(before) == 1:
        head = counted[symbol.letter(row, row.at + 1)]
        behind = [s.argument for s in following.scripts if s.kind == "_" and s.argument is not None]
        if len(behind) == 1 and len(following.scripts) == 1:
            row.at += 2
            span = (node.start, following.end)
            parts = tuple(type(row)(row.scope, [part], span).expression() for part in (before[0], behind[0]))
            return Apply(head, parts, span)
    name = symbol.letter(row, row.at + 1)
    if len(before) == 1 and node.scripts[0].kind == "^" and row.digits(before[0]) in (["t"], ["T"]) and name.isupper():
        row.at += 1
        value = row.factor()
        return Apply("transpose", (value,), (node.start, value.span[1]))
    raise row.error("a script without a base", "write the base, or {} before it")


def _leaf(row: Row, leaf: Leaf, scripts: list[Script]) -> Expression:
    text = leaf.text
    item = row.items[row.at]
    span = (item.start, item.end)
    if symbol.is_letter(text):
        spelled = words.spelled(row) if not scripts else ""
        if spelled:
            return words.typed(row, spelled)
        row.at += 1
        return symbol.named(row, text, scripts, span)
    if number.starts(row):
        value = number.read(row)
        last = row.items[row.at - 1]
        if type(last) is Scripted:
            return row.scripts(value, last.scripts)
        return number.mixed(row, value) or value
    if text in _OPENERS:
        return fence.fence(row)
    if text in ("|", r"\|"):
        return bars.bars(row)
    if text in (r"\mid", r"\divides") and (size := bars.typed_bars(row)) is not None:
        return size
    row.at += 1
    if text in number.VULGAR:
        above, below = number.VULGAR[text]
        half = Apply("divide", (Number(above, span), Number(below, span)), span)
        return row.scripts(half, scripts) if scripts else half
    if text == r"\dots":
        return Dots(span)
    if text == "√":
        value = row.factor()
        return Apply("sqrt", (value,), (span[0], value.span[1]))
    if text == r"\cal" and row.at < row.count and row.texts[row.at].isalpha():
        following = row.items[row.at]
        row.at += 1
        marks = following.scripts if isinstance(following, Scripted) else []
        return symbol.symbol(row, rf"\mathcal{{{row.texts[row.at - 1]}}}", marks, (span[0], following.end))
    if text[:1] == "#" and row.scope.slots:
        return row.scripts(Symbol(text, span), scripts)
    if text in symbol.CONSTANTS:
        return symbol.named(row, text, scripts, span)
    if text in (r"\nabla", r"\partial"):
        return nabla.read(row, text, scripts, span)
    if text[1:] in notation().functions and text[:1] == "\\":
        return words.applied(row, text[1:], scripts, span)
    if text in words.OPERATORS:
        return words.operator(row, words.OPERATORS[text], scripts, span)
    meaning = notation().refused.get(text)
    if meaning:
        raise row.scope.error(f"{text}: {meaning}", span, "no target has a counterpart")
    if text[:1] == "\\":
        raise row.scope.error(f"{text} has no meaning that texlift knows", span)
    raise row.scope.error(f"unexpected {text}" if text else "unexpected part", span)


def _symbolic_node(row: Row, node: Leaf | Command, scripts: list[Script], span: tuple[int, int]) -> Expression:
    if type(node) is Leaf:
        if node.text.isdigit() and node.text.isascii():
            return row.scripts(Number(node.text, span), scripts)
        if symbol.is_letter(node.text) or node.text in symbol.CONSTANTS:
            return symbol.named(row, node.text, scripts, span)
        raise row.scope.error(f"{node.text} has no meaning that texlift knows", span)
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
    only = inner.items[inner.at] if inner.count - inner.at == 1 else None
    if type(only) is Command and only.name in (r"\overline", r"\underline", r"\bar"):
        raise row.scope.error("a rising or falling power", (argument.start, argument.end), "write (x)_n")
    rest = inner.part(inner.at, inner.count)
    row.scope.enter((argument.start, argument.end))
    value = rest.expression()
    row.scope.depth -= 1
    return primes, value


def parenthesised(argument: Node) -> bool:
    children = argument.children if type(argument) is Group else [argument]
    if len(children) == 1 and type(children[0]) is Delimited:
        return children[0].left == "("
    if len(children) < 3 or type(children[0]) is not Leaf or type(children[-1]) is not Leaf:
        return False
    if children[0].text != "(" or children[-1].text != ")":
        return False
    return all(not (type(c) is Leaf and c.text in "()") for c in children[1:-1])


def is_minus_one(power: Expression | None) -> bool:
    """Whether a power is the number -1."""
    return (
        isinstance(power, Apply)
        and power.head == "negate"
        and isinstance(power.arguments[0], Number)
        and (power.arguments[0].value == "1")
    )
