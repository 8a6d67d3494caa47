"""A formula on which texlift fails gets an error of its own and costs the others nothing."""

from __future__ import annotations

import gc
import logging
import weakref
from collections.abc import Sequence

import pytest

from texlift.context.passage import Context
from texlift.errors import INTERNAL, FormulaError, fenced
from texlift.targets import TARGETS, convert
from texlift.targets.objects import sympy_objects
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


@pytest.fixture
def breakable(monkeypatch: pytest.MonkeyPatch) -> Translator:
    """A translator in which parsing "boom" raises what nobody foresaw."""
    parsed = Preparation._parsed

    def broken(self: Preparation, latex: str, *arguments: bool) -> object:
        if latex == "boom":
            raise KeyError(latex)
        return parsed(self, latex, *arguments)

    monkeypatch.setattr(Preparation, "_parsed", broken)
    return Translator(load().model)


@pytest.mark.parametrize("document", [False, True])
def test_a_formula_that_breaks_the_translator(
    breakable: Translator, caplog: pytest.LogCaptureFixture, document: bool
) -> None:
    """It gets an error of its own; the others get what they would get without it, as a document too."""
    sound = [(r"\Gamma(z)", None), ("J_0(x)", None), ("{", None), ("x", "letters")]
    plain = list(breakable.translate_many(sound, document=document))
    with caplog.at_level(logging.ERROR):
        first, failed, *others = breakable.translate_many([sound[0], ("boom", None), *sound[1:]], document=document)
    assert [first, others[0], others[2]] == [plain[0], plain[1], plain[3]]
    assert isinstance(others[1], FormulaError)
    assert others[1].code == "syntax"
    assert isinstance(failed, FormulaError)
    assert failed.code == INTERNAL
    assert "KeyError" in caplog.text
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_formulae_that_each_break_the_translator(breakable: Translator) -> None:
    answers = list(breakable.translate_many([("boom", None)] * 3))
    assert [isinstance(answer, FormulaError) and answer.code for answer in answers] == [INTERNAL] * 3


def test_formulae_that_break_only_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each succeeds alone: then each is answered alone."""
    ready = Preparation.ready

    def broken(self: Preparation, asked: Sequence[tuple[str, Context]], *options: object, **more: object) -> object:
        if len(asked) > 1:
            raise MemoryError
        return ready(self, asked, *options, **more)  # type: ignore[arg-type]

    plain = list(load().translate_many([(r"\Gamma(z)", None), ("J_0(x)", None)]))
    monkeypatch.setattr(Preparation, "ready", broken)
    assert list(Translator(load().model).translate_many([(r"\Gamma(z)", None), ("J_0(x)", None)])) == plain


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
