"""Experiment files and what is said about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from texlift.training.experiment import Experiment, ExperimentError, read_experiment

SHIPPED = sorted((Path(__file__).parents[2] / "experiments").glob("*.toml"))


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
        ("[model]\nsibling = 'subtree'\n[training]\npadding = 0.2\n", r"padding needs a model"),
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
