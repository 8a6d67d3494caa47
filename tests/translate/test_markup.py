"""Whether a constant is marked up is no doubt about the meaning; a namesake is no macro."""

from __future__ import annotations

import pytest

from texlift.grammar.expansion import expand
from texlift.macros.conventions import conventions_of, judged_like, notations
from texlift.macros.lexicon import lexicon
from texlift.translate.confidence import likelihood, weigh
from texlift.translate.decoding import Choice, Derivation, decode
from texlift.translate.model import packaged_model
from texlift.translate.preparation import Preparation, Work
from texlift.translate.scores import Scorer
from texlift.translate.translator import load


@pytest.mark.parametrize(
    "latex",
    [r"\Gamma(z)\Gamma(1-z)=\frac{\pi}{\sin(\pi z)}", r"\zeta(2)=\frac{\pi^2}{6}", r"e^{i\pi}+1=0", r"\pi r^2"],
)
def test_confidence_does_not_ask_for_markup(latex: str) -> None:
    result = load().translate(latex)
    assert result.confidence > 0.99
    assert not any("unsure" in warning for warning in result.warnings)


def test_answers_that_differ_in_markup_are_added_up() -> None:
    model = packaged_model()
    (work,) = Preparation(model).ready([(r"\pi z", "gamma function")], constants=False)
    assert isinstance(work, Work) and work.encoded is not None
    scorer = Scorer(model.weights, model.config, model.slots, model.tuning)
    (scores,) = scorer([work.encoded], model.memory.columns([work.encoded.symbols]))
    probabilities = dict(zip(work.encoded.where, scores.all, strict=True))
    (best,) = decode(work.forest, probabilities)
    flipped = []
    for choice in best.choices:  # the other way to write the constant
        matches = work.forest.at(choice.row, choice.position, choice.limit)
        other = next((m for m in matches if m.rule.name == r"\cpi"), None) if choice.match is None else None
        number = matches.index(other) + 1 if other else 0
        flipped.append(Choice(choice.row, choice.position, choice.limit, other, scores.all[0][number]))
    other_answer = Derivation(tuple(flipped), sum(choice.log_probability for choice in flipped))
    apart = likelihood(work.encoded, best) + likelihood(work.encoded, other_answer)
    for derivation in (best, other_answer):
        together = weigh(work.encoded, derivation, scores, markup=probabilities).probability
        assert together == pytest.approx(apart)


@pytest.mark.parametrize("latex", [r"\ker(A)", r"\ker T", r"\operatorname{ker}(A)", r"\ker(x)", r"\dim\ker f"])
def test_a_kernel_is_no_kelvin_function(latex: str) -> None:
    assert load().translate(latex).semantic == latex


@pytest.mark.parametrize(
    ("latex", "context"),
    [(r"\ker(x)", "Kelvin functions"), (r"\ker x+i\operatorname{kei}x", None), (r"\operatorname{ker}_\nu(x)", None)],
)
def test_a_kelvin_function_is_one(latex: str, context: str | None) -> None:
    assert r"\Kelvinker" in load().translate(latex, context).semantic


@pytest.mark.parametrize(
    ("latex", "semantic"),
    [
        ("K(m)", r"\compellintKm@{m}"),
        (r"\operatorname{sn}(u|m)", r"\Jacobiellsnm@{u}{m}"),
        (r"\theta_3(0,\tau)", r"\unitJacobitheta{3}@{0}{\tau}"),
        (r"{}_2F_1(a,b,c,z)", r"\hyperF@@@@{a}{b}{c}{z}"),
        (r"{}_1F_0(1;;z)", r"\hyperFonezero@@{1}{z}"),
        (r"\log{c\log{x}}", r"\log@@{c\log@@{x}}"),
        ("trace(P)", "trace(P)"),
        (r"\epsilon_{n+1}", r"\epsilon_{n+1}"),
    ],
)
def test_answers(latex: str, semantic: str) -> None:
    assert load().translate(latex).semantic == semantic


def test_constants_are_marked_where_they_are_constants() -> None:
    translator = load()
    assert translator.translate(r"\sum_i a_ix^i", constants=True).semantic == r"\sum_i a_ix^i"
    assert translator.translate(r"e^{i\theta}", constants=True).semantic == r"\expe^{\iunit\theta}"


def test_the_table_of_conventions_is_sound() -> None:
    calls = {rule.call for rule in packaged_model().grammar.rules}
    for call, like in judged_like().items():
        assert like in calls, f"{call} is judged like {like}, which is no rule"
    for call, generic in notations():
        marks = sorted({call[at : at + 2] for at, sign in enumerate(call) if sign == "#" and call[at + 1] != "'"})
        filled, shown = call.replace("#'", ""), generic.replace("#'", "")
        for mark, letter in zip(marks, "pqrstuv", strict=False):
            filled, shown = filled.replace(mark, letter), shown.replace(mark, letter)
        assert expand(filled) == shown
    for macro in lexicon():
        for convention in conventions_of(macro.name):
            assert 0 <= convention.argument < macro.parameters + macro.variables
