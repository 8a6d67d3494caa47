"""What people paste around a formula is taken off; what belongs to it stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texlift.errors import FormulaError
from texlift.latex.canonical import canonical_key
from texlift.latex.wrapping import unwrapped

FORMULA = r"x^{2}+\frac{a}{b}"
WRAPPED = [
    "$F$", "$$F$$", r"\(F\)", r"\[F\]", " $F$ ", "$ F $", "$$\nF\n$$", "$F$.", "$F.$", r"\[F,\]", r"\[F\,.\]",
    "F.", "F,", "F;", "F .", r"F\,.", r"F\quad,", r"F\text{.}", r"F\mbox{,}", r"F\\", r"F.\\",
    r"F\label{eq:1}", r"\label{eq:1}F", r"F\tag{1}", r"F\tag*{$\dagger$}", r"F\nonumber", r"F\notag\\", r"F.\label{a}",
    *(rf"\begin{{{name}}}F\label{{a}}.\end{{{name}}}" for name in
      ("equation", "equation*", "displaymath", "math", "align", "align*", "gather", "gather*", "multline", "eqnarray")),
    r"\begin{alignat}{2}F\end{alignat}", r"\begin{align}F\\\end{align}", r"\begin{equation}F\nonumber\\\end{equation}",
]  # fmt: skip
BARE = [
    r"\left\{x\right.", r"\bigl. x\bigr|", "1, 2, ...", "a,b", r"x\,", r"f(x)=\begin{cases}1&x>0\\0&x<0\end{cases}",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{align}a&=b\\c&=d\end{align}", r"x>0$,$y>0", "$a$ or $b$",
    r"\(a\)+\(b\)", ".", ",", r"\labelled x", r"\$5", r"\displaystyle x", r"\text{if $x$}",
]  # fmt: skip


@pytest.mark.parametrize("wrapped", WRAPPED)
def test_the_formula_is_found(wrapped: str) -> None:
    assert unwrapped(wrapped.replace("F", FORMULA)).strip() == FORMULA


@pytest.mark.parametrize("bare", BARE)
def test_what_belongs_to_the_formula_stays(bare: str) -> None:
    assert unwrapped(bare) == bare


def test_columns_and_breaks_of_one_formula_go() -> None:
    assert canonical_key(unwrapped(r"\begin{align}a&=b\end{align}")) == canonical_key("a=b")
    assert canonical_key(unwrapped(r"\begin{multline}a+b\\+c\end{multline}")) == canonical_key("a+b+c")
    inner = r"\begin{split}a&=b\\&=c\end{split}"
    assert unwrapped(rf"\begin{{equation}}{inner}\label{{a}}\end{{equation}}") == inner


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("x²", "x^{2}"), ("10⁻¹²", "10^{-12}"), ("x₁²", "x_{1}^{2}"), ("aₙ₊₁", "a_{n+1}"), ("π²/6", "π^{2}/6")],
)
def test_scripts_typed_as_characters(typed: str, meant: str) -> None:
    assert unwrapped(typed) == meant


@pytest.mark.parametrize("empty", ["", "  ", "$$", "$ $", r"\[\]", r"\begin{equation}\label{a}\end{equation}", "$$$$"])
def test_nothing_is_an_error(empty: str) -> None:
    with pytest.raises(FormulaError) as caught:
        unwrapped(empty)
    assert caught.value.code == "empty"


@given(st.text(alphabet=r"$\[](){}.,;&x ²", max_size=12))
def test_unwrapping_twice_changes_nothing(text: str) -> None:
    try:
        once = unwrapped(text)
    except FormulaError:
        return
    assert unwrapped(once) == once
