"""Where the leaves of the paper's tree stand in the source."""

from __future__ import annotations

from texlift.latex.nodes import Call, Command, Delimited, Environment, Group, Infix, Leaf, Node, Row, Scripted, Text

__all__ = ["leaf_starts"]


def leaf_starts(row: Row) -> list[int]:
    """The character position of every leaf of `texlift.latex.tree.row_tree` without heuristics, left to right."""
    out: list[int] = []
    _row(row, out, 0)
    return out


def _row(row: Row, out: list[int], empty: int) -> None:
    if not row:
        out.append(empty)
    for node in row:
        _node(node, out)


def _scripts(node: Scripted | Call, out: list[int]) -> None:
    for script in node.scripts:
        out.append(script.start)
        if script.argument is not None:
            _node(script.argument, out)


def _node(node: Node, out: list[int]) -> None:
    if isinstance(node, Leaf | Text):
        out.append(node.start)
    elif isinstance(node, Group):
        _row(node.children, out, node.start)
    elif isinstance(node, Scripted):
        if node.base is not None:
            _node(node.base, out)
        _scripts(node, out)
    elif isinstance(node, Command):
        out.append(node.start)
        for option in node.options:
            out.append(option.start)
            _row(option.children, out, option.start)
        for argument in node.arguments:
            _node(argument, out)
    elif isinstance(node, Call):
        _call(node, out)
    elif isinstance(node, Delimited):
        out.append(node.start)
        _row(node.children, out, node.inner[0])
        out.append(node.inner[1])
    elif isinstance(node, Infix):
        out.append(node.above_span[1])
        _row(node.above, out, node.start)
        _row(node.below, out, node.below_span[0])
    else:
        assert isinstance(node, Environment)
        out.append(node.start)
        for number, cells in enumerate(node.rows):
            if number:
                out.append(cells[0].start if cells else node.end)
            for position, cell in enumerate(cells):
                if position:
                    out.append(cell.start)
                _row(cell.children, out, cell.start)


def _call(node: Call, out: list[int]) -> None:
    out.append(node.start)
    for option in node.options:
        out.append(option.start)
        _row(option.children, out, option.start)
    for parameter in node.parameters:
        _node(parameter, out)
    _scripts(node, out)
    for _, variables in node.segments:
        out.append(variables[0].start if variables else node.end)
        for variable in variables:
            _node(variable, out)
