"""User macros: replaced, with an end, and with a place where they are wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.definitions import Definition, expand_definitions, read_definitions, trace_definitions


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"x+1", r"x+1"),
        (r"\newcommand{\R}{\mathbb{R}}x\in\R", r"x\in\mathbb{R}"),
        (r"\newcommand\R{\mathbb{R}}x\in\R", r"x\in\mathbb{R}"),
        (r"\renewcommand{\Re}{\operatorname{Re}}\Re z", r"\operatorname{Re}z"),
        (r"\providecommand{\half}{\tfrac12}\half x", r"\tfrac12 x"),
        (r"\newcommand{\abs}[1]{\left|#1\right|}\abs{x+1}\abs y", r"\left|x+1\right|\left|y\right|"),
        (r"\newcommand{\pow}[2][2]{#2^{#1}}\pow{x}+\pow[3]{y}", r"x^2+y^3"),
        (r"\def\d{\mathrm{d}}\int f\,\d x", r"\int f\,\mathrm{d}x"),
        (r"\def\pair#1#2{(#1,#2)}\pair ab", "(a,b)"),
        (r"\DeclareMathOperator{\li}{li}\li(x)", r"\operatorname{li}(x)"),
        (r"\DeclareMathOperator*{\esssup}{ess}\esssup_x", r"\operatorname{ess}_x"),
        (r"\def\a{\b x}\def\b{\alpha}\a", r"\alpha x"),
        (r"\def\a{\alpha}\a b", r"\alpha b"),
        (r"\def\f#1{\g{#1}{#1}}\def\g#1#2{#1/#2}\f{z}", "z/z"),
        (r"x % \def\a{1}" + "\n+1", "x+1"),
    ],
)
def test_uses_are_replaced(source: str, plain: str) -> None:
    assert canonical_key(expand_definitions(source)) == canonical_key(plain)


def test_definitions_from_elsewhere() -> None:
    known = {r"\R": Definition(r"\R", 0, r"\mathbb{R}")}
    assert canonical_key(expand_definitions(r"x\in\R", known)) == canonical_key(r"x\in\mathbb{R}")


def test_definitions_are_found_and_removed() -> None:
    rest, found = read_definitions(r"a\newcommand{\x}[2][k]{#1#2}b\def\y#1{#1}")
    assert rest == "ab"
    assert found == {r"\x": Definition(r"\x", 2, "#1#2", "k"), r"\y": Definition(r"\y", 1, "#1")}


@pytest.mark.parametrize(
    ("source", "message", "position"),
    [
        (r"x\newcommand", "needs a macro name", 1),
        (r"\newcommand{x}{y}", "needs a macro name", 0),
        (r"\newcommand{\a}", "needs a body", 0),
        (r"\newcommand{\a}{x", "never closed", 15),
        (r"\newcommand{\a}[x]{y}", "not a number of arguments", 0),
        (r"\def\a x{y}", "only plain parameters", 7),
        (r"\def\a#1{y}+\a", "needs 1 argument", 1),
        (r"\def\a#1{y}{\a}", "needs 1 argument", 1),
        (r"\def\a#1{y}\a{x", "never closed", 2),
    ],
)
def test_errors_have_a_place(source: str, message: str, position: int) -> None:
    with pytest.raises(FormulaError, match=message) as caught:
        expand_definitions(source)
    assert caught.value.span[0] == position


LETTERS = "abcdefghijklmnop"

HOSTILE = {
    "itself": r"\def\a{\a}\a",
    "itself and more": r"\newcommand{\a}{\a x}\a",
    "itself twice": r"\newcommand{\a}{\a\a}\a",
    "in turns": r"\def\a{\b}\def\b{\a}\a",
    "doubling": "".join(rf"\def\{x}{{\{y}\{y}}}" for x, y in itertools.pairwise(LETTERS)) + r"\a",
    "doubling with arguments": r"\def\a#1{#1#1#1#1#1#1#1#1#1#1}" + r"\a{" * 9 + "x" + "}" * 9,
    "long bodies": rf"\def\a{{{'x' * 1000}}}" + r"\a" * 4000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_definitions_without_end(name: str, promptly: Callable[..., AbstractContextManager[None]]) -> None:
    with promptly(), pytest.raises(FormulaError, match="without end") as caught:
        expand_definitions(HOSTILE[name])
    assert caught.value.code == "too-long"
    assert len(str(caught.value)) < 600


def test_many_uses(promptly: Callable[..., AbstractContextManager[None]]) -> None:
    with promptly():
        assert expand_definitions(r"\def\a{x}" + r"\a" * 4000) == "x" * 4000


def test_parts_of_an_expansion_are_traced_to_the_source() -> None:
    known = read_definitions(r"\newcommand{\E}[1]{\mathrm{E}\left[#1\right]}\newcommand{\R}{\mathbb{R}}")[1]
    source = r"\E{\Gamma(z)}+f(\R)"
    traced = trace_definitions(source, known)
    assert traced is not None

    def back(part: str) -> str | None:
        at = traced.text.index(part)
        span = traced.back((at, at + len(part)))
        return span and source[span[0] : span[1]]

    assert back(r"\Gamma(z)") == r"\Gamma(z)"
    assert back(r"f(\mathbb{R})") == r"f(\R)"
    assert back(r"\mathbb{R}") == r"\R"
    assert back(r"\mathrm{E}\left[{\Gamma(z)}\right]") == r"\E{\Gamma(z)}"
    assert back(r"\left[{\Gamma(z)}\right]") is None  # a part of what a macro prints is nowhere in the source


def test_a_macro_that_takes_what_stands_behind_another_cannot_be_traced() -> None:
    known = read_definitions(r"\newcommand{\a}{\b}\newcommand{\b}[1]{(#1)}")[1]
    assert trace_definitions(r"\a{x}", known) is None


def test_sized_delimiters() -> None:
    known = read_definitions(r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}")[1]
    for use in (r"\abs{x}", r"\abs*{x}", r"\abs[\big]{x}"):
        assert expand_definitions(use, known).replace(" ", "") == r"\lvert{x}\rvert"
