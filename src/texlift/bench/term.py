"""SymPy code as a neutral term, read from its syntax tree: nothing is evaluated, nothing is simplified.

Gold code and answers are read by the same rules. A name that SymPy has is what SymPy means by it; any other name is a
symbol, or a function where it is called. Only the names below are read, so that no text can run anything.
"""

from __future__ import annotations

import ast
import builtins
import json
import keyword
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from texlift.errors import TexliftError

__all__ = ["CodeError", "Term", "call", "names", "number", "read_code", "symbol"]

_LONGEST = 20_000
_SETTINGS = ("evaluate", "commutative", "real", "positive", "integer", "nonnegative", "negative", "nonzero", "complex")
_OPERATORS: dict[type, str] = {
    ast.BitAnd: "And",
    ast.BitOr: "Or",
    ast.BitXor: "Xor",
    ast.RShift: "Implies",
    ast.Mod: "Mod",
}
_COMPARISONS: dict[type, str] = {
    ast.Eq: "Eq",
    ast.NotEq: "Ne",
    ast.Lt: "Lt",
    ast.LtE: "Le",
    ast.Gt: "Gt",
    ast.GtE: "Ge",
}
_METHODS = {"T": "Transpose", "H": "Adjoint", "I": "Inverse", "diff": "Derivative", "subs": "Subs",
            "det": "Determinant",
            "inv": "Inverse", "norm": "Norm", "trace": "Trace", "dot": "Dot", "cross": "Cross",
            "transpose": "Transpose", "conjugate": "conjugate", "union": "Union", "intersect": "Intersection",
            "contains": "contains", "rank": "rank", "adjugate": "adjugate"}  # fmt: skip
_UNEVALUATED = frozenset({"gcd", "lcm"})  # of letters SymPy's own would be those of polynomials
_INTERVALS = {"open": (True, True), "Lopen": (True, False), "Ropen": (False, True)}
_SAME_CONSTANT = {"Infinity": "oo", "ImaginaryUnit": "I", "Pi": "pi", "Exp1": "E"}
_NUMBERS = {"Half": "1/2", "One": "1", "Zero": "0", "NegativeOne": "-1"}


class CodeError(TexliftError):
    """Code that is not read here: no Python expression, or a name of SymPy that no formula needs."""


@dataclass(frozen=True, slots=True)
class Term:
    """`kind` is number, symbol, constant, text, list, tuple, call (of something known) or unknown (a function).

    `name` is the number's text, the symbol, the constant, or what is called.
    """

    kind: str
    name: str
    parts: tuple[Term, ...] = ()


Names: TypeAlias = dict[str, Any]


def number(text: str | int) -> Term:
    return Term("number", str(text))


def symbol(name: str) -> Term:
    return Term("symbol", name)


def call(name: str, *parts: Term) -> Term:
    return Term("call", name, parts)


@cache
def names() -> Names:
    """The table of names: aliases, inert heads, unordered heads, statements, binders, constants."""
    table: Names = json.loads(files("texlift.bench").joinpath("code_names.json").read_text("utf-8"))
    return {key: value if isinstance(value, dict) else frozenset(value) for key, value in table.items()}


