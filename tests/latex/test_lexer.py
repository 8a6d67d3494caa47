"""Tokens, and the source again from them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.lexer import MAX_LENGTH, Token, Tokens, tokenize


def again(tokens: Tokens) -> str:
    pieces = [tokens.gap(index) + text for index, text in enumerate(tokens.texts)]
    return "".join(pieces) + tokens.gap(len(tokens))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("", []),
        ("  \n ", []),
        ("x+1", ["x", "+", "1"]),
        (r"\Gamma(z)", [r"\Gamma", "(", "z", ")"]),
        (r"\alpha\beta x", [r"\alpha", r"\beta", "x"]),
        (r"\alpha2", [r"\alpha", "2"]),
        (r"\,\!\{\\", [r"\,", r"\!", r"\{", r"\\"]),
        ("\\ x", ["\\ ", "x"]),
        ("\\\nx", ["\\\n", "x"]),
        ("x^{2}_1'", ["x", "^", "{", "2", "}", "_", "1", "'"]),
        ("a% rest\nb", ["a", "b"]),
        ("a%", ["a"]),
        ("a% only a comment", ["a"]),
        (r"a\%b", ["a", r"\%", "b"]),
        ("% first\n% second\n  x", ["x"]),
        (r"\BesselJ{#1}#'@{#2}", [r"\BesselJ", "{", "#1", "}", "#'", "@", "{", "#2", "}"]),
        ("#a#b##", ["#a", "#b", "#", "#"]),
        ("αβ∞é𝐅", ["α", "β", "∞", "é", "𝐅"]),
        (r"\operatorname*{lim}", [r"\operatorname*", "{", "l", "i", "m", "}"]),
        (r"\alpha*x", [r"\alpha", "*", "x"]),
        (r"\hspace*{1em}", [r"\hspace*", "{", "1", "e", "m", "}"]),
        (r"x\*y", ["x", r"\*", "y"]),
        ("a~b", ["a", "~", "b"]),
        ("a\u00a0b", ["a", "\u00a0", "b"]),
    ],
)
def test_tokens(source: str, texts: list[str]) -> None:
    tokens = tokenize(source)
    assert tokens.texts == texts
    assert again(tokens) == source


def test_tokens_know_their_place() -> None:
    tokens = tokenize("a  \\beta % c\n d")
    assert list(tokens) == [Token("a", 0), Token(r"\beta", 3), Token("d", 14)]
    assert [token.end for token in tokens] == [1, 8, 15]
    assert [tokens.end(index) for index in range(3)] == [1, 8, 15]
    assert tokens.gap(2) == " % c\n "


@pytest.mark.parametrize(
    ("source", "position", "message"),
    [
        ("a\0b", 1, "U+0000"),
        ("x\x7f", 1, "U+007F"),
        ("ab\x1b[0m", 2, "U+001B"),
        ("a\ud800b", 1, "surrogate"),
        ("\udfff", 0, "surrogate"),
        ("x\\", 1, "backslash"),
    ],
)
def test_what_no_tex_would_read(source: str, position: int, message: str) -> None:
    with pytest.raises(FormulaError, match=re.escape(message)) as caught:
        tokenize(source)
    assert caught.value.span[0] == position


def test_too_long_is_refused_before_any_work() -> None:
    with pytest.raises(FormulaError, match="longer than the limit") as caught:
        tokenize("x" * (MAX_LENGTH + 1))
    assert caught.value.code == "too-long"
    assert len(str(caught.value)) < 500
    assert len(tokenize("x" * MAX_LENGTH)) == MAX_LENGTH


@given(st.text())
def test_any_text_is_tokens_and_gaps_or_an_error_with_a_place(source: str) -> None:
    try:
        tokens = tokenize(source)
    except FormulaError as error:
        assert 0 <= error.span[0] < len(source)
        return
    assert again(tokens) == source
    assert all(
        gap.startswith("%") or not gap for gap in (tokens.gap(i).strip(" \t\r\n") for i in range(len(tokens) + 1))
    )


@given(data=st.data())
def test_formulae_and_soup_are_reproduced(
    data: st.DataObject, formulae: st.SearchStrategy[str], token_soup: st.SearchStrategy[str]
) -> None:
    source = data.draw(st.one_of(formulae, token_soup))
    try:
        tokens = tokenize(source)
    except FormulaError:
        return
    assert again(tokens) == source


def test_corpus_is_reproduced(corpus_sides: list[tuple[str, str]]) -> None:
    for pair in corpus_sides:
        for source in pair:
            assert again(tokenize(source)) == source
