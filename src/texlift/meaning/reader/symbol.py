"""Letters: constants and variables, names with labels and indices, functions of an unknown definition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from texlift.errors import Span
from texlift.latex.nodes import Command, Leaf, Script, Scripted
from texlift.meaning.reader import (
    atom,
    fence,
    known_functions,
    laplace,
    nabla,
    number_sets,
    partial,
    power_set,
    probability,
    tensor,
)
from texlift.meaning.reader.application import FUNCTION_LETTERS, applied, opens
from texlift.meaning.reader.census import is_letter
from texlift.meaning.reader.subscript import DECORATIONS
from texlift.meaning.reader.subscript import indices as indices_of
from texlift.meaning.reader.vectors import squared
from texlift.meaning.tree import (
    Apply,
    Constant,
    Derivative,
    Expression,
    Indexed,
    Number,
    Sequence,
    Symbol,
    Unknown,
    walk,
)

if TYPE_CHECKING:
    from texlift.meaning.reader.row import Row

_DIGITS = frozenset("0123456789")
__all__ = ["CONSTANTS", "is_letter", "letter", "named", "symbol"]

CONSTANTS = {
    r"\pi": "pi", r"\cpi": "pi", r"\expe": "e", r"\iunit": "i", r"\imaginaryunit": "i",
    r"\exponentialE": "e", r"\imaginaryI": "i", r"\imaginaryJ": "i",  # of MathLive
    r"\EulerConstant": "gamma", r"\infty": "infinity",
    r"\Reals": "reals", r"\Integers": "integers", r"\Complexes": "complexes", r"\Rationals": "rationals",
    r"\natNumbers": "naturals", r"\posIntegers": "naturals", r"\nonnegIntegers": "nonnegative",
    r"\emptyset": "emptyset",
}  # fmt: skip
_SOLUTIONS = frozenset({"y", "u", "v", "w", "f", "g", r"\phi", r"\varphi", r"\psi"})  # letters of unknown functions
_INDEPENDENT = ("x", "t", "z", "s", "r")
_WAVES = frozenset({r"\psi", r"\Psi", r"\phi", r"\varphi", r"\Phi", r"\chi"})  # letters of wave functions
_VARIED = frozenset("ASWQUFLJIHE")  # what physicists vary: action, work, heat, energy, a functional
_COMPLEX = frozenset({"z", "w", r"\zeta"})
_LAPLACE = re.compile(r"\\math(?:cal|scr)\s*\{?L")
_BOLD = (r"\mathbf", r"\boldsymbol", r"\bm", r"\vec", r"\pmb")


def letter(row: Row, index: int) -> str:
    """The letter at `index` of a row, with or without scripts."""
    return row.texts[index] if index < row.count and is_letter(row.texts[index]) else ""


# -- constants -----------------------------------------------------------------------------------------


def named(row: Row, name: str, scripts: list[Script], span: Span) -> Expression:
    """A letter: a constant where the formula uses it as one, else a variable."""
    declaration = row.scope.declared.get(name)
    if declaration is not None and not declaration.value:
        return symbol(row, name, scripts, span)
    permutation = name == r"\pi" and row.scope.census.of(name).subscripted  # \pi beside \pi_1 is no number
    constant = declaration.value if declaration is not None else None if permutation else CONSTANTS.get(name)
    if scripts and constant in number_sets.SETS and (part := number_sets.restricted(row, constant, scripts, span)):
        return part
    constant = constant or _doubtful_constant(row, name, scripts, span)
    if constant is not None and all(script.kind == "^" for script in scripts):
        value: Expression = Constant(constant, (span[0], span[0] + len(name)))
        return row.scripts(value, scripts) if scripts else value
    if name == r"\Delta" and not scripts and nabla.is_laplacian(row):
        row.scope.warn(r"\Delta was read as the Laplace operator", span)
        body = row.factor()
        return Apply("laplacian", (body,), (span[0], body.span[1]))
    varied = name == r"\delta" and row.at < row.count and row.texts[row.at] in _VARIED
    if (name == r"\Delta" or varied) and not scripts:
        joint = nabla.increment(row, name, span)
        if joint:
            following = row.items[row.at]
            marks = following.scripts if isinstance(following, Scripted) else []
            row.at += 1
            return symbol(row, joint, marks, (span[0], following.end))
    return symbol(row, name, scripts, span)


def _doubtful_constant(row: Row, name: str, scripts: list[Script], span: Span) -> str | None:
    """The constant that e, i or j is here; None where it is a variable."""
    value = {"e": "e", "i": "i", r"\imath": "i", "j": "i", r"\jmath": "i"}.get(name)
    if value is None or any(script.kind != "^" for script in scripts):
        return None
    is_number, because, warning = _constant_by_rule(row, name, bool(scripts))
    found = "constant" if is_number else "variable"
    place = (span[0], span[0] + len(name))
    chosen = row.scope.decide("constant", place, found, ("constant", "variable"), because)
    if warning and chosen == found:
        row.scope.warn(warning, span)
    return value if chosen == "constant" else None


def _constant_by_rule(row: Row, name: str, raised: bool) -> tuple[bool, str, str]:
    """Whether e, i or j is a number here, the rule that says so, and a warning where the rule is a guess."""
    census = row.scope.census
    if name == "e":
        decided = census.e_is_number()
        if decided is None:
            guess = "e was read as Euler's number" if raised else "e was read as a variable"
            return raised, "nothing else in the formula says what e is", guess
        return decided, "how e and the letters beside it are used in the formula", ""
    if name in ("i", r"\imath"):
        if census.is_index(name):
            return False, "it counts something in the formula", ""
        only_applied = census.of("j").applied >= census.of("j").alone > 0  # j(\tau) is a function and no second index
        if census.is_variable("j") and not census.j_is_number() and not only_applied:
            return False, "it stands beside j", "i beside j was read as a variable"
        return True, "nothing in the formula counts with it", ""
    if census.j_is_number():
        return True, "it stands in an exponent or before a frequency", "j was read as the imaginary unit"
    doubtful = not census.is_index(name) and not census.is_variable("i") and not census.is_variable("k")
    return False, "j is a letter unless engineers use it", "j was read as a variable" if doubtful else ""


# -- symbols with their scripts --------------------------------------------------------------------------


def symbol(row: Row, name: str, scripts: list[Script], span: Span, function: bool = False) -> Expression:
    """A symbol with its scripts; applied where parentheses behind it are arguments, always if it is a `function`."""
    role = row.scope.role(name)
    if not role:
        for read in (power_set.read, laplace.read, probability.read):
            special = read(row, name, scripts, span)
            if special is not None:
                return special
    star = next((script for script in scripts if script.kind == "^" and _is_star(row, script)), None)
    if star is not None and not role and (name in _WAVES or (name in _COMPLEX and _is_complex(row, name))):
        value: Expression = symbol(row, name, [script for script in scripts if script is not star], span, function)
        row.scope.warn(f"{name}^* was read as the complex conjugate", span)
        return Apply(r"\conj", (value,), (span[0], max(span[1], value.span[1])))
    if name in (r"\mathcal{O}", r"\mathscr{O}") and not scripts and not role and opens(row):
        bound, after = fence.argument(row)
        remainder = Apply(r"\bigO", (bound,), (span[0], bound.span[1]))
        return row.scripts(remainder, after) if after else remainder
    primes = 0
    indices: tuple[Expression, ...] = ()
    upper: tuple[Expression, ...] = ()
    power: Expression | None = None
    operators: list[str] = []
    base = name
    steps: tuple[tuple[Expression, Expression], ...] = ()
    below = next((s.argument for s in scripts if s.kind == "_" and s.argument is not None), None)
    if below is not None and name == "D" and len(scripts) == 1 and not role:
        derived = partial.operator(row, below, span)
        if derived is not None:
            return derived
    for script in scripts:
        if below is not None and script.argument is below and not role:
            steps = partial.steps_of(row, name, below)
            if steps:
                continue
        if script.kind == "'":
            primes += 1
        elif script.argument is None:
            continue
        elif script.kind == "_":
            label, indices = indices_of(row, name, script.argument)
            base += label
        else:
            inner = type(row)(row.scope, [script.argument], (script.start, script.end))
            if inner.count == 1 and type(inner.items[0]) is Leaf and inner.texts[0] in _DIGITS:
                power = inner.expression()
                continue
            operator = _operator(row, name, inner)
            if operator in ("transpose", "adjoint"):
                because = "a mark of linear algebra above a letter for a matrix or vector"
                place = (script.start, script.end)
                if row.scope.decide("superscript", place, operator, (operator, "power"), because) == "power":
                    operator = ""
            if operator:
                operators.append(operator)
            elif inner.count == 1 and inner.texts[0] in DECORATIONS:
                row.scope.warn(f"{name}^{inner.texts[0]} was read as a name", span)
                base += "^" + inner.texts[0].lstrip("\\")
            elif atom.parenthesised(script.argument):
                upper = inner.part(1, inner.count - 1).expressions() if inner.count > 1 else (inner.expression(),)
                upper = upper[0].items if len(upper) == 1 and isinstance(upper[0], Sequence) else upper
            else:
                if (component := tensor.component(row, name, scripts, script, span)) is not None:
                    return component
                numeral = _roman(row, inner)
                if name in _SOLUTIONS and numeral and row.scope.census.of(name).primes:
                    upper = (Number(str(numeral), (script.start, script.end)),)
                    continue
                if name in _SOLUTIONS and numeral and inner.count > 1:
                    raise row.scope.error("a derivative counted in Roman numerals, or a power?", span)
                more, power = atom.superscript(row, script.argument)
                if isinstance(power, Symbol) and tensor.summed(row, power.name):
                    row.scope.warn(f"{name}^{power.name} was read as a power; it may be a sum over {power.name}", span)
                primes += more
    if steps and not primes and not upper and not operators:
        slope = Derivative(Symbol(name, span), steps, span)
        value = partial.read_point(row, slope) if partial.follows_point(row, slope) else slope
        return Apply("power", (value, power), span) if power is not None else value
    invariant = None if role or power is not None or primes or upper else tensor.invariant(name, indices, span)
    if invariant is not None:
        return invariant
    role = row.scope.role(base) or role
    if power is not None and name == "C" and not role and (indices or base != name) and not opens(row):
        indices = indices or (Symbol(base[3:-1], span),)
        row.scope.warn("C with two scripts was read as a binomial coefficient", span)
        return Apply(r"\binom", (indices[0], power), span)
    chosen = len(indices) == 1 and isinstance(indices[0], Number | Symbol) and isinstance(power, Number | Symbol)
    if chosen and name in ("A", "V") and not opens(row) and _counts(row):
        row.scope.warn(f"{name} with two scripts was read as a number of arrangements", span)
        assert power is not None
        return Apply("number-of-arrangements", (indices[0], power), span)
    if chosen and name in ("A", "P", "V") and not opens(row):
        row.scope.warn(f"{name} with two scripts was read as a power", span)
    arguments = applied(row, name, function or bool(primes or upper))
    if arguments is None and not primes and not upper and power is None and not operators and not role:
        harmonic = known_functions.bare(row, name, indices, base[len(name) :], span)
        if harmonic is not None:
            return harmonic
    if arguments is None:
        value = _plain(row, name, base, indices, upper, primes, span)
        for operator in operators:
            value = row.degrees(value, span) if operator == "degrees" else Apply(operator, (value,), span)
        return squared(value, power, span) if power is not None else value
    if operators:
        raise row.scope.error(f"{operators[0]} of a function", span)
    values, end, after = arguments
    known = None if role else known_functions.applied(row, name, scripts, values, (span[0], end))
    if known is not None:
        return row.scripts(known, after) if after else known
    census = row.scope.census
    subscripted = any(script.kind == "_" for script in scripts)
    order_of = indices[0] if len(indices) == 1 and not upper and not census.of(name).counted else None
    if isinstance(order_of, Symbol) and not census.of(order_of.name).bound:
        base, indices = f"{base}_{{{order_of.name}}}", ()  # an order that never varies is part of the name
    order: Expression | None = Number(str(primes), span) if primes else None
    if upper and order is None and not indices:
        order, upper = (upper[0], ()) if len(upper) == 1 else (None, upper)
        if order is not None and subscripted:  # a spherical Hankel function, a Laguerre polynomial?
            row.scope.warn(f"{name} with a superscript in parentheses was read as a derivative", span)
    if power is not None and (indices or (subscripted and isinstance(power, Symbol))) and not isinstance(power, Number):
        row.scope.warn("a superscript on an indexed function was read as an index", span)
        upper, power = (power,), None
    if atom.is_minus_one(power):
        raise row.scope.error("the inverse of an unknown function", span)
    random = any(isinstance(part, Symbol) and part.name in ("X", "Y", "Z") for value in values for part in walk(value))
    strange = base.isupper() and base not in FUNCTION_LETTERS and (len(values) > 1 or random)
    unusual = base[0] == "\\" or strange
    if (indices or upper or unusual) and order is None:
        row.scope.warn(f"{base} was read as a function without a known definition", span)
    head: Symbol | Indexed = Indexed(base, indices, upper, span) if indices or upper else Symbol(base, span)
    value = Unknown(head, values, order, (span[0], end))
    if power is not None:
        value = Apply("power", (value, power), (span[0], end))
    return row.scripts(value, after) if after else value


def _is_complex(row: Row, name: str) -> bool:
    """Whether a formula treats a letter as a complex number: it stands beside its star, or its parts are taken."""
    own, star = re.escape(name), r"\s*\^\s*\{?\s*(?:\*|\\ast)\s*\}?"
    parts = r"\\(?:Re|Im|realpart|imagpart|phase)(?![A-Za-z])"
    return re.search(f"{own}\\s*{own}{star}|{own}{star}\\s*{own}|{parts}", row.scope.source) is not None


def _is_star(row: Row, script: Script) -> bool:
    return script.argument is not None and row.scope.source[script.start : script.end].strip("^{} ") in ("*", r"\ast")


_NUMERALS = {"IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "III": 3, "II": 2}


def _roman(row: Row, inner: Row) -> int:
    """The number that a superscript of Roman numerals is; 0 for other superscripts."""
    only = inner.items[0] if inner.count == 1 else None
    if type(only) is Command and len(only.arguments) == 1:
        return _NUMERALS.get("".join(row.digits(only.arguments[0])).upper(), 0)
    return _NUMERALS.get("".join(inner.texts).upper(), 0) if inner.count > 1 else 0


def _counts(row: Row) -> bool:
    """Whether the formula counts choices: a factorial, or C with two scripts, stands beside."""
    return bool(row.scope.census.signs & {"!", r"\binom"} or re.search(r"C_(?:\{[^{}]*\}|\w)\^", row.scope.source))


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
    derived = solution and (uses.primes > 1 or ((unprimed or stated) and not row.scope.census.of("x").primes))
    numbered = len(indices) == 1 and isinstance(indices[0], Number) and base == name and name in _SOLUTIONS
    if primes and numbered and not upper:
        row.scope.warn(f"primes on {name} with an index were read as derivatives", span)
        return _derived(row, f"{name}_{{{indices[0].value}}}", Number(str(primes), span), span)  # type: ignore[union-attr]
    if primes and name.startswith(_BOLD) and base == name and not indices and not upper:
        doubled = re.search(re.escape(name[:-1]).replace(r"\{", r"\s*\{?") + r"\}?''", row.scope.source)
        leading = re.match(re.escape(name[:-1]).replace(r"\{", r"\s*\{?") + r"\}?'\s*=", row.scope.source)
        derived = derived or doubled is not None or leading is not None  # r' alone is often a second point
    if primes:
        found = "derivative" if derived else "name"
        because = "the letter of an unknown function" if derived else "primes on a letter that is not applied"
        possible = ("derivative", "name") if not indices and not upper and base == name else ("name",)
        derived = row.scope.decide("prime", span, found, possible, because) == "derivative"
    if derived:
        return _derived(row, name, Number(str(primes), span), span)
    label = base + "'" * primes
    if primes:
        row.scope.warn(f"{label} was read as a name", span)
    if indices or upper:
        return Indexed(label, indices, upper, span)
    return Symbol(label, span, row.scope.role(label))


def _derived(row: Row, name: str, order: Expression, span: Span) -> Expression:
    known = [v for v in _INDEPENDENT if v != name and row.scope.census.is_variable(v)]
    if _LAPLACE.search(row.scope.source) or name.startswith(_BOLD):
        known = ["t"]
    if name.startswith(_BOLD):
        row.scope.warn(f"primes on {name} were read as derivatives by t", span)
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
    role = row.scope.role(name)
    matrix = role == "matrix" if role else (len(name) == 1 and name.isupper()) or name.startswith(_BOLD)
    linear = role in ("matrix", "vector", "operator") if role else matrix or (len(name) == 1 and name != "e")
    if text == r"\top" or (text == "T" and not row.scope.role("T") and not census.of("T").alone and linear):
        return "transpose"
    vector = len(name) == 1 and name.islower() and census.of(name).alone  # x^H A x
    if text == r"\dagger" or (text == "H" and (matrix or vector) and not census.of("H").alone):
        return "adjoint"
    if text in ("*", r"\ast") and matrix and len(name) == 1 and _is_linear(row, name):
        row.scope.warn(f"{name}^* was read as the adjoint", inner.span)
        return "adjoint"
    if text in (r"\circ", r"\degree"):
        if matrix:
            raise row.scope.error("a circle above a capital letter", inner.span)
        return "degrees"
    if text == "c" and matrix and census.signs & {r"\cup", r"\cap", r"\setminus"}:
        raise row.scope.error("the complement of a set without a universe", inner.span)
    if text == "c" and len(name) == 1 and name.isupper() and not census.of("c").alone:
        row.scope.warn(f"{name}^c was read as a power; it may be a complement", inner.span)
    return ""


def _is_linear(row: Row, name: str) -> bool:
    """Whether a starred capital is a matrix: it stands without the star too, or beside two other capitals."""
    source = row.scope.source
    if row.scope.census.signs & {r"\cup", r"\cap", r"\in", r"\subset", r"\otimes", r"\to"}:
        return False
    inverted = re.search(re.escape(name) + r"\s*\^\s*\{?-\s*1", source) is not None
    others = {letter for letter in re.findall(r"(?<![A-Za-z\\])[A-Z](?![a-z])", source) if letter != name}
    return bool(row.scope.census.of(name).alone or inverted or len(others) > 1)