def read_code(code: str) -> Term:
    """The term of a Python expression over SymPy's names. Raises CodeError."""
    if len(code) > _LONGEST:
        raise CodeError("the code is too long")
    try:
        return _read(ast.parse(code.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CodeError(f"no Python expression: {error}") from None


def _read(node: ast.expr) -> Term:
    match node:
        case ast.Constant():
            return _constant(node.value)
        case ast.Name():
            return _name(node.id)
        case ast.UnaryOp(op=ast.USub()):
            return call("Mul", number(-1), _read(node.operand))
        case ast.UnaryOp(op=ast.UAdd()):
            return _read(node.operand)
        case ast.UnaryOp(op=ast.Invert() | ast.Not()):
            return call("Not", _read(node.operand))
        case ast.BinOp():
            return _binary(node)
        case ast.Compare():
            return _compared(node)
        case ast.List() | ast.Set():
            return Term("list", "", tuple(map(_read, node.elts)))
        case ast.Tuple():
            return Term("tuple", "", tuple(map(_read, node.elts)))
        case ast.Subscript():
            return _subscript(node)
        case ast.Attribute():
            return _attribute(node)
        case ast.Call():
            return _call(node)
    raise CodeError(f"{type(node).__name__} is not read here")


def _constant(value: object) -> Term:
    if value is None:
        return Term("constant", "none")
    if isinstance(value, bool):
        return Term("constant", "true" if value else "false")
    if isinstance(value, int | float):
        return number(repr(value))
    if isinstance(value, str):
        return Term("text", value)
    raise CodeError(f"the constant {value!r}")


def _name(name: str) -> Term:
    if name in names()["constants"] and name not in ("Primes", "Pi", "Half", "One", "Zero"):
        return Term("constant", name)
    if _taken(name):
        raise CodeError(f"{name} is a name of SymPy or Python, not a symbol")
    return symbol(name)


@cache
def _taken(name: str) -> bool:
    import sympy

    return hasattr(sympy, name) or keyword.iskeyword(name) or hasattr(builtins, name)


def _binary(node: ast.BinOp) -> Term:
    left, right = _read(node.left), _read(node.right)
    match node.op:
        case ast.Add():
            return call("Add", left, right)
        case ast.Sub():
            return call("Add", left, call("Mul", number(-1), right))
        case ast.Mult() | ast.MatMult():
            return call("Mul", left, right)
        case ast.Div():
            return call("Mul", left, call("Pow", right, number(-1)))
        case ast.Pow():
            return call("Pow", left, right)
        case ast.FloorDiv():
            return call("floor", call("Mul", left, call("Pow", right, number(-1))))
    head = _OPERATORS.get(type(node.op))
    if head is None:
        raise CodeError(f"the operator {type(node.op).__name__}")
    return call(head, left, right)


def _compared(node: ast.Compare) -> Term:
    sides = [_read(side) for side in (node.left, *node.comparators)]
    heads = [_COMPARISONS.get(type(sign), "") for sign in node.ops]
    if not all(heads):
        raise CodeError("a comparison that is no relation")
    links = [call(head, left, right) for head, left, right in zip(heads, sides, sides[1:], strict=False)]
    return links[0] if len(links) == 1 else call("And", *links)


def _subscript(node: ast.Subscript) -> Term:
    """`IndexedBase('a')[i, j]` or `a[i]`."""
    base = node.value
    if isinstance(base, ast.Call) and isinstance(base.func, ast.Name) and base.func.id == "IndexedBase":
        name = _text(base.args)
    elif isinstance(base, ast.Name):
        name = base.id
    elif ast.unparse(node.slice) in ("0, 0", "(0, 0)", "0"):  # the only entry of a matrix of one row and column
        return _read(base)
    else:
        raise CodeError("an index of something that has no name")
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return Term("indexed", name, tuple(map(_read, indices)))


def _attribute(node: ast.Attribute) -> Term:
    if isinstance(node.value, ast.Name) and node.value.id == "S":
        name = _SAME_CONSTANT.get(node.attr, node.attr)
        if name in _NUMBERS:
            return number(_NUMBERS[name])
        if name == "NegativeInfinity":
            return call("Mul", number(-1), Term("constant", "oo"))
        if name in names()["constants"]:
            return Term("constant", name)
    elif node.attr in ("T", "H", "I"):
        return call(_METHODS[node.attr], _read(node.value))
    raise CodeError(f"the attribute {node.attr}")


def _call(node: ast.Call) -> Term:
    options = {word.arg or "": word.value for word in node.keywords}
    if any(key not in (*_SETTINGS, "dir") for key in options):
        raise CodeError(f"the options {', '.join(options)}")
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        raise CodeError("arguments that are counted by running code")
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, node.args)
    if isinstance(node.func, ast.Call):  # Function('f')(x)
        maker = node.func.func
        if isinstance(maker, ast.Name) and maker.id == "Function":
            name, parts = _text(node.func.args), tuple(map(_read, node.args))
            name = aliased if (aliased := names()["aliases"].get(name, name)) in names()["inert"] else name
            return call(name, *parts) if name in _UNEVALUATED | names()["inert"] else Term("unknown", name, parts)
        raise CodeError("a call of what a call gives")
    if not isinstance(node.func, ast.Name):
        raise CodeError("a call of something that has no name")
    return _named_call(node.func.id, node.args, options)


def _method(function: ast.Attribute, arguments: list[ast.expr]) -> Term:
    parts = tuple(map(_read, arguments))
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner == "Interval" and function.attr in _INTERVALS:
        flags = (Term("constant", str(flag).lower()) for flag in _INTERVALS[function.attr])
        return call("Interval", *parts, *flags)
    if owner == "Q":
        return call(f"Q.{function.attr}", *parts)
    head = _METHODS.get(function.attr)
    if head is None:
        raise CodeError(f"the method {function.attr}")
    value = _read(function.value)
    return call("Contains", *parts, value) if head == "contains" else call(head, value, *parts)


def _named_call(name: str, arguments: list[ast.expr], options: dict[str, ast.expr]) -> Term:
    if name in ("Symbol", "Dummy", "symbols", "MatrixSymbol", "IndexedBase", "Idx", "Str"):
        return symbol(_text(arguments[:1]))
    if name == "Indexed":
        base = arguments[0] if arguments else ast.Constant("")
        label = base.id if isinstance(base, ast.Name) else _text([base])
        return Term("indexed", label, tuple(map(_read, arguments[1:])))
    parts = tuple(part for part in map(_read, arguments) if part.name != "none" or part.kind != "constant")
    if "dir" in options:
        parts = (*parts, _read(options["dir"]))
    if name in ("Integer", "Float", "S", "sympify", "Rational") and parts and parts[0].kind == "text":
        parts = (number(parts[0].name), *parts[1:])
    if name == "Rational":
        return parts[0] if len(parts) == 1 else call("Mul", parts[0], call("Pow", parts[1], number(-1)))
    if name == "S":
        name = "Id"
    head = names()["aliases"].get(name, name)
    if head == "Id":
        return parts[0]
    if head in _known_heads() or _is_function(head):
        return call(head, *parts)
    if _taken(name):
        raise CodeError(f"{name} of SymPy or Python is not read here")
    return Term("unknown", name, parts)


@cache
def _known_heads() -> frozenset[str]:
    table = names()
    own = frozenset({"Add", "Mul", "Pow", "sqrt", "cbrt", "root", "exp", "Mod", "Matrix", "Max", "Min", "Abs", "Tuple"})
    known: frozenset[str] = own | table["inert"] | table["binders"] | table["logic"]
    return known


@cache
def _is_function(name: str) -> bool:
    """Whether SymPy has a function of this name that stands for numbers."""
    import sympy
    from sympy.core.function import FunctionClass

    found = getattr(sympy, name, None)
    return isinstance(found, FunctionClass) and name not in ("Function", "WildFunction", "Lambda")


def _text(arguments: list[ast.expr]) -> str:
    if len(arguments) == 1 and isinstance(arguments[0], ast.Constant) and isinstance(arguments[0].value, str):
        return arguments[0].value
    raise CodeError("a name that is no text")
