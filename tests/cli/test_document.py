import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent.parent / "documents" / "samples"


def texlift(*arguments: object, answers: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from texlift.cli.app import main; main()", "document", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, input=answers, check=False)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    for name in ("paper.tex", "appendix.tex"):
        shutil.copy(SAMPLES / name, tmp_path)
    return tmp_path / "paper.tex"


def test_document_with_its_files_and_report(paper: Path) -> None:
    out = paper.parent / "out" / "paper.tex"
    report = paper.parent / "report.html"
    done = texlift(paper, "-o", out, "--report", report, "--to", "sympy")
    assert done.returncode == 0, done.stderr
    assert "translated" in done.stdout
    assert "\\EulerGamma@{z}" in out.read_text()
    assert "\\Riemannzeta@{s}" in (out.parent / "appendix.tex").read_text()
    assert "<math" in report.read_text()


def test_nothing_is_overwritten_unasked(paper: Path) -> None:
    before = (paper.parent / "appendix.tex").read_text()
    done = texlift(paper, "-o", paper.parent / "new.tex")
    assert done.returncode == 1
    assert "would be overwritten" in done.stderr
    assert not (paper.parent / "new.tex").exists()
    assert (paper.parent / "appendix.tex").read_text() == before
    assert texlift(paper, "-o", paper.parent / "new.tex", "--force", "-q").returncode == 0


def test_json_report(paper: Path) -> None:
    report = paper.parent / "report.json"
    assert texlift(paper, "--report", report, "-q").returncode == 0
    record = json.loads(report.read_text())
    assert record["formulae"][0]["line"] == 9
    assert sum(record["counts"].values()) == len(record["formulae"])


def test_interactive_answers_are_kept(tmp_path: Path) -> None:
    source = tmp_path / "a.md"
    source.write_text("$E_n(x)$ and $D_n(x)$ and $K(m)$ and $S(x)$\n")
    done = texlift(source, "-o", tmp_path / "b.md", "--interactive", answers="1\n" * 20)
    assert done.returncode == 0, done.stderr
    assert "[readings]" in (tmp_path / "texlift.toml").read_text()


@pytest.mark.parametrize(("name", "message"), [("missing.tex", "cannot read"), ("a.doc", "unknown kind")])
def test_what_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    done = texlift(tmp_path / name, "-o", tmp_path / "out.tex")
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
