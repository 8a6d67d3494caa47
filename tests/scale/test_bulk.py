"""Whole corpora: the answers of one process, whatever dies meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from texlift.cli.app import app
from texlift.cli.lines import answered_lines
from texlift.cli.translate import answer
from texlift.corpus.handbook import handbook_pairs
from texlift.scale.partitions import plan
from texlift.scale.run import begin, run_on_ray
from texlift.scale.work import Job

RUN = [sys.executable, "-m", "texlift"]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("in") / "formulae.jsonl"
    requests = [{"id": n, "latex": pair.generic} for n, pair in zip(range(600), handbook_pairs(), strict=False)]
    requests[17]["latex"] = r"\frac{1"
    path.write_text("".join(json.dumps(one) + "\n" for one in requests) + "no JSON\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def expected(lines: Path) -> bytes:
    with lines.open("rb") as stream:
        return subprocess.run([*RUN, "translate", "--jsonl", "-k", "0"], stdin=stream, capture_output=True).stdout


def written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*.jsonl")))


def translate(*arguments: object) -> tuple[int, str]:
    done = subprocess.run([*RUN, "corpus", "translate", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_answers_are_those_of_one_process(lines: Path, expected: bytes, tmp_path: Path) -> None:
    code, shown = translate(lines, tmp_path / "out", "--rows", 100, "-j", 2)
    assert code == 0, shown
    assert written(tmp_path / "out") == expected
    assert "601 formulae, 2 without an answer" in shown


def test_a_killed_run_goes_on_where_it_stopped(lines: Path, expected: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [*RUN, "corpus", "translate", str(lines), str(out), "--rows", "50", "-j", "2"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL) as running:
        while running.poll() is None and not list(out.glob("part-*.jsonl")):
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGKILL)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("part-*.jsonl")}
    assert before
    code, shown = translate(lines, out, "--rows", 50, "-j", 2)
    assert code == 0, shown
    assert "are done already" in shown
    assert written(out) == expected
    assert all((out / name).stat().st_mtime_ns == at for name, at in before.items())


def test_other_settings_or_another_input_are_refused(lines: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    first = tmp_path / "small.jsonl"
    first.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:5]))
    assert runner.invoke(app, ["corpus", "translate", str(first), str(tmp_path / "out")]).exit_code == 0
    again = runner.invoke(app, ["corpus", "translate", str(first), str(tmp_path / "out"), "--to", "sympy"])
    other = runner.invoke(app, ["corpus", "translate", str(lines), str(tmp_path / "out")])
    for refused in (again, other):
        assert refused.exit_code != 0
        assert "was begun with another" in str(refused.exception) + refused.output


def test_a_document_of_many_lines_stays_in_one_partition(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    rows = [{"latex": "x", "document": "a"}] * 7 + [{"latex": "y"}] * 4 + [{"latex": "z", "document": "b"}] * 5
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    content = path.read_bytes()
    pieces = [content[one.start : one.end] for one in plan(path, rows=3)]
    assert b"".join(pieces) == content
    assert [sum(b'"a"' in line for line in piece.splitlines()) for piece in pieces if b'"a"' in piece] == [7]
    assert [sum(b'"b"' in line for line in piece.splitlines()) for piece in pieces if b'"b"' in piece] in ([5], [2, 3])


def test_documents_and_parquet(lines: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "paper.md").write_text("The gamma function $\\Gamma(z)$ has poles.\n\n$$\\Gamma(z+1)=z\\Gamma(z)$$\n")
    parquet.write_table(arrow.table({"latex": ["J_0(x)", "\\frac{1", "x+y"]}), folder / "table.parquet")
    code, shown = translate(folder, tmp_path / "out", "--format", "parquet")
    assert code == 0, shown
    files = sorted((tmp_path / "out").glob("*.parquet"))
    rows = [row for file in files for row in parquet.read_table(file).to_pylist()]
    assert [row["semantic"] for row in rows] == [
        "\\EulerGamma@{z}",
        "\\EulerGamma@{z+1}=z\\EulerGamma@{z}",
        "\\BesselJ{0}@{x}",
        None,
        "x+y",
    ]
    assert json.loads(rows[3]["error"])["message"]


def test_an_unreadable_file_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.jsonl").write_text('{"latex": "x"}\n')
    (folder / "bad.ipynb").write_text("{not a notebook")
    code, shown = translate(folder, tmp_path / "out")
    assert code == 1
    assert "bad.ipynb" in shown
    assert written(tmp_path / "out").count(b"\n") == 1


@pytest.fixture
def cluster() -> Iterator[object]:
    pytest.importorskip("ray")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=made.address, log_to_driver=False, logging_level="error")
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_cluster_that_loses_a_node_gives_the_same_answers(
    lines: Path, expected: bytes, tmp_path: Path, cluster: object
) -> None:
    node = cluster.add_node(num_cpus=1)  # type: ignore[attr-defined]
    answering = partial(answer, model=None, alternatives=0, to=(), constants=False)
    job = Job(str(tmp_path / "out"), partial(answered_lines, answering, "semantic"))
    partitions = begin(job, {}, plan(lines, rows=40))
    running = run_on_ray(job, partitions, 2)
    figures = [next(running)]
    cluster.remove_node(node, allow_graceful=False)  # type: ignore[attr-defined]
    figures += running
    assert sum(one.formulae for one in figures) == 601
    assert [one.lost for one in figures if one.lost] == []
    assert written(tmp_path / "out") == expected
