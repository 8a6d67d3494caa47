"""What the parser reads, and how it refuses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical
from texlift.latex.cursor import MAX_DEPTH
from texlift.latex.nodes import Command, Delimited, Environment, Group, Infix, Leaf, Scripted, Text
from texlift.latex.parser import parse
from texlift.latex.printing import print_nodes

Promptly = Callable[..., AbstractContextManager[None]]


# -- constructs ----------------------------------------------------------------------------------------


def test_scripts_keep_their_order() -> None:
    (node,) = parse("x_1'^2")
    assert isinstance(node, Scripted)
    assert [script.kind for script in node.scripts] == ["_", "'", "^"]
    assert (node.start, node.end) == (0, 6)


def test_scripts_without_a_base() -> None:
    first, second = parse("^{2}x")
    assert isinstance(first, Scripted)
    assert first.base is None
    assert isinstance(second, Leaf)


def test_limits_belong_to_the_scripts() -> None:
    (node,) = parse(r"\sum\limits_{n=0}^\infty")
    assert isinstance(node, Scripted)
    assert len(node.scripts) == 2


def test_arguments_with_and_without_braces() -> None:
    for source in (r"\frac12", r"\frac{1}{2}", r"\frac 1{2}", r"\frac{1}2"):
        (node,) = parse(source)
        assert isinstance(node, Command)
        assert print_nodes([node]) == r"\frac{1}{2}"


def test_optional_argument() -> None:
    (node,) = parse(r"\sqrt[3]{x}")
    assert isinstance(node, Command)
    assert print_nodes(node.options[0].children) == "3"
    assert parse(r"\sqrt{x}[3]")[1:]  # behind the argument it is text


def test_text_is_not_parsed() -> None:
    (node,) = parse(r"\text{if $x^y^z$ {a} }")
    assert isinstance(node, Command)
    (argument,) = node.arguments
    assert isinstance(argument, Text)
    assert argument.body == "if $x^y^z$ {a} "


def test_delimiters() -> None:
    (node,) = parse(r"\left\{x\right.")
    assert isinstance(node, Delimited)
    assert (node.left, node.right) == (r"\{", ".")


def test_environment() -> None:
    (node,) = parse(r"\begin{array}{ll}1&2\\3&{4&5}\end{array}".replace("{4&5}", "4"))
    assert isinstance(node, Environment)
    assert [text.body for text in node.arguments] == ["ll"]
    assert [len(row) for row in node.rows] == [2, 2]


def test_infix_takes_the_whole_group() -> None:
    group, leaf = parse(r"{a+b\over c}d")
    assert isinstance(group, Group)
    (node,) = group.children
    assert isinstance(node, Infix)
    assert (print_nodes(node.above), print_nodes(node.below)) == ("a+b", "c")
    assert isinstance(leaf, Leaf)


def test_lengths_without_braces() -> None:
    assert [type(node) for node in parse(r"\mskip-3.0mu x\kern .5em y")] == [Command, Leaf, Command, Leaf]


def test_unknown_commands_are_symbols() -> None:
    assert [type(node) for node in parse(r"\foo{a}")] == [Leaf, Group]


def test_spans_are_places_in_the_source() -> None:
    source = r"a + \frac{ b }{c^2} "
    nodes = parse(source)
    assert [source[node.start : node.end] for node in nodes] == ["a", "+", r"\frac{ b }{c^2}"]


# -- errors --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message", "span", "hint"),
    [
        ("{a", "{ is never closed", (0, 1), "}"),
        ("a}", "} without {", (1, 2), "{"),
        ("{a{b}", "{ is never closed", (0, 1), "}"),
        (r"\left(x", r"\left is never closed", (0, 5), r"\right"),
        (r"x\right)", r"\right without \left", (1, 7), r"\left"),
        (r"\left(x}", r"} where \right was expected", (7, 8), r"\left"),
        (r"{\left(x}\right)", r"} where \right was expected", (8, 9), r"\left"),
        (r"\left(x\right", r"\right needs a delimiter", (7, 13), r"\right("),
        (r"\left", r"\left needs a delimiter", (0, 5), r"\left("),
        (r"\left(x\right}", r"\right needs a delimiter", (7, 13), r"\right("),
        (r"\bigl", r"\bigl needs a delimiter", (0, 5), r"\bigl("),
        (r"\begin{cases}a", r"\begin is never closed", (0, 6), r"\end"),
        (r"a\end{cases}", r"\end without \begin", (1, 5), r"\begin"),
        (r"\begin{cases}a\end{matrix}", r"\begin{cases} is closed by \end{matrix}", (14, 18), r"\end{cases}"),
        (r"\begin{cases}{a\end{cases}", r"\end where } was expected", (15, 19), "{"),
        (r"\begin", r"\begin needs an argument", (0, 6), r"\begin{...}"),
        ("x^a^b", "double superscript", (3, 4), "braces"),
        ("x_a_b", "double subscript", (3, 4), "braces"),
        ("x_a^c_b", "double subscript", (5, 6), "braces"),
        ("x^", "^ needs an argument", (1, 2), "^{...}"),
        ("x^}", "^ needs an argument", (1, 2), "^{...}"),
        (r"\sqrt\over", r"\sqrt needs an argument", (5, 10), "braces"),
        ("x^_2", "^ needs an argument", (2, 3), "braces"),
        (r"\frac{a}", r"\frac needs an argument", (7, 8), r"\frac{...}"),
        (r"\sqrt", r"\sqrt needs an argument", (0, 5), r"\sqrt{...}"),
        (r"{\sqrt}", r"\sqrt needs an argument", (1, 6), r"\sqrt{...}"),
        (r"\sqrt[3", "[ is never closed", (5, 6), "]"),
        (r"\text", r"\text needs an argument", (0, 5), r"\text{...}"),
        (r"\text{a", "{ is never closed", (5, 6), "}"),
        (r"\mskip x", r"\mskip needs a length", (0, 6), r"\mskip3mu"),
        (r"a\over b\over c", r"\over after \over in one group", (8, 13), "braces"),
    ],
)
def test_errors_have_message_place_caret_and_hint(source: str, message: str, span: tuple[int, int], hint: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse(source)
    error = caught.value
    assert error.message == message
    assert error.span == span
    assert hint in error.hint
    first, line, caret, last = str(error).splitlines()
    assert first == f"line 1, column {span[0] + 1}: {message}"
    assert line == source
    assert caret == " " * span[0] + "^" * (span[1] - span[0])
    assert last == f"hint: {error.hint}"


# -- hostile input -------------------------------------------------------------------------------------

N = 10_000

HOSTILE = {
    "nested braces": "{" * N + "}" * N,
    "opening braces": "{" * N,
    "closing braces": "}" * N,
    r"nested \sqrt": r"\sqrt" * N + " x",
    r"nested \frac": r"\frac" * N,
    r"nested \left": r"\left(" * N + "x" + r"\right)" * N,
    "nested environments": r"\begin{matrix}" * N,
    "nested options": r"\sqrt[" * N,
    "nested scripts": "x" + "^{x" * N + "}" * N,
    "scripts of scripts": "x" + "^x" * N,
    "a megabyte": "x+" * 500_000,
    "a megabyte of braces": "{" * 1_000_000,
    "null bytes": "x\0" * 1000,
    "lone surrogates": "x\ud800" * 1000,
    r"many \rm": r"\rm" * N + " x",
    r"many \not": r"\not" * N + "=",
    "many primes": "x" + "'" * N,
    "parentheses": "(" * N + ")" * N,
    "open parentheses": "(" * N,
    "closing parentheses": ")" * N,
    "a long number": "1" * N + "." + "2" * N,
    "points": "1." * N,
    "empty cells": r"\begin{matrix}" + "&" * N + r"\end{matrix}",
    "empty rows": r"\begin{matrix}" + r"\\" * N + r"\end{matrix}",
    "spaces": " \n" * N,
    "comments": "%\n" * N,
    "a long comment": "%" * N,
    "braces and scripts": "{x}_1" * (N // 4),
    "deep scripts": "{" * 100 + "x" + "}^{2}" * 100,
    "words": r"\sin " * N,
    "hashes": "#" * N,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_answered_at_once(name: str, promptly: Promptly) -> None:
    source = HOSTILE[name]
    with promptly():
        try:
            printed = print_nodes(parse(source))
            canonical(source).key  # noqa: B018
        except FormulaError as error:
            assert 0 <= error.span[0] <= error.span[1] <= len(source) + 1
            assert len(str(error)) < 600
            return
    assert print_nodes(parse(printed)) == printed


def test_depth_is_limited_with_a_place() -> None:
    with pytest.raises(FormulaError, match="levels deep") as caught:
        parse("{" * N + "}" * N)
    assert caught.value.code == "too-deep"
    assert caught.value.span == (MAX_DEPTH, MAX_DEPTH + 1)
    parse("{" * MAX_DEPTH + "}" * MAX_DEPTH)


def test_the_deepest_formula_fits_in_an_ordinary_stack() -> None:
    half = MAX_DEPTH // 2
    for opener, closer in (("{", "}"), (r"\sqrt{", "}"), (r"\left(", r"\right)"), ("x^{", "}"), (r"\frac{1}{", "}")):
        source = opener * half + "x" + closer * half
        canonical(source).key  # noqa: B018
        assert print_nodes(parse(print_nodes(parse(source)))) == print_nodes(parse(source))


@given(data=st.data())
def test_soup_gives_a_tree_or_an_error_with_a_place(data: st.DataObject, token_soup: st.SearchStrategy[str]) -> None:
    source = data.draw(token_soup)
    try:
        nodes = parse(source)
    except FormulaError as error:
        assert error.message
        assert 0 <= error.span[0] <= error.span[1] <= len(source) + 1
        assert "^" in error.excerpt()
        return
    assert all(0 <= node.start <= node.end <= len(source) for node in nodes)
    canonical(source).key  # noqa: B018
