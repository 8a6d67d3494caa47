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


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from texlift.cli.app import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_way_back_gives_every_file_byte_for_byte(paper: Path) -> None:
    out, back = paper.parent / "out" / "paper.tex", paper.parent / "back" / "paper.tex"
    assert texlift(paper, "-o", out, "-q").returncode == 0
    assert (out.parent / "texlift-macros.sty").exists()
    assert "\\usepackage{texlift-macros}\n\\begin{document}" in out.read_text()
    done = run("expand", "--document", out, "-o", back)
    assert done.returncode == 0, done.stderr
    for name in ("paper.tex", "appendix.tex"):
        assert (back.parent / name).read_bytes() == (paper.parent / name).read_bytes()


def test_a_document_without_its_package_is_expanded_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("The gamma function $\\EulerGamma@{z}$.")
    done = run("expand", "--document", tmp_path / "a.tex", "-o", tmp_path / "b.tex")
    assert "standard notation" in done.stderr
    assert (tmp_path / "b.tex").read_text() == "The gamma function $\\Gamma\\left(z\\right)$."


def test_a_lifted_document_is_not_lifted_twice(paper: Path) -> None:
    out = paper.parent / "out" / "paper.tex"
    texlift(paper, "-o", out, "-q")
    done = texlift(out, "-o", paper.parent / "again" / "paper.tex")
    assert done.returncode == 1
    assert "lifted already" in done.stderr


def test_notation_and_diff(paper: Path) -> None:
    table, tex = paper.parent / "n.toml", paper.parent / "n.tex"
    done = texlift(paper, "--notation", table, "--notation", tex, "--diff", "-", "-q")
    assert done.returncode == 0, done.stderr
    assert "gamma function" in table.read_text()
    assert "\\begin{tabular}" in tex.read_text()
    assert done.stdout.startswith("--- a/paper.tex\n+++ b/paper.tex\n@@ ")


def test_formulae_that_fail_are_listed_with_their_place(tmp_path: Path) -> None:
    pytest.importorskip("mpmath")
    (tmp_path / "a.md").write_text("True:\n\n$\\sin^2 x+\\cos^2 x=1$\n\nWrong:\n\n$\\sin^2 x+\\cos^2 x=2$\n")
    done = texlift(tmp_path / "a.md", "-o", tmp_path / "out" / "a.md", "--check", "--seconds", "60")
    assert "a.md:7: fails numerically" in done.stdout
    assert "a.md:3: fails" not in done.stdout
