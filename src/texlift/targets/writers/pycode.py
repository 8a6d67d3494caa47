"""Python expressions as syntax trees: written as text, or evaluated node by node with a fixed set of names.

The trees are built from a formula's meaning tree and from the target tables, never from a user's text,
and evaluating them never compiles or runs Python source: only the node types below exist.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

__all__ = ["Code", "Environment", "compile_tree", "template", "unparse"]

Environment = dict[str, Any]
Code = Callable[[Environment], Any]

_BINARY: dict[type, tuple[str, int]] = {
    ast.Add: (" + ", 4), ast.Sub: (" - ", 4), ast.Mult: ("*", 5), ast.Div: ("/", 5), ast.Mod: (" % ", 5),
    ast.Pow: ("**", 7), ast.FloorDiv: ("//", 5),
}  # fmt: skip
_COMPARE: dict[type, str] = {
    ast.Eq: " == ", ast.NotEq: " != ", ast.Lt: " < ", ast.LtE: " <= ", ast.Gt: " > ", ast.GtE: " >= ",
}  # fmt: skip

_LONGEST = 1000  # items of a list
_METHODS = frozenset({"dot", "cross", "norm", "transpose"})  # of matrices


def template(code: str) -> ast.expr:
    """A table entry as a tree; its slots `{1}` become the names _1."""
    import re

    return ast.parse(re.sub(r"\{(\d+|n)\}", r"_\1", code), mode="eval").body


def unparse(node: ast.expr, level: int = 0) -> str:
    """The tree as Python text (ast.unparse takes five times as long)."""
    kind = type(node)
    if kind is ast.Name:
        return node.id  # type: ignore[attr-defined, no-any-return]
    if kind is ast.Constant:
        return repr(node.value)  # type: ignore[attr-defined]
    if kind is ast.Call:
        parts = [unparse(a) for a in node.args]  # type: ignore[attr-defined]
        parts += [f"{k.arg}={unparse(k.value)}" for k in node.keywords]  # type: ignore[attr-defined]
        return f"{unparse(node.func, 9)}({', '.join(parts)})"  # type: ignore[attr-defined]
    if kind is ast.Attribute:
        return f"{unparse(node.value, 9)}.{node.attr}"  # type: ignore[attr-defined]
    if kind is ast.BinOp:
        sign, strength = _BINARY[type(node.op)]  # type: ignore[attr-defined]
        right_first = strength == 7
        left = unparse(node.left, strength + right_first)  # type: ignore[attr-defined]
        right = unparse(node.right, strength + (sign != " + " and sign != "*" and not right_first))  # type: ignore[attr-defined]
        if sign == "*" and right.startswith("-"):
            right = f"({right})"
        text = left + sign + right
    elif kind is ast.UnaryOp:
        sign = "-" if type(node.op) is ast.USub else "not "  # type: ignore[attr-defined]
        text, strength = sign + unparse(node.operand, 6), 5  # type: ignore[attr-defined]
    elif kind is ast.Lambda:
        names = ", ".join(a.arg for a in node.args.args)  # type: ignore[attr-defined]
        text, strength = f"lambda {names}: {unparse(node.body)}", 0  # type: ignore[attr-defined]
    elif kind is ast.List:
        return f"[{', '.join(unparse(e) for e in node.elts)}]"  # type: ignore[attr-defined]
    elif kind is ast.Tuple:
        inner = ", ".join(unparse(e) for e in node.elts)  # type: ignore[attr-defined]
        return f"({inner},)" if len(node.elts) == 1 else f"({inner})"  # type: ignore[attr-defined]
    elif kind is ast.Subscript:
        return f"{unparse(node.value, 9)}[{unparse(node.slice)}]"  # type: ignore[attr-defined]
    elif kind is ast.Starred:
        return "*" + unparse(node.value, 8)  # type: ignore[attr-defined]
    elif kind is ast.IfExp:
        strength = 1
        text = f"{unparse(node.body, 2)} if {unparse(node.test, 2)} else {unparse(node.orelse, 1)}"  # type: ignore[attr-defined]
    elif kind is ast.Compare:
        strength = 3
        text = unparse(node.left, 4)  # type: ignore[attr-defined]
        for op, right_side in zip(node.ops, node.comparators, strict=True):  # type: ignore[attr-defined]
            text += _COMPARE[type(op)] + unparse(right_side, 4)
    elif kind is ast.BoolOp:
        strength = 2
        joint = " and " if type(node.op) is ast.And else " or "  # type: ignore[attr-defined]
        text = joint.join(unparse(v, 3) for v in node.values)  # type: ignore[attr-defined]
    else:
        raise TypeError(f"{kind.__name__} is not part of generated code")
    return f"({text})" if strength < level else text


def compile_tree(node: ast.expr, names: Mapping[str, Any]) -> Code:
    """The tree as a function of an environment; `names` are the functions and constants it may use."""
    kind = type(node)
    if kind is ast.Constant:
        value = node.value  # type: ignore[attr-defined]
        return lambda env: value
    if kind is ast.Name:
        key: str = node.id  # type: ignore[attr-defined]
        if key in names:
            known = names[key]
            return lambda env: env.get(key, known)
        return lambda env: env[key]
    if kind is ast.Call:
        return _compile_call(node, names)  # type: ignore[arg-type]
    if kind is ast.Attribute:
        method: str = node.attr  # type: ignore[attr-defined]
        owner = compile_tree(node.value, names)  # type: ignore[attr-defined]
        if method not in _METHODS:
            raise TypeError(f"{method} is not part of generated code")
        return lambda env: getattr(owner(env), method)
    if kind is ast.BinOp:
        left = compile_tree(node.left, names)  # type: ignore[attr-defined]
        right = compile_tree(node.right, names)  # type: ignore[attr-defined]
        operation = type(node.op)  # type: ignore[attr-defined]
        if operation is ast.Add:
            return lambda env: left(env) + right(env)
        if operation is ast.Sub:
            return lambda env: left(env) - right(env)
        if operation is ast.Mult:
            return lambda env: left(env) * right(env)
        if operation is ast.Div:
            return lambda env: left(env) / right(env)
        if operation is ast.Pow:
            return lambda env: left(env) ** right(env)
        if operation is ast.FloorDiv:
            return lambda env: left(env) // right(env)
        return lambda env: left(env) % right(env)
    if kind is ast.UnaryOp:
        operand = compile_tree(node.operand, names)  # type: ignore[attr-defined]
        if type(node.op) is ast.Not:  # type: ignore[attr-defined]
            return lambda env: not operand(env)
        return lambda env: -operand(env)
    if kind is ast.Lambda:
        parameters = [a.arg for a in node.args.args]  # type: ignore[attr-defined]
        body = compile_tree(node.body, names)  # type: ignore[attr-defined]
        return lambda env: lambda *values: body({**env, **dict(zip(parameters, values, strict=True))})
    if kind is ast.List or kind is ast.Tuple:
        make: Any = list if kind is ast.List else tuple
        if any(type(e) is ast.Starred for e in node.elts):  # type: ignore[attr-defined]
            spread = _compile_spread(node.elts, names)  # type: ignore[attr-defined]
            return lambda env: make(spread(env))
        items = [compile_tree(e, names) for e in node.elts]  # type: ignore[attr-defined]
        return lambda env: make(item(env) for item in items)
    if kind is ast.IfExp:
        test = compile_tree(node.test, names)  # type: ignore[attr-defined]
        body = compile_tree(node.body, names)  # type: ignore[attr-defined]
        other = compile_tree(node.orelse, names)  # type: ignore[attr-defined]
        return lambda env: body(env) if test(env) else other(env)
    if kind is ast.Compare:
        return _compile_compare(node, names)  # type: ignore[arg-type]
    if kind is ast.BoolOp:
        values = [compile_tree(v, names) for v in node.values]  # type: ignore[attr-defined]
        if type(node.op) is ast.And:  # type: ignore[attr-defined]
            return lambda env: all(v(env) for v in values)
        return lambda env: any(v(env) for v in values)
    raise TypeError(f"{kind.__name__} is not part of generated code")


def _compile_spread(nodes: list[ast.expr], names: Mapping[str, Any]) -> Callable[[Environment], list[Any]]:
    """Items of a list, some of them `*map(...)`; a list longer than any formula needs is an error."""
    parts = [
        (type(node) is ast.Starred, compile_tree(node.value if isinstance(node, ast.Starred) else node, names))
        for node in nodes
    ]

    def items(env: Environment) -> list[Any]:
        found: list[Any] = []
        for many, part in parts:
            found.extend(islice(part(env), _LONGEST) if many else (part(env),))
            if len(found) >= _LONGEST:
                raise ValueError("a list is too long")
        return found

    return items


def _compile_call(node: ast.Call, names: Mapping[str, Any]) -> Code:
    function = compile_tree(node.func, names)
    if any(type(a) is ast.Starred for a in node.args):
        spread = _compile_spread(node.args, names)
        return lambda env: function(env)(*spread(env))
    arguments = [compile_tree(a, names) for a in node.args]
    keywords = [(k.arg or "", compile_tree(k.value, names)) for k in node.keywords]
    if not keywords:
        if len(arguments) == 1:
            only = arguments[0]
            return lambda env: function(env)(only(env))
        return lambda env: function(env)(*[a(env) for a in arguments])
    return lambda env: function(env)(*[a(env) for a in arguments], **{k: v(env) for k, v in keywords})


def _compile_compare(node: ast.Compare, names: Mapping[str, Any]) -> Code:
    import operator

    operations = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
                  ast.Gt: operator.gt, ast.GtE: operator.ge}  # fmt: skip
    parts = [compile_tree(p, names) for p in (node.left, *node.comparators)]
    checks = [operations[type(op)] for op in node.ops]

    def compare(env: Environment) -> Any:
        if len(checks) == 1:  # symbolic comparisons must come back as they are
            return checks[0](parts[0](env), parts[1](env))
        values = [p(env) for p in parts]
        return all(check(a, b) for check, a, b in zip(checks, values, values[1:], strict=False))

    return compare
