"""Letters: constants and variables, names with labels and indices, functions of an unknown definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Delimited, Group, Leaf, Node, Script, Scripted, Text
from texlift.targets import atom, laplace, nabla, probability
from texlift.targets.census import Census, letters_of
from texlift.targets.expression import Apply, Constant, Derivative, Expression, Indexed, Number, Symbol, Unknown
from texlift.targets.notation import notation

if TYPE_CHECKING:
    from texlift.targets.row import Row

__all__ = ["CONSTANTS", "is_letter", "letter", "named", "symbol"]

CONSTANTS = {
    r"\pi": "pi", r"\cpi": "pi", r"\expe": "e", r"\iunit": "i", r"\EulerConstant": "gamma", r"\infty": "infinity",
    r"\Reals": "reals", r"\Integers": "integers", r"\Complexes": "complexes", r"\Rationals": "rationals",
    r"\natNumbers": "naturals", r"\posIntegers": "naturals", r"\nonnegIntegers": "nonnegative",
    r"\emptyset": "emptyset",
}  # fmt: skip
_DECORATIONS = frozenset({"*", r"\ast", "+", "-", r"\pm", r"\mp", r"\star", r"\sharp", r"\flat", r"\natural"})
_FUNCTION_LETTERS = frozenset({"f", "g", "F", "G", r"\Phi", r"\Psi"})
_OFTEN_FUNCTIONS = frozenset("uvwxyzhpqsTNXYS")
_SOLUTIONS = frozenset({"y", "u", "v", "w", "f", "g", r"\phi", r"\varphi", r"\psi"})  # letters of unknown functions
_INDEPENDENT = ("x", "t", "z", "s", "r")
_INDEX_LETTERS = frozenset("ijklmnpqrstuv")
_SINGLE_INDICES = frozenset("ijklmn")
_SHAPES = (r"\triangle", r"\square", r"\perp", r"\parallel", r"\|", r"\angle", r"\Box", r"\odot", r"\oplus")
_BRACKETS = ("(", "[")
_BOLD = (r"\mathbf", r"\boldsymbol", r"\bm", r"\vec", r"\pmb")


def _may_index(name: str, letters: frozenset[str]) -> bool:
    """Whether a letter is one that people count with: some Latin ones, all small Greek ones."""
    return name in letters or (name[0] == "\\" and name[1:2].islower())


def is_letter(text: str) -> bool:
    """Whether a sign is a letter that can name a variable."""
    return (len(text) == 1 and text.isalpha() and text.isascii()) or text in notation().letters


def letter(row: Row, index: int) -> str:
    """The letter at `index` of a row, with or without scripts."""
    return row.texts[index] if index < row.count and is_letter(row.texts[index]) else ""


# -- constants -----------------------------------------------------------------------------------------


def named(row: Row, name: str, scripts: list[Script], span: Span) -> Expression:
    """A letter: a constant where the formula uses it as one, else a variable."""
    permutation = name == r"\pi" and row.scope.census.of(name).subscripted  # \pi beside \pi_1 is no number
    constant = (None if permutation else CONSTANTS.get(name)) or _doubtful_constant(row, name, scripts, span)
    if constant is not None and all(script.kind == "^" for script in scripts):
        value: Expression = Constant(constant, (span[0], span[0] + len(name)))
        return row.scripts(value, scripts) if scripts else value
    if name == r"\Delta" and not scripts:
        joint = nabla.increment(row, name, span)
        if joint:
            following = row.items[row.at]
            marks = following.scripts if isinstance(following, Scripted) else []
            row.at += 1
            return symbol(row, joint, marks, (span[0], following.end))
    return symbol(row, name, scripts, span)


def _doubtful_constant(row: Row, name: str, scripts: list[Script], span: Span) -> str | None:
    census = row.scope.census
    if any(script.kind != "^" for script in scripts):
        return None
    if name == "e":
        decided = census.e_is_number()
        if decided is None:
            decided = bool(scripts)
            row.scope.warn("e was read as Euler's number" if decided else "e was read as a variable", span)
        return "e" if decided else None
    if name in ("i", r"\imath"):
        if census.is_index(name):
            return None
        if census.is_variable("j") and not census.j_is_number():
            row.scope.warn("i beside j was read as a variable", span)
            return None
        return "i"
    if name in ("j", r"\jmath"):
        if census.j_is_number():
            row.scope.warn("j was read as the imaginary unit", span)
            return "i"
        if not census.is_index(name) and not census.is_variable("i") and not census.is_variable("k"):
            row.scope.warn("j was read as a variable", span)
    return None


# -- symbols with their scripts --------------------------------------------------------------------------


def symbol(row: Row, name: str, scripts: list[Script], span: Span, function: bool = False) -> Expression:
    """A symbol with its scripts; applied where parentheses behind it are arguments, always if it is a `function`."""
    special = probability.read(row, name, scripts, span) or laplace.read(row, name, scripts, span)
    if special is not None:
        return special
    primes = 0
    indices: tuple[Expression, ...] = ()
    upper: tuple[Expression, ...] = ()
    power: Expression | None = None
    operators: list[str] = []
    base = name
    for script in scripts:
        if script.kind == "'":
            primes += 1
        elif script.argument is None:
            continue
        elif script.kind == "_":
            label, indices = _indices(row, name, script.argument)
            base += label
        else:
            inner = type(row)(row.scope, [script.argument], (script.start, script.end))
            operator = _operator(row, name, inner)
            if operator:
                operators.append(operator)
            elif inner.count == 1 and inner.texts[0] in _DECORATIONS:
                row.scope.warn(f"{name}^{inner.texts[0]} was read as a name", span)
                base += "^" + inner.texts[0].lstrip("\\")
            elif atom.parenthesised(script.argument):
                upper = inner.part(1, inner.count - 1).expressions() if inner.count > 1 else (inner.expression(),)
            else:
                _refuse_tensor(row, name, scripts, script, span)
                if name in _SOLUTIONS and set("".join(inner.texts).upper()) <= set("IVX") and inner.count > 1:
                    raise row.scope.error("a derivative counted in Roman numerals, or a power?", span)
                more, power = atom.superscript(row, script.argument)
                primes += more
    if power is not None and name == "C" and (indices or base != name) and not _opens(row):
        indices = indices or (Symbol(base[3:-1], span),)
        row.scope.warn("C with two scripts was read as a binomial coefficient", span)
        return Apply(r"\binom", (indices[0], power), span)
    chosen = len(indices) == 1 and isinstance(indices[0], Number | Symbol) and isinstance(power, Number | Symbol)
    if chosen and name in ("A", "P", "V") and not _opens(row):
        row.scope.warn(f"{name} with two scripts was read as a power", span)
    arguments = _applied(row, name, function or bool(primes or upper))
    if arguments is None:
        value = _plain(row, name, base, indices, upper, primes, span)
        for operator in operators:
            value = row.degrees(value, span) if operator == "degrees" else Apply(operator, (value,), span)
        return Apply("power", (value, power), span) if power is not None else value
    if operators:
        raise row.scope.error(f"{operators[0]} of a function", span)
    values, end, after = arguments
    census = row.scope.census
    order_of = indices[0] if len(indices) == 1 and not upper and not census.of(name).counted else None
    if isinstance(order_of, Symbol) and not census.of(order_of.name).bound:
        base, indices = f"{base}_{{{order_of.name}}}", ()  # an order that never varies is part of the name
    order: Expression | None = Number(str(primes), span) if primes else None
    if upper and order is None and not indices:
        order, upper = (upper[0], ()) if len(upper) == 1 else (None, upper)
    if power is not None and indices and not isinstance(power, Number):
        row.scope.warn("a superscript on an indexed function was read as an index", span)
        upper, power = (power,), None
    if atom.is_minus_one(power):
        raise row.scope.error("the inverse of an unknown function", span)
    unusual = base[0] == "\\" or (base.isupper() and base not in _FUNCTION_LETTERS and len(values) > 1)
    if (indices or upper or unusual) and order is None:
        row.scope.warn(f"{base} was read as a function without a known definition", span)
    head: Symbol | Indexed = Indexed(base, indices, upper, span) if indices or upper else Symbol(base, span)
    value = Unknown(head, values, order, (span[0], end))
    if power is not None:
        value = Apply("power", (value, power), (span[0], end))
    return row.scripts(value, after) if after else value


def _plain(
    row: Row,
    name: str,
    base: str,
    indices: tuple[Expression, ...],
    upper: tuple[Expression, ...],
    primes: int,
    span: Span,
) -> Expression:
    """A symbol that is not applied; primes on the letter of an unknown function are derivatives."""
    uses = row.scope.census.of(name)
    unprimed = uses.alone or uses.numeric_power or uses.power
    if len(upper) == 1 and name in _SOLUTIONS and base == name and (uses.primes or unprimed) and not indices:
        return _derived(row, name, upper[0], span)
    twice = uses.primes > 1 and len(name) == 1 and name.islower()
    solution = primes and not indices and not upper and (name in _SOLUTIONS or twice) and base == name
    stated = name == "y" and row.scope.census.is_variable("x")
    if solution and (uses.primes > 1 or ((unprimed or stated) and not row.scope.census.of("x").primes)):
        return _derived(row, name, Number(str(primes), span), span)
    label = base + "'" * primes
    if primes:
        row.scope.warn(f"{label} was read as a name", span)
    return Indexed(label, indices, upper, span) if indices or upper else Symbol(label, span)


def _derived(row: Row, name: str, order: Expression, span: Span) -> Expression:
    known = [v for v in _INDEPENDENT if v != name and row.scope.census.is_variable(v)]
    variable = known[0] if known else "t" if name == "x" else "x"
    if not known:
        row.scope.warn(f"the derivative of {name} was taken by {variable}", span)
    return Derivative(Symbol(name, span), ((Symbol(variable, span), order),), span)


def _operator(row: Row, name: str, inner: Row) -> str:
    """A superscript that is an operation and no power: transpose, adjoint, degrees."""
    text = inner.texts[0] if inner.count == 1 else ""
    if inner.count == 1 and type(inner.items[0]) is Command and len(inner.items[0].arguments) == 1:
        shown = "".join(row.digits(inner.items[0].arguments[0]))
        text = r"\top" if shown in ("T", r"\top") else "H" if shown == "H" else ""
    census = row.scope.census
    matrix = (len(name) == 1 and name.isupper()) or name.startswith(_BOLD)
    if text == r"\top" or (text == "T" and not census.of("T").alone and (matrix or len(name) == 1)):
        return "transpose"
    if text == r"\dagger" or (text == "H" and matrix and not census.of("H").alone):
        return "adjoint"
    if text in (r"\circ", r"\degree"):
        if matrix:
            raise row.scope.error("a circle above a capital letter", inner.span)
        return "degrees"
    if text == "c" and matrix and census.signs & {r"\cup", r"\cap", r"\setminus"}:
        raise row.scope.error("the complement of a set without a universe", inner.span)
    return ""


def _refuse_tensor(row: Row, name: str, scripts: list[Script], script: Script, span: Span) -> None:
    """Upper indices are no powers: several Greek letters, or a letter above two lower indices."""
    above = letters_of(script.argument) or []
    below = next((letters_of(s.argument) or [] for s in scripts if s.kind == "_"), [])
    tensor = (len(above) > 1 and all(x[0] == "\\" for x in above)) or (
        len(below) > 1 and above and all(_may_index(x, _INDEX_LETTERS) for x in below)
    )
    contracted = row.scope.census.tensors and len(above) == 1 and above[0][0] == "\\"
    if tensor or (contracted and row.scope.census.of(above[0]).in_subscript):
        raise row.scope.error(f"{name} with an upper index, or a power?", span, "no target has tensors")


# -- subscripts ------------------------------------------------------------------------------------------


def _indices(row: Row, name: str, argument: Node) -> tuple[str, tuple[Expression, ...]]:
    """A subscript as a label, which is part of the name, or as indices."""
    label = _label(row, name, argument)
    if label is not None:
        return label, ()
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    letters = letters_of(argument)
    if letters is not None and len(letters) > 1:
        return "", tuple(Symbol(text, (item.start, item.end)) for text, item in zip(letters, inner.items, strict=True))
    row.scope.enter((argument.start, argument.end))
    found = inner.expressions() if inner.count else ()
    row.scope.depth -= 1
    if len(found) == 2 and all(isinstance(part, Number) for part in found) and r"\pm" in row.scope.source:
        row.scope.split = True  # x_{1,2}: the first with the upper signs, the second with the lower ones
        found = found[:1] if row.scope.sign > 0 else found[1:]
    return "", found


def _label(row: Row, name: str, argument: Node) -> str | None:
    """The label a subscript is, as part of a name; None where it is an index."""
    inner = type(row)(row.scope, [argument], (argument.start, argument.end))
    only = inner.items[0] if inner.count == 1 else None
    if inner.count > 1 and inner.texts[0] in _SHAPES and all(is_letter(text) for text in inner.texts[1:]):
        return "_{" + "".join(text.lstrip("\\") for text in inner.texts) + "}"
    if only is not None and inner.texts[0] in (*_DECORATIONS, *_SHAPES, r"\infty", r"\circ", r"\dagger"):
        return "_" + inner.texts[0].lstrip("\\")
    if _upright(row, argument):
        text = "".join(c for c in _text_inside(row, argument) if c.isalnum())
        return f"_{{{text or 'text'}}}"
    letters = letters_of(argument)
    if letters is None:
        halves = inner.count > 2 and "/" in inner.texts and all(text.isdigit() or text == "/" for text in inner.texts)
        if halves:  # T_{1/2}
            return f"_{{{''.join(inner.texts)}}}"
        capitals = inner.count > 1 and all(text.isupper() or text == "," for text in inner.texts)
        return f"_{{{''.join(inner.texts)}}}" if capitals else None
    word = "".join(letters)
    census = row.scope.census
    if len(letters) == 1:
        siblings = census.of(name).labels
        once = census.of(name).subscripted == 1 and not census.of(name).counted
        alone = siblings == {word} and once and not census.is_variable(word)
        if alone and not census.of(word).bound and census.of(word).in_subscript == 1:
            return f"_{{{word}}}"  # E_k: nothing counts with it
        counted = all(s in _SINGLE_INDICES or census.of(s).bound for s in siblings)
        if census.of(word).bound or (word in _SINGLE_INDICES and counted):
            return None
        if census.of(name).counted or (census.is_variable(word) and any(census.of(s).bound for s in siblings)):
            return None
        if r"\dots" in census.signs and census.of(name).subscripted > 1:  # a_1, \dots, a_p
            return None
        if word in ("t", "x") and {"x", "t"} <= siblings:
            raise row.scope.error(f"{name}_{word} may be a partial derivative", (argument.start, argument.end))
        return f"_{{{word}}}"
    repeated = len(set(word)) < len(word) or "t" in word
    if set(word) <= set("xyzt") and len(letters) == len(word) and name.islower() and repeated:
        raise row.scope.error(f"{name} with {word} below may be a partial derivative", (argument.start, argument.end))
    if word in notation().labels or not all(_may_index(x, _INDEX_LETTERS) for x in letters):
        return f"_{{{word}}}"
    return None


def _unwrapped(argument: Node) -> list[Node]:
    """What stands in a script, without the braces around it."""
    children: list[Node] = [argument]
    while len(children) == 1 and type(children[0]) is Group:
        children = children[0].children
    return children


def _upright(row: Row, argument: Node) -> bool:
    """Whether a subscript is a word in upright type: `\\rm`, `\\text`, `\\mathrm`."""
    children = _unwrapped(argument)
    if not children:
        return False
    first = children[0]
    if type(first) is Leaf:
        return first.text in (r"\rm", r"\sf", r"\it") and len(children) > 1
    if type(first) is not Command or len(children) > 1 or not first.arguments:
        return False
    return type(first.arguments[0]) is Text or first.name in (r"\mathrm", r"\operatorname", r"\mathsf", r"\mathit")


def _text_inside(row: Row, argument: Node) -> str:
    """The characters of a word, without the command that sets its font."""
    first = _unwrapped(argument)[0]
    if type(first) is Command:
        inside = first.arguments[0]
        text = inside.body if type(inside) is Text else row.scope.source[inside.start : inside.end]
        return text.replace(r"\tiny", "").replace(r"\scriptsize", "").replace("\\", "")
    return row.scope.source[first.end : argument.end].strip("{} ")


# -- application -----------------------------------------------------------------------------------------


def _opens(row: Row) -> bool:
    """Whether something that may hold arguments stands at the cursor."""
    if row.at >= row.count:
        return False
    node = row.items[row.at]
    base = node.base if type(node) is Scripted else node
    return row.texts[row.at] in _BRACKETS or (type(base) is Delimited and base.left in _BRACKETS)


def _applied(row: Row, name: str, marked: bool) -> tuple[tuple[Expression, ...], int, list[Script]] | None:
    """The arguments in the parentheses behind a symbol, if they are arguments.

    They are when the letter stands before a single symbol or number in parentheses anywhere in the formula
    (`w(z)`), when there is a comma between them, when the name is f, g, F, G, \\Phi or \\Psi, or carries
    primes or a superscript in parentheses there. Everything else is a product.
    """
    if not _opens(row):
        return None
    node = row.items[row.at]
    after: list[Script] = []
    if row.texts[row.at] in _BRACKETS:
        square = row.texts[row.at] == "["
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
        assert type(base) is Delimited
        square = base.left == "["
        inner = type(row)(row.scope, base.children, base.inner)
        following = row.at + 1
        end = base.end
    commas, bar = _separators(inner)
    if bar >= 0 and not square:  # \theta(z|\tau)
        row.scope.warn("a bar between arguments was read as a comma", (node.start, end))
        inner.texts[bar] = ","
        commas += 1
    if not _is_application(row, name, inner, commas, square, marked):
        if _may_be_application(name, inner):
            row.scope.warn(f"{name}(...) was read as a product", (node.start, end))
        return None
    row.at = following
    row.scope.enter((node.start, end))
    values = inner.expressions()
    row.scope.depth -= 1
    return values, end, after


def _separators(inner: Row) -> tuple[int, int]:
    """How many commas stand outside all brackets, and where the only bar does (-1 where there is none)."""
    depth = commas = bars = 0
    bar = -1
    for index, text in enumerate(inner.texts):
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif depth == 0 and text in (",", ";"):
            commas += 1
        elif depth == 0 and text in ("|", r"\mid"):
            bars += 1
            bar = index
    return commas, bar if bars == 1 else -1


def _is_application(row: Row, name: str, inner: Row, commas: int, square: bool, marked: bool) -> bool:
    uses = row.scope.census.of(name)
    if square:
        return (
            inner.count > 0 and inner.texts[0] in ("n", "k") and len(name) == 1 and name not in row.texts[row.at + 1 :]
        )
    if commas or marked:
        return True
    inside = Census(inner.items).uses
    if name in row.scope.census.functions:
        return name in _FUNCTION_LETTERS or name not in inside
    others = uses.alone + uses.subscripted + uses.power + uses.numeric_power
    if uses.applied > 1 and not others and name in _OFTEN_FUNCTIONS and name not in inside:
        return True
    unapplied = uses.alone + uses.subscripted + uses.power + uses.numeric_power > uses.applied
    return name in _FUNCTION_LETTERS and not unapplied


def _may_be_application(name: str, inner: Row) -> bool:
    """Whether a reader could take `name(...)` for a function: not when the letter stands inside, as in n(n+1)."""
    return name not in inner.texts
