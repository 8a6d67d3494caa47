"""Mutants of a Python module: small changes to its syntax tree, each as a new source text.

for mutant in mutants(source): mutant.line, mutant.operator, mutant.was, mutant.now, mutant.source
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Mutant", "mutants"]

_Node: TypeAlias = ast.expr | ast.stmt
_Change: TypeAlias = tuple[_Node, str, str]
"""The node that is replaced, operator, and the text that takes its place."""

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_SKIPPED = {"__all__", "__slots__"}
_UNTOUCHED = {"annotation", "returns", "decorator_list", "bases", "args"}
_TYPES = {"TypeAlias", "TypeVar"}
_COMMENT = re.compile(r"  # .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the line and function it is in, what kind, the changed lines before and after, the whole source."""

    line: int
    function: str
    operator: str
    was: str
    now: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module, in the order of its lines."""
    starts = [0]
    for text in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    tree = ast.parse(source)
    first = set(_first_bindings(tree))
    found = [
        _mutant(source, starts, replaced, function, operator, text)
        for node, function in _walk(tree, "")
        for replaced, operator, text in _changes(node)
        if not (operator == "removed" and replaced in first)  # a name that was never given a value fails at once
    ]
    return sorted({one.source: one for one in found}.values(), key=lambda one: one.line)


def _first_bindings(tree: ast.Module) -> Iterator[ast.stmt]:
    """Assignments that give a name its first value in a module, class or function."""
    for scope in ast.walk(tree):
        if not isinstance(scope, ast.Module | ast.ClassDef | ast.FunctionDef):
            continue
        known: set[str] = {argument.arg for argument in ast.walk(scope) if isinstance(argument, ast.arg)}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
                stores = [name for target in targets for name in ast.walk(target) if not isinstance(name, ast.Name)]
                if not names & known and all(isinstance(one, ast.Tuple | ast.expr_context) for one in stores):
                    yield node
                known |= names


def _mutant(source: str, starts: list[int], node: _Node, function: str, name: str, text: str) -> Mutant:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    data = source.encode()  # columns are counted in bytes
    begin, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    changed = (data[:begin] + text.encode() + data[end:]).decode()
    last = starts[node.end_lineno]
    was = data[starts[node.lineno - 1] : last].decode()
    now = (data[starts[node.lineno - 1] : begin] + text.encode() + data[end:last]).decode()
    return Mutant(node.lineno, function, name, _shown(was), _shown(now), changed)


def _shown(lines: str) -> str:
    """Lines without comments on one line."""
    return " ".join(_COMMENT.sub("", lines).split())


def _walk(node: ast.AST, function: str) -> Iterator[tuple[_Node, str]]:
    """All nodes that can be changed, with the name of the function they are in; no types, no documentation."""
    for name, value in ast.iter_fields(node):
        if name in _UNTOUCHED and not (name == "args" and isinstance(node, ast.Call)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_silent(child):
                continue
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _walk(child, f"{function}.{child.name}".lstrip("."))
                continue
            if isinstance(child, ast.expr | ast.stmt) and not _is_in_f_string(node):
                yield child, function
            yield from _walk(child, function)


def _is_in_f_string(node: ast.AST) -> bool:
    """Parts of f-strings have no exact place before Python 3.12."""
    return isinstance(node, ast.JoinedStr | ast.FormattedValue)


def _is_silent(node: ast.AST) -> bool:
    """Statements that do nothing when they are executed: imports, texts, names for types."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.Assign):
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        is_type = (
            isinstance(node.value, ast.Subscript) and names and all(name[:2].strip("_").istitle() for name in names)
        )
        return bool(names & _SKIPPED) or bool(is_type)
    if isinstance(node, ast.AnnAssign):
        return node.value is None or (isinstance(node.annotation, ast.Name) and node.annotation.id in _TYPES)
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _changes(node: _Node) -> Iterator[_Change]:
    for operator, text in _replacements(node):
        yield node, operator, text
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        test = node.test
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1):  # of a comparison, `_compared` turns it round
            yield test, "negation", f"(not ({ast.unparse(test)}))"


def _replacements(node: _Node) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.Constant(value=bool() as value):
            yield "constant", str(not value)
        case ast.Constant(value=int() | float() as number):
            yield "constant", f"{number + 1}"
            yield "constant", f"{number - 1}" if number >= 1 else f"({number - 1})"
        case ast.BoolOp(op=op, values=values):
            other = copy.copy(node)
            other.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and/or", f"({ast.unparse(other)})"
            for index in range(len(values)):
                yield "and/or", f"({_without(node, index)})"
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield "negation", f"({ast.unparse(operand)})"
        case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
            yield "arithmetic", f"({ast.unparse(ast.BinOp(node.left, _ARITHMETIC[type(op)](), node.right))})"
        case ast.AugAssign(op=op) if type(op) in _ARITHMETIC:
            yield "arithmetic", ast.unparse(ast.AugAssign(node.target, _ARITHMETIC[type(op)](), node.value))
            yield "removed", "pass"
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            yield "min/max", ast.unparse(ast.Call(ast.Name(_CALLS[name]), node.args, node.keywords))
        case ast.Subscript(slice=ast.Slice() as part):
            yield from _sliced(node, part)
        case ast.Return(value=ast.expr() as value):
            is_none = isinstance(value, ast.Constant) and value.value is None
            yield "return", "return 1" if is_none else "return"
        case ast.Break():
            yield "removed", "continue"
        case ast.Continue():
            yield "removed", "break"
        case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.Raise() | ast.Delete():
            yield "removed", "yield from ()" if isinstance(getattr(node, "value", None), ast.Yield) else "pass"
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            yield from _filtered(node)


def _compared(node: ast.Compare) -> Iterator[tuple[str, str]]:
    for index, op in enumerate(node.ops):
        for other in _COMPARISONS[type(op)]:
            changed = copy.copy(node)
            changed.ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield "comparison", f"({ast.unparse(changed)})"


def _without(node: ast.BoolOp, index: int) -> str:
    rest = [*node.values[:index], *node.values[index + 1 :]]
    return ast.unparse(rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))


def _sliced(node: ast.Subscript, part: ast.Slice) -> Iterator[tuple[str, str]]:
    for name in ("lower", "upper", "step"):
        if getattr(part, name) is not None:
            other = copy.copy(part)
            setattr(other, name, None)
            yield "slice", ast.unparse(ast.Subscript(node.value, other, ast.Load()))


def _filtered(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Iterator[tuple[str, str]]:
    for number, generator in enumerate(node.generators):
        for at in range(len(generator.ifs)):
            part = copy.copy(generator)
            part.ifs = [*generator.ifs[:at], *generator.ifs[at + 1 :]]
            other = copy.copy(node)
            other.generators = [*node.generators[:number], part, *node.generators[number + 1 :]]
            yield "filter", ast.unparse(other)
