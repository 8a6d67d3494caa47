"""The driver of experiment queues: what is done is not done again, and no weights are kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "tools"))
from run_experiments import Item, in_order, read_queue
from tiny_corpus import write_experiment

from texlift_paper.training.experiment import read_experiment, with_settings

ROOT = Path(__file__).parents[3]
QUEUE = """
[[item]]
name = "tiny"
file = "{file}"
folds = "1-2"
minutes = 0.1
grid = {{ "model.state" = [6] }}

[[item]]
name = "commands"
command = ["parse", "{{formula}}"]
minutes = 0.1
grid = {{ formula = ["a+b"] }}

[[item]]
name = "wrong"
command = ["parse", "{{{{"]
minutes = 0.1
"""


def drive(folder: Path, *options: str) -> str:
    command = [sys.executable, str(ROOT / "tools" / "run_experiments.py"), "--queue", str(folder / "queue.toml")]
    command += ["--runs", str(folder / "runs"), "--results", str(folder / "results"), "--nice", "0", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=900, check=True)
    return result.stdout + result.stderr


def test_a_queue_is_worked_through_once(tmp_path: Path) -> None:
    file = write_experiment(tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text().splitlines()]
    lines = [{**line, "fold": number % 3} for number, line in enumerate(lines)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "queue.toml").write_text(QUEUE.format(file=file))
    assert "0 of  2 done" in drive(tmp_path, "--list")
    log = drive(tmp_path, "--workers", "2")
    assert "tiny-state6/fold2: done" in log and "wrong: failed with code" in log
    results = tmp_path / "results"
    kept = {str(path.relative_to(results)) for path in results.rglob("*") if path.is_file()}
    folds = {f"tiny-state6/fold{k}/{name}" for k in (1, 2) for name in ("run.json", "figures.json", "history.jsonl")}
    assert kept == folds | {
        "tiny-state6/summary.json",
        "commands-formulaa+b/run.json",
        "commands-formulaa+b/output.txt",
    }
    record = json.loads((results / "tiny-state6" / "fold2" / "run.json").read_text())
    assert (record["fold"], record["seed"], record["starts"]) == (2, 1, 1)
    assert record["experiment"]["model"]["state"] == 6 and record["wall minutes"] >= 0
    assert record["command"].endswith("--out runs/tiny-state6 --folds 2 --set model.state=6")
    summary = json.loads((results / "tiny-state6" / "summary.json").read_text())
    assert set(summary["hull given"]["p_m"]["folds"]) == {"1", "2"}
    again = drive(tmp_path)
    assert "tiny" not in again and "wrong: going on" in again


def test_the_queue_of_the_repository_is_valid() -> None:
    items = read_queue(ROOT / "tools" / "experiment_queue.toml", [])
    assert {"plain", "attention"} <= {item.name for item in items}
    for item in items:
        if item.file:
            with_settings(read_experiment(ROOT / item.file), item.settings)


def test_every_entry_has_a_figure_before_any_has_a_second_one() -> None:
    grid = {"name": "grid", "file": "x.toml", "folds": "1-2", "minutes": 1, "grid": {"model.state": [6, 7]}}
    one = {"name": "one", "command": ["parse", "x"], "minutes": 1}
    jobs = in_order([item for record in (grid, one) for item in Item.of(record)])
    assert [job.name for job in jobs] == [
        "grid-state6/fold1",
        "one",
        "grid-state7/fold1",
        "grid-state6/fold2",
        "grid-state7/fold2",
    ]


def test_mistakes_in_a_queue_are_named() -> None:
    for record in ({"name": "a/b", "command": ["x"]}, {"name": "a"}, {"name": "a", "file": "x.toml"}):
        with pytest.raises(SystemExit, match="queue"):
            list(Item.of({**record, "minutes": 1}))
