"""Experiment files and what is said about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift_paper.training.experiment import Experiment, ExperimentError, read_experiment, with_settings

SHIPPED = sorted((Path(__file__).parents[3] / "experiments").glob("*.toml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_experiments_are_valid(path: Path) -> None:
    experiment = read_experiment(path)
    assert experiment.name == path.stem
    assert Experiment.from_dict(experiment.as_dict()) == experiment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[model]\nstate = 4\nlayer = 2\n", r":3: unknown key 'layer' \[model\]"),
        ("name = 'x'\n[modell]\n", r":2: unknown key 'modell'"),
        ("[model]\nstate = 'big'\n", r":2: state must be int, not str"),
        ("[loss]\nalpha = 2\n", r":1: alpha and beta"),
        ("[optimiser]\nname = 'sgd'\n", r"must be one of adam, rmsprop"),
        ("[training]\npadding = 0.6\n", r":1: padding must be"),
        ("[training]\npadding = 0.2\nhulls = true\n", r":1: answers are padded at random .* not both"),
        ("[training]\nmini_batches = 'trees'\n", r"must be one of sizes, clusters, random"),
        ("[training]\nteacher_forcing = true\n", r"teacher_forcing needs a decoder that is fed"),
        ("[model]\nfeed = 'gold'\n", r":1: feed must be one of zero, argmax, softmax"),
        ("task = 'sing'\n", r"task must be one of"),
        ("[model\n", r"not TOML"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ExperimentError, match=message):
        read_experiment(path)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="cannot be read"):
        read_experiment(tmp_path / "none.toml")


def test_settings_change_keys() -> None:
    changed = with_settings(
        Experiment(), ["model.layers=2", "optimiser.rate=1e-5", "task=sequence", "training.hulls=true"]
    )
    assert (changed.model.layers, changed.optimiser.rate, changed.task) == (2, 1e-5, "sequence")
    assert changed.training.hulls and changed.data == Experiment().data


@pytest.mark.parametrize("setting", ["model.layer=2", "layers=2", "model=2", "model.layers", "model.state=big"])
def test_settings_that_are_not_possible(setting: str) -> None:
    with pytest.raises(ExperimentError, match="--set"):
        with_settings(Experiment(), [setting])
