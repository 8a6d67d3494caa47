import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from texlift.cli.corpus import app
from texlift.corpus.folds import check_folds
from texlift.corpus.jsonl import read_pairs
from texlift.grammar.expansion import expand
from texlift.grammar.grammar import Grammar
from texlift.latex.canonical import canonical_key

RUNNER = CliRunner()
BLOCKS = r"""id: C5.S5.E1
presentation: $\Gamma\left(z+1\right)=z\Gamma\left(z\right)$.
content: $\EulerGamma@{z+1}=z\EulerGamma@{z}$.

id: broken
presentation: $\Gamma\left(z$
content: x
"""


def run(*arguments: str | Path, code: int = 0) -> str:
    result = RUNNER.invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_import_reports_bad_blocks_and_goes_on(tmp_path: Path) -> None:
    source, out = tmp_path / "blocks.txt", tmp_path / "pairs.jsonl"
    source.write_text(BLOCKS)
    output = run("import", source, "-o", out)
    assert f"{source}:6: not a formula" in output
    assert "2 blocks: 1 pairs, 1 left out" in output
    pairs = read_pairs(out)
    assert pairs[0].semantic == r"\EulerGamma@{z+1}=z\EulerGamma@{z}"
    assert pairs[0].fold is not None
    run("import", source, "-o", out, "--strict", code=1)


def test_import_of_nothing_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    run("import", tmp_path / "empty.txt", "-o", tmp_path / "out.jsonl", code=1)


def test_stats() -> None:
    output = run("stats", "demo")
    assert "copying is right" in output
    assert r"\EulerGamma" in output
    figures = json.loads(run("stats", "demo", "--json"))
    assert figures["pairs"] == 408


def test_statistics_of_the_handbook() -> None:
    figures = json.loads(run("stats", "handbook", "--json"))
    assert figures["pairs"] > json.loads(run("stats", "demo", "--json"))["pairs"] + 3000


def test_stats_draws_a_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run("stats", "demo", "--plot", tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 1000


def test_augment(tmp_path: Path) -> None:
    out = tmp_path / "more.jsonl"
    run("augment", "demo", "--variants", "1", "-o", out)
    pairs = read_pairs(out)
    assert len(pairs) > 900
    assert len({(pair.generic, pair.semantic) for pair in pairs}) == len(pairs)
    assert len({pair.id for pair in pairs}) == len(pairs)
    check_folds(pairs)
    assert all(canonical_key(expand(pair.semantic)) == canonical_key(pair.generic) for pair in pairs[::10])


def test_augment_leaves_the_test_fold_out(tmp_path: Path) -> None:
    run("augment", "demo", "--hold-out", "3", "-o", tmp_path / "train.jsonl")
    assert {pair.fold for pair in read_pairs(tmp_path / "train.jsonl")} == set(range(10)) - {3}


@pytest.mark.parametrize("notation", ["dlmf", "everyday", "mixed"])
def test_generate(tmp_path: Path, notation: str) -> None:
    out = tmp_path / "synthetic.jsonl"
    run("generate", "-n", "40", "--notation", notation, "--seed", "7", "-o", out)
    first = read_pairs(out)
    assert len(first) == 40
    check_folds(first)
    assert (r"\left" in "".join(pair.generic for pair in first)) == (notation != "everyday")
    run("generate", "-n", "40", "--notation", notation, "--seed", "7", "-o", out)
    assert read_pairs(out) == first


def test_generate_to_standard_output_and_wrong_options() -> None:
    lines = RUNNER.invoke(app, ["generate", "-n", "3", "--kind", "constraint"]).stdout.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["constraint"] * 3
    run("generate", "--notation", "cuneiform", code=2)
    run("generate", "-n", "0", code=2)


def test_induce(tmp_path: Path) -> None:
    out = tmp_path / "grammar.json"
    assert "408 pairs" in run("induce", "demo", "--no-lexicon", "-o", out)
    grammar = Grammar.load(out)
    assert r"\BesselJ" in grammar.by_name
    assert canonical_key(expand(r"\BesselJ{3}@{x}", grammar)) == canonical_key("J_3(x)")
    run("induce", "demo", "-o", out)
    assert len(Grammar.load(out)) > len(grammar)


def test_exit_codes_and_messages_of_the_command(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"generic": "x"}\n')
    command = [sys.executable, "-c", "from texlift.cli.app import main; main()", "corpus", "stats", str(bad)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == f"error: {bad}:1: field 'semantic' is missing\n"


def test_of_functions_that_print_the_same_the_one_without_a_convention_is_generated(tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    run("generate", "--syntax", "mathematica", "--count", "3000", "-o", out)
    zetas = [pair for pair in read_pairs(out) if re.search(r"\\zeta(\\!)?(\\left)?\([a-z\d],", pair.generic)]
    assert zetas
    assert all("HurwitzZeta[" in pair.semantic for pair in zetas)
