"""The macro packages, in real TeX, KaTeX and MathJax. Without these programs the tests are skipped."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from texlift.bench.typesetting import compiled, difference, missing_tools, printed, with_planetmath
from texlift.documents.document import read_document
from texlift.documents.lifting import Options, lift
from texlift.documents.package import package_of, package_text, standard_spellings
from texlift.documents.webmacros import katex_script, mathjax_script
from texlift.macros.lexicon import lexicon

DATA = os.environ.get("TEXLIFT_DATA", "")
needs_tex = pytest.mark.skipif(bool(missing_tools()), reason=f"not installed: {', '.join(missing_tools())}")
PAPER = r"""\documentclass{article}
\usepackage{amsmath,amssymb,amsthm}
\newcommand{\E}[1]{\mathrm{E}\left[#1\right]}
\def\be{\begin{equation}}\def\ee{\end{equation}}
\newcommand{\diff}{\Delta}
\newtheorem{notation}{Notation}
\begin{document}
\tableofcontents
\section{The Bessel function $J_\nu(z)$ and $\sin^2 x$}
Bessel functions $J_\nu(z)$, $J_{\nu}\left(z\right)$ and $J_0'(x)$; $\mathbb{R}^n$ and $x^\pi$, $2^{\Gamma(z)}$.
\be \E{\Gamma(z)^2} = \int_0^\infty t^{z-1}e^{-t}\,dt + \diff x \ee
\begin{align} \frac{d^2y}{dx^2} &= -\sin x & \cos^2 x+\sin^2 x &= 1 \\
[0,1) &\ni \ln x & {n\choose k} &= \log 2 \end{align}
\begin{notation} We write $\sup_{x}\sin(x)$, $\tan'$ and $\left|\zeta(s)\right|$.\end{notation}
\end{document}
"""


def lifted_files(source: Path, folder: Path) -> tuple[Path, Path]:
    """The document and its lifted form, side by side in a folder."""
    outcome = lift(read_document(source), Options(threshold=0.3))
    with_planetmath(folder)
    (folder / "in.tex").write_bytes(source.read_bytes())
    (folder / "out.tex").write_bytes(outcome.document.files[0].encoded(outcome.texts()[0]))
    (folder / "texlift-macros.sty").write_text(package_of(outcome.spellings), "utf-8")
    return folder / "in.tex", folder / "out.tex"


@needs_tex
@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_a_lifted_paper_prints_the_same(tmp_path: Path, engine: str) -> None:
    if missing := missing_tools(engine):
        pytest.skip(f"not installed: {', '.join(missing)}")
    (tmp_path / "paper.tex").write_text(PAPER)
    before, after = lifted_files(tmp_path / "paper.tex", tmp_path)
    assert after.read_text().count("@") > 8
    one, other = compiled(before, engine), compiled(after, engine)
    assert one is not None
    assert other is not None
    assert difference(printed(one), printed(other)) == ""


@needs_tex
@pytest.mark.skipif(not DATA, reason="TEXLIFT_DATA is not set: the articles are not here")
def test_real_articles_print_the_same(tmp_path: Path) -> None:
    count = 0
    for path in sorted((Path(DATA) / "texts" / "33_Special_functions").glob("*.tex"))[::6]:
        folder = tmp_path / path.stem
        folder.mkdir()
        before, after = lifted_files(path, folder)
        if before.read_bytes() == after.read_bytes() or (one := compiled(before)) is None:
            continue
        other = compiled(after)
        assert other is not None, path.name
        assert difference(printed(one), printed(other)) == "", path.name
        count += 1
    assert count > 2


@needs_tex
def test_pictures_show_a_changed_sign(tmp_path: Path) -> None:
    pages = []
    for name, sign in (("a", "+"), ("b", "-")):
        path = tmp_path / f"{name}.tex"
        path.write_text(f"\\documentclass{{article}}\\begin{{document}}$a{sign}b$\\end{{document}}")
        pdf = compiled(path)
        assert pdf is not None
        pages.append(printed(pdf))
    assert difference(*pages)


def all_calls() -> list[str]:
    """Every form of every macro, plain, with a prime and with a power."""
    calls = []
    for macro in lexicon():
        for form, _ in macro.templates:
            filled = re.sub(r"#[1-9a-z]", "n", form)
            calls += [filled.replace("#'", script) for script in (("", "'", "^{2}") if "#'" in form else ("",))]
    return calls


@needs_tex
def test_all_macros_in_all_forms_compile(tmp_path: Path) -> None:
    (tmp_path / "texlift-macros.sty").write_text(
        package_text([], standard_spellings(lexicon()), requires=True), "utf-8"
    )
    lines = "\n".join(f"${call}$" for call in all_calls())
    head = "\\documentclass{article}\\usepackage{texlift-macros}\\begin{document}"
    (tmp_path / "all.tex").write_text(f"{head}\n{lines}\n\\end{{document}}\n")
    assert compiled(tmp_path / "all.tex") is not None
    assert "cannot be written like this" not in (tmp_path / "all.log").read_text("latin-1")


def run_node(folder: Path, package: str, program: str) -> str:
    """The output of a program that needs a package of npm; the test is skipped where there is none."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("node and npm are not installed")
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", package]
    try:
        done = subprocess.run(install, cwd=folder, capture_output=True, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm does not get {package}")
    if done.returncode:
        pytest.skip(f"npm does not get {package}")
    (folder / "calls.json").write_text(json.dumps(all_calls()))
    (folder / "run.js").write_text(program)
    return subprocess.run(
        ["node", "run.js"], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    ).stdout


def test_katex_prints_every_call(tmp_path: Path) -> None:
    (tmp_path / "macros.js").write_text(katex_script(standard_spellings(lexicon())), "utf-8")
    program = """
        const katex = require("katex"), macros = require("./macros.js"), wrong = [];
        for (const call of require("./calls.json"))
          try { katex.renderToString(call, { macros: { ...macros }, strict: false }); }
          catch (error) { wrong.push(call + error); }
        const options = { macros: { ...macros }, output: "mathml" };
        const shown = katex.renderToString("\\\\BesselJ{\\\\nu}'@{z}", options);
        console.log(JSON.stringify([wrong, shown]));"""
    wrong, shown = json.loads(run_node(tmp_path, "katex@0.16", program))
    assert wrong == []
    assert re.sub(r"<annotation.*?</annotation>|<[^>]*>|\s", "", shown) == "Jν′(z)"


def test_mathjax_prints_every_call(tmp_path: Path) -> None:
    (tmp_path / "macros.js").write_text(mathjax_script(standard_spellings(lexicon())), "utf-8")
    program = """
        require("./macros.js");
        const load = ["input/tex-full", "output/svg", "adaptors/liteDOM"];
        const config = { ...globalThis.MathJax, loader: { load } };
        require("mathjax").init(config).then((MathJax) => {
          const wrong = require("./calls.json").filter((call) => /<merror/.test(MathJax.tex2mml(call)));
          console.log(JSON.stringify([wrong, MathJax.tex2mml("\\\\BesselJ{\\\\nu}'@{z}")]));
        });"""
    wrong, shown = json.loads(run_node(tmp_path, "mathjax@3", program).splitlines()[-1])
    assert wrong == []
    assert re.sub(r"<[^>]*>|\s", "", shown) == "J&#x3BD;&#x2032;(z)"
