"""What makes the laboratory one: sweeps and seeds, longer and shorter runs, answers to look at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import torch
from tiny_corpus import write_experiment
from typer.testing import CliRunner

from texlift.cli import translate
from texlift.errors import TexliftError
from texlift.extras import MissingExtraError
from texlift_paper import plugins
from texlift_paper.cli import (
    crossval_experiment,
    evaluate_attention,
    evaluate_errors,
    evaluate_experiment,
    report,
    train_experiment,
)
from texlift_paper.training import tensorboard
from texlift_paper.training.errors_page import KINDS, errors_page, kind_of
from texlift_paper.training.experiment import Experiment, ExperimentError, read_experiment, with_settings
from texlift_paper.training.lifter import Lifter
from texlift_paper.training.loop import stalled
from texlift_paper.training.metrics import MODES, TreeScore, summarise
from texlift_paper.training.predictions import Prediction, read_predictions
from texlift_paper.training.run import Run
from texlift_paper.training.study import read_study
from texlift_paper.training.text_metrics import bleu, levenshtein
from texlift_paper.training.trial import Trial

RUNNER = CliRunner()
ATTENTION = 'attention = true\ncopying = true\nsibling = "subtree"'


def run(app: object, *arguments: object) -> str:
    result = RUNNER.invoke(app, [str(argument) for argument in arguments])  # type: ignore[arg-type]
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def trained(folder: Path, *arguments: object, **sections: str) -> Run:
    out = folder / "run"
    run(train_experiment.app, write_experiment(folder, **sections), "--out", out, "--quiet", *arguments)
    return Run(out)


# -- several runs ------------------------------------------------------------------------------------------


def test_sweep_and_seeds(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    file.write_text("seeds = [1, 2]\n" + file.read_text() + '[sweep]\n"model.state" = [4, 8]\n')
    out = tmp_path / "study"
    shown = run(train_experiment.app, file, "--out", out, "--quiet", "--epochs", 2)
    folders = {path.parent.relative_to(out).as_posix() for path in out.rglob("weights.safetensors")}
    assert folders == {f"state{state}/seed{seed}" for state in (4, 8) for seed in (1, 2)}
    assert Run(out / "state4" / "seed2").experiment().training.seed == 2
    summary = json.loads((out / "summary.json").read_text())
    cell = summary["state8"]["topology given"]["p_m"]
    assert set(cell["runs"]) == {"state8/seed1", "state8/seed2"}
    assert cell["mean"] == pytest.approx(sum(cell["runs"].values()) / 2)
    assert "state4" in shown and "deviation" in shown and "2 settings, 2 seeds" in shown
    shown = run(report.app, out)
    assert "What differs" in shown and "model.state" in shown and "training.seed" in shown
    assert "model.embedding" not in shown


def test_crossval_with_seeds(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    file.write_text("seeds = [3, 4]\n" + file.read_text())
    run(crossval_experiment.app, file, "--out", tmp_path / "cv", "--folds", "1", "--set", "training.epochs=1")
    summary = json.loads((tmp_path / "cv" / "summary.json").read_text())
    assert set(summary["free-running"]["exact"]["folds"]) == {"seed 3, fold 1", "seed 4, fold 1"}


@pytest.mark.parametrize(
    ("top", "bottom", "message"),
    [
        ("seeds = 3\n", "", "seeds must be"),
        ("seeds = []\n", "", "seeds must be"),
        ("", "[sweep]\nmodel.state = 8\n", r"\[sweep\] has lines like"),
        ("", "[sweep]\nmodel.size = [8]\n", "known key"),
        ("", "[sweep]\ntraining.seed = [1,2,3,4,5,6,7,8,9,10,11]\ndata.terms = [" + "1," * 99 + "1]\n", "more than"),
    ],
)
def test_mistakes_in_a_sweep_are_named(tmp_path: Path, top: str, bottom: str, message: str) -> None:
    file = write_experiment(tmp_path)
    file.write_text(top + file.read_text() + bottom)
    with pytest.raises(ExperimentError, match=message):
        read_study(file)


def test_keys_of_a_sweep_need_no_quotes(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    file.write_text(file.read_text() + '[sweep]\nmodel.state = [4, 8]\nmodel.feed = ["zero", "softmax"]\n')
    study = read_study(file, ["training.seed=9"])
    assert [point.name for point in study.points][:2] == ["state4-feedzero", "state4-feedsoftmax"]
    assert study.seeds == (9,) and not study.single
    with pytest.raises(ExperimentError, match="unknown key 'sweep'"):
        read_experiment(file)


# -- how long ----------------------------------------------------------------------------------------------


def test_a_finished_run_goes_on_for_more_epochs(tmp_path: Path) -> None:
    done = trained(tmp_path, "--epochs", 2)
    first = done.history()
    run(evaluate_experiment.app, done.folder, "--json")
    trained(tmp_path, "--epochs", 5)
    assert done.history()[:2] == first and len(done.history()) == 5
    assert done.experiment().training.epochs == 5
    assert not done.figures()  # those of two epochs would be wrong now
    whole = tmp_path / "whole"
    run(train_experiment.app, tmp_path / "tiny.toml", "--out", whole, "--quiet", "--epochs", 5)
    states = [Trial.load(each).model.state_dict() for each in (done, Run(whole))]
    assert all(torch.equal(tensor, states[1][name]) for name, tensor in states[0].items())
    with pytest.raises(TexliftError, match="belongs to another experiment"):
        trained(tmp_path, "--epochs", 4)


def test_early_stopping(tmp_path: Path) -> None:
    done = trained(tmp_path, training="patience = 2\nepochs = 40", optimiser="")
    history = done.history()
    assert 3 <= len(history) < 40
    watched = [record["watched"] for record in history]
    assert max(watched[:-2]) >= max(watched[-2:])
    trained(tmp_path, training="patience = 2\nepochs = 40")
    assert done.history() == history  # called again it does not go on


def test_stalled() -> None:
    history = [{"watched": value} for value in (1.0, 3.0, 2.0, 3.0)]
    assert stalled(history, 2) and not stalled(history, 3) and not stalled(history, 0) and not stalled([], 1)


def test_crossval_refuses_to_stop_on_the_held_out_fold(tmp_path: Path) -> None:
    file = write_experiment(tmp_path, training="patience = 2")
    with pytest.raises(TexliftError, match="with patience a held-out fold would choose"):
        run(crossval_experiment.app, file, "--out", tmp_path / "cv", "--folds", "1")


# -- where -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["tpu!", "meta", "cuda:99"])
def test_devices_that_are_not_there(tmp_path: Path, device: str) -> None:
    with pytest.raises(TexliftError, match=re.escape(device)):
        trained(tmp_path, "--device", device)


def test_auto_takes_what_is_there_and_mixed_precision_is_refused_on_the_cpu(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a graphics card")
    assert Trial.load(trained(tmp_path, "--device", "auto")).device.type == "cpu"
    file = write_experiment(tmp_path)
    with pytest.raises(TexliftError, match="needs a graphics card"):
        run(train_experiment.app, file, "--out", tmp_path / "b", "--quiet", "--set", "training.precision=bfloat16")


def test_tensorboard(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    done = trained(tmp_path, "--tensorboard", "--epochs", 2)
    events = EventAccumulator(str(done.tensorboard))
    events.Reload()
    assert [event.step for event in events.Scalars("loss")] == [1, 2]
    assert [event.value for event in events.Scalars("given/p_m")] == pytest.approx(
        [record["given"]["p_m"] for record in done.history()]
    )


def test_without_tensorboard_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from texlift import extras

    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"texlift\[tensorboard\]"):
        tensorboard.need_tensorboard()
    with pytest.raises(MissingExtraError, match=r"texlift\[tensorboard\]"):
        trained(tmp_path, "--tensorboard")


# -- what came out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["translate", "sequence"])
def test_predictions_are_saved(tmp_path: Path, task: str) -> None:
    done = trained(tmp_path, "--epochs", 4, task=task)
    figures = json.loads(run(evaluate_experiment.app, done.folder, "--json"))
    predictions = read_predictions(done.folder / "predictions.jsonl")
    assert {prediction.source for prediction in predictions} == {r"J_{\nu}\left(z\right)", "a+b"}
    right = sum(prediction.right for prediction in predictions)
    assert figures["free-running"]["exact"] == 50 * right
    assert all((prediction.answer == prediction.gold) == prediction.right for prediction in predictions)
    free, given = figures["free-running"], figures["topology given" if task == "translate" else "prefix given"]
    assert free["bleu"] is not None and free["levenshtein"] >= 0 and given["perplexity"] >= 1
    assert figures["copying"]["levenshtein"] > 0
    other = tmp_path / "beam.jsonl"
    run(evaluate_experiment.app, done.folder, "--set", "decoding.beam=3", "--predictions", other, "--json")
    assert len(read_predictions(other)) == 2


def test_a_file_that_holds_no_predictions_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "predictions.jsonl"
    good = json.dumps({"source": "a", "gold": "a", "answer": "a", "right": True})
    for bad in ("{", "[]", json.dumps({"source": 1, "gold": "a", "answer": "a", "right": True})):
        file.write_text(f"{good}\n{bad}\n")
        with pytest.raises(TexliftError, match=r"predictions\.jsonl:2"):
            read_predictions(file)


def test_measures_of_texts() -> None:
    assert levenshtein("kitten", "sitting") == 3 and levenshtein("", "ab") == 2 and levenshtein("ab", "ab") == 0
    pytest.importorskip("sacrebleu")
    assert bleu([("a+b+c", "a+b+c")]) == pytest.approx(100)
    assert 0 < (bleu([(r"\sin x+a+b+c", r"\cos x+a+b+c")]) or 0) < 100
    assert bleu([]) is None
    scores = [TreeScore(2, 1, 2, 1, 1, False, surprise=2.0), TreeScore(2, 2, 2, 2, 0, True, surprise=0.0)]
    assert summarise(scores, MODES[0]).perplexity == pytest.approx(2.718281828**0.5)


HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&'


def test_error_page_escapes_everything(tmp_path: Path) -> None:
    wrong = [Prediction(HOSTILE, HOSTILE + "x", HOSTILE + "y", False), Prediction("a", "b", "a", False)]
    page = errors_page([*wrong, Prediction("right", "right", "right", True)], HOSTILE)
    assert page.count("<script") == 1 and "<img" not in page and 'onerror="' not in page
    assert "2 of 3 answers are wrong" in page and page.count("<article") == 2
    assert "Content-Security-Policy" in page and not re.search(r"(?:src|href)\s*=\s*[\"']?http", page)
    for kind in KINDS:
        assert f'value="{kind}"' in page


def test_error_page_of_a_run(tmp_path: Path) -> None:
    with pytest.raises(TexliftError, match="no predictions"):
        run(evaluate_errors.app, tmp_path)
    done = trained(tmp_path, "--epochs", 1)
    run(evaluate_experiment.app, done.folder)
    shown = run(evaluate_errors.app, done.folder, "-o", tmp_path / "page.html")
    wrong = sum(not prediction.right for prediction in read_predictions(done.folder / "predictions.jsonl"))
    assert f"{wrong} of 2 answers are wrong" in shown
    assert (tmp_path / "page.html").read_text().count("<article") == wrong


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (r"J_{\nu}(z)", "copied"),
        (r"\BesselY{\nu}@{z}", "wrong macro"),
        (r"z", "macro missing"),
        (r"\BesselJ{\nu}@{\sin@@{z}}", "macro invented"),
        (r"\BesselJ{\nu}@", "cut off"),
        (r"\BesselJ{z}@{\nu}", "arguments"),
        (r"\BesselJ{\nu", "cut off"),
    ],
)
def test_kinds_of_errors(answer: str, kind: str) -> None:
    assert kind_of(Prediction(r"J_{\nu}(z)", r"\BesselJ{\nu}@{z}", answer, False)) == kind


# -- one formula -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_attention_pictures(tmp_path: Path, suffix: str) -> None:
    done = trained(tmp_path, model=ATTENTION)
    (tmp_path / "pairs.jsonl").unlink()  # the corpus is not needed any more
    picture = tmp_path / f"look.{suffix}"
    run(evaluate_attention.app, done.folder, r"\Gamma\left(z\right)", "-o", picture)
    assert picture.read_bytes().startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    with pytest.raises(TexliftError, match=r"\.png or \.svg"):
        run(evaluate_attention.app, done.folder, "z", "-o", tmp_path / "look.exe")


def test_attention_of_a_network_over_tokens_and_of_one_without(tmp_path: Path) -> None:
    done = trained(tmp_path, task="sequence")
    run(evaluate_attention.app, done.folder, "$a", "-o", tmp_path / "look.svg")
    plain = tmp_path / "plain"
    run(train_experiment.app, write_experiment(tmp_path), "--out", plain, "--quiet")
    with pytest.raises(TexliftError, match="no attention"):
        run(evaluate_attention.app, plain, "z", "-o", tmp_path / "look.svg")


@pytest.mark.parametrize("task", ["translate", "sequence"])
def test_a_run_translates_formulae(tmp_path: Path, task: str) -> None:
    learning = ["model.dropout=0", "model.state=24", "sequence.state=32", "sequence.dropout=0", "optimiser.rate=0.02"]
    learning += ["training.batch_nodes=1000", "training.epochs=150", "data.validation_fold=7"]
    sets = [part for setting in learning for part in ("--set", setting)]
    done = trained(tmp_path, *sets, task=task, model=ATTENTION)
    lifter = Lifter.load(done.folder)
    right = [
        lifter.lift(generic) for generic in (r"\Gamma\left(z\right)", r"Y_{\nu}\left(z\right)", r"\frac{1}{2}", "z")
    ]
    assert [lifted.semantic for lifted in right] == [r"\EulerGamma@{z}", r"\BesselY{\nu}@{z}", r"\frac{1}{2}", "z"]
    assert all(lifted.certified and lifted.score < 0 for lifted in right)
    # Γ(w) may become anything, but what does not expand to it is not certified
    lifted = lifter.lift(r"\Gamma\left(w\right)")
    assert lifted.certified == (lifted.semantic in (r"\EulerGamma@{w}", r"\Gamma\left(w\right)"))
    with pytest.raises(TexliftError, match="not the folder of a trained run"):
        Lifter.load(tmp_path)


def test_translate_with_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = {"run": plugins.RUN}
    monkeypatch.setattr("texlift.cli.translators.plugins", lambda kind: joined)
    done = trained(tmp_path, "--epochs", 1)
    result = RUNNER.invoke(translate.app, ["--run", str(done.folder), "a+b", "{", "z"])
    assert result.exit_code == 1 and len(result.stdout.splitlines()) == 2
    assert result.stderr.count("error: ") == 1
    assert "expand back" in result.stderr  # after one epoch the answers are noise
    assert RUNNER.invoke(translate.app, ["--run", str(done.folder), "--to", "sympy", "z"]).exit_code == 2
    joined.clear()
    with pytest.raises(TexliftError, match="no installed package"):
        run(translate.app, "--run", done.folder, "z")


def test_settings_for_an_evaluation_do_not_reach_the_weights(tmp_path: Path) -> None:
    done = trained(tmp_path)
    with pytest.raises(TexliftError, match="weights of another shape"):
        run(evaluate_experiment.app, done.folder, "--set", "model.state=6")
    assert with_settings(Experiment(), ["decoding.beam=4"]).decoding.beam == 4
