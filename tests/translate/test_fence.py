"""A formula on which texlift fails gets an error of its own and costs the others nothing."""

from __future__ import annotations

import gc
import logging
import weakref
from collections.abc import Iterator, Sequence

import pytest

from texlift.errors import INTERNAL, FormulaError, fenced
from texlift.targets import TARGETS, convert
from texlift.targets.writers.sympy import sympy_objects
from texlift.translate.fence import answer_each
from texlift.translate.preparation import Preparation
from texlift.translate.translator import Translator, load

# each of them once ended a whole batch
ODD = [
    r"e\Big^", r"W\left_\right)", r"T{}\Big^", r"\bigl'", r"\left&x\right)", r"\Kelvinber", r"\Kelvinker+1",
    r"\operatorname{tr}(AB)", r"\trace", r"\pgcd{a}", "ζ(2)=π²/6", "x₁²", "²", r"x\in A", r"A\cup B", r"A\setminus B",
    r"\begin{pmatrix}1&2\\3\end{pmatrix}", r"\begin{matrix}\end{matrix}", r"\mathrel\rm", r"\genfrac{}{}{}{}{}{}",
]  # fmt: skip


@pytest.mark.parametrize("formula", ODD)
def test_odd_formulae_are_answered_or_refused(formula: str) -> None:
    for target in TARGETS:
        for semantic in (formula, translated(formula)):
            try:
                assert convert(semantic, target).code
            except FormulaError as error:
                assert error.code != INTERNAL
    try:
        sympy_objects(formula)
    except FormulaError as error:
        assert error.code != INTERNAL


def translated(formula: str) -> str:
    try:
        return load().translate(formula).semantic
    except FormulaError as error:
        assert error.code != INTERNAL
        return "x"


def shout(asked: Sequence[str]) -> Iterator[str | FormulaError]:
    """Answers that show who else was asked; `?` breaks everything, `!` is an error of the formula."""
    for one in asked:
        if "?" in one:
            raise ValueError(one)
        yield FormulaError("no", one, (0, 1)) if "!" in one else f"{one}/{len(asked)}"


def test_the_others_are_answered_together(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        answers = answer_each(shout, ["a", "b?", "c", "d!", "e"], str)
    assert [answers[0], answers[2], answers[4]] == ["a/3", "c/3", "e/3"]
    assert isinstance(answers[1], FormulaError)
    assert answers[1].code == INTERNAL
    assert isinstance(answers[3], FormulaError)
    assert answers[3].code == "syntax"
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_a_formula_that_breaks_the_translator(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    translator = Translator(load().model)
    plain = list(translator.translate_many([(r"\Gamma(z)", None), ("J_0(x)", None)]))
    parsed = Preparation._parsed

    def broken(self: Preparation, latex: str) -> object:
        if latex == "boom":
            raise KeyError(latex)
        return parsed(self, latex)

    monkeypatch.setattr(Preparation, "_parsed", broken)
    translator = Translator(load().model)
    first, failed, second = translator.translate_many([(r"\Gamma(z)", None), ("boom", None), ("J_0(x)", None)])
    assert [first, second] == plain
    assert isinstance(failed, FormulaError)
    assert failed.code == INTERNAL
    assert "KeyError" in caplog.text


def test_errors_that_are_kept_do_not_keep_what_they_came_through() -> None:
    class Large(list[int]):
        pass

    large = Large()
    watched = weakref.ref(large)

    def fails(held: Large) -> FormulaError:
        try:
            with fenced("x", "failing"):
                raise FormulaError("no", "x" * len(held), (0, 1)) from ValueError(held)
        except FormulaError as error:
            return error.detached()

    kept = fails(large)
    del large
    gc.collect()
    assert watched() is None
    assert kept.__traceback__ is None
    answers = list(load().translate_many([("{", None), ("}", None)]))
    assert all(isinstance(a, FormulaError) and a.__traceback__ is None and a.__context__ is None for a in answers)
