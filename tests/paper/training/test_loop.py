"""Training as a user runs it: killed and resumed, in two processes, from auto-encoders, layer by layer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from tiny_corpus import write_corpus, write_experiment

from texlift.errors import TexliftError
from texlift.train.checkpoint import load_tensors
from texlift_paper.training.experiment import OptimiserConfig, read_experiment
from texlift_paper.training.figures import figures_of
from texlift_paper.training.loop import rate_at
from texlift_paper.training.run import Run
from texlift_paper.training.trial import Trial

TRAIN = """
import sys
from texlift.cli.app import main
sys.argv = ["texlift", "train", "experiment", *sys.argv[1:]]
main()
"""
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def train(path: Path, folder: Path) -> Run:
    experiment = read_experiment(path)
    run = Run.create(folder, experiment)
    Trial.for_run(run).train(run)
    return run


def weights(run: Run) -> dict[str, torch.Tensor]:
    return load_tensors(run.weights)[0]


def test_a_run_writes_everything(tmp_path: Path) -> None:
    run = train(write_experiment(tmp_path), tmp_path / "run")
    names = {file.name for file in run.folder.iterdir()}
    assert {"experiment.json", "vocabulary.json", "history.jsonl", "curves.png", "weights.safetensors"} <= names
    history = run.history()
    assert [record["epoch"] for record in history] == [1, 2, 3]
    assert history[-1]["loss"] < history[0]["loss"]
    trial = Trial.load(run)
    assert trial.score(trial.dataset.validation, free_running=True).trees == 2


@pytest.mark.parametrize("padding", ["padding = 0.3", "hulls = true", 'hulls = true\nmini_batches = "clusters"'])
def test_padding_teaches_where_a_tree_ends(tmp_path: Path, padding: str) -> None:
    run = train(write_experiment(tmp_path, training=f"{padding}\nepochs = 60"), tmp_path / "run")
    trial = Trial.load(run)
    figures = figures_of(trial, trial.dataset.training, free=False).rows
    given, hull = figures["topology given"], figures["hull given"]
    assert (given.mode, hull.mode) == ("topology given", "hull given")
    assert hull.p_m == pytest.approx(given.p_m)  # y_end does not count there
    assert hull.micro_p_f > given.micro_p_f and hull.micro_p_b > given.micro_p_b


def test_without_padding_y_end_is_never_predicted(tmp_path: Path) -> None:
    trial = Trial.load(train(write_experiment(tmp_path, training="epochs = 60"), tmp_path / "run"))
    figures = figures_of(trial, trial.dataset.training, free=False).rows
    assert figures["hull given"].micro_p_f < figures["topology given"].micro_p_f


def test_the_best_epoch_is_kept(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, training='keep = "best"\nepochs = 6', optimiser='schedule = "constant"')
    path.write_text(
        path.read_text().replace("[model]", "development = 3\n[model]").replace("rate = 1e-2", "rate = 0.3")
    )
    run = train(path, tmp_path / "run")
    reached = [record["development given"]["p_m"] for record in run.history()]
    kept = run.figures()["kept"]
    assert kept["p_m"] == max(reached) and kept["epoch"] == 1 + reached.index(max(reached))
    trial = Trial.load(run)
    assert trial.score(trial.dataset.development, free_running=False).p_m == pytest.approx(max(reached))
    texts = {pair.generic for pair in trial.dataset.development}
    assert len(texts) == 3 and not texts & {pair.generic for pair in trial.dataset.training}


@pytest.mark.parametrize("engine", ["clusters", "trees"])
def test_other_engines(tmp_path: Path, engine: str) -> None:
    run = train(write_experiment(tmp_path, training=f'engine = "{engine}"'), tmp_path / "run")
    assert len(run.history()) == 3


def test_resume_after_kill_ends_with_the_same_weights(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, training="save_minutes = 0.0")
    whole = train(path, tmp_path / "whole")
    command = [sys.executable, "-c", TRAIN, str(path), "--out", str(tmp_path / "killed"), "--quiet"]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    checkpoint = tmp_path / "killed" / "checkpoint.safetensors"
    deadline = time.monotonic() + 120
    while not checkpoint.is_file() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    resumed = train(path, tmp_path / "killed")
    for name, tensor in weights(whole).items():
        assert torch.equal(tensor, weights(resumed)[name]), name


def test_another_experiment_does_not_overwrite_a_run(tmp_path: Path) -> None:
    train(write_experiment(tmp_path), tmp_path / "run")
    with pytest.raises(TexliftError, match="belongs to another experiment"):
        train(write_experiment(tmp_path, model="layers = 2"), tmp_path / "run")


def test_two_processes_learn_what_one_does(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    path.write_text(path.read_text().replace("dropout = 0.1", "dropout = 0.0"))
    one = train(path, tmp_path / "one")
    script = tmp_path / "train.py"
    script.write_text(TRAIN)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--master_port=29517"]
    command += [str(script), str(path), "--out", str(tmp_path / "two"), "--quiet"]
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    two = Run(tmp_path / "two")
    for ours, theirs in zip(one.history(), two.history(), strict=True):
        assert ours["loss"] == pytest.approx(theirs["loss"], rel=1e-4)
    for name, tensor in weights(one).items():
        assert torch.allclose(tensor, weights(two)[name], atol=1e-3), name


def test_auto_encoders_become_a_translator(tmp_path: Path) -> None:
    generic = train(write_experiment(tmp_path, "autoencode-generic"), tmp_path / "generic")
    semantic = train(write_experiment(tmp_path, "autoencode-semantic"), tmp_path / "semantic")
    parts = f'encoder_from = "{generic.folder}"\ndecoder_from = "{semantic.folder}"\nfreeze = true'
    both = train(write_experiment(tmp_path, training=parts), tmp_path / "both")
    assert torch.equal(weights(both)["encoder.embedding"], weights(generic)["encoder.embedding"])
    assert torch.equal(weights(both)["decoder.cells.0.above"], weights(semantic)["decoder.cells.0.above"])
    assert not torch.equal(weights(both)["bridge.h.0.weight"], weights(generic)["bridge.h.0.weight"])


def test_parts_are_trained_first_and_without_the_held_out_fold(tmp_path: Path) -> None:
    for side in ("generic", "semantic"):
        part = write_experiment(tmp_path, f"autoencode-{side}").read_text()
        (tmp_path / f"{side}.toml").write_text(part.replace("validation_fold = 1", "validation_fold = 5"))
    parts = f'encoder_from = "{tmp_path}/generic.toml"\ndecoder_from = "{tmp_path}/semantic.toml"\nfreeze = true'
    both = train(write_experiment(tmp_path, training=parts), tmp_path / "both")
    generic = Run(both.folder / "parts" / "generic")
    assert generic.experiment().data == both.experiment().data
    assert torch.equal(weights(both)["encoder.embedding"], weights(generic)["encoder.embedding"])
    other = f'encoder_from = "{generic.folder}"'
    path = write_experiment(tmp_path, training=other)
    path.write_text(path.read_text().replace("validation_fold = 1", "validation_fold = 2"))
    with pytest.raises(TexliftError, match="was trained on fold 2, which this experiment holds out"):
        train(path, tmp_path / "leak")


def test_layer_wise(tmp_path: Path) -> None:
    run = train(write_experiment(tmp_path, model="layers = 2", training="layerwise = 1"), tmp_path / "run")
    assert (run.folder / "layer1" / "weights.safetensors").is_file()
    assert "encoder.cells.1.below" in weights(run)


def test_the_sequence_baseline(tmp_path: Path) -> None:
    run = train(write_experiment(tmp_path, "sequence", training="generate = 2"), tmp_path / "run")
    assert run.history()[-1]["free"]["trees"] == 2


def test_schedules() -> None:
    config = OptimiserConfig(rate=1.0, schedule="cosine", warmup=10)
    assert rate_at(config, 0, 0) == pytest.approx(0.1)
    assert rate_at(config, 100, 0) == pytest.approx(1)
    assert rate_at(config, 100, 1) == pytest.approx(0.02)
    assert rate_at(OptimiserConfig(rate=1.0, schedule="linear"), 5, 0.5) == pytest.approx(0.5)


def test_rmsprop(tmp_path: Path) -> None:
    assert len(train(write_experiment(tmp_path, optimiser='name = "rmsprop"'), tmp_path / "run").history()) == 3


def test_a_pair_that_does_not_parse_is_left_out_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = write_experiment(tmp_path)
    with write_corpus(tmp_path).open("a") as stream:
        stream.write('{"id": "bad", "generic": "{a", "semantic": "a", "fold": 2}\n')
    trial = Trial.of(read_experiment(path))
    assert trial.dataset.skipped == 1
    assert "pairs.jsonl: left out" in caplog.text


def test_a_broken_corpus_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    with (tmp_path / "pairs.jsonl").open("a") as stream:
        stream.write("{oops\n")
    with pytest.raises(TexliftError, match=r"pairs\.jsonl:11"):
        Trial.of(read_experiment(path))
    (tmp_path / "pairs.jsonl").unlink()
    with pytest.raises(TexliftError, match="no corpus file"):
        Trial.of(read_experiment(path))
