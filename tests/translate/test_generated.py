"""Ten thousand generated formulae, half of them damaged, through all targets: no error but texlift's own."""

from __future__ import annotations

import logging

import pytest

from texlift.corpus.generator import generate_pairs
from texlift.corpus.mutants import mutants
from texlift.errors import INTERNAL, FormulaError, TexliftError
from texlift.grammar.expansion import expand
from texlift.latex.symbols import known_commands
from texlift.macros.lexicon import lexicon
from texlift.targets import TARGETS, convert
from texlift.translate.translator import load

PARTS = 4
PAIRS = 625  # of each part; both sides are formulae
MUTANTS = 1250


def failed(action: str, formula: str, error: Exception) -> list[str]:
    """What to complain about: an error that nobody foresaw."""
    if isinstance(error, TexliftError) and not (isinstance(error, FormulaError) and error.code == INTERNAL):
        return []
    return [f"{action}: {formula!r}: {type(error).__name__}: {error}"]


def problems_with(formulae: list[str]) -> tuple[list[str], int]:
    """What fails on the way through the translator and all targets, and how many conversions succeed."""
    problems: list[str] = []
    converted = 0
    answers = list(load().translate_many((formula, None) for formula in formulae))
    assert len(answers) == len(formulae)
    for formula, answer in zip(formulae, answers, strict=True):
        if isinstance(answer, FormulaError):
            problems += failed("translate", formula, answer)
            continue
        for target in TARGETS:
            try:
                converted += bool(convert(answer.semantic, target).code)
            except Exception as error:  # noqa: BLE001  told apart below
                problems += failed(target, answer.semantic, error)
        try:
            expand(answer.semantic)
        except Exception as error:  # noqa: BLE001
            problems += failed("expand", answer.semantic, error)
    return problems, converted


@pytest.mark.parametrize("part", range(PARTS))
def test_every_formula_is_answered_or_refused(part: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "texlift")
    pairs = generate_pairs(PAIRS, seed=part)
    sides = [pair.generic for pair in pairs] + [pair.semantic for pair in pairs]
    formulae = [*sides, *mutants(sides, MUTANTS, seed=part)]
    assert len(formulae) == 2 * PAIRS + MUTANTS
    problems, converted = problems_with(formulae)
    assert not problems, "\n".join(problems[:20])
    assert converted > PAIRS  # most of what is generated means something


@pytest.mark.parametrize("form", ["?", "?x", "x?", "x?y", "?{x}", "?{x}{y}", "x^{?}", "(?)", "?_1^2(x)"])
def test_every_command_anywhere(form: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "texlift")
    names = sorted(known_commands() | {macro.name for macro in lexicon()})
    problems, _ = problems_with([form.replace("?", f"{name} ") for name in names])
    assert not problems, "\n".join(problems[:20])
