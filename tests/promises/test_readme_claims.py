"""Every claim of README.md has a test; the ones that no other test covers are here."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from extras import environment

from texlift.cli.app import app

ROOT = Path(__file__).parents[2]
README = ROOT.joinpath("README.md").read_text("utf-8")
PROJECT: dict[str, Any] = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
CLAIMS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))["claim"]
TARGETS = ("sympy", "mpmath", "mathematica", "maple", "maxima", "mathml")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim["words"])[:30])
def test_the_claim_is_on_the_page_and_its_tests_exist(claim: dict[str, Any]) -> None:
    assert " ".join(claim["words"].split()) in " ".join(README.split())
    assert claim["tests"]
    for test in claim["tests"]:
        path, _, name = test.partition("::")
        module = ast.parse(ROOT.joinpath(path).read_text("utf-8"))
        assert name in [node.name for node in module.body if isinstance(node, ast.FunctionDef)], test


def texlift(*arguments: str, given: str = "") -> str:
    result = CliRunner().invoke(app, list(arguments), input=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_code_for_every_target_without_extras(tmp_path: Path) -> None:
    """One process in which no extra can be imported."""
    program = (
        "import json, sys, texlift\n"
        "answer = texlift.load().translate(r'J_\\nu(z)', context='Bessel functions')\n"
        f"codes = {{target: answer.to(target) for target in {TARGETS!r}}}\n"
        "imported = [name for name in ('sympy', 'mpmath', 'torch', 'fastapi') if name in sys.modules]\n"
        "print(json.dumps([answer.semantic, texlift.expand(answer.semantic), codes, imported]))\n"
    )
    variables = environment(set(), tmp_path / ".extras")
    done = subprocess.run(
        [sys.executable, "-c", program], env=variables, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    semantic, expanded, codes, imported = json.loads(done.stdout)
    assert (semantic, expanded) == (r"\BesselJ{\nu}@{z}", r"J_{\nu}\left(z\right)")
    assert codes["sympy"] == "besselj(nu, z)"
    assert codes["mpmath"] == "besselj(nu, z)"
    assert codes["mathematica"] == r"BesselJ[\[Nu], z]"
    assert codes["maple"] == "BesselJ(nu, z)"
    assert codes["maxima"] == "bessel_j(nu, z)"
    assert "BesselJ" in codes["mathml"]
    assert imported == []


def test_versions_and_licence_are_those_of_the_package() -> None:
    claimed = re.search(r"Python (3\.\d+) or newer", README)
    assert claimed is not None
    assert PROJECT["requires-python"] == f">={claimed[1]}"
    assert any(name.startswith("torch") for name in PROJECT["optional-dependencies"]["train"])
    assert PROJECT["license"] in README
    assert "Apache License" in ROOT.joinpath("LICENSE").read_text("utf-8")


def test_what_the_page_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(links) >= 3
    missing = [link for link in links if not link.startswith("http") and not ROOT.joinpath(link).exists()]
    assert missing == []


def test_the_identity_of_the_table_is_verified() -> None:
    (command,) = re.findall(r"`texlift check '([^']+)'`", README)
    assert "proved" in texlift("check", command)
    false = CliRunner().invoke(app, ["check", command.replace("=1", "=2")])
    assert "refuted" in false.output


def test_a_paper_is_enriched_and_reported(tmp_path: Path) -> None:
    paper, enriched, report = tmp_path / "paper.tex", tmp_path / "semantic.tex", tmp_path / "report.html"
    body = r"The gamma function $\Gamma(z)$ of $z$, 5\,\% of it."
    text = rf"\documentclass{{article}}\begin{{document}}{body}\end{{document}}"
    paper.write_text(text, "utf-8")
    texlift("document", str(paper), "-o", str(enriched), "--report", str(report))
    written = enriched.read_text("utf-8")
    assert r"$\EulerGamma@{z}$" in written
    assert "of $z$, 5\\,\\% of it." in written
    assert paper.read_text("utf-8") == text
    assert "EulerGamma" in report.read_text("utf-8")


def test_a_macro_is_found_by_its_words() -> None:
    (words,) = re.findall(r"`texlift macros ([a-z ]+)`", README)
    assert r"\BesselY" in texlift("macros", *words.split())


def test_a_stream_takes_no_more_memory_the_longer_it_is() -> None:
    """Four times as many lines, each of them new, in hardly more memory."""

    def peak(lines: int) -> int:
        program = (
            "import resource, sys\n"
            "from texlift.cli.app import main\n"
            "sys.argv = ['texlift', 'translate', '--jsonl', '-k', '0']\n"
            "try:\n    main()\nexcept SystemExit:\n    pass\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
        )
        given = "".join(json.dumps({"latex": rf"x_{{{n}}}+{n}"}) + "\n" for n in range(lines))
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=given,
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
            env=os.environ,
        )
        assert done.stdout.count("\n") == lines
        return int(done.stderr.split()[-1])

    assert peak(12_000) < 1.15 * peak(3_000)


def test_a_model_of_ones_own_pairs_reads_ones_own_macros(tmp_path: Path) -> None:
    """A macro that no lexicon has, its template induced from pairs, used with --model."""
    pytest.importorskip("torch")
    from texlift.corpus.demo import demo_pairs
    from texlift.corpus.pair import Pair
    from texlift.train.fit import TranslatorSettings, fit

    arguments = ("x", "y", "2n", "a+b", "z^{2}", r"\alpha", r"\frac{1}{2}", "t-1")
    own = [
        Pair(f"own.{n}", rf"\Xi\left\langle {a}\right\rangle+{n}", rf"\Wombat@{{{a}}}+{n}")
        for n, a in enumerate(arguments)
    ]
    sizes = {"batch": 16, "state": 8, "hidden": 8, "embedding": 8, "table_bits": 12}
    settings = TranslatorSettings(epochs=4, primer=False, handbook=False, **sizes)
    model, _ = fit([*demo_pairs()[:12], *own * 3], settings)
    model.save(tmp_path / "model")
    answer = texlift("translate", "-q", "--model", str(tmp_path / "model"), r"\Xi\langle q+1\rangle")
    assert answer.strip() == r"\Wombat@{q+1}"
