"""Documents nobody wants to meet: they print the same, come back, and leave no half files behind."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from texlift.bench.typesetting import compiled, difference, missing_tools, printed
from texlift.cli.document import _write
from texlift.documents.choices import symbol_of
from texlift.documents.document import read_document
from texlift.documents.lifting import Options, Outcome, lift
from texlift.documents.package import PACKAGE, package_of, read_package
from texlift.documents.restored import restored_document

PACKAGES = [
    "inputenc",
    "fontenc",
    "amsmath",
    "amssymb",
    "amsthm",
    "amsfonts",
    "mathtools",
    "physics",
    "siunitx",
    "braket",
    "bm",
    "mathrsfs",
    "esint",
    "cancel",
    "empheq",
    "xcolor",
    "graphicx",
    "geometry",
    "microtype",
    "enumitem",
    "booktabs",
    "array",
    "longtable",
    "multicol",
    "caption",
    "subcaption",
    "float",
    "listings",
    "url",
    "xspace",
    "etoolbox",
    "xparse",
    "calc",
    "ifthen",
    "setspace",
    "parskip",
    "titlesec",
    "fancyhdr",
    "lastpage",
    "pdfpages",
    "natbib",
    "tikz",
    "pgfplots",
    "algorithm",
    "algpseudocode",
    "todonotes",
    "soul",
    "ulem",
    "comment",
    "csquotes",
    "xfrac",
    "nicefrac",
    "units",
    "textcomp",
    "stmaryrd",
    "hyperref",
    "cleveref",
]
BODY = r"""\begin{document}
The gamma function $\Gamma(z)$ and the Bessel function $J_\nu(z)$ of the first kind: \(\Gamma(z+1)=z\Gamma(z)\).
\[ \int_0^\infty e^{-t}t^{z-1}\,dt=\Gamma(z) \]
\end{document}
"""


def lifted(folder: Path, text: str) -> Outcome:
    """Lift a document and write it to `out` beside it."""
    (folder / "in.tex").write_text(text)
    outcome = lift(read_document(folder / "in.tex"), Options())
    (folder / "out.tex").write_text(outcome.texts()[0])
    (folder / f"{PACKAGE}.sty").write_text(package_of(outcome.spellings))
    return outcome


def comes_back(folder: Path) -> bool:
    spellings = read_package(folder / f"{PACKAGE}.sty")
    return restored_document(read_document(folder / "out.tex"), spellings).texts[0] == (folder / "in.tex").read_text()


@pytest.mark.skipif(bool(missing_tools()) or shutil.which("kpsewhich") is None, reason="needs TeX Live and poppler")
def test_a_preamble_that_loads_every_package(tmp_path: Path) -> None:
    found = subprocess.run(
        ["kpsewhich", *(f"{name}.sty" for name in PACKAGES)], capture_output=True, text=True, check=False
    )
    there = {Path(line).stem for line in found.stdout.split()}
    loads = "".join(f"\\usepackage{{{name}}}\n" for name in PACKAGES if name in there)
    outcome = lifted(tmp_path, f"\\documentclass{{article}}\n{loads}{BODY}")
    assert outcome.counts["translated"] >= 3
    assert comes_back(tmp_path)
    before = compiled(tmp_path / "in.tex")
    if before is None:
        pytest.skip("these packages do not go together in this TeX Live")
    after = compiled(tmp_path / "out.tex")
    assert after is not None
    assert difference(printed(before), printed(after)) == ""


@pytest.mark.parametrize(
    "formula",
    [
        r"$\mean{\mean{\Gamma(z)}}$",
        r"$x=\text{the function $\Gamma(z)$ of \(z\)}$",
        r"$\mean{\text{$\Gamma(\mean{z})$ or $\mbox{$\Gamma(z)$}$}}$",
        r"\[\mean{\Gamma(z)}\quad\mbox{where $\mean{z}>0$}\]",
        r"$\mean{$\Gamma(z)$}$",
    ],
)
def test_formulae_inside_macros_inside_formulae(tmp_path: Path, formula: str) -> None:
    preamble = "\\documentclass{article}\n\\newcommand{\\mean}[1]{\\langle #1\\rangle}\n\\begin{document}\n"
    outcome = lifted(tmp_path, f"{preamble}The gamma function {formula} and $\\Gamma(z)$.\n\\end{{document}}\n")
    assert r"$\EulerGamma@{z}$.\n".replace("\\n", "\n") in outcome.texts()[0]
    assert comes_back(tmp_path)
    assert outcome.texts()[0].count(r"\mean") == (tmp_path / "in.tex").read_text().count(r"\mean")


@pytest.mark.parametrize("at", range(3))
def test_an_interrupted_run_leaves_whole_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    (tmp_path / "part.tex").write_text("And again the gamma function $\\Gamma(x)$.\n")
    (tmp_path / "in.tex").write_text("The gamma function $\\Gamma(z)$. \\input{part}\n" + BODY)
    outcome = lift(read_document(tmp_path / "in.tex"), Options())
    out = tmp_path / "out"
    out.mkdir()
    targets, side = [out / "out.tex", out / "part.tex"], out / f"{PACKAGE}.sty"
    new = dict(zip(targets, outcome.texts(), strict=True))
    for path in (*targets, side):
        path.write_text("old")
    replace, done = os.replace, 0

    def interrupted(*arguments: object) -> None:
        nonlocal done
        if done == at:
            raise KeyboardInterrupt
        done += 1
        replace(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _write(outcome, targets, side, None, "in.tex", True)
    assert all(path.read_text() in ("old", new[path]) for path in targets)
    assert (out / "out.tex").read_text() == "old"  # the main file comes last
    assert sorted(path.name for path in out.iterdir()) == sorted(path.name for path in (*targets, side))


@pytest.mark.skipif(bool(missing_tools()) or shutil.which("latexdiff") is None, reason="needs TeX Live and latexdiff")
def test_latexdiff_marks_what_was_changed(tmp_path: Path) -> None:
    lifted(tmp_path, f"\\documentclass{{article}}\n{BODY}")
    command = ["latexdiff", "--type=CFONT", "in.tex", "out.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (tmp_path / "marked.tex").write_text(done.stdout)
    assert r"\DIFadd" in done.stdout
    assert compiled(tmp_path / "marked.tex") is not None


def test_delimiters_that_are_read_apart(tmp_path: Path) -> None:
    text = "the absolute value $\\left|a\\right|\\left|z-b\\right|^{\\alpha}\\leq r$ and $\\left|x\\right.$ x "
    lifted(tmp_path, f"\\documentclass{{article}}\n\\begin{{document}}\n{30 * text}\n\\end{{document}}\n")
    assert comes_back(tmp_path)
    assert symbol_of(r"\left|") == ""
