"""A corpus small enough for a test, and an experiment that trains on it in seconds."""

from __future__ import annotations

import json
from pathlib import Path

PAIRS = [
    (r"\Gamma\left(z\right)", r"\EulerGamma@{z}"),
    (r"\Gamma\left(z+1\right)=z\Gamma\left(z\right)", r"\EulerGamma@{z+1}=z\EulerGamma@{z}"),
    (r"J_{\nu}\left(z\right)", r"\BesselJ{\nu}@{z}"),
    (r"Y_{\nu}\left(z\right)", r"\BesselY{\nu}@{z}"),
    (r"J_{0}\left(x\right)+Y_{0}\left(x\right)", r"\BesselJ{0}@{x}+\BesselY{0}@{x}"),
    (r"\sin z", r"\sin@@{z}"),
    (r"\frac{1}{2}", r"\frac{1}{2}"),
    (r"x^{2}+y^{2}", r"x^{2}+y^{2}"),
    (r"a+b", r"a+b"),
    (r"z", r"z"),
]

EXPERIMENT = """
task = "{task}"
[data]
file = "{file}"
validation_fold = 1
min_count = 1
[model]
state = 12
embedding = 8
dropout = 0.1
{model}
[optimiser]
rate = 1e-2
{optimiser}
[loss]
alpha = 0.2
beta = 0.9
[training]
{training}
"""


def write_corpus(folder: Path) -> Path:
    path = folder / "pairs.jsonl"
    lines = [
        json.dumps({"id": str(number), "generic": generic, "semantic": semantic, "fold": 1 if number in (2, 8) else 2})
        for number, (generic, semantic) in enumerate(PAIRS)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_experiment(
    folder: Path, task: str = "translate", model: str = "", training: str = "", optimiser: str = ""
) -> Path:
    path = folder / "tiny.toml"
    corpus = write_corpus(folder)
    for setting in ("epochs = 3", "batch_nodes = 60"):
        if setting.split(" = ")[0] not in training:
            training += f"\n{setting}"
    path.write_text(EXPERIMENT.format(task=task, file=corpus, model=model, training=training, optimiser=optimiser))
    return path
