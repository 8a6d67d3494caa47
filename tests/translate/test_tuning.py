"""Tuned numbers have names, are saved with the model and are what counts."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from texlift.errors import TexliftError
from texlift.translate.answer import Translation
from texlift.translate.model import Model, packaged_model
from texlift.translate.translator import Translator
from texlift.tuning import Tuning

OTHER = Tuning(network_share=0.5, memory_counts=(1.0, 4.0), caution=0.25, doubtful_answer=0.5)


def tuned(**numbers: float) -> Translator:
    model = packaged_model()
    return Translator(replace(model, tuning=replace(model.tuning, **numbers)))


def test_the_json_form_has_everything() -> None:
    for tuning in (Tuning(), OTHER):
        table = json.loads(json.dumps(tuning.as_dict()))
        assert set(table) == {field.name for field in fields(Tuning)}
        assert Tuning.of(table) == tuning
        assert hash(Tuning.of(table)) == hash(tuning)


def test_what_is_missing_has_its_default() -> None:
    assert Tuning.of({"caution": 1}) == replace(Tuning(), caution=1.0)
    assert Tuning.of({}) == Tuning()


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(TexliftError, match=r"unknown tuning: cauton; known are .*caution"):
        Tuning.of({"cauton": 1.0})


def bare(translator: Translator, latex: str) -> Translation:
    """The answer to a formula without a word about it, letters of specialists included."""
    (answer,) = translator.translate_many([(latex, None)], cautious=False)
    assert isinstance(answer, Translation)
    return answer


def test_numbers_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Tuning().caution = 1.0  # type: ignore[misc]


def test_a_model_is_saved_with_its_numbers_and_uses_them(tmp_path: Path) -> None:
    replace(packaged_model(), tuning=replace(packaged_model().tuning, caution=30.0)).save(tmp_path / "model")
    loaded = Model.load(tmp_path / "model")
    assert loaded.tuning == loaded.memory.tuning == loaded.memory.sections.tuning
    assert loaded.tuning.caution == 30.0
    assert bare(Translator(loaded), "J").semantic == "J" != bare(Translator(packaged_model()), "J").semantic


def test_a_model_with_an_unknown_number_is_refused(tmp_path: Path) -> None:
    packaged_model().save(tmp_path / "model")
    path = tmp_path / "model" / "model.json"
    table = json.loads(path.read_text("utf-8"))
    table["tuning"]["cauton"] = 1.0
    path.write_text(json.dumps(table), "utf-8")
    path.with_name("checksums.json").unlink()
    with pytest.raises(TexliftError, match="cauton"):
        Model.load(tmp_path / "model")


def test_caution_is_about_bare_letters() -> None:
    """The more of it, the likelier a letter without any context is a letter; with a context nothing changes."""
    bold, careful = tuned(caution=0.0), tuned(caution=30.0)
    assert (bare(bold, "J").semantic, bare(careful, "J").semantic) == (r"\BesselJ{}", "J")
    for latex, context in (("J", "Bessel functions"), (r"J_{0}(z)", None)):
        assert bold.translate(latex, context) == careful.translate(latex, context)


def test_doubtful_answers() -> None:
    """A warning appears where the confidence is below the number."""
    latex = "P_n(x)"
    confidence = tuned().translate(latex).confidence
    above, below = tuned(doubtful_answer=confidence + 0.01), tuned(doubtful_answer=confidence - 0.01)
    assert any("unsure on the whole" in warning for warning in above.translate(latex).warnings)
    assert not any("unsure" in warning for warning in below.translate(latex).warnings)


def test_doubtful_decisions() -> None:
    latex = r"\psi(x)"
    (decision,) = tuned().translate(latex).decisions
    above, below = (tuned(doubtful_decision=decision.probability + step) for step in (0.01, -0.01))
    assert any(r"unsure about \psi(x)" in warning for warning in above.translate(latex).warnings)
    assert not any("unsure about" in warning for warning in below.translate(latex).warnings)


def test_the_share_of_the_network_counts() -> None:
    latex = r"\psi(x)"
    without, usual = tuned(network_share=0.0).translate(latex), tuned().translate(latex)
    assert without.decisions[0].probability != usual.decisions[0].probability


def test_document_memory_is_of_clear_decisions() -> None:
    """Nothing is clearer than 1: then a document remembers nothing."""
    document = [(r"\psi(1)=-\gamma", None), (r"\gamma", None)]
    usual, nothing = (
        list(translator.translate_many(document, document=True)) for translator in (tuned(), tuned(document_memory=1.1))
    )
    assert getattr(usual[1], "semantic", "") == r"\EulerConstant"
    assert getattr(nothing[1], "semantic", "") == r"\gamma"


def test_settled_and_faint_readings() -> None:
    latex = "C(x)"
    (shown,) = bare(tuned(), latex).decisions
    assert not bare(tuned(settled_literal=shown.probability - 0.01), latex).decisions
    assert shown.competing
    likeliest = max(reading.probability for reading in shown.competing)
    (alone,) = bare(tuned(faint=likeliest + 0.01), latex).decisions
    assert not alone.competing
